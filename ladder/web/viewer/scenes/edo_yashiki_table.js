// Edo Yashiki: what stands above and below the houses: title, deck and row, the race to the target, result, legend.
import { clipped } from "../marks.js";
import {
  CELL, KINDS, NAMES, backShapes, cardShapes, cardWords, circle, group, markAt, paint, path, pointWords, rect, short, swatch,
  text,
} from "./edo_yashiki_shapes.js";

const SOURCES = [...KINDS, "bonus"];

/** The title: name of the game, round and phase, first player. */
export function titleNodes(position, { x, y, width, narrow }) {
  const { facts, round, first, names } = position;
  const words = phaseWords(position);
  const label = `Edo Yashiki, round ${round} of at most ${facts.rounds}, ${words}; first player ${names[first]}`;
  const name = text(0, 0, "Edo Yashiki", "heading");
  const parts = narrow
    ? [name, text(width, 0, `round ${round}`, "name edo-end"), text(0, 20, clipped(words, 52), "edo-small soft")]
    : [
        name,
        text(132, 0, `round ${round}`, "name"),
        text(144 + 9 * `round ${round}`.length, 0, words, "soft"),
        markAt(first, width - 8, -5, 12),
        text(width - 22, 0, "first player", "edo-small soft edo-end"),
      ];
  return [{ key: "title", x, y, label, parts }];
}

function phaseWords({ facts, ended, names, round, drafting }) {
  const winners = ended && facts.places ? names.filter((_, seat) => facts.places[seat] === 1) : [];
  if (winners.length) return `${winners.join(" and ")} ${winners.length > 1 ? "win together" : "wins"}`;
  return drafting && (facts.scored || []).length ? `round ${round - 1} scored; ${facts.phase}` : facts.phase || "";
}

/** The deck, the row, and who reached for which card and got it. */
export function rowNodes(position, { x, y, cell, gap }) {
  const [wide, high] = [2 * cell, 3 * cell];
  const nodes = deckNodes(position, { x, y, wide, high, cell });
  for (const card of position.row) nodes.push(...cardOfRow(position, card, { x: x + (card.index + 1) * (wide + gap), y, cell }));
  return nodes;
}

function deckNodes({ deck }, { x, y, wide, high }) {
  const backs = deck ? [0, 1, 2].map((at) => ({ key: `deck:${at}`, x: x - at * 2 + 4, y: y - at * 2 + 4, parts: backShapes(wide, high) })) : [];
  if (!deck) backs.push({ key: "deck:empty", x, y, parts: [rect(0, 0, wide, high, "edo-empty", { rx: 3 })] });
  const words = `${deck} left`;
  const label = `${deck} cards in the deck`;
  return [...backs, { key: "deck:count", x: x + wide / 2, y: y + high + 19, label, parts: [text(0, 0, words, "edo-small soft edo-middle")] }];
}

function cardOfRow(position, { number, index, owner, losers, laid }, { x, y, cell }) {
  const { facts, names, targets, chosen } = position;
  const card = facts.cards[number];
  const [wide, high] = [2 * cell, 3 * cell];
  const words = cardWords(card);
  const who = owner === null ? "" : `${names[owner]} took it`;
  const vain = losers.length ? `${losers.map((seat) => names[seat]).join(", ")} reached for it in vain` : "";
  const told = [words.replace(": ", "\n"), who, vain].filter(Boolean).join("\n");
  const target = targets.find(({ key }) => key === `card:${number}`);
  const rank = chosen.findIndex(({ key }) => key === `card:${number}`) + 1;
  const scale = cell / CELL;
  const parts = [...cardShapes(card.rows, cell)];
  if (target || rank) parts.push(rect(-3, -3, 54, 78, rank ? "edo-ranked" : "place edo-choose", { rx: 4 }));
  if (rank) parts.push(circle(46, 2, 8, "edo-rank"), text(46, 6, rank, "edo-rank-words"));
  const lead = { x, y, scale, label: [words, who, vain].filter(Boolean).join("; "), tip: told };
  const nodes = [
    laid
      ? { ...lead, key: `row:${index}`, lift: false, label: `${words}; was laid`, parts: [["g", { class: "edo-trace" }, parts]] }
      : { ...lead, key: `card:${number}`, from: "deck:2", wait: index * 40, target: target && target.key, parts },
  ];
  if (target) nodes[0].label = `${target.words}: ${words}`;
  const middle = x + wide / 2;
  if (owner === null) nodes.push({ key: `name:${index}`, x: middle, y: y + high + 19, parts: [text(0, 0, card.name, "edo-small soft edo-middle")] });
  else {
    const line = path("M0-16V-7", `edo-string seat-${owner + 1}`);
    nodes.push({ key: `got:${owner}`, x: middle, y: y + high + 16, lift: false, label: who, parts: [line, markAt(owner, 0, 0, 17)] });
  }
  losers.forEach((seat, at) => {
    const aside = (at % 2 ? 1 : -1) * (20 + 12 * Math.floor(at / 2));
    const label = `${names[seat]} reached for ${card.name} in vain`;
    nodes.push({ key: `reach:${index}:${seat}`, x: middle + aside, y: y + high + 16, label, parts: [markAt(seat, 0, 0, 10, true)] });
  });
  return nodes;
}

