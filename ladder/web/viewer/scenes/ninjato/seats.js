// The panel of a seat: what it owns, what of its hand is known, and its honor by category.
import {
  TREASURES, back, choosable, dojoCard, fitted, markAt, moved, numbered, path, rect, sign, spread, star, text, wide,
} from "./draw.js";
import { cardTip } from "./town.js";

const RUMORS = ["warrior", "people", "friends", "arts", "foes"];
const SHADES = ["b", "c", "d", "e"];

function head(model, seat, width, height) {
  const acts = model.actor === seat;
  const mine = model.mine === seat;
  const name = fitted(model.name(seat), width - 230, 16);
  const turn = `turn ${model.view.order.indexOf(seat) + 1}${acts ? ", to act" : mine ? ", your seat" : ""}`;
  return [
    rect(0, 0, width, height, "surface", { line: acts ? "teal" : "line", r: 8, thick: acts ? 2.5 : 1 }),
    ["path", { class: `seat-mark seat-${seat + 1}`, d: `M1 9q0-8 8-8v${height - 2}q-8 0-8-8Z` }],
    markAt(seat, 28, 22, 20),
    text(46, 27, name, { size: 16, bold: true }),
    text(54 + wide(name, 16) * 1.08, 27, model.over ? "" : turn, { size: 12.5, ink: acts ? "teal" : "soft", bold: acts }),
  ];
}

function hand(model, seat, x, y, big) {
  const faces = model.faces(seat);
  const nodes = [];
  const known = model.known[seat];
  if (faces && (big || model.views)) {
    const [cw, ch, step] = big === 2 ? [34, 46, 41] : big ? [30, 40, 36] : [19, 26, 23];
    const cards = numbered(spread(faces));
    cards.forEach(([kind, copy], at) => {
      const target = copy === 0 ? model.target("hand", { value: kind + 1 }) : undefined;
      nodes.push({
        key: `hand:${seat}:${kind + 1}:${copy}`,
        group: `dojo:${kind + 1}`,
        from: "dojo:deck",
        x: x + at * Math.min(step, (194 - cw) / Math.max(1, cards.length - 1)),
        y,
        label: target ? target.words : `Dojo card ${kind + 1}${copy < known[kind] ? ", known to all" : ""}`,
        tip: cardTip(kind + 1),
        target: target && target.key,
        parts: [
          ...dojoCard(kind + 1, cw, ch),
          ...(copy < known[kind] && big ? [path(`M${cw - 9} 3h6v6`, null, { line: "soft", thick: 1.5 })] : []),
          ...(target ? [moved(-3, -3, choosable(cw + 6, ch + 6))] : []),
        ],
      });
    });
    return [nodes, cards.length ? "" : "no cards in hand", 0];
  }
  const shown = spread(known);
  const size = model.hands[seat];
  const step = Math.min(23, 132 / Math.max(1, size));
  for (let at = 0; at < size; at += 1) {
    const face = shown[at];
    const isKnown = face !== undefined;
    nodes.push({
      key: isKnown ? `hand:${seat}:known:${at}` : `hand:${seat}:back:${at - shown.length}`,
      group: isKnown ? `dojo:${face + 1}` : "dojo:back",
      from: "dojo:deck",
      x: x + at * step,
      y,
      label: isKnown ? `A ${face + 1} of seat ${seat + 1}, taken face up` : `A hidden Dojo card of seat ${seat + 1}`,
      tip: isKnown ? "Taken face up, so that all know it is in this hand." : "Drawn unseen: only its owner knows its value.",
      parts: isKnown ? dojoCard(face + 1, 19, 26, { known: true }) : back(19, 26, 3),
    });
  }
  return [nodes, `${size} card${size === 1 ? "" : "s"}`, size * step + (size ? 5 : 0)];
}

function shuriken(model, seat, x, y) {
  if (model.over) return [];
  const spent = model.cards.shuriken - model.facts.shuriken_left[seat];
  return Array.from({ length: model.cards.shuriken }, (_, at) => ({
    key: at < spent ? `spent:${seat}:${at}` : `shuriken:${seat}:${at}`,
    x: x + at * 26,
    y,
    label: at < spent ? undefined : `Shuriken of seat ${seat + 1}, not yet placed`,
    parts: at < spent ? [sign("shuriken", -10, -10, 20, "dim")] : star(seat, 22),
  }));
}

function purse(model, seat, x, y, width) {
  return TREASURES.map((name, kind) => {
    const count = model.purses[seat][kind];
    return {
      key: `purse:${seat}:${name}`,
      x: x + (kind * width) / 5,
      y,
      halo: [-2, -3, 44, 26, 6],
      label: `${name}: ${count}`,
      tip: model.cards.treasures[kind].tip,
      parts: [
        sign(name, 0, 0, 20, count ? "ink" : "dim"),
        text(26, 16, count, { size: 16, ink: count ? "ink" : "soft", bold: count > 0 }),
      ],
    };
  });
}

