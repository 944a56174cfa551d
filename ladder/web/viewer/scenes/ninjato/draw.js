// Small pieces that every part of the board is made of.
import { seatMark } from "../../marks.js";

export const TREASURES = ["fan", "scroll", "vase", "jade", "gold"];

export function text(x, y, words, { size = 14, ink = "ink", at = "start", bold = false, serif = false, halo = false } = {}) {
  const cls = [`nj-${ink}`, bold && "nj-bold", serif && "nj-serif", halo && "nj-halo"].filter(Boolean).join(" ");
  return ["text", { class: cls, x, y, "font-size": size, "text-anchor": at === "start" ? undefined : at }, `${words}`];
}

export function rect(x, y, width, height, fill, { line = null, r = 6, thick = 1, dash = null, more = {} } = {}) {
  const cls = [fill ? `nj-${fill}` : "nj-none", line && `nj-line-${line}`].filter(Boolean).join(" ");
  const drawn = line ? { "stroke-width": thick, "stroke-dasharray": dash } : {};
  return ["rect", { class: cls, x, y, width, height, rx: r, ...drawn, ...more }];
}

export function path(d, fill, { line = null, thick = 1 } = {}) {
  const cls = [fill ? `nj-${fill}` : "nj-none", line && `nj-line-${line}`].filter(Boolean).join(" ");
  return ["path", { class: cls, d, "stroke-width": line ? thick : undefined }];
}

export function circle(cx, cy, r, fill, { line = null, thick = 1 } = {}) {
  const cls = [fill ? `nj-${fill}` : "nj-none", line && `nj-line-${line}`].filter(Boolean).join(" ");
  return ["circle", { class: cls, cx, cy, r, "stroke-width": line ? thick : undefined }];
}

export function group(children, attributes = {}) {
  return ["g", attributes, children];
}

export function moved(x, y, children) {
  return ["g", { transform: `translate(${x} ${y})` }, children];
}

/** A sign with its upper left corner at (x, y). */
export function sign(name, x, y, size, ink = "ink") {
  return ["use", { href: `#ninjato-${name}`, class: `nj-${ink}`, x, y, width: size, height: size }];
}

export function markAt(seat, x, y, size = 16) {
  return moved(x, y, [seatMark(seat, size)]);
}

/** A shuriken with its centre at 0, 0: the seat's colour, and the seat's mark in its middle. */
export function star(seat, size) {
  return [
    ["use", { href: "#ninjato-shuriken", class: `seat-mark seat-${seat + 1}`, x: -size / 2, y: -size / 2, width: size, height: size }],
    circle(0, 0, size * 0.2, "surface"),
    seatMark(seat, size * 0.27),
  ];
}

/** A treasure with its centre at 0, 0: the light side open, the red side filled and with a double ring. */
export function treasure(kind, size, red) {
  if (red) {
    return [
      circle(0, 0, size / 2, "vermilion"),
      circle(0, 0, size / 2 - size * 0.07, null, { line: "surface" }),
      sign(TREASURES[kind], -size * 0.29, -size * 0.29, size * 0.58, "surface"),
    ];
  }
  return [
    circle(0, 0, size / 2 - 0.5, "surface", { line: "soft" }),
    sign(TREASURES[kind], -size * 0.32, -size * 0.32, size * 0.64),
  ];
}

/** A Dojo card; a 3 says that it can support another card. */
export function dojoCard(value, width, height, { known = false } = {}) {
  const small = width < 24;
  const parts = [rect(0, 0, width, height, "surface", { line: "soft", r: small ? 3 : 5, dash: known ? "3 2" : null })];
  const lift = value === 3 && !small ? 0.1 : 0.21;
  parts.push(
    text(width / 2, height * 0.5 + width * lift, value, {
      size: width * (small ? 0.68 : 0.6), at: "middle", bold: true, serif: true, ink: known ? "soft" : "ink",
    }),
  );
  if (small) return parts;
  if (value === 3) parts.push(text(width / 2, height - 6, "±1", { size: Math.max(12, width * 0.24), ink: "soft", at: "middle" }));
  else parts.push(path(`M${width * 0.3} ${height - 9}H${width * 0.7}`, null, { line: "line", thick: 2 }));
  return parts;
}

/** The back of a Dojo card. */
export function back(width, height, r = 4) {
  return [
    rect(0, 0, width, height, "back", { line: "surface", r }),
    ["rect", { class: "nj-leaves", x: 2, y: 2, width: width - 4, height: height - 4, rx: r - 1.5 }],
  ];
}

/** A guard: hat and value, and a bell if it rings. */
export function guardCard(value, width, height, alarm = false) {
  const parts = [
    rect(0, 0, width, height, "surface", { line: alarm ? "vermilion" : "soft", thick: alarm ? 2 : 1 }),
    sign("guard", width / 2 - width * 0.21, 5, width * 0.42, "soft"),
    text(width / 2, height - height * 0.13, value, { size: width * 0.5, at: "middle", bold: true, serif: true }),
  ];
  if (alarm) {
    parts.push(circle(width - 4, 14, width * 0.2, "vermilion"));
    parts.push(sign("alarm", width - 4 - width * 0.13, 14 - width * 0.13, width * 0.26, "surface"));
  }
  return parts;
}

