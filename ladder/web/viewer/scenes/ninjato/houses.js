// The five houses: roof with clan and honor, the Sentinel, the treasures, and the two doors.
import {
  TREASURES, choosable, circle, guardCard, numbered, path, rect, roof, sign, star, text, treasure, wide,
} from "./draw.js";

const MODES = ["force", "stealth"];
const FIRST_SPACE = 4;

/** The treasures of a house as [kind, red], the light ones first. */
function tokens(light, red) {
  const all = [];
  light.forEach((count, kind) => all.push(...Array(count).fill([kind, 0])));
  red.forEach((count, kind) => all.push(...Array(count).fill([kind, 1])));
  return all;
}

function treasureKey(place, kind, red) {
  return `${place}:${red ? "red" : "light"}:${TREASURES[kind]}`;
}

/** The treasures that the last step brought to a house or turned to their red side, as names of treasure nodes. */
function fresh(model, house) {
  const found = [];
  for (const event of model.events) {
    if (event.items[0] !== house) continue;
    if (event.subject === "house treasure") found.push(...event.items.slice(1).map((name) => `light:${name}`));
    if (event.subject === "red side") found.push(`red:${event.items[1]}`);
  }
  return found;
}

function treasureNodes(model, house, spots, size) {
  const place = `house:${house}`;
  const lit = fresh(model, house);
  const all = tokens(model.light[house], model.red[house]);
  const nodes = numbered(all).map(([[kind, red], copy], at) => {
    if (!spots[at]) return null;
    const [x, y] = spots[at];
    const key = treasureKey(place, kind, red);
    const target = copy === 0 ? model.target("house", { house, treasure: kind, red }) : undefined;
    const side = red ? "red" : "light";
    const found = lit.indexOf(`${side}:${TREASURES[kind]}`);
    if (found >= 0) lit.splice(found, 1);
    return {
      key: `${key}:${copy}`,
      group: `treasure:${TREASURES[kind]}`,
      from: "deck:bag",
      x,
      y,
      label: target ? target.words : `${TREASURES[kind]}, ${side} side, house ${house + 1}`,
      tip: model.cards.treasures[kind].tip,
      target: target && target.key,
      parts: [
        ...(found >= 0 ? [["circle", { class: "halo", r: size / 2 + 5 }]] : []),
        ...treasure(kind, size, red),
        ...(target ? [["circle", { class: "nj-hit", r: size / 2 + 3 }]] : []),
      ],
    };
  });
  return nodes.filter(Boolean);
}

function tokenNode(model, house, x, y, size) {
  const { clan, honor } = model.cards.tokens[model.view.tokens[house]];
  const { id, name } = model.cards.clans[clan];
  return {
    key: `token:${model.view.tokens[house]}`,
    x,
    y,
    halo: [-size * 1.15, -size * 0.62, size * 2.3, size * 1.24, 6],
    label: `House ${house + 1}: ${name}, ${honor} honor`,
    tip: `Clan token of house ${house + 1}: the first of ${name} may score the sum of its houses, now ` +
      `${model.facts.clans[clan].honor}.`,
    parts: [
      sign(id, -size * 1.05, -size * 0.5, size, "onroof"),
      text(size * 0.62, size * 0.31, honor, { size: size * 0.84, ink: "onroof", at: "middle", bold: true, serif: true }),
    ],
  };
}

function sentinelNode(model, house, x, y, width, height) {
  const { value } = model.cards.guards[model.view.sentinels[house]];
  return {
    key: `sentinel:${house}`,
    x,
    y,
    halo: [0, 0, width, height],
    label: `Sentinel of house ${house + 1}, value ${value}`,
    tip: `Sentinel, value ${value}: always the first opponent of a raid. Beat it with more by force, with less by stealth.`,
    parts: [...guardCard(value, width, height), path(`M0 ${height + 5}H${width}`, null, { line: "soft", thick: 2 })],
  };
}

function shurikenNodes(model, space, spot, size) {
  return model.placed(space).map((it, at) => {
    const [x, y] = spot(at, model.placed(space).length);
    return {
      key: `shuriken:${it.seat}:${it.number}`,
      x,
      y,
      halo: [-size / 2, -size / 2, size, size, size / 2],
      label: `Shuriken of seat ${it.seat + 1}`,
      parts: star(it.seat, size),
    };
  });
}

function doorTarget(model, space, x, y, width, height) {
  const target = model.target("space", { space });
  if (!target) return [];
  return [{
    key: `target:${target.key}`, x, y, label: target.words, tip: target.words, target: target.key,
    parts: choosable(width, height, 5),
  }];
}

