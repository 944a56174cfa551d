// Edo Yashiki: the houses as floor plans, the row, and the race of points.
import { fit, heldDefs, houseNodes, panelNode, roomOf, choosing, tokenNodes, turnNodes } from "./edo_yashiki_house.js";
import { read } from "./edo_yashiki_read.js";
import { DEFS } from "./edo_yashiki_shapes.js";
import { legendNodes, raceNodes, resultNodes, rowNodes, titleNodes } from "./edo_yashiki_table.js";

const LARGEST = 44; // the widest cell of a house
const WIDTHS = { 2: 1080, 3: 1080, 4: 1180, 5: 1280 }; // of the board, by number of seats: words stay large where there is room

export function scene(input) {
  const position = read(input);
  const drawn = input.frame === "narrow" ? narrow(position) : wide(position);
  const { names, facts, scores } = position;
  const standing = names.map((name, seat) => `${name} ${scores[seat]}`).join(", ");
  return { ...drawn, label: `Edo Yashiki, round ${position.round}: ${facts.phase || ""}; ${standing}` };
}

function wide(position) {
  const { seats, own, specialists, ended } = position;
  const [width, height, margin, gap] = [WIDTHS[seats], 720, 24, 12];
  const nodes = titleNodes(position, { x: margin, y: 40, width: width - 2 * margin });
  const table = ended ? 470 : 100 * (seats + 1) - 20;
  if (ended) nodes.push(...resultNodes(position, { x: margin + 6, y: 60, width: table - 12, row: seats > 3 ? 27 : 32 }));
  else nodes.push(...rowNodes(position, { x: margin, y: 70, cell: 40, gap: 20 }));
  const race = margin + table + (seats > 3 ? 28 : 48);
  const [lane, between] = { 2: [30, 18], 3: [26, 12], 4: [21, 9], 5: [17, 8] }[seats];
  const raceTop = seats > 2 ? 84 : 92;
  nodes.push(...raceNodes(position, { x: race, y: raceTop, width: width - margin - race, lane, gap: between, named: true }));
  const [top, high] = [242, height - 242 - 48];
  const inner = 62 + (specialists ? 26 : 0);
  const shares = position.names.map((_, seat) => (seat !== own ? 1 : seats > 2 ? 1.9 : 1.25));
  const unit = (width - 2 * margin - gap * (seats - 1)) / shares.reduce((sum, share) => sum + share, 0);
  const rooms = position.names.map((_, seat) => roomOf(position, seat));
  const others = fit(rooms.filter((_, seat) => seat !== own), unit - 28, high - inner - 12, LARGEST);
  let [x, defs] = [margin, []];
  position.names.forEach((_, seat) => {
    const broad = unit * shares[seat];
    const ways = seat === own && choosing(position, seat);
    const above = inner + (ways && broad < 400 ? 52 : 0);
    const cell = seat === own ? fit([rooms[seat]], broad - 28, high - above - 12, LARGEST) : others;
    nodes.push(panelNode(position, seat, { x, y: top, width: broad, height: high, small: seats > 3 && seat !== own }));
    if (specialists) nodes.push(...tokenNodes(position, seat, x, top, broad < 180));
    nodes.push(...houseNodes(position, seat, { x: x + 12, y: top + above - 10, width: broad - 24, height: high - above, cell }));
    if (ways) {
      nodes.push(...turnNodes(position, x + broad - 182, top + 44));
      defs = heldDefs(position, cell);
    }
    x += broad + gap;
  });
  nodes.push(...legendNodes(position, { x: margin, y: height - 20, width: width - 2 * margin, narrow: false }));
  return { width, height, nodes, defs: [...DEFS, ...defs] };
}

function narrow(position) {
  const { seats, own, specialists, ended, scores, facts } = position;
  const [width, margin] = [360, 16];
  const inside = width - 2 * margin;
  const nodes = titleNodes(position, { x: margin, y: 34, width: inside, narrow: true });
  let y = 70;
  if (ended) {
    nodes.push(...resultNodes(position, { x: margin + 6, y, width: inside - 12, row: 30 }));
    y += 30 + seats * 30 + 34;
  } else {
    const cell = { 2: 30, 3: 26, 4: 23, 5: 20 }[seats];
    const gap = Math.min(22, (inside - (seats + 1) * 2 * cell) / seats);
    nodes.push(...rowNodes(position, { x: margin, y, cell, gap }));
    y += 3 * cell + 60;
  }
  nodes.push(...raceNodes(position, { x: margin, y, width: inside, lane: 18, gap: 6, named: false }));
  y += seats * 24 + 34;
  const best = ended && facts.places ? facts.places.indexOf(1) : scores.indexOf(Math.max(...scores));
  const focus = own === null ? best : own;
  const ways = choosing(position, focus);
  const inner = 54 + (specialists ? 26 : 0) + (ways ? 52 : 0);
  const room = roomOf(position, focus);
  const cell = fit([room], inside - 20, ways ? 420 : 300, 40);
  const high = Math.max(150, room[3] * cell + inner + 24);
  nodes.push(panelNode(position, focus, { x: margin, y, width: inside, height: high }));
  if (specialists) nodes.push(...tokenNodes(position, focus, margin, y, false));
  if (ways) nodes.push(...turnNodes(position, margin + 16, y + (specialists ? 72 : 46)));
  nodes.push(...houseNodes(position, focus, { x: margin + 8, y: y + inner - 6, width: inside - 16, height: high - inner, cell }));
  y += high + 12;
  const others = position.names.map((_, seat) => seat).filter((seat) => seat !== focus);
  const columns = others.length > 1 ? 2 : 1;
  const each = (inside - 8 * (columns - 1)) / columns;
  const rooms = others.map((seat) => roomOf(position, seat));
  const small = fit(rooms, each - 20, 150, 22);
  const head = 54 + (specialists ? 26 : 0);
  for (let at = 0; at < others.length; at += columns) {
    const part = others.slice(at, at + columns);
    const tall = Math.max(...part.map((seat) => roomOf(position, seat)[3])) * small + head + 12;
    part.forEach((seat, column) => {
      const x = margin + column * (each + 8);
      nodes.push(panelNode(position, seat, { x, y, width: each, height: tall, small: true }));
      if (specialists) nodes.push(...tokenNodes(position, seat, x, y, true));
      nodes.push(...houseNodes(position, seat, { x: x + 8, y: y + head - 8, width: each - 16, height: tall - head, cell: small }));
    });
    y += tall + 8;
  }
  nodes.push(...legendNodes(position, { x: margin, y: y + 22, narrow: true }));
  return { width, height: y + (ways ? 112 : 90), nodes, defs: [...DEFS, ...(ways ? heldDefs(position, cell) : [])] };
}