const SIGNS = ["swap", "switch", "refresh", "mask"];

/** The effect of a skill where there is little room: a sign, or numbers without spaces. */
function shortSign(words, ink) {
  if (SIGNS.includes(words)) return sign(words, 20, 5, 14, ink);
  const short = words.replace(" or ", "/").replace(" ", "");
  return text(20, 17, short, { size: 12, ink, bold: true });
}

function skills(model, seat, x, y, room) {
  const ready = numbered(spread(model.ready[seat])).map(([skill, copy]) => ({ skill, copy, used: false }));
  const used = numbered(spread(model.used[seat])).map(([skill, copy]) => ({
    skill, copy: copy + model.ready[seat][skill], used: true, // a tile keeps its key when it is turned
  }));
  const all = [...ready, ...used];
  const widths = all.map(({ skill }) => 32 + wide(model.cards.skills[skill].sign, 13));
  const needed = widths.reduce((a, b) => a + b + 5, -5);
  const narrow = needed > room;
  let at = x;
  return all.map(({ skill, copy, used: down }, n) => {
    const row = model.cards.skills[skill];
    const width = narrow ? Math.min(42, room / all.length - 3) : widths[n];
    const first = down ? copy === model.ready[seat][skill] : copy === 0;
    const target = first && seat === model.actor ? model.target(down ? "used" : "ready", { skill }) : undefined;
    const node = {
      key: `skill:${seat}:${skill}:${copy}`,
      group: `skill:${skill}`,
      x: at,
      y,
      halo: [0, 0, width, 24],
      label: target ? target.words : `${row.name}: ${row.sign}${down ? ", used in this round" : ""}`,
      tip: `${row.tip}${down ? ". Used: face down until the end of the round" : ""}.`,
      target: target && target.key,
      parts: [
        rect(0, 0, width, 24, "wall", { line: down ? "dim" : "soft", r: 5, dash: down ? "3 2" : null }),
        sign(row.way, narrow ? 4 : 5, 4.5, narrow ? 13 : 15, down ? "dim" : "soft"),
        narrow
          ? shortSign(row.sign, down ? "soft" : "ink")
          : text(24, 17, row.sign, { size: 13, ink: down ? "soft" : "ink", bold: !down }),
        ...(target ? [moved(-2, -2, choosable(width + 4, 28, 6))] : []),
      ],
    };
    at += width + (narrow ? 3 : 5);
    return node;
  });
}

function trophies(model, seat, x, y) {
  const count = model.trophies[seat].length;
  const honor = model.trophies[seat].reduce((all, elite) => all + model.cards.elites[elite].honor, 0);
  const names = model.trophies[seat].map((elite) => model.cards.elites[elite].name);
  return {
    key: `trophies:${seat}`,
    x,
    y,
    halo: [-4, -4, 42, 26],
    label: `${count} trophies, ${honor} honor`,
    tip: count ? `Trophies, ${honor} honor at the end: ${names.join("; ")}.` : "Trophies: beaten elite guards. None yet.",
    parts: [
      sign("elite", 0, 0, 18, count ? "vermilion" : "dim"),
      text(36, 15, count, { size: 16, ink: count ? "ink" : "soft", at: "end", bold: count > 0 }),
    ],
  };
}

function envoys(model, seat, x, y) {
  return model.cards.clans.map((clan, at) => {
    const own = model.envoys[seat].map((envoy) => model.cards.envoys[envoy]).filter((row) => row.clan === at);
    const masks = own.filter((row) => row.mask).length;
    const ages = own.map((row) => `${row.age}${row.mask ? " with a mask" : ""}`).join(", ");
    return {
      key: `envoys:${seat}:${clan.id}`,
      x: x + at * 42,
      y,
      halo: [-2, -3, 38, 25],
      label: `${own.length} envoys of ${clan.name}`,
      tip: own.length ? `Envoys of ${clan.name}, ages ${ages}. The older wins a tie.` : `No envoy of ${clan.name}.`,
      parts: [
        sign(clan.id, 0, 0, 19, own.length ? "ink" : "dim"),
        text(23, 16, own.length, { size: 16, ink: own.length ? "ink" : "soft", bold: own.length > 0 }),
        ...(masks ? [["circle", { class: "nj-plum", cx: 18, cy: 1, r: 3 }]] : []),
      ],
    };
  });
}