/** An elite guard: for each part its value in force and in stealth; a beaten part is struck through. */
export function eliteCard(elite, width, height, standing) {
  const parts = [
    rect(0, 0, width, height, "surface", { line: "vermilion", thick: 2 }),
    sign("elite", width / 2 - 11, 4, 22, "vermilion"),
  ];
  const bands = elite.parts.length;
  const step = (height - 30) / bands;
  elite.parts.forEach(([force, stealth], part) => {
    const top = 28 + part * step + (step - 20) / 2;
    const stands = (standing >> part) & 1;
    const look = { size: 18, at: "middle", bold: true, serif: true, ink: stands ? "ink" : "soft" };
    if (force === stealth) parts.push(text(width / 2, top + 16, force, look));
    else {
      parts.push(sign("force", 5, top + 4, 11, "soft"), text(width * 0.36, top + 16, force, look));
      parts.push(text(width * 0.66, top + 16, stealth, look), sign("stealth", width - 16, top + 4, 11, "soft"));
    }
    if (!stands) parts.push(path(`M${width * 0.18} ${top + 10}H${width * 0.82}`, null, { line: "soft", thick: 2 }));
    if (part) parts.push(path(`M8 ${28 + part * step}H${width - 8}`, null, { line: "line" }));
  });
  return parts;
}

/** What an envoy or a rumor costs, centred in `width`: an open circle is any treasure, a bar joins equal ones. */
export function price(cost, size, width) {
  let total = 0;
  for (const [count] of cost.groups) total += count;
  const s = total > 3 || cost.distinct ? size - 2 : size;
  const parts = [];
  let x = 0;
  cost.groups.forEach(([count, kind], at) => {
    if (at) x += 4;
    const start = x;
    for (let n = 0; n < count; n += 1) {
      parts.push(kind >= 0 ? sign(TREASURES[kind], x, 0, s) : circle(x + s / 2, s / 2, s / 2 - 1, null, { line: "soft", thick: 1.5 }));
      x += s + 1;
    }
    if (kind < 0 && count > 1) parts.push(path(`M${start + 2} ${s + 2.5}H${x - 3}`, null, { line: "soft", thick: 1.5 }));
  });
  if (cost.most) {
    parts.push(text(x + 2, s - 2, `× 1–${cost.most}`, { size: 12.5, ink: "soft" }));
    x += 2 + wide(`× 1–${cost.most}`, 12.5);
  }
  if (cost.distinct) {
    parts.push(text(x + 2, s - 1, "≠", { ink: "soft", bold: true }));
    x += 11;
  }
  return moved((width - x) / 2, 0, parts);
}

/** A roof with swept eaves over `width`, its ridge at 0 and its eaves at `height`. */
export function roof(width, height, over) {
  const w = width;
  const [l, r, b] = [-over, width + over, height];
  const d =
    `M${w * 0.22} 0H${w * 0.78}C${w * 0.84} ${b * 0.55} ${w * 0.93} ${b * 0.8} ${r} ${b - 7}L${r - 2} ${b}H${l + 2}` +
    `L${l} ${b - 7}C${w * 0.07} ${b * 0.8} ${w * 0.16} ${b * 0.55} ${w * 0.22} 0Z`;
  return [
    path(d, "roof"),
    rect(w * 0.2, -4, w * 0.6, 6, "ridge", { r: 2 }),
    path(`M${l + 6} ${b - 4}H${r - 6}`, null, { line: "ridge", thick: 1.5 }),
  ];
}

/** A panel with its title. */
export function panel(width, height, title, note = "", on = false) {
  const parts = [rect(0, 0, width, height, "surface", { line: on ? "teal" : "line", r: 8, thick: on ? 2.5 : 1 })];
  if (title) parts.push(text(12, 20, title, { bold: true, serif: true }));
  if (note) parts.push(text(width - 12, 20, note, { size: 12.5, ink: "soft", at: "end" }));
  return parts;
}

/** What marks a thing that can be chosen: a ring with a filled corner, and a ground that takes the click. */
export function choosable(width, height, r = 8) {
  return [
    ["rect", { class: "nj-hit", width, height, rx: r }],
    ["path", { class: "nj-teal", d: `M0 13V${r * 0.6}Q0 0 ${r * 0.6} 0H13Z` }],
  ];
}

/** About how wide a text is, in the widest of the fonts that a system may have. */
export function wide(words, size) {
  let sum = 0;
  for (const letter of `${words}`) {
    if ("iljtrf.,:;|!' ".includes(letter)) sum += 0.36;
    else sum += letter !== letter.toLowerCase() || "mw+=".includes(letter) ? 0.78 : 0.61;
  }
  return sum * size;
}

/** A text cut so that it fits, with an ellipsis where something was cut. */
export function fitted(words, width, size) {
  let cut = `${words}`;
  if (wide(cut, size) <= width) return cut;
  while (cut && wide(`${cut}…`, size) > width) cut = cut.slice(0, -1);
  return `${cut}…`;
}

/** A text in at most `most` lines of a width. */
export function wrapped(words, width, size, most) {
  const lines = [""];
  for (const word of `${words}`.split(" ")) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (wide(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length > most) {
    const rest = lines.splice(most - 1).join(" ");
    lines.push(fitted(rest, width, size));
  }
  return lines;
}

/** Each thing with its number among its equals, so that a key does not change when another goes. */
export function numbered(things) {
  const seen = {};
  return things.map((thing) => {
    seen[thing] = (seen[thing] ?? -1) + 1;
    return [thing, seen[thing]];
  });
}

/** The kinds of a heap one by one: [2, 0, 1] gives 0, 0, 2. */
export function spread(counts) {
  return (counts || []).flatMap((count, kind) => Array(count).fill(kind));
}

export function sum(numbers) {
  return (numbers || []).reduce((total, number) => total + number, 0);
}