/** The race: a lane for each seat, its bar made of the materials that brought the points, towards the gate. */
export function raceNodes(position, { x, y, width, lane, gap, named }) {
  const { names, scores, facts, seats } = position;
  const size = Math.min(19, lane * 0.92);
  const [start, end] = [x + (named ? 92 : 26), x + width - size - 18];
  const last = Math.max(facts.target + 1, Math.max(...scores) + 1);
  const unit = (end - start) / last;
  const height = seats * (lane + gap) - gap;
  const scale = [];
  for (let value = 0; value <= last; value += 5) {
    const at = start + value * unit;
    scale.push(path(`M${short(at)} ${y - 4}V${y + height + 4}`, "edo-tick"));
    scale.push(text(at, y + height + 19, value, value === facts.target ? "edo-small edo-strong edo-middle" : "edo-small soft edo-middle"));
  }
  const nodes = [{ key: "race:scale", x: 0, y: 0, parts: scale }];
  names.forEach((name, seat) => {
    const top = y + seat * (lane + gap);
    nodes.push(laneNode(position, seat, { x, top, start, unit, lane, last, named }));
  });
  nodes.push({ key: "race:gate", x: start + facts.target * unit, y, label: `the game ends at ${facts.target} points`, parts: gate(height) });
  names.forEach((name, seat) => {
    const label = `${name} has ${pointWords(scores[seat])}`;
    nodes.push({
      key: `score:${seat}`,
      x: short(start + scores[seat] * unit + size / 2 + 2),
      y: y + seat * (lane + gap) + lane / 2,
      label,
      parts: [markAt(seat, 0, 0, size), text(size / 2 + 6, 5, scores[seat], "edo-strong edo-rimmed")],
    });
  });
  return nodes;
}

function laneNode({ names, facts }, seat, { x, top, start, unit, lane, last, named }) {
  const parts = [markAt(seat, x + 9 - start, lane / 2, 13)];
  if (named) parts.push(text(x + 22 - start, lane / 2 + 4.4, clipped(names[seat], 10), "edo-small"));
  parts.push(rect(0, 0, last * unit, lane, "edo-lane", { rx: 2 }));
  let at = 0;
  const told = [];
  (facts.points || []).forEach(({ category, points }, index) => {
    const got = points[seat];
    if (!got) return;
    const source = SOURCES[index];
    const fill = source === "bonus" ? "url(#edo_yashiki-bonus)" : paint(source, CELL);
    const [edge, tall] = source === "bonus" ? [8, 16] : [CELL, CELL];
    parts.push(group(at, 0, [rect(0, 0, (got * unit * tall) / lane, tall, "", { fill, "data-edge": edge })], lane / tall));
    at += got * unit;
    parts.push(path(`M${short(at)} 0V${lane}`, "edo-joint"));
    told.push(`${category} ${got}`);
  });
  if (at) parts.push(rect(0, 0, at, lane, "edo-bar", { rx: 2 }));
  const label = `${names[seat]}: ${told.join(", ") || "no points yet"}`;
  return { key: `race:${seat}`, x: start, y: top, label, tip: `${names[seat]}\n${told.join("\n") || "no points yet"}`, parts };
}

function gate(height) {
  return [
    path(`M0-4V${height + 5}`, "edo-gate", { "stroke-width": 1.6 }),
    path("M-13-21q13 3.4 26 0M-8.5-14.5h17M-7-18l-1 14M7-18l1 14", "edo-gate", { "stroke-width": 2.4, "stroke-linecap": "round" }),
  ];
}

