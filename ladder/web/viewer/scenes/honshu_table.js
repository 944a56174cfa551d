// The table of Honshu: title and rounds, the trick or the pairs, the hand, the pile and the supply, points by category,
// the legend.
import { clipped, seatMark } from "../marks.js";
import { pointsOf, totalOf } from "./honshu_read.js";
import {
  COLOURS, back, card, cardLabel, cardTip, cube, filled, gap, moved, path, rect, rounded, storehouse, terrain,
  text,
} from "./honshu_shapes.js";

const TERRAIN_OF = { forest: "F", town: "T", lake: "L" };

/** A name cut to the units that it may take. */
export function short(name, room, size = 14) {
  return clipped(name, Math.max(3, Math.floor(room / (size * 0.6))));
}

/** The mark of a seat at a place; `hollow`: the seat has yet to act. */
export function markAt(seat, x, y, size, hollow = false) {
  return ["g", { class: hollow ? "honshu-hollow" : undefined, transform: `translate(${rounded(x)} ${rounded(y)})` }, [
    seatMark(seat, size),
  ]];
}

export function ruler(x1, y1, x2, y2) {
  return path(`M${rounded(x1)} ${rounded(y1)}L${rounded(x2)} ${rounded(y2)}`, "honshu-rule");
}

/** A card with its number above it, as it lies on the table; a target or a chosen part rings it. */
export function tableCard(model, number, x, y, cell, { size = 20, plate = true, more = {} } = {}) {
  const codes = model.faces.get(number);
  const key = `card:${number}`;
  const target = model.targets.find((part) => part.key === key);
  const picked = model.chosen.some((part) => part.key === key);
  const scale = cell / 24;
  const parts = card(codes, 0, { far: cell < 19, edge: 1.2 * Math.max(1, 19 / cell) });
  if (plate) parts.push(text(24, rounded(-9 / scale), number, "honshu-serif", rounded(size / scale), "middle"));
  if (target || picked) {
    parts.push(
      rect(-3, -3, 54, 78, "honshu-ring-rim", { rx: 4 }),
      rect(-3, -3, 54, 78, picked ? "honshu-ring honshu-picked" : "honshu-ring", { rx: 4 }),
    );
  }
  return {
    key,
    x: rounded(x),
    y: rounded(picked ? y - 6 : y),
    scale,
    label: target ? `${target.words}: ${cardLabel("", codes).slice(2)}` : cardLabel(`card ${number}`, codes),
    tip: cardTip(`card ${number}`, codes),
    target: target && key,
    parts,
    ...more,
  };
}

// ---------------------------------------------------------------------------------------------------- title

/** The title and what happens now; the scoring card in force below it. */
export function title(model, x, y, narrow, right) {
  const bonus = !model.over && model.scoring.find((line) => line.category === "bonus");
  const parts = [];
  if (narrow) {
    parts.push(text(0, 0, "Honshu", "honshu-serif", 20));
    parts.push(text(right - x, 0, `round ${model.round} of 12`, "honshu-half", 14, "end"));
    parts.push(text(0, 20, model.phaseWords, "soft", 12.5));
    if (bonus) parts.push(text(0, 37, short(bonus.words, right - x, 12.5), "honshu-gold-text", 12.5));
  } else {
    parts.push(["text", { x: 0, y: 0 }, [
      ["tspan", { class: "honshu-serif", "font-size": 20 }, "Honshu"],
      ["tspan", { class: "honshu-half", dx: 14, "font-size": 14 }, `round ${model.round}`],
      ["tspan", { class: "soft", dx: 10, "font-size": 14 }, model.phaseWords],
    ]]);
    if (bonus) parts.push(text(0, 18, bonus.words, "honshu-gold-text", 12.5));
  }
  return { key: "title", x, y, label: `Honshu, round ${model.round} of 12: ${model.phaseWords}`, parts };
}

const ROUND_MARKS = {
  3: ["hands pass to the left after round 3", "M4-4L-3 0L4 4"],
  6: ["six new cards each after round 6", "M0-5V5M-3.6 1.4L0 5L3.6 1.4"],
  9: ["hands pass to the right after round 9", "M-4-4L3 0L-4 4"],
};

/** Twelve rounds; hands move on after the third and the ninth, new ones come after the sixth. */
export function rounds(model, x, y, width) {
  const step = width / 12;
  const parts = [];
  for (let round = 1; round <= 12; round += 1) {
    const here = round === model.round && !model.over;
    const state = here ? "here" : round < model.round || model.over ? "done" : "coming";
    const r = rounded((here ? 5.2 : 4) * Math.min(1, step / 16));
    parts.push(["circle", { class: `honshu-${state}`, cx: rounded((round - 0.5) * step), cy: 0, r }]);
    if (ROUND_MARKS[round]) {
      const [, d] = ROUND_MARKS[round];
      parts.push(moved(round * step, step > 20 ? 0 : -13, 1, [path(d, "honshu-arrow")]));
    }
  }
  const words = Object.values(ROUND_MARKS).map(([mark]) => mark);
  const label = `round ${model.round} of 12`;
  return { key: "rounds", x: rounded(x), y, label, tip: [label, ...words].join("\n"), parts };
}

