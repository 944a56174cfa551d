// Rounds, the road of honor, the piles that lie face down, and the legend.
import { back, circle, markAt, path, rect, sign, text, wide } from "./draw.js";

/** The rounds as stones; those with a scoring phase carry a blossom. */
export function rounds(model, x, y, width) {
  const count = model.cards.rounds;
  const pitch = width / count;
  const parts = [];
  for (let round = 1; round <= count; round += 1) {
    const cx = pitch * (round - 0.5);
    const now = round === model.view.round && !model.over;
    const done = round < model.view.round || model.over;
    if (round > 1) parts.push(path(`M${cx - pitch + 15} 26H${cx - 15}`, null, { line: "line", thick: 2 }));
    parts.push(circle(cx, 26, 13, now ? "teal" : done ? "line" : "surface", { line: now ? "teal" : "line", thick: 2 }));
    parts.push(text(cx, 31, round, { ink: now ? "surface" : done ? "soft" : "ink", at: "middle", bold: now }));
    if (model.cards.scoring_rounds.includes(round)) parts.push(sign("blossom", cx - 8, -7, 16, "gold"));
  }
  const scoring = model.cards.scoring_rounds.join(", ");
  return [{
    key: "rounds", x, y, label: `Round ${model.view.round} of ${count}; scoring after rounds ${scoring}`,
    tip: `Round ${model.view.round} of ${count}. The clans are scored after rounds ${scoring}.`, parts,
  }];
}

/** The road of honor: marks at the seats' honor; those that would lie on each other stand in lanes above it. */
export function road(model, x, y, width, height) {
  const small = width < 500;
  const last = Math.max(60, Math.ceil((Math.max(...model.honor) + 6) / 20) * 20);
  const [x0, x1] = small ? [6, width - 26] : [92, width - 16];
  const ground = height - 16;
  const at = (honor) => x0 + ((x1 - x0) * honor) / last;
  const parts = [
    sign("blossom", 0, small ? 0 : height - 27, 18, "gold"),
    text(24, small ? 14 : height - 12, "Honor", { bold: true, serif: true }),
    path(`M${x0} ${ground}H${x1}`, null, { line: "line", thick: 4 }),
  ];
  for (let tick = 0; tick <= last; tick += 10) {
    parts.push(path(`M${at(tick)} ${ground - 4}v8`, null, { line: "soft" }));
    if (tick % 20 === 0 || (last <= 80 && !small)) {
      parts.push(text(at(tick), ground + 16, tick, { size: 12.5, ink: "soft", at: "middle" }));
    }
  }
  const heads = [];
  const values = [];
  const taken = [];
  for (const value of [...new Set(model.honor)].sort((a, b) => a - b)) {
    const seats = [...model.honor.keys()].filter((seat) => model.honor[seat] === value);
    const px = at(value);
    const room = 19 * seats.length + wide(value, 14) + 3;
    let spot = null;
    for (let lane = 0; lane < 4 && !spot; lane += 1) {
      for (const side of [1, -1]) {
        const [low, high] = side > 0 ? [px - 9, px - 9 + room] : [px + 9 - room, px + 9];
        const free = low >= -4 && !taken.some((it) => it.lane === lane && low < it.high && high > it.low);
        if (free && !spot) spot = { lane, side, low, high };
      }
    }
    spot = spot || { lane: 3, side: 1, low: px, high: px };
    taken.push(spot);
    const level = ground - 13 - spot.lane * 20;
    parts.push(["path", { class: `nj-stem seat-${seats[0] + 1}`, d: `M${px} ${ground}V${level}` }]);
    values.push(text(px + spot.side * (19 * seats.length - 6), level + 5, value, { at: spot.side > 0 ? "start" : "end", bold: true, halo: true }));
    seats.forEach((seat, n) => heads.push({
      key: `honour:${seat}`, x: x + px + spot.side * 19 * n, y: y + level, halo: [-8, -8, 16, 16, 8],
      label: `${model.name(seat)}: ${value} honor`, tip: `${model.name(seat)}: ${value} honor`, parts: [markAt(seat, 0, 0, 15)],
    }));
  }
  return [{ key: "road", x, y, parts: [...parts, ...values] }, ...heads];
}

const PILES = [
  ["guard_deck", "guard", "guards"],
  ["elite_deck", "elite", "elite guards"],
  ["bag", "bag", "treasures in the bag"],
  ["envoy_deck", "envoy", "envoys"],
  ["rumor_deck", "rumor", "rumors"],
];

/** The piles that lie face down, each under a back of its own. */
export function piles(model, x, y, width) {
  const pitch = width / PILES.length;
  const nodes = [{ key: "piles", x, y, parts: [text(0, 8, "Face down", { size: 12.5, ink: "soft" })] }];
  PILES.forEach(([field, glyph, name], at) => {
    const count = model.view[field] || 0;
    nodes.push({
      key: `deck:${field}`,
      x: x + at * pitch,
      y: y + 16,
      label: `${count} ${name}, face down`,
      tip: `${count} ${name}, face down`,
      parts: [
        ...back(26, 34, 4),
        circle(13, 17, 9.5, "surface"),
        sign(glyph, 6.5, 10.5, 13, "soft"),
        text(32, 23, count, { size: 16, bold: true }),
      ],
    });
  });
  return nodes;
}

function legendItems(model) {
  const worth = model.cards.treasures.map(({ name, honor }) => [name, honor ? `${name} ${honor}` : `${name}, any`]);
  return [
    ...worth,
    ["force", "by more"], ["stealth", "by less"], ["guard", "guard"], ["alarm", "alarm"], ["elite", "elite"],
    ["snake", "snake"], ["crane", "crane"], ["tiger", "tiger"], ["mask", "mask"], ["blossom", "honor"],
  ];
}

/** What the signs mean. */
export function legend(model, x, y, width, height) {
  const parts = [
    rect(0, 0, width, height, "surface", { line: "line", r: 8 }),
    text(14, 20, "Signs", { bold: true, serif: true }),
    circle(80, 15, 8, "surface", { line: "soft" }),
    text(93, 20, "light side", { size: 12.5, ink: "soft" }),
    circle(170, 15, 8, "vermilion"),
    circle(170, 15, 6.8, null, { line: "surface" }),
    text(183, 20, "red: elite guards", { size: 12.5, ink: "soft" }),
  ];
  const column = (width - 20) / 3;
  const step = Math.min(27, (height - 38) / 5);
  legendItems(model).forEach(([glyph, words], at) => {
    const cx = 14 + Math.floor(at / 5) * column;
    const cy = 33 + (at % 5) * step;
    parts.push(sign(glyph, cx, cy, 16, "soft"), text(cx + 23, cy + 13, words, { size: 12.5 }));
  });
  return [{ key: "legend", x, y, label: "Legend", parts }];
}