function rumors(model, seat, right, y) {
  const types = model.rumors[seat].map((rumor) => model.cards.rumor_types[model.cards.rumors[rumor].type].name);
  const nodes = [];
  let x = right;
  for (const sort of [...RUMORS].reverse()) {
    const count = types.filter((type) => type === sort).length;
    if (!count) continue;
    x -= 37;
    const type = model.cards.rumor_types.find((row) => row.name === sort);
    nodes.push({
      key: `rumors:${seat}:${sort}`,
      x,
      y: y - 2,
      halo: [0, 0, 34, 24],
      label: `${count} rumors: ${sort}`,
      tip: `${type.tip}.`,
      parts: [
        rect(0, 0, 34, 24, "wall", { line: "plum", r: 4 }),
        sign(sort, 3, 4, 16, "plum"),
        text(27, 17, count, { at: "middle", bold: true }),
      ],
    });
  }
  return [nodes, types.length];
}

/** Honor by category as one bar: what was scored in the rounds, then what the end would add; the longest is the leader's. */
function bar(model, seat, y, width, x) {
  const most = Math.max(1, ...model.totals);
  const parts = [rect(x, y, width, 5, "line", { r: 2.5 })];
  let at = x;
  model.facts.points.forEach(({ points }, n) => {
    const part = (width * points[seat]) / most;
    if (part) parts.push(["rect", { class: `nj-shade-${n ? SHADES[n % 4] : "a"}`, x: at, y, width: Math.max(1, part - 1), height: 5, rx: 1 }]);
    at += part;
  });
  return parts;
}

function barTip(model, seat) {
  const rows = model.facts.points.map(({ category, points }) => `${category}: ${points[seat]}`);
  const head = model.over ? "Honor by category" : "Honor if the game ended now";
  return `${head}: ${model.totals[seat]}\n${rows.join("\n")}`;
}

/** The panel of a seat, `width` by `height`. Returns nodes. */
export function seatPanel(model, seat, x, y, width, height) {
  const tall = height >= 220;
  const big = Boolean(model.faces(seat)) && (seat === model.mine || tall) ? (height >= 244 ? 2 : 1) : 0;
  const parts = head(model, seat, width, height);
  const nodes = [{
    key: `seat:${seat}`,
    x,
    y,
    label: `Seat ${seat + 1}, ${model.name(seat)}: ${model.honor[seat]} honor, ${model.hands[seat]} Dojo cards`,
    parts,
  }];
  nodes.push({
    key: `seat-honor:${seat}`,
    x: x + width - 14,
    y: y + 30,
    halo: [-58, -22, 62, 30],
    label: `${model.honor[seat]} honor`,
    tip: barTip(model, seat),
    parts: [
      sign("blossom", -28 - wide(model.honor[seat], 25), -18, 18, "gold"),
      text(0, 0, model.honor[seat], { size: 25, at: "end", bold: true, serif: true }),
    ],
  });
  const handHeight = [36, 48, 56][big];
  const below = tall ? 68 : 16;
  const step = Math.min(40, (height - 42 - handHeight - below) / 3);
  let row = y + 40;
  const [cards, note, shift] = hand(model, seat, x + 18, row, big);
  nodes.push(...cards);
  if (note) parts.push(text(18 + (shift || 0), row - y + 18, note, { size: 12.5, ink: "soft" }));
  nodes.push(...shuriken(model, seat, x + width - 80, row + 12));
  row += handHeight;
  nodes.push(...purse(model, seat, x + 18, row, width - 34));
  row += step;
  const tiles = skills(model, seat, x + 18, row - 2, width - 90);
  nodes.push(...tiles);
  if (!tiles.length) parts.push(text(18, row - y + 15, "no skills", { size: 12.5, ink: "soft" }));
  nodes.push(trophies(model, seat, x + width - 50, row));
  row += step;
  nodes.push(...envoys(model, seat, x + 18, row));
  const [cardsOwned, count] = rumors(model, seat, x + width - 12, row);
  nodes.push(...cardsOwned);
  if (!count) parts.push(text(width - 14, row - y + 15, "no rumors", { size: 12.5, ink: "soft", at: "end" }));
  if (tall) parts.push(...ending(model, seat, height - 64, width));
  parts.push(...bar(model, seat, height - 11, width - 34, 18));
  return nodes;
}

/** What the end of the game would add now, by category. */
function ending(model, seat, y, width) {
  const rows = model.facts.points.slice(1);
  const parts = [
    path(`M18 ${y - 12}H${width - 14}`, null, { line: "line" }),
    text(18, y + 7, model.over ? "added at the end" : "if the game ended now", { size: 12.5, ink: "soft" }),
    text(width - 14, y + 7, model.totals[seat], { size: 16, ink: "gold", at: "end", bold: true }),
  ];
  const column = (width - 32) / rows.length;
  rows.forEach(({ category, points }, at) => {
    const value = points[seat];
    const ink = value ? (category === "trophies" ? "vermilion" : category === "treasures" ? "ink" : "plum") : "dim";
    parts.push(sign(category, 18 + at * column, y + 18, 15, ink));
    parts.push(text(35 + at * column, y + 31, value, { size: 13, ink: value ? "ink" : "soft", bold: value > 0 }));
  });
  return parts;
}