// ---------------------------------------------------------------------------------------------------- cards on the table

/** The trick of 3 to 5 players: cards with their cubes, who played and who took each; then the cards to lay. */
export function trick(model, x, y, cell, space) {
  const step = 2 * cell + space;
  if (model.phase !== "place") {
    return model.names.flatMap((_, place) => bidNodes(model, place, x + place * step, y, cell));
  }
  return model.order.flatMap((seat, place) => {
    const number = model.taken[seat];
    const words = `${model.names[seat]} has card ${number} to lay`;
    const at = x + place * step;
    const nodes = [{
      key: `bid:${seat}`, x: rounded(at), y, label: words, tip: words,
      parts: [gap(0, 0, 2 * cell, 3 * cell), markAt(seat, cell, 3 * cell + 15, 16)],
    }];
    const put = model.laying && model.laying.put && seat === model.seat;
    return put || !number ? nodes : [...nodes, tableCard(model, number, at, y, cell)];
  });
}

function bidNodes(model, place, x, y, cell) {
  const [width, height] = [2 * cell, 3 * cell];
  const roomy = cell > 30;
  const bid = model.trick[place];
  const seat = bid ? bid.seat : model.phase === "play" ? model.order[place] : null;
  const parts = [];
  if (!bid) {
    parts.push(gap(0, 0, width, height));
    if (model.awaited.includes(seat)) {
      parts.push(text(width / 2, height / 2 + 4, roomy ? "to play" : "now", "honshu-teal-text", 12.5, "middle"));
    }
    if (seat !== null) parts.push(markAt(seat, width / 2, height + 15, 13, true));
    const words = seat === null ? undefined : `${model.names[seat]} has yet to play`;
    return [{ key: seat === null ? `gap:${place}` : `bid:${seat}`, x: rounded(x), y, label: words, tip: words, parts }];
  }
  const taken = bid.taken !== null;
  const shift = bid.cube ? (roomy ? 14 : 9) : 0;
  let words = `${model.names[seat]} played card ${bid.card}${bid.cube ? ` with a ${COLOURS[bid.cube]} cube` : ""}, value ${bid.value}`;
  parts.push(markAt(seat, taken ? width / 2 - 17 : width / 2, height + 15, taken ? 13 : 16));
  if (taken) {
    words += `; ${model.names[bid.taken]} took it`;
    parts.push(path(`M${width / 2 - 5} ${height + 15}h9m-3.4-3.4l3.4 3.4l-3.4 3.4`, "honshu-arrow honshu-took"));
    parts.push(markAt(bid.taken, width / 2 + 17, height + 15, 16));
  }
  parts.push(text(width / 2 - shift, -9, bid.card, "honshu-serif", 20, "middle"));
  if (bid.cube && roomy) parts.push(text(width / 2 + 21, -10.5, "+60", "soft honshu-half", 12.5));
  const shown = tableCard(model, bid.card, x, y, cell, { plate: false });
  if (taken) shown.parts.push(rect(0, 0, 48, 72, "honshu-gone", { rx: 2 }));
  const nodes = [{ key: `bid:${seat}`, x: rounded(x), y, label: words, tip: words, parts }, shown];
  if (bid.cube) {
    nodes.push({
      key: `cube:bid:${seat}`, x: rounded(x + width / 2 + (roomy ? 9 : 13)), y: y - 15.5, scale: 1,
      from: `supply:${bid.cube}`, to: `supply:${bid.cube}`,
      label: `${COLOURS[bid.cube]} cube: 60 more`, parts: [cube(bid.cube, 15)],
    });
  }
  return nodes;
}

