// Edo Yashiki: patterns of the four materials, cards, and the small shapes that every part of the board uses.
// A cell is 24 units wide; cards and lines are drawn in these units and scaled to the cell of their place.
import { seatMark } from "../marks.js";

export const CELL = 24;
export const KINDS = ["F", "T", "P", "G"];
export const NAMES = { F: "floor", T: "tatami", P: "pond", G: "garden" };
const SLUG = NAMES;
const FAR = 20; // pixels of a cell below which patterns have fewer and heavier strokes

/** A number without a long tail. */
export function short(value) {
  return Math.round(value * 100) / 100;
}

export function rect(x, y, width, height, name, more = {}) {
  return ["rect", { class: name, x: short(x), y: short(y), width: short(width), height: short(height), ...more }];
}

export function circle(cx, cy, r, name, more = {}) {
  return ["circle", { class: name, cx: short(cx), cy: short(cy), r: short(r), ...more }];
}

export function path(d, name, more = {}) {
  return ["path", { class: name, d, ...more }];
}

export function text(x, y, words, name, more = {}) {
  return ["text", { class: name, x: short(x), y: short(y), ...more }, `${words}`];
}

/** Shapes moved to (x, y), and scaled. */
export function group(x, y, shapes, scale = 1, more = {}) {
  const scaled = scale === 1 ? "" : ` scale(${short(scale)})`;
  return ["g", { transform: `translate(${short(x)} ${short(y)})${scaled}`, ...more }, shapes];
}

/** The mark of a seat at (x, y); hollow: it wanted, and did not get. */
export function markAt(seat, x, y, size, hollow = false) {
  return group(x, y, [seatMark(seat, size)], 1, { class: hollow ? "edo-mark edo-hollow" : "edo-mark" });
}

/** A pill with words in it, its right end, left end or middle at x. */
export function pill(x, y, words, name, { anchor = "middle", size = 12.5 } = {}) {
  const width = words.length * size * 0.6 + 10;
  const left = anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width : x;
  return ["g", { class: `edo-pill ${name}` }, [
    rect(left, y - size * 0.72 - 2, width, size + 5, "", { rx: (size + 5) / 2 }),
    text(left + width / 2, y + size * 0.28 - 1.2, words, "", { "font-size": size }),
  ]];
}

/** The fill of a material at a size of cells. */
export function paint(kind, cell) {
  return `url(#edo_yashiki-${cell < FAR ? "far" : "near"}-${kind})`;
}

/** A sample of a material. */
export function swatch(x, y, size, kind) {
  const fill = kind === "bonus" ? "url(#edo_yashiki-bonus)" : paint(kind, CELL);
  const edge = kind === "bonus" ? size : CELL;
  return group(x, y, [rect(0, 0, edge, edge, "", { fill }), rect(0, 0, edge, edge, "edo-edge")], size / edge);
}

/** One soft level of a card above what it lies on. */
function shadow(width, height, lift) {
  return [
    rect(0.5 * lift, lift, width, height, "edo-shade", { rx: 2.2, opacity: 0.22 }),
    rect(1.2 * lift, 2.4 * lift, width, height, "edo-shade", { rx: 2.6, opacity: 0.14 }),
  ];
}

/** A card of these rows, in units of its cells; `cell` is the width at which it will be seen. */
export function cardShapes(rows, cell, lift = 1) {
  const shapes = shadow(48, 72, lift * Math.min(1.3, CELL / cell + 0.3));
  let seams = "";
  rows.forEach((row, y) => {
    if (row[0] === row[1]) shapes.push(rect(0, y * 24, 48, 24, "", { fill: paint(row[0], cell) }));
    else {
      shapes.push(rect(0, y * 24, 24, 24, "", { fill: paint(row[0], cell) }), rect(24, y * 24, 24, 24, "", { fill: paint(row[1], cell) }));
      seams += `M24 ${y * 24}v24`;
    }
    if (y < 2) for (const x of [0, 1]) if (row[x] !== rows[y + 1][x]) seams += `M${x * 24} ${y * 24 + 24}h24`;
  });
  if (seams) shapes.push(path(seams, "edo-seam"));
  shapes.push(rect(0, 0, 48, 72, "edo-card", { rx: 1.6, "stroke-width": short(1.15 * Math.max(1, 20 / cell)) }));
  return shapes;
}

/** The rows of a card after a half-turn. */
export function turnedRows(rows) {
  return rows.map((row) => [...row].reverse().join("")).reverse();
}

/** A card in words: its name and what its cells show. */
export function cardWords(card, turned = false) {
  const rows = turned ? turnedRows(card.rows) : card.rows;
  const cells = rows.map((row) => [...row].map((kind) => NAMES[kind]).join(" ")).join(" / ");
  return `card ${card.name}${turned ? ", turned" : ""}: ${cells}`;
}

/** A line in words. */
export function lineWords({ axis, length, kind }) {
  return `${axis === "V" ? "column" : "row"} of ${length} ${NAMES[kind]}`;
}

/** Points in words. */
export function pointWords(points) {
  return `${points} point${points === 1 ? "" : "s"}`;
}

/** The back of a card: the deck never says more. */
export function backShapes(width, height) {
  return [
    ...shadow(width, height, 0.8),
    rect(0, 0, width, height, "", { fill: "url(#edo_yashiki-back)", rx: 2.5 }),
    rect(0, 0, width, height, "edo-back-edge", { rx: 2.5 }),
  ];
}

