// Honshu: the table above, below it a chart with an island for every seat.
import { domainNodes, fit, layingShape } from "./honshu_map.js";
import { boxOf, pointsOf, read, totalOf } from "./honshu_read.js";
import { back, card, cardLabel, cardTip, definitions, extent, moved, path, rect, rounded, text } from "./honshu_shapes.js";
import {
  bars, categorySign, hand, legend, markAt, pairs, rounds, ruler, rules, short, store, title, trick,
} from "./honshu_table.js";

const HEAD = 66; // height of the head of a panel
const WAYS = 32; // height of the line of ways, over and under, where a card is being laid
const PLACES = ["1st", "2nd", "3rd", "4th", "5th"];

/** The drawing of one position. */
export function scene(input) {
  const model = read(input);
  model.laying = layingOf(model);
  const drawn = input.frame === "narrow" ? narrow(model) : wide(model);
  const defs = definitions(model.worths);
  if (model.laying && model.laying.turn !== null) defs.push(layingShape(model));
  return { ...drawn, label: sentence(model), defs };
}

function sentence(model) {
  const points = model.names.map((name, seat) => `${name} ${totalOf(model, seat)}`).join(", ");
  return `Honshu, round ${model.round} of 12: ${model.phaseWords}. Points${model.over ? "" : " if it ended now"}: ${points}`;
}

/** What a seat that lays its card has chosen so far; null if it is not about to lay one. */
function layingOf(model) {
  const parts = [...model.chosen, ...model.targets];
  const first = parts.find(({ key }) => key.startsWith("turn:"));
  if (!first || model.seat === null) return null;
  const chosen = model.chosen.find(({ key }) => key.startsWith("turn:"));
  const [row, column, lastRow, lastColumn] = first.place.within;
  return {
    card: first.place.card,
    turn: chosen ? chosen.place.turn : null,
    within: { row, column, rows: lastRow - row + 1, columns: lastColumn - column + 1 },
    put: model.chosen.find(({ key }) => key.startsWith("at:")) || null,
    ways: parts.filter(({ key }) => key.startsWith("way:")),
  };
}

/** What is centred in the panel of a seat: the domain, and every cell that its card can reach while it lays one. */
function boxFor(model, domain) {
  return model.laying && domain.seat === model.seat ? union(domain.box, model.laying.within) : domain.box;
}

function union(one, other) {
  const corners = (box) => [[box.row, box.column], [box.row + box.rows - 1, box.column + box.columns - 1]];
  return boxOf([...corners(one), ...corners(other)]);
}

// ---------------------------------------------------------------------------------------------------- wide

function wide(model) {
  const [width, height, margin] = [1280, 720, 24];
  const nodes = [title(model, margin, 36, false, width - margin), rounds(model, width - margin - 348, 31, 348)];
  nodes.push(...(model.over ? result(model, margin, width) : table(model, margin, width)));
  const [top, space] = [242, 12];
  const high = height - top - 48;
  const own = model.seat;
  const shares = model.names.map((_, seat) => (seat !== own ? 1 : model.seats > 2 ? 2.3 : 1.25));
  const unit = (width - 2 * margin - space * (model.seats - 1)) / shares.reduce((sum, share) => sum + share, 0);
  let x = margin;
  for (const domain of model.domains) {
    const room = unit * shares[domain.seat];
    const low = model.laying && domain.seat === own ? WAYS : 0;
    const box = boxFor(model, domain);
    const cell = fit([box], room - 26, high - HEAD - 28 - low, model.seats === 2 ? 46 : 40);
    const frame = { x: x + 12, y: top + HEAD + low, width: room - 24, height: high - HEAD - 6 - low };
    nodes.push(...panel(model, domain.seat, { x, y: top, width: room, height: high }));
    nodes.push(...domainNodes(model, domain, cell, frame, box));
    if (low) nodes.push(...turner(model, x + room - 246, top + 12), ...waysOf(model, x + 14, top + HEAD + 16, room - 28));
    x += room + space;
  }
  nodes.push(...legend(model, margin, height - 20, width - 2 * margin).nodes);
  return { width, height, nodes };
}