/** Two players: the pairs that lie on the table, each with its name below. */
export function pairs(model, x, y, cell, space, between) {
  const [width, height] = [2 * cell, 3 * cell];
  const owners = new Map(model.trick.map((bid) => [bid.card, bid.seat]));
  const nodes = [];
  model.pairs.forEach((pair, place) => {
    const at = x + place * (2 * width + space + between);
    const target = model.targets.find((part) => part.key === pair.key);
    const wide = 2 * width + space;
    const name = pair.name || `pair of ${short(model.names[pair.owner], wide - 60, 12.5)}`;
    const parts = [text(wide / 2, height + 22, name, "soft", 12.5, "middle")];
    if (target) {
      parts.push(rect(-8, -34, wide + 16, height + 66, "honshu-hit"));
      parts.push(rect(-8, -34, wide + 16, height + 66, "honshu-ring", { rx: 7 }));
    }
    for (let spot = pair.cards.length; spot < 2; spot += 1) parts.push(gap(spot * (width + space), 0, width, height));
    nodes.push({
      key: `pair:${pair.key}`, x: rounded(at), y, target: target && target.key, parts,
      label: target ? target.words : `${name}: ${pair.cards.map((number) => `card ${number}`).join(", ")}`,
    });
    pair.cards.forEach((number, spot) => {
      const left = at + spot * (width + space);
      const shown = tableCard(model, number, left, y, cell);
      if (target) shown.target = target.key;
      if (owners.has(number)) shown.parts.push(moved(4, -16 * (24 / cell), 24 / cell, [markAt(owners.get(number), 0, 0, 13)]));
      nodes.push(shown);
    });
  });
  return nodes;
}

/** The cards in the hand of the seat whose view this is. */
export function hand(model, x, y, cell, space) {
  return model.hand.map((number, at) => tableCard(model, number, x + at * (2 * cell + space), y, cell, { size: 16 }));
}

// ---------------------------------------------------------------------------------------------------- points

function rows(model) {
  const seats = model.names.map((_, seat) => seat);
  return model.over ? seats.sort((one, other) => model.places[one] - model.places[other] || one - other) : seats;
}

/** Points by category as bars: what there would be if the game ended now, and at the end the result. */
export function bars(model, x, y, width, lane, space, { names = true } = {}) {
  const label = names ? 118 : 26;
  const most = Math.max(20, ...model.names.map((_, seat) => totalOf(model, seat)));
  const unit = (width - label - (model.over ? 92 : 44)) / most;
  const nodes = [];
  rows(model).forEach((seat, line) => {
    const top = y + line * (lane + space);
    const middle = lane / 2;
    const parts = [markAt(seat, 9, middle, 14)];
    const first = model.over && model.places[seat] === 1;
    if (names) parts.push(text(23, middle + 4.4, short(model.names[seat], label - 28, 12.5), first ? "honshu-strong" : "", 12.5));
    let at = label;
    for (const { category } of model.points) {
      const got = pointsOf(model, category, seat);
      if (got > 0) {
        nodes.push(segment(category, got, seat, model, { x: x + at, y: top, width: got * unit, lane }));
        at += got * unit;
      }
    }
    const total = totalOf(model, seat);
    const tied = model.over && model.names.some((_, other) => other !== seat && totalOf(model, other) === total);
    const fields = `${model.fields[seat]} field${model.fields[seat] === 1 ? "" : "s"}`;
    parts.push(text(at + 8, middle + 5, total, "honshu-strong", 14));
    if (tied) parts.push(text(at + 32, middle + 5, fields, "soft", 12.5));
    const words = `${model.names[seat]}: ${total} points${tied ? `, and ${fields} for the tie` : ""}`;
    nodes.push({ key: `race:${seat}`, x: rounded(x), y: rounded(top), label: words, parts });
  });
  return nodes;
}

function segment(category, got, seat, model, { x, y, width, lane }) {
  const fill = filled(category === "factory" ? "works" : TERRAIN_OF[category] ? category : category);
  const parts = [
    moved(0, 0, lane / 24, [rect(0, 0, (width * 24) / lane, 24, undefined, fill)]),
    rect(0, 0, width, lane, "honshu-frame"),
  ];
  if (width > 22) {
    parts.push(rect(width / 2 - 10, lane / 2 - 7, 20, 14, "honshu-bubble", { rx: 7 }));
    parts.push(text(width / 2, lane / 2 + 4.4, got, "honshu-strong", 12.5, "middle"));
  }
  const words = `${model.names[seat]}: ${got} points for ${category}`;
  return { key: `points:${seat}:${category}`, x: rounded(x), y: rounded(y), label: words, tip: words, parts };
}

/** The sign of a category in a box of 24: a terrain, a storehouse, or the scoring card. */
export function categorySign(category) {
  const frame = rect(0, 0, 24, 24, "honshu-frame");
  if (category === "factory") return [...storehouse(), frame];
  if (TERRAIN_OF[category]) return [...terrain(TERRAIN_OF[category], true), frame];
  return [rect(0, 0, 24, 24, undefined, filled("bonus")), text(12, 18, "+", "honshu-strong", 19, "middle"), frame];
}