/** Where a line lies, in units of cells, drawn in by `inset` on every side. */
export function capsule({ axis, x, y, length }, inset) {
  const [wide, high] = axis === "V" ? [1, length] : [length, 1];
  return [x * 24 + inset, y * 24 + inset, wide * 24 - 2 * inset, high * 24 - 2 * inset];
}

const MOSS = [[13.4, 3.4, 1.1], [3.4, 12.2, 1.2], [21.4, 13.4, 1], [14, 21.4, 1.2], [10.6, 10.2, 0.9]];
const CUSHIONS = [[2.6, 6.6], [14.8, 9.8], [4, 19.6], [16, 21]];
const TUFTS = [[6.5, 6.5, 3.8], [18, 11, 3.4], [8.5, 18.5, 3.6]];
const CIRCLES = [[0, 0], [12, 0], [0, 12], [12, 12], [6, 6], [6, -6], [-6, 6], [18, 6], [6, 18]];

function ink(d, kind, width, opacity, more = {}) {
  return path(d, `edo-${SLUG[kind]}-ink`, { "stroke-width": width, opacity, ...more });
}

function dots(places, kind, opacity) {
  return places.map(([x, y, r]) => circle(x, y, r, `edo-${SLUG[kind]}-fill`, { opacity }));
}

function pattern(name, width, height, shapes) {
  return ["pattern", { id: `edo_yashiki-${name}`, width, height, patternUnits: "userSpaceOnUse" }, shapes];
}

function material(name, kind, width, shapes) {
  return pattern(`${name}-${kind}`, width, 24, [rect(0, 0, width, 24, `edo-${SLUG[kind]}`), ...shapes]);
}

/** The patterns of the board: each material near and far, the bonus, the plot, the back of the deck. */
export const DEFS = [
  // floor: four long boards to a cell, a joint only every second cell, some grain
  material("near", "F", 48, [
    ink("M0 0H48M0 6H48M0 12H48M0 18H48", "F", 0.95, 0.85),
    ink("M31 0V6M9 6V12M41 12V18M18 18V24", "F", 0.95, 0.85),
    ink("M5 3.2h9M36 3.4h7M20 9.2h10M3 15.1h8M24 14.8h9M27 21.2h12", "F", 0.6, 0.5, { "stroke-linecap": "round" }),
  ]),
  // tatami: the dark cloth edges of the mats, and fine rush between them
  material("near", "T", 24, [
    ink("M6 0V24M12 0V24M18 0V24", "T", 0.9, 0.8, { "stroke-dasharray": "3.2 .8" }),
    ink("M9 0V24M15 0V24", "T", 0.9, 0.8, { "stroke-dasharray": "3.2 .8", "stroke-dashoffset": 2 }),
    path("M1.5 0V24M22.5 0V24", "edo-tatami-edge", { "stroke-width": 3, opacity: 0.9 }),
  ]),
  // pond: rings that run into each other
  material("near", "P", 24, [
    ink(
      "M1 12a11 11 0 0 1 22 0M5 12a7 7 0 0 1 14 0M9 12a3 3 0 0 1 6 0M0 13a11 11 0 0 1 11 11M0 17a7 7 0 0 1 7 7M0 21a3 3 0 0 1 3 3" +
        "M24 13a11 11 0 0 0-11 11M24 17a7 7 0 0 0-7 7M24 21a3 3 0 0 0-3 3",
      "P", 1, 0.75,
    ),
  ]),
  // garden: moss in cushions of two sizes
  material("near", "G", 24, [
    path(CUSHIONS.map(([x, y]) => `M${x} ${y}a1.9 1.9 0 0 1 1.3-2.9a2.4 2.4 0 0 1 4.3-.2a1.8 1.8 0 0 1 1.2 3.1z`).join(""), "edo-garden-fill", { opacity: 0.92 }),
    ...dots(MOSS, "G", 0.55),
  ]),
  material("far", "F", 24, [ink("M0 4H24M0 12H24M0 20H24", "F", 1.9, 0.75)]),
  material("far", "T", 24, [path("M2.2 0V24M21.8 0V24", "edo-tatami-edge", { "stroke-width": 4.4, opacity: 0.85 })]),
  material("far", "P", 24, [
    ink("M2 12.5a10 10 0 0 1 20 0M8 12.5a4 4 0 0 1 8 0M0 15a9 9 0 0 1 9 9M24 15a9 9 0 0 0-9 9", "P", 2, 0.8),
  ]),
  material("far", "G", 24, dots(TUFTS, "G", 0.75)),
  pattern("bonus", 8, 8, [rect(0, 0, 8, 8, "edo-bonus"), path("M-2 2L2-2M0 8L8 0M6 10L10 6", "edo-bonus-ink", { opacity: 0.45 })]),
  pattern("plot", 24, 24, [[0, 0], [24, 0], [0, 24], [24, 24]].map(([x, y]) => circle(x, y, 1.1, "edo-dot"))),
  // shippo: circles that run into each other
  pattern("back", 12, 12, [rect(0, 0, 12, 12, "edo-sunk"), ...CIRCLES.map(([x, y]) => circle(x, y, 6, "edo-shippo"))]),
];