function table(model, margin, width) {
  const nodes = [];
  const y = 96;
  let right = margin - 48;
  if (model.seats > 2) {
    nodes.push(...trick(model, margin, y, 34, 24));
    right = margin + model.seats * 92 - 24;
  } else if (model.pairs.length) {
    nodes.push(...pairs(model, margin + 8, y, 34, 14, 42));
    right = margin + 4 * 68 + 28 + 42 + 14;
  } else if (model.phase === "place") {
    nodes.push(...trick(model, margin, y, 34, 24));
    right = margin + 2 * 92 - 24;
  }
  const rulers = [];
  if (model.hand.length) {
    if (right > margin) rulers.push(ruler(right + 24, 70, right + 24, 222));
    nodes.push({ key: "hand", x: right + 48, y: 66, parts: [text(0, 0, "your hand", "soft", 12.5)] });
    nodes.push(...hand(model, right + 48, y + 8, 31, 13));
    right += 24 + model.hand.length * 75;
  }
  const room = width - margin - 250 - right - 70;
  if (room > 180) {
    if (right > margin) rulers.push(ruler(right + 24, 70, right + 24, 222));
    const [lane, space] = { 2: [26, 14], 3: [22, 12], 4: [19, 9], 5: [17, 8] }[model.seats];
    nodes.push({ key: "race", x: right + 48, y: 76, parts: [text(0, 0, "if it ended now", "soft", 12.5)] });
    nodes.push(...bars(model, right + 48, 90, room, lane, space, { names: room > 330 }));
  }
  rulers.push(ruler(width - margin - 226, 70, width - margin - 226, 222));
  nodes.push({ key: "rulers", x: 0, y: 0, parts: rulers });
  nodes.push(...store(model, width - margin - 204, 84, false));
  return nodes;
}

function result(model, margin, width) {
  const [lane, space] = { 2: [30, 18], 3: [26, 14], 4: [22, 12], 5: [20, 9] }[model.seats];
  const step = model.scoring.length > 4 ? 29 : 34;
  return [
    ...rules(model, margin, 70, step),
    ...bars(model, margin + 440, model.seats > 2 ? 74 : 96, width - 2 * margin - 440, lane, space),
  ];
}

// ---------------------------------------------------------------------------------------------------- panels

/** The panel of a seat: mark, name, hidden cards or points, points by category, place. */
function panel(model, seat, { x, y, width, height }, small = false) {
  const due = model.awaited.includes(seat);
  const name = model.names[seat];
  const total = totalOf(model, seat);
  const { size, known } = model.held[seat];
  const laying = model.laying && seat === model.seat && !small;
  const turnRoom = laying && width > 400 ? 246 : 0;
  const step = width < 210 ? 5 : 8; // from one hidden card to the next
  const backs = known.length ? known.length * 22 : (Math.max(size, 1) - 1) * step + 18;
  const room = width - 33 - (model.over ? 52 : turnRoom || (seat === model.seat ? 14 : backs + 16));
  const parts = [
    rect(0, 0, width, height, "honshu-panel", { rx: 6 }),
    path(`M0 6a6 6 0 0 1 6-6h${rounded(width - 12)}a6 6 0 0 1 6 6z`, "honshu-band"),
    markAt(seat, 18, 24, 16),
    text(33, 28.5, short(name, room), "name", 14),
  ];
  if (due) parts.push(rect(-1.5, -1.5, width + 3, height + 3, "honshu-now", { rx: 7.5 }));
  if (model.over) parts.push(text(width - 12, 31, total, "honshu-serif", small ? 20 : 25, "end"));
  const place = model.over ? PLACES[model.places[seat] - 1] : model.turns[seat] || "";
  const tight = width < 210 || model.points.length > 4;
  if (place && !turnRoom && (width > 210 || model.over) && (width > 230 || model.points.length < 5)) {
    const name = model.over && model.places[seat] === 1 ? "honshu-gold-text" : "soft";
    parts.push(text(width - 12, 54.5, place, name, 12.5, "end"));
  }
  const stride = model.points.length > 4 ? Math.min(46, (width - 18) / 5) : tight ? 35 : 46;
  const cramped = stride < 34;
  const words = model.points.map(({ category }) => `${category} ${pointsOf(model, category, seat)}`).join(", ");
  const nodes = [{
    key: `seat:${seat}`,
    x: rounded(x), y,
    label: `domain of ${name}: ${words}, in all ${total} points${place ? `; ${place}` : ""}${due ? "; to act" : ""}`,
    parts: [["g", { class: `seat-${seat + 1}` }, parts]],
  }];
  model.points.forEach(({ category }, at) => {
    const got = pointsOf(model, category, seat);
    const said = `${category}: ${got} points`;
    const [scale, gap] = cramped ? [0.4, 10.5] : tight ? [0.5, 15] : [0.58, 18];
    nodes.push({
      key: `cat:${seat}:${category}`,
      x: rounded(x + (cramped ? 9 : 14) + at * stride), y: y + (cramped ? 45 : 43),
      label: said, tip: said,
      parts: [moved(0, 0, scale, categorySign(category)), text(gap, cramped ? 9.5 : 11.5, got, "", 12.5)],
    });
  });
  if (!model.over) nodes.push(...held(model, seat, x + width - 14, y + 12, step));
  return nodes;
}

