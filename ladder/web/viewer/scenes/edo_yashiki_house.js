// Edo Yashiki: one seat's panel with its house: plot, wall, cards, lines, and the places where a card can go.
import { clipped } from "../marks.js";
import { boxOf, chainLines } from "./edo_yashiki_read.js";
import {
  CELL, KINDS, NAMES, capsule, cardShapes, cardWords, circle, group, lineWords, markAt, paint, path, pill, pointWords, rect, short,
  text, turnedRows,
} from "./edo_yashiki_shapes.js";

const STEPS = [46, 40, 36, 32, 28, 26, 24, 22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5];
const PLACES = ["1st", "2nd", "3rd", "4th", "5th"];

/** The largest width of cells with which all boxes fit; steps, so that the board does not breathe with every card. */
export function fit(boxes, width, height, largest) {
  const fits = (cell) => cell <= largest && boxes.every(([, , wide, high]) => wide * cell <= width && high * cell <= height);
  return STEPS.find(fits) || STEPS[STEPS.length - 1];
}

/** The box that a house needs: with room for the dots of all places where its seat can lay a card while it chooses. */
export function roomOf(position, seat) {
  const [left, top, wide, high] = boxOf(position.houses[seat].cells);
  return choosing(position, seat) ? [left - 1.5, top - 2, wide + 3, high + 4] : [left, top, wide, high];
}

/** Whether a seat chooses where its card goes. */
export function choosing({ own, targets, chosen }, seat) {
  return own === seat && [...targets, ...chosen].some(({ key }) => key.startsWith("turn:") || key.startsWith("at:"));
}

/** The panel of a seat: name, points, what the step brought, tokens or place. */
export function panelNode(position, seat, { x, y, width, height, small = false }) {
  const { names, scores, facts, houses, awaited, ended, own, specialists, targets } = position;
  const { gained } = houses[seat];
  const active = own === seat && targets.length > 0;
  const edge = 12 + (small ? 11 : 14) * `${scores[seat]}`.length + 8;
  const beside = width > 200;
  const room = width - 33 - edge - (gained && beside ? 36 + 7 * (gained > 9) : 0);
  const parts = [
    rect(0, 0, width, height, "panel", { rx: 6 }),
    path(`M0 6a6 6 0 0 1 6-6h${short(width - 12)}a6 6 0 0 1 6 6z`, `edo-band seat-${seat + 1}`),
  ];
  if (active) parts.push(rect(-1.5, -1.5, width + 3, height + 3, "edo-active", { rx: 7.5 }));
  parts.push(
    markAt(seat, 18, 24, 15),
    text(33, 28.5, clipped(names[seat], Math.max(3, Math.floor(room / 8))), awaited.includes(seat) ? "name due" : "name"),
    text(width - 12, 31, scores[seat], small ? "edo-score edo-score-small" : "edo-score"),
  );
  if (gained) parts.push(pill(width - (beside ? edge : 10), beside ? 25.5 : 46, `+${gained}`, "edo-gain", { anchor: "end" }));
  const place = ended && facts.places ? PLACES[facts.places[seat] - 1] : "";
  if (place) parts.push(text(33, specialists ? 78 : 46, place, facts.places[seat] === 1 ? "edo-small edo-first" : "edo-small soft"));
  const said = [names[seat], pointWords(scores[seat]), place, gained ? `${gained} in this step` : "", awaited.includes(seat) ? "to answer" : ""];
  const label = said.filter(Boolean).join(", ");
  return { key: `seat:${seat}`, x, y, label, parts };
}

/** The tokens of a seat under the Specialists rules, and the button to stop scoring. */
export function tokenNodes(position, seat, x, y, small) {
  const step = small ? 24 : 28;
  const nodes = position.tokens[seat].map((has, index) => ({
    key: `token:${seat}:${KINDS[index]}`,
    x: x + 33 + 11 + index * step,
    y: y + 49,
    label: `${NAMES[KINDS[index]]} specialist ${has ? "ready" : "spent"}`,
    parts: has
      ? [circle(0, 0, 11, "edo-token", { fill: paint(KINDS[index], CELL) })]
      : [circle(0, 0, 11, "edo-token-spent")],
  }));
  const stop = position.targets.find(({ key }) => key === "stop");
  if (stop && position.own === seat) {
    nodes.push({
      key: "option:stop",
      x: x + 33 + 4 * step + 12,
      y: y + 37,
      label: stop.words,
      target: "stop",
      parts: [rect(0, 0, 62, 24, "edo-button", { rx: 12 }), text(31, 16.4, "stop", "edo-button-words")],
    });
  }
  return nodes;
}

