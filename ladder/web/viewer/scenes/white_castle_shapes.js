// Shapes of The White Castle: signs, dice, tiles, effects, seat marks, roofs; and the patterns behind them.

const SHARED = new Set(["soft", "name", "heading", "place", "due"]);

/** Signs in a box of 24 by 24, filled even-odd but for the blossom of points. */
const SIGNS = {
  vp: "M7.6 6a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0ZM13.3 10.1a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0ZM11.1 16.9a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0ZM4.1 16.9a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0ZM1.9 10.1a4.4 4.4 0 1 0 8.8 0a4.4 4.4 0 1 0 -8.8 0ZM12 9.4a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 1 0 0 -5.2Z",
  coin: "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0ZM8.8 8.8v6.4h6.4V8.8Z",
  seal: "M3 2.5h18v19H3ZM5.6 5.1v5.6h5.2V5.1ZM13.2 5.1v2.6h5.2V5.1ZM13.2 10.2v8.7h2.1v-6.2h1v6.2h2.1v-8.7ZM5.6 13.3v5.6h5.2v-5.6Z",
  food: "M2.5 11.5h19c0 4.7-2.7 7.6-5.5 8.7v1.8H8v-1.8c-2.8-1.1-5.5-4-5.5-8.7ZM4.8 10c.7-4.2 3.6-6.7 7.2-6.7s6.5 2.5 7.2 6.7Z",
  iron: "M8.8 3.5h6.4l2 7H6.8ZM3.6 13h6.2l1.8 7.5H1.7ZM14.2 13h6.2l1.9 7.5h-9.9Z",
  pearl: "M6 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0ZM8.4 6a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0ZM1.5 13.5h4.8a7.7 7.7 0 0 0 11.4 0h4.8c-.6 5.3-5 8.7-10.5 8.7S2.1 18.8 1.5 13.5Z",
  any: "M1.6 12a10.4 10.4 0 1 0 20.8 0a10.4 10.4 0 1 0 -20.8 0ZM3.6 12a8.4 8.4 0 1 0 16.8 0a8.4 8.4 0 1 0 -16.8 0ZM9.7 7.4a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0 -4.6 0ZM6.4 13.2h4.6v4.4H6.4ZM15.3 12.8l2.9 5H12.4Z",
  courtier: "M9.3 8V4.3c0-3 4.4-3.8 6.2-1.6.9 1.2.3 3-.8 5.3ZM8.9 9.3h6.2v1.2a3.1 3.1 0 0 1-6.2 0ZM3.4 22.3c.6-5.3 3.8-7.6 8.6-7.6s8 2.3 8.6 7.6ZM11.2 16.4h1.6v5.9h-1.6Z",
  gardener: "M12 1.8c4.5 0 8.5 2.8 10.5 7.2h-21C3.5 4.6 7.5 1.8 12 1.8ZM8.6 10.4h6.8v1.4a3.4 3.4 0 0 1-6.8 0ZM4 22.3c.4-4.3 3.3-6.3 8-6.3s7.6 2 8 6.3Z",
  warrior: "M2.8 1.5c.8 4.8 3.8 7 9.2 7s8.4-2.2 9.2-7c1.5 5.6-.3 9.8-3.4 11.4l1.8 4.6-4.1.6-1.7-4.3H10.2l-1.7 4.3-4.1-.6 1.8-4.6C3.1 11.3 1.3 7.1 2.8 1.5ZM9.8 15.3h4.4v4L12 22.5l-2.2-3.2Z",
  lantern: "M8 1.5h8v2.3H8ZM6.6 5h10.8c1 .8 1.8 1.9 2.2 3.2H4.4C4.8 6.9 5.6 5.8 6.6 5ZM4 9.6h16c.2 1.6.2 3.2 0 4.8H4c-.2-1.6-.2-3.2 0-4.8ZM4.4 15.8h15.2c-.4 1.3-1.2 2.4-2.2 3.2H6.6c-1-.8-1.8-1.9-2.2-3.2ZM8 20.2h8v2.3H8Z",
  well: "M5.8 1.5h3.4v4.3h5.6V1.5h3.4v4.3h4.3v3.4h-4.3v5.6h4.3v3.4h-4.3v4.3h-3.4v-4.3H9.2v4.3H5.8v-4.3H1.5v-3.4h4.3V9.2H1.5V5.8h4.3ZM9.2 9.2v5.6h5.6V9.2Z",
  influence: "M4.5 1.5h15v3.3L13.7 12l5.8 7.2v3.3h-15v-3.3l5.8-7.2-5.8-7.2ZM8.3 19.7h7.4L12 15.4Z",
  gate: "M1 2.6c7 1.7 15 1.7 22 0v3.8h-4.5v3.1H21v2.4h-2.5V22.5h-2.8V11.9H8.3V22.5H5.5V11.9H3V9.5h2.5V6.4H1ZM8.3 6.4v3.1h7.4V6.4Z",
  castle: "M12 .8l7.5 5.4h-2.8v3l5.8 4.6h-3v8.7h-5v-5h-5v5h-5v-8.7h-3l5.8-4.6v-3H4.5Z",
  domain: "M12 2L22.5 10.5h-3V22h-5v-6h-5v6h-5V10.5h-3Z",
  plant: "M12 22.5c-.8-5-.8-9 0-13 .8-3.5 3-6.6 8.5-8 .3 6-2.3 9.4-7.2 10.5 2.2-.6 5-.2 7.2 2-3 2.6-5.7 2.6-7.6 1.2-.2 2.2-.2 4.6.2 7.3ZM10.6 12.6C6 12 3 9 2.8 3.5c4.8 1 7.5 4.2 7.8 9.1Z",
  stone: "M12 8c3.5 0 6.2 2.6 6.2 5.6H5.8C5.8 10.6 8.5 8 12 8ZM2 15.2h20v1.7H2ZM4 18.3h16V20H4ZM3.5 12.5a8.8 8.8 0 0 1 17 0l-1.7.3a7 7 0 0 0-13.6 0Z",
  right: "M8.5 3L6.1 5.4l6.6 6.6-6.6 6.6L8.5 21l9-9Z",
  up: "M12 3l9 9.5-2.4 2.3L13.7 9.8V21h-3.4V9.8L5.4 14.8 3 12.5Z",
  tick: "M4.5 12.5l2-2 4 4 8-8.5 2 2L10.5 18.5Z",
};
export const COLOURS = ["coral", "black", "white"];
export const MEMBERS = ["courtier", "gardener", "warrior"];
const LETTERS = ["C", "B", "W"];
const PIPS = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
};
const PIP_AT = [0.27, 0.5, 0.73];