/** The hidden cards of a seat as backs; as numbers where they are known. */
function held(model, seat, right, y, step) {
  const { size, known } = model.held[seat];
  if (known.length) {
    return known.map((number, at) => ({
      key: `card:${number}`,
      x: rounded(right - (known.length - at) * 22 + 2), y,
      label: `${model.names[seat]} holds card ${number}`,
      tip: model.faces.has(number) ? cardTip(`card ${number}`, model.faces.get(number)) : `card ${number}`,
      parts: [rect(0, 0, 20, 26, "honshu-known", { rx: 2.5 }), text(10, 17.4, number, "honshu-half", 12.5, "middle")],
    }));
  }
  return Array.from({ length: size }, (_, at) => ({
    key: `hand:${seat}:${at}`,
    x: rounded(right - 18 - (size - 1 - at) * step), y,
    label: "a hidden card",
    parts: back(18, 26),
  }));
}

/** Four buttons: how the card is turned. */
function turner(model, x, y) {
  const codes = model.faces.get(model.laying.card);
  const small = 11;
  return [0, 1, 2, 3].map((k) => {
    const [columns, rows] = extent(k);
    const target = model.targets.find(({ key }) => key === `turn:${k}`);
    const picked = model.laying.turn === k;
    return {
      key: `turn:${k}`,
      x: rounded(x + k * 58), y,
      target: target && target.key,
      label: target ? target.words : cardLabel(`card ${model.laying.card}, turned ${k} times`, codes),
      tip: target && target.words,
      parts: [
        rect(0, 0, 52, 46, picked ? "honshu-button honshu-picked" : "honshu-button", { rx: 6 }),
        moved(26 - (columns * small) / 2, 23 - (rows * small) / 2, small / 24, card(codes, k, { far: true, lift: 0.6, edge: 2 })),
      ],
    };
  });
}

/** Where a place can be had in several ways: over and under which cards, as pills. */
function waysOf(model, x, y, width) {
  let at = x;
  let line = 0;
  return model.laying.ways.map((part) => {
    const words = short(part.words, width - 20, 12.5);
    const long = words.length * 6.6 + 20;
    if (at > x && at + long > x + width) [at, line] = [x, line + 1];
    const target = model.targets.includes(part);
    const node = {
      key: `target:${part.key}`,
      x: rounded(at), y: y + line * 28 - 14,
      target: target ? part.key : undefined,
      label: part.words, tip: part.words,
      parts: [
        rect(0, 0, long, 24, target ? "honshu-pill" : "honshu-pill honshu-picked", { rx: 12 }),
        text(long / 2, 16.4, words, target ? "honshu-teal-text" : "honshu-on", 12.5, "middle"),
      ],
    };
    at += long + 6;
    return node;
  });
}

// ---------------------------------------------------------------------------------------------------- narrow