/** How areas score, in the rules' words. */
export function rules(model, x, y, step) {
  return model.scoring.map(({ category, words }, line) => ({
    key: `rule:${category}`,
    x, y: y + line * step,
    label: `${category}: ${words}`,
    parts: [
      moved(0, 0, 0.9, category in TERRAIN_OF ? [...terrain(TERRAIN_OF[category]), rect(0, 0, 24, 24, "honshu-frame")] : categorySign(category)),
      text(32, 15.5, category === "bonus" ? words : `${category}: ${words}`, "", 13),
    ],
  }));
}

// ---------------------------------------------------------------------------------------------------- pile and supply

/** The draw pile and the cubes of the supply. */
export function store(model, x, y, narrow) {
  const nodes = [];
  const left = model.pile ? `${model.pile} cards in the draw pile` : "the draw pile is empty";
  for (let at = 0; at < (model.pile ? 3 : 0); at += 1) {
    nodes.push({ key: `pile:${at}`, x: x + 4 - at * 2, y: y + 4 - at * 2, parts: back(40, 60) });
  }
  const parts = model.pile ? [] : [gap(0, 0, 40, 60)];
  parts.push(text(21, 80, `${model.pile} left`, "soft", 12.5, "middle"));
  const gone = model.discards.length;
  if (gone) parts.push(text(21, 96, `${gone} out`, "soft", 12.5, "middle"));
  const out = gone ? `${gone} cards out of the game: ${[...model.discards].sort((a, b) => a - b).join(", ")}` : "";
  nodes.push({ key: "pile", x, y, label: left, tip: [left, out].filter(Boolean).join("\n"), parts });
  Object.entries(COLOURS).forEach(([letter, colour], at) => {
    const count = model.supply[at];
    const words = `${count} ${colour} cubes in the supply`;
    const inside = [cube(letter, 17), text(15, 5, count, "honshu-half", 14)];
    if (!narrow) {
      const pips = (from, to) =>
        Array.from({ length: to - from }, (_, n) => `M${38 + (from + n) * 9}-3.5h6.4v8h-6.4z`).join("");
      const left = Math.min(10, count);
      inside.push(["g", { class: `honshu-${colour}` }, [
        path(pips(0, left), "honshu-pip"),
        path(pips(left, 10), "honshu-pip honshu-out"),
      ]]);
    }
    nodes.push({
      key: `supply:${letter}`,
      x: narrow ? x + 66 + (at % 2) * 60 : x + 74,
      y: narrow ? y + 14 + Math.floor(at / 2) * 34 : y + 4 + at * 26,
      label: words, tip: words, parts: inside,
    });
  });
  return nodes;
}

// ---------------------------------------------------------------------------------------------------- legend

/** What the signs stand for, from left to right; in as many lines as it needs. Returns nodes and the height. */
export function legend(model, x, y, width) {
  const rule = (category) => {
    const line = model.scoring.find((found) => found.category === category);
    return line ? `${category}: ${line.words}` : category;
  };
  const frame = rect(0, 0, 24, 24, "honshu-frame");
  const worth = model.worths[1];
  const items = [
    ...["forest", "town", "lake"].map((name) => [name, terrain(TERRAIN_OF[name]), rule(name)]),
    ["field", terrain("W"), "field: no points; more fields win a tie"],
    ["production", terrain("pB"), "production: brings a cube when its card is laid; without its cube it shows its sign"],
    [`factory worth ${worth}`, terrain(`Y${worth}`), rule("factory")],
    ...Object.entries(COLOURS).map(([letter, colour]) => [colour, null, `${colour} cube`, letter]),
  ];
  const nodes = [];
  let [at, line] = [x, 0];
  const place = (room) => {
    if (at + room > x + width) [at, line] = [x, line + 1];
    const spot = { x: rounded(at), y: y + line * 24 };
    at += room;
    return spot;
  };
  for (const [name, ground, tip, letter] of items) {
    const parts = letter
      ? [["g", { transform: "translate(8 -3)" }, [cube(letter, 15)]], text(20, 1.5, name, "soft", 12.5)]
      : [moved(0, -12, 0.75, [...ground, frame]), text(24, 1.5, name, "soft", 12.5)];
    nodes.push({ key: `legend:${name}`, ...place((letter ? 36 : 42) + name.length * 7.1), label: tip, tip, parts });
  }
  const arrows = [
    ["hands pass on", [path("M8-7l-7 4l7 4M14-7l7 4l-7 4", "honshu-arrow"), text(28, 1.5, "hands pass on", "soft", 12.5)], 136],
    ["new hands", [path("M6-8v10m-3.6-3.6l3.6 3.6l3.6-3.6", "honshu-arrow"), text(16, 1.5, "new hands", "soft", 12.5)], 96],
  ];
  for (const [name, parts, room] of arrows) {
    nodes.push({ key: `legend:${name}`, ...place(room), parts });
  }
  return { nodes, height: (line + 1) * 24 };
}