/** The two ways up as buttons. */
export function turnNodes(position, x, y) {
  const { targets, chosen } = position;
  const ways = [...targets, ...chosen].filter(({ key }) => key.startsWith("turn:"));
  return ways.map((part) => {
    const { turn, rows } = part.place;
    const on = chosen.some(({ key }) => key === part.key);
    return {
      key: `turn:${turn}`,
      x: x + turn * 88,
      y,
      label: part.words,
      target: targets.some(({ key }) => key === part.key) ? part.key : undefined,
      parts: [
        rect(0, 0, 80, 48, on ? "edo-way edo-way-on" : "edo-way place", { rx: 6 }),
        group(7, 4.5, cardShapes(rows, 13, 0.5), 13 / CELL),
        text(40, 29, turn ? "180°" : "0°", on ? "edo-strong" : ""),
      ],
    };
  });
}

/** A house in the region (x, y, width, height). */
export function houseNodes(position, seat, { x, y, width, height, cell }) {
  const house = position.houses[seat];
  const [left, top, wide, high] = roomOf(position, seat);
  const scale = cell / CELL;
  const origin = [x + Math.round((width - wide * cell) / 2) - left * cell, y + Math.round((height - high * cell) / 2) - top * cell];
  const plane = (key, parts, more = {}) => ({ key, x: origin[0], y: origin[1], scale, lift: false, parts, ...more });
  const nodes = [plotNode(seat, origin, { x, y, width, height, cell })];
  nodes.push(plane(`wall:${seat}`, [path(cellPath(house.cells), "edo-wall", { "stroke-width": short(5 / scale) })]));
  const fresh = position.events.some((event) => event.verb === "moved" && event.seat === seat);
  house.cards.forEach((card, at) => {
    nodes.push(laidCard(position, card, origin, cell, fresh && at === house.cards.length - 1));
  });
  nodes.push(plane(`outline:${seat}`, [path(outline(house.cells), "edo-outline", { "stroke-width": short(2 / scale) })]));
  const lit = new Map(house.scored.map((line) => [lineKey(line), line]));
  const chain = seat === position.own ? chainLines(position.view) : [];
  const shownChain = new Set(chain.map(lineKey));
  for (const line of house.lines) {
    const key = lineKey(line);
    if (lit.has(key) || shownChain.has(key) || cell < 12) continue;
    nodes.push(plane(`line:${seat}:${key}`, thread(line, cell), { label: `${lineWords(line)}, cannot be covered` }));
  }
  for (const line of lit.values()) nodes.push(litLine(seat, line, plane, origin, cell));
  for (const line of chain) nodes.push(optionLine(position, line, plane, cell));
  return [...nodes, ...placeNodes(position, seat, origin, cell)];
}

function plotNode(seat, origin, { x, y, width, height, cell }) {
  const [left, top] = [modulo(origin[0] - x, cell), modulo(origin[1] - y, cell)];
  const [wide, high] = [Math.floor((width - left) / cell) * CELL, Math.floor((height - top) / cell) * CELL];
  const parts = [rect(0, 0, wide, high, "", { fill: "url(#edo_yashiki-plot)" })];
  return { key: `plot:${seat}`, x: x + left, y: y + top, scale: cell / CELL, lift: false, parts };
}

function modulo(value, by) {
  return ((value % by) + by) % by;
}

/** A card of the house; the one that was just laid has a halo. */
function laidCard(position, { number, x, y, turned }, origin, cell, fresh) {
  const card = position.facts.cards[number];
  const words = cardWords(card, turned);
  return {
    key: `card:${number}`,
    x: short(origin[0] + x * cell),
    y: short(origin[1] + y * cell),
    scale: cell / CELL,
    label: words,
    tip: `${words.replace(": ", "\n")}\nat (${x}, ${y})`,
    halo: fresh ? [0, 0, 48, 72, 1.6] : undefined,
    parts: cardShapes(turned ? turnedRows(card.rows) : card.rows, cell, 1.5),
  };
}

function lineKey({ axis, x, y, length }) {
  return `${axis}:${x}:${y}:${length}`;
}

function cellPath(cells) {
  return [...cells].map((cell) => cell.split(",")).map(([x, y]) => `M${x * CELL} ${y * CELL}h24v24h-24z`).join("");
}

/** The border of a set of cells. */
function outline(cells) {
  let d = "";
  for (const cell of cells) {
    const [x, y] = cell.split(",").map(Number);
    if (!cells.has(`${x},${y - 1}`)) d += `M${x * CELL} ${y * CELL}h24`;
    if (!cells.has(`${x + 1},${y}`)) d += `M${(x + 1) * CELL} ${y * CELL}v24`;
    if (!cells.has(`${x},${y + 1}`)) d += `M${x * CELL} ${(y + 1) * CELL}h24`;
    if (!cells.has(`${x - 1},${y}`)) d += `M${x * CELL} ${y * CELL}v24`;
  }
  return d;
}