function narrow(model) {
  const [width, margin] = [360, 16];
  const inner = width - 2 * margin;
  const nodes = [title(model, margin, 34, true, width - margin)];
  const lines = [];
  let y = !model.over && model.scoring.some(({ category }) => category === "bonus") ? 90 : 72;
  if (model.over) {
    nodes.push(...bars(model, margin, y, inner, 20, 8, { names: false }));
    y += model.seats * 28 + 12;
    nodes.push(...rules(model, margin, y, 27));
    y += model.scoring.length * 27 + 12;
  } else {
    if (model.seats > 2) {
      const cell = { 3: 36, 4: 28, 5: 25 }[model.seats];
      nodes.push(...trick(model, margin, y + 20, cell, (inner - model.seats * 2 * cell) / (model.seats - 1)));
      y += 20 + 3 * cell + 38;
    } else if (model.pairs.length) {
      nodes.push(...pairs(model, margin + 4, y + 30, 34, 10, 24));
      y += 30 + 102 + 48;
    } else if (model.phase === "place") {
      nodes.push(...trick(model, margin, y + 20, 34, 24));
      y += 20 + 102 + 38;
    }
    if (model.hand.length) {
      const count = model.hand.length;
      const cell = Math.min(30, (inner - (count - 1) * 8) / count / 2);
      lines.push(ruler(margin, y, width - margin, y));
      nodes.push({ key: "hand", x: margin, y: y + 18, parts: [text(0, 0, "your hand", "soft", 12.5)] });
      nodes.push(...hand(model, margin, y + 46, cell, 8));
      y += 46 + 3 * cell + 18;
    }
    lines.push(ruler(margin, y, width - margin, y));
    nodes.push(...store(model, margin, y + 16, true), rounds(model, margin + 190, y + 44, inner - 190));
    y += model.discards.length ? 124 : 108;
  }
  const focus = focusOf(model);
  const box = boxFor(model, model.domains[focus]);
  const laying = model.laying && focus === model.seat;
  const extra = laying ? 62 + 28 * Math.max(1, wayLines(model, inner - 28)) : 0;
  const cell = fit([box], inner - 36, 330, 40);
  const high = box.rows * cell + HEAD + 40 + extra;
  nodes.push(...panel(model, focus, { x: margin, y, width: inner, height: high }));
  if (laying) nodes.push(...turner(model, margin + 14, y + HEAD + 4), ...waysOf(model, margin + 14, y + HEAD + 76, inner - 28));
  const frame = { x: margin + 6, y: y + HEAD + extra, width: inner - 12, height: high - HEAD - 6 - extra };
  nodes.push(...domainNodes(model, model.domains[focus], cell, frame, box));
  y += high + 12;
  const others = model.domains.filter((domain) => domain.seat !== focus);
  const columns = others.length > 1 ? 2 : 1;
  const share = (inner - 8 * (columns - 1)) / columns;
  const small = fit(others.map((domain) => domain.box), share - 28, columns > 1 ? 190 : 330, columns > 1 ? 24 : 36);
  for (let start = 0; start < others.length; start += columns) {
    const line = others.slice(start, start + columns);
    const tall = Math.max(...line.map((domain) => domain.box.rows)) * small + HEAD + 30;
    line.forEach((domain, place) => {
      const x = margin + place * (share + 8);
      nodes.push(...panel(model, domain.seat, { x, y, width: share, height: tall }, true));
      const inside = { x: x + 6, y: y + HEAD - 2, width: share - 12, height: tall - HEAD - 4 };
      nodes.push(...domainNodes(model, domain, small, inside, domain.box));
    });
    y += tall + 8;
  }
  nodes.push({ key: "rulers", x: 0, y: 0, parts: lines });
  const below = legend(model, margin, y + 16, inner);
  nodes.push(...below.nodes);
  return { width, height: rounded(y + 16 + below.height), nodes };
}

function wayLines(model, width) {
  const nodes = waysOf(model, 0, 0, width);
  return nodes.length ? Math.round((nodes[nodes.length - 1].y + 14) / 28) + 1 : 0;
}

/** The domain that is drawn large on a phone: the seat's own, else that of the seat to act, or of the leader. */
function focusOf(model) {
  if (model.seat !== null) return model.seat;
  if (model.awaited.length === 1) return model.awaited[0];
  const seats = model.names.map((_, seat) => seat);
  if (model.over) return seats.find((seat) => model.places[seat] === 1);
  return seats.reduce((best, seat) => (totalOf(model, seat) > totalOf(model, best) ? seat : best));
}