/** At the end: a table of points by what brought them, best first. */
export function resultNodes(position, { x, y, width, row }) {
  const { names, facts, scores } = position;
  const order = names.map((_, seat) => seat).sort((one, other) => facts.places[one] - facts.places[other] || one - other);
  const step = Math.min(46, (width - 150) / 6);
  const columns = SOURCES.map((_, index) => width - (6 - index) * step + step / 2);
  const head = SOURCES.map((source, index) => swatch(columns[index] - 9, 0, 18, source));
  const total = step > 40 ? [text(width, 14, "points", "edo-small soft edo-end")] : [];
  const nodes = [{ key: "result:head", x, y, label: "points by what brought them", parts: [...head, ...total] }];
  order.forEach((seat, at) => {
    const points = facts.points.map((category) => category.points[seat]);
    const winner = facts.places[seat] === 1;
    const told = facts.points.map(({ category }, index) => `${category} ${points[index]}`).join(", ");
    nodes.push({
      key: `result:${seat}`,
      x,
      y: y + 30 + at * row,
      label: `${facts.places[seat]}. ${names[seat]}, ${pointWords(scores[seat])}: ${told}`,
      parts: [
        rect(-6, -2, width + 12, row - 4, winner ? "edo-winner" : "edo-loser", { rx: 4 }),
        text(4, row / 2 + 1, facts.places[seat], winner ? "edo-strong" : "soft"),
        markAt(seat, 26, row / 2 - 4, 14),
        text(40, row / 2 + 1, clipped(names[seat], Math.max(4, Math.floor((columns[0] - 60) / 8))), "name"),
        ...points.map((count, index) => text(columns[index], row / 2 + 1, count || "–", count ? "edo-middle" : "soft edo-middle")),
        text(width, row / 2 + 1, scores[seat], "edo-strong edo-end"),
      ],
    });
  });
  return nodes;
}

/** What the patterns and marks stand for. */
export function legendNodes(position, { x, y, width, narrow }) {
  const parts = [];
  const spread = width / 1032; // 1 for the narrowest board of a screen
  const step = narrow ? 80 : 76 * spread;
  KINDS.forEach((kind, index) => parts.push(swatch(index * step, -13, 18, kind), text(index * step + 24, 1.5, NAMES[kind], "edo-small soft")));
  const places = narrow ? [[0, 26], [178, 26], [0, 50], [178, 50]] : [312, 496, 672, 798].map((at) => [at * spread, 0]);
  const [bonus, line, lit, last] = places;
  parts.push(swatch(bonus[0], bonus[1] - 13, 18, "bonus"), text(bonus[0] + 24, bonus[1] + 1.5, "bonus for several kinds", "edo-small soft"));
  parts.push(path(`M${short(line[0] + 2)} ${line[1] - 4}h24`, "edo-thread"), circle(line[0] + 2, line[1] - 4, 2.3, "edo-knot"), circle(line[0] + 26, line[1] - 4, 2.3, "edo-knot"));
  parts.push(text(line[0] + 36, line[1] + 1.5, "line, never covered", "edo-small soft"));
  parts.push(rect(lit[0], lit[1] - 11, 26, 14, "edo-lit", { rx: 7 }), text(lit[0] + 34, lit[1] + 1.5, "just scored", "edo-small soft"));
  if (position.targets.some(({ key }) => key.startsWith("at:"))) {
    const pays = narrow ? [last[0], last[1] + 24] : [last[0] + 154, last[1]];
    parts.push(circle(last[0] + 6, last[1] - 4, 5, "edo-spot"), text(last[0] + 18, last[1] + 1.5, "a place for the card", "edo-small soft"));
    parts.push(circle(pays[0] + 6, pays[1] - 4, 5, "edo-spot edo-spot-pays"), text(pays[0] + 18, pays[1] + 1.5, "it scores", "edo-small soft"));
  } else {
    parts.push(markAt(0, last[0] + 6, last[1] - 4, 10, true), text(last[0] + 18, last[1] + 1.5, narrow ? "reached in vain" : "reached for the card in vain", "edo-small soft"));
  }
  return [{ key: "legend", x, y, parts: [["g", { class: "edo-legend" }, parts]] }];
}