/** An older line: a thread with a knot at each end. */
function thread({ axis, x, y, length }, cell) {
  const [startX, startY] = [x * CELL + 12, y * CELL + 12];
  const far = (length - 1) * CELL;
  const d = `M${startX} ${startY}${axis === "V" ? "v" : "h"}${far}`;
  const ends = [[startX, startY], axis === "V" ? [startX, startY + far] : [startX + far, startY]];
  const knots = cell < 16 ? [] : ends.map(([endX, endY]) => circle(endX, endY, 2.2, "edo-knot"));
  return [path(d, "edo-thread-rim"), path(d, "edo-thread"), ...knots];
}

/** Where the points of a line stand: at its right or lower end. */
function endOf({ axis, x, y, length }) {
  return axis === "V" ? [x * CELL + 12, (y + length) * CELL - 3] : [(x + length) * CELL - 3, y * CELL + 12];
}

/** A line that the step scored: a capsule round it with its points. */
function litLine(seat, line, plane, origin, cell) {
  const [x, y, width, height] = capsule(line, 2.6);
  const end = endOf(line);
  const size = (12.5 * CELL) / cell;
  const tag = cell < 18 ? [] : [pill(end[0], end[1], `+${line.points}`, "edo-gain", { size: short(size) })];
  return plane(
    `line:${seat}:${lineKey(line)}`,
    [rect(x, y, width, height, "edo-lit-rim", { rx: 9 }), rect(x, y, width, height, "edo-lit", { rx: 9 }), ...tag],
    { label: `${lineWords(line)}, scored ${pointWords(line.points)}`, tip: `${lineWords(line)}\nscored ${pointWords(line.points)} in this step` },
  );
}

/** A line of the seat's own scoring: a target, scored already, or without a token. */
function optionLine(position, line, plane, cell) {
  const target = position.targets.find(({ key }) => key === `line:${line.number}`);
  const [x, y, width, height] = capsule(line, 2.6);
  const name = target ? "edo-open" : line.scored ? "edo-lit" : "edo-closed";
  const parts = [rect(x, y, width, height, "edo-lit-rim", { rx: 9 }), rect(x, y, width, height, name, { rx: 9 })];
  if (target) {
    const end = endOf(line);
    parts.push(pill(end[0], end[1], `${target.place.points}`, "edo-choice", { size: short((14 * CELL) / cell) }));
  }
  const state = line.scored ? "scored" : "not to be scored now";
  return plane(`option:${line.number}`, parts, { label: target ? target.words : `${lineWords(line)}, ${state}`, target: target && target.key });
}

/** The places where the card can go: a dot at the middle of each; under the pointer the card lies there. */
function placeNodes(position, seat, origin, cell) {
  if (position.own !== seat) return [];
  const scale = cell / CELL;
  return position.targets.filter(({ key }) => key.startsWith("at:")).map((target) => {
    const { x, y, card, turn, lines = [], brings = "" } = target.place;
    const rows = position.facts.cards[card].rows;
    const ghost = [
      ["use", { href: `#edo_yashiki-held-${turn}`, x: -24, y: -38 }],
      rect(-25, -39, 50, 74, "edo-held-rim", { rx: 3 }),
      ...lines.map((line) => {
        const [lineX, lineY, width, height] = capsule({ ...line, x: line.x - x, y: line.y - y }, 3.4);
        return rect(lineX - 24, lineY - 37.5, width, height, "edo-preview", { rx: 9 });
      }),
    ];
    const r = Math.min(5.2 / scale, 6);
    return {
      key: `target:${x}:${y}`,
      x: short(origin[0] + (x + 1) * cell),
      y: short(origin[1] + (y + 1.5) * cell),
      scale,
      label: `lay the card ${target.words}${brings ? `: ${brings}` : ""}`,
      tip: brings ? `${target.words}\n${brings}` : `${target.words}, ${rows.length ? "no line" : ""}`,
      target: target.key,
      parts: [
        circle(0, 0, Math.max(12, 12 / scale), "edo-hit"),
        circle(0, 0, r, lines.some(({ points }) => points) ? "edo-spot edo-spot-pays" : "edo-spot"),
        ["g", { class: "edo-held" }, ghost],
      ],
    };
  });
}

/** The held card, once for each way up, for the places to use. */
export function heldDefs({ targets, chosen, facts }, cell) {
  const parts = [...targets, ...chosen].filter(({ key }) => key.startsWith("at:"));
  const turns = new Map(parts.map(({ place }) => [place.turn, place.card]));
  return [...turns].map(([turn, number]) => {
    const { rows } = facts.cards[number];
    return ["g", { id: `edo_yashiki-held-${turn}` }, cardShapes(turn ? turnedRows(rows) : rows, cell, 3)];
  });
}