/** A house of the street, `width` by `height`. Returns [nodes, targets]. */
export function house(model, at, x, y, width, height) {
  const nodes = [];
  const targets = [];
  const top = 62;
  const [wx, ww] = [9, width - 18];
  const closed = (model.view.sentinels[at] ?? -1) < 0;
  const clan = model.cards.clans[model.cards.tokens[model.view.tokens[at]].clan];
  const parts = [];
  if (model.house === at) parts.push(rect(-3, -10, width + 6, height + 14, "glow", { line: "teal", r: 10, thick: 2.5 }));
  parts.push(rect(wx, top - 6, ww, height - top + 6, "wall", { line: "line", r: 3 }));
  parts.push(["g", { transform: `translate(${wx} 0)` }, roof(ww, top, 9)]);
  parts.push(text(wx + 6, top + 15, `House ${at + 1}`, { size: 12, ink: "soft" }));
  parts.push(text(wx + ww - 6, top + 15, clan.name, { size: clan.name.length > 9 ? 11 : 12, ink: "soft", at: "end" }));
  const inner = top + 24;
  if (closed) {
    parts.push(["rect", { class: "nj-hatched", x: wx + 8, y: inner, width: ww - 16, height: 74, rx: 6 }]);
    parts.push(rect(width / 2 - 62, inner + 18, 124, 44, "wall", { r: 4 }));
    parts.push(text(width / 2, inner + 35, "emptied,", { ink: "soft", at: "middle" }));
    parts.push(text(width / 2, inner + 53, "closed this round", { size: 13, ink: "soft", at: "middle" }));
  }
  const [dw, dh] = [(ww - 22) / 2, 66];
  const dy = height - 74;
  MODES.forEach((mode, m) => {
    const dx = wx + 8 + m * (dw + 6);
    parts.push(rect(dx, dy, dw, dh, "surface", { line: "line", r: 3 }));
    parts.push(["rect", { class: "nj-latticed", x: dx, y: dy, width: dw, height: dh - 20 }]);
    parts.push(sign(mode, dx + 5, dy + dh - 16, 11, "soft"), text(dx + 18, dy + dh - 6, mode, { size: 12, ink: "soft" }));
  });
  const count = model.light[at].reduce((a, b) => a + b, 0) + model.red[at].reduce((a, b) => a + b, 0);
  const [columns, size] = count <= 4 ? [2, 35] : count <= 6 ? [3, 27] : count <= 9 ? [3, 24] : [4, 18];
  const shown = Math.min(count, columns === 4 ? (count > 16 ? 15 : 16) : count);
  if (shown < count) parts.push(text(wx + ww - 8, inner + 89, `${count - shown} more`, { size: 12.5, ink: "soft", at: "end" }));
  nodes.push({ key: `house:${at}`, x, y, label: `House ${at + 1}${closed ? ", emptied, closed this round" : ""}`, parts });
  nodes.push(tokenNode(model, at, x + width / 2, y + 33, 30));
  if (!closed) nodes.push(sentinelNode(model, at, x + wx + 10, y + inner, 46, 66));
  const pitch = (ww - 72) / columns;
  const spots = Array.from({ length: shown }, (_, n) => [
    x + wx + 64 + pitch * ((n % columns) + 0.5),
    y + inner + size / 2 + (size + 4) * Math.floor(n / columns),
  ]);
  nodes.push(...treasureNodes(model, at, spots, size));
  MODES.forEach((mode, m) => {
    const dx = x + wx + 8 + m * (dw + 6);
    const space = FIRST_SPACE + 2 * at + m;
    const spot = (n, all) => [dx + (all === 1 ? dw / 2 : 18 + (n * (dw - 36)) / (all - 1)), y + dy + 24];
    nodes.push(...shurikenNodes(model, space, spot, 31));
    targets.push(...doorTarget(model, space, dx - 1, y + dy - 1, dw + 2, dh + 2));
  });
  return [nodes, targets];
}

/** A house as a row, for phones. Returns [nodes, targets]. */
export function houseRow(model, at, x, y, width, height) {
  const nodes = [];
  const targets = [];
  const closed = (model.view.sentinels[at] ?? -1) < 0;
  const raided = model.house === at;
  const parts = [
    rect(0, 0, width, height, raided ? "glow" : "wall", { line: raided ? "teal" : "line", r: 7, thick: raided ? 2.5 : 1 }),
    ["g", { transform: "translate(11 11)" }, roof(58, 38, 5)],
    text(40, height - 7, `House ${at + 1}`, { size: 12.5, ink: "soft", at: "middle" }),
  ];
  const left = 84;
  if (closed) {
    parts.push(text(left, height / 2 - 3, "emptied, closed", { size: 12.5, ink: "soft" }));
    parts.push(text(left, height / 2 + 14, "this round", { size: 12.5, ink: "soft" }));
  }
  const count = model.light[at].reduce((a, b) => a + b, 0) + model.red[at].reduce((a, b) => a + b, 0);
  const shown = count > 6 ? 5 : count;
  if (shown < count) {
    parts.push(circle(left + 107, 51, 13, "wall", { line: "line" }));
    parts.push(text(left + 107, 55.5, `+${count - shown}`, { size: 12.5, at: "middle", bold: true }));
  }
  const dw = 58;
  MODES.forEach((mode, m) => {
    const dx = width - 5 - (2 - m) * dw - (1 - m) * 4;
    const start = dx + (dw - 12 - wide(mode, 12.5)) / 2;
    parts.push(rect(dx, 6, dw, height - 12, "surface", { line: "line", r: 4 }));
    parts.push(sign(mode, start, height - 21, 9, "soft"), text(start + 12, height - 12, mode, { size: 12.5, ink: "soft" }));
  });
  nodes.push({ key: `house:${at}`, x, y, label: `House ${at + 1}${closed ? ", emptied, closed this round" : ""}`, parts });
  nodes.push(tokenNode(model, at, x + 41, y + 34, 19));
  if (!closed) nodes.push(sentinelNode(model, at, x + left, y + 8, 34, height - 22));
  const spots = Array.from({ length: shown }, (_, n) => [
    x + left + 51 + (n % 3) * 28,
    y + (count <= 3 ? height / 2 : 21 + 30 * Math.floor(n / 3)),
  ]);
  nodes.push(...treasureNodes(model, at, spots, 26));
  MODES.forEach((mode, m) => {
    const dx = x + width - 5 - (2 - m) * dw - (1 - m) * 4;
    const space = FIRST_SPACE + 2 * at + m;
    const spot = (n, all) => [dx + dw / 2 + (n - (all - 1) / 2) * Math.min(16, 34 / Math.max(1, all - 1)), y + 26];
    nodes.push(...shurikenNodes(model, space, spot, 26));
    targets.push(...doorTarget(model, space, dx, y + 6, dw, height - 12));
  });
  return [nodes, targets];
}

export { shurikenNodes, treasureKey };