export function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** Classes of the game's stylesheet; those that all games share keep their names. */
export function named(names) {
  const one = (name) => (SHARED.has(name) || name.startsWith("seat-") ? name : `white_castle-${name}`);
  return names.split(" ").filter(Boolean).map(one).join(" ");
}

export function rect(x, y, width, height, names, radius = 6, more = {}) {
  const place = { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
  return ["rect", { class: named(names), ...place, rx: rounded(radius), ...more }];
}

export function path(d, names, more = {}) {
  return ["path", { class: named(names), d, ...more }];
}

export function circle(x, y, r, names) {
  return ["circle", { class: named(names), cx: rounded(x), cy: rounded(y), r: rounded(r) }];
}

/** A text; `anchor` is start, middle or end. */
export function text(x, y, words, names = "", size = 14, anchor = "start") {
  const place = { x: rounded(x), y: rounded(y), "font-size": size };
  if (anchor !== "start") place["text-anchor"] = anchor;
  return ["text", { class: named(`text ${names}`), ...place }, String(words)];
}

/** A group whose origin lies at x, y. */
export function at(x, y, parts, names = "") {
  const place = { transform: `translate(${rounded(x)} ${rounded(y)})` };
  return ["g", names ? { class: named(names), ...place } : place, parts];
}

/** About how wide a text is at most, in the broadest of the usual fonts. */
export function wide(words, size) {
  let sum = 0;
  for (const sign of String(words)) sum += "iljtfr.,:;|!'· ".includes(sign) ? 0.36 : /[A-Zmw]/.test(sign) ? 0.8 : 0.62;
  return sum * size;
}

/** Words in lines of at most `room` units. */
export function lines(words, room, size) {
  const found = [""];
  for (const word of words.split(" ")) {
    const last = found[found.length - 1];
    const longer = last ? `${last} ${word}` : word;
    if (!last || wide(longer, size) <= room) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

/** A text that ends with an ellipsis where it would be wider than `room`. */
export function fitted(words, room, size) {
  if (wide(words, size) <= room) return words;
  const signs = [...words];
  while (signs.length && wide(signs.join(""), size) > room - size * 0.6) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}

/** A sign with its top left corner at x, y. */
export function sign(name, x, y, size, names = "ink") {
  const rule = name === "vp" ? {} : { "fill-rule": "evenodd" };
  const transform = `translate(${rounded(x)} ${rounded(y)}) scale(${rounded((size / 24) * 100) / 100})`;
  return path(SIGNS[name], `sign ${names}`, { ...rule, transform });
}

/** A hipped roof with swept eaves over (x, width), its ridge at y and its eaves at y + height. */
export function roof(x, y, width, height, over) {
  const [left, right, low] = [x - over, x + width + over, y + height];
  const u = (share) => rounded(x + width * share);
  const v = (share) => rounded(y + height * share);
  const back = rounded(low - height * 0.2);
  const d = `M${u(0.22)} ${y}H${u(0.78)}C${u(0.84)} ${v(0.55)} ${u(0.93)} ${back} ${rounded(right)} ${low - 7}` +
    `L${rounded(right - 2)} ${low}H${rounded(left + 2)}L${rounded(left)} ${low - 7}` +
    `C${u(0.07)} ${back} ${u(0.16)} ${v(0.55)} ${u(0.22)} ${y}Z`;
  return [
    path(d, "roof"),
    rect(x + width * 0.2, y - 4, width * 0.6, 6, "ridge", 2),
    path(`M${rounded(left + 6)} ${low - 4}H${rounded(right - 6)}`, "eaves"),
  ];
}

/** The outline of a seat's mark around 0, 0. */
function outline(seat, r) {
  const to = (...points) => `M${points.map(([x, y]) => `${rounded(x * r)} ${rounded(y * r)}`).join("L")}Z`;
  if (seat === 1) return to([-0.84, -0.84], [0.84, -0.84], [0.84, 0.84], [-0.84, 0.84]);
  if (seat === 2) return to([0, -1.08], [1.08, 0.82], [-1.08, 0.82]);
  return to([0, -1.16], [1.16, 0], [0, 1.16], [-1.16, 0]);
}

/** The mark of a clan around 0, 0: circle, square, triangle, diamond; with a number if it is above 1. */
export function mark(clan, r, count = 1) {
  const names = named(`mark seat-${clan + 1}`);
  const shape = clan ? ["path", { class: names, d: outline(clan, r) }] : ["circle", { class: names, r: rounded(r * 0.94) }];
  if (count < 2) return [shape];
  return [shape, text(0, r * (clan === 2 ? 0.56 : 0.4), count, "on-seat strong", rounded(r * 1.18), "middle")];
}

/** A die with its top left corner at 0, 0: colour and pips. */
export function die(colour, value, size) {
  const name = COLOURS[colour];
  const pip = ([x, y]) => circle(size * PIP_AT[x], size * PIP_AT[y], size * 0.088, `pip-${name}`);
  return [rect(0, 0, size, size, `die die-${name}`, size * 0.2), ...PIPS[value].map(pip)];
}

/** A die tile or the sign of a row: its colour and its letter. */
export function chip(colour, size) {
  const name = COLOURS[colour];
  return [
    rect(0, 0, size, size, `die die-${name}`, size * 0.22),
    text(size / 2, size * 0.74, LETTERS[colour], `pip-${name} strong`, rounded(size * 0.68), "middle"),
  ];
}

/** An empty place for a die with the value that it covers; 0 leaves the place bare. */
export function slot(value, x, y, size) {
  const found = [rect(x, y, size, size, value ? "slot" : "slot bare", size * 0.2)];
  if (value) found.push(text(x + size / 2, y + size * 0.68, value, "soft strong", rounded(size * 0.52), "middle"));
  return found;
}

/** The icons of an effect, side by side from 0, 0: {parts, width}. `ink` names the class of the ink. */
export function effect({ icons, price }, size, ink = "ink") {
  const parts = [];
  let x = 0;
  const number = (amount) => {
    if (amount < 2) return;
    parts.push(text(x, size * 0.84, amount, `${ink} strong`, rounded(size * 0.94)));
    x += wide(amount, size * 0.94) + 1.5;
  };
  const plain = (name, amount) => {
    number(amount);
    parts.push(sign(name, x, 0, size, ink));
    x += size + 4;
  };
  if (price) {
    plain(...price);
    parts.push(sign("right", x - 2, size * 0.2, size * 0.6, ink));
    x += size * 0.6 + 2;
  }
  for (const [name, amount] of icons) {
    if (MEMBERS.includes(name)) {
      parts.push(rect(x - 1, -2, size + 4, size + 4, `frame ${ink}`, 4), sign(name, x + 2, 1, size - 2, ink));
      x += size + 8;
    } else if (name.startsWith("row_")) {
      plain("castle", 1);
      const scope = name.slice(4);
      const colour = COLOURS.indexOf(scope);
      if (colour >= 0) parts.push(at(x - 2, 1, chip(colour, size - 2)));
      else parts.push(text(x - 1, size * 0.78, scope, ink, rounded(size * 0.74)));
      x += (colour >= 0 ? size - 2 : wide(scope, size * 0.74)) + 4;
    } else {
      plain(name, amount);
    }
  }
  return { parts, width: Math.max(0, x - 4) };
}

/** An effect centred in a room of a width, its top at y. */
export function centred(its, x, y, room, size, ink) {
  const { parts, width } = effect(its, size, ink);
  const scale = Math.min(1, room / Math.max(width, 1));
  const transform = `translate(${rounded(x + (room - width * scale) / 2)} ${rounded(y + (size - size * scale) / 2)})`;
  return ["g", { transform: scale < 1 ? `${transform} scale(${rounded(scale)})` : transform }, parts];
}

/** The ring of a target with a filled notch in its corner. */
export function ring(width, height, radius = 8) {
  const bend = rounded(radius * 0.6);
  return [
    rect(0, 0, width, height, "ring", radius),
    path(`M0 13V${bend}Q0 0 ${bend} 0H13Z`, "notch"),
  ];
}

/** Patterns that lie faintly behind water, gardens and the backs of cards. */
export function definitions() {
  const pattern = (name, width, height, d) => [
    "pattern",
    { id: `white_castle-p-${name}`, width, height, patternUnits: "userSpaceOnUse" },
    [["path", { class: `white_castle-p white_castle-p-${name}`, d }]],
  ];
  const arcs = "M0 10a10 10 0 0 1 20 0M4 10a6 6 0 0 1 12 0M-10 5a10 10 0 0 1 20 0M-6 5a6 6 0 0 1 12 0" +
    "M10 5a10 10 0 0 1 20 0M14 5a6 6 0 0 1 12 0";
  const hemp = "M0 0L6 3.47 12 0M6 3.47V10.4M0 0V6.93L6 10.4 12 6.93V0M0 6.93L6 3.47 12 6.93M0 20.8L6 17.33 12 20.8" +
    "M6 17.33V10.4M0 20.8V13.87L6 10.4 12 13.87V20.8M0 13.87L6 17.33 12 13.87";
  return [
    pattern("wave", 20, 10, arcs),
    pattern("leaf", 16, 14, "M3 12C3 7 5 4 9 3M11 14c0-4 2-6 4-7"),
    pattern("rake", 12, 6, "M0 3h12"),
    pattern("back", 12, 20.8, hemp),
  ];
}

/** The attribute that fills a shape with a pattern. */
export function filled(name) {
  return { fill: `url(#white_castle-p-${name})` };
}
