// The clans of The White Castle: domains with their goods, rows, action card and lantern; the rival's cards; the legend.
import {
  at, centred, chip, COLOURS, effect, filled, fitted, mark, MEMBERS, path, rect, sign, slot, text, wide,
} from "./white_castle_shapes.js";
import { count, lies } from "./white_castle_read.js";
import { dieNode, ringed } from "./white_castle_board.js";

const GOODS = [["food", "food"], ["iron", "iron"], ["pearl", "pearls"], ["coin", "coins"], ["seal", "seals"]];
const SIGNS = [
  ["food", "food"], ["iron", "iron"], ["pearl", "pearl"], ["any", "free choice"], ["coin", "coin"], ["seal", "seal"],
  ["lantern", "lantern"], ["well", "well"], ["influence", "influence"], ["vp", "VP"], ["courtier", "courtier"],
  ["gardener", "gardener"], ["warrior", "warrior"], ["castle", "castle row"], ["domain", "domain row"],
];
const RIVAL_SIGNS = { gate: "gate", coin: "coin", vp: "vp", influence: "influence", up: "up", warrior: "warrior", garden: "gardener" };

/** The panel of a clan. */
export function clanPanel(model, number, x, y, width, height) {
  const clan = model.clans[number];
  const acts = !model.over && model.open.clan === number;
  const nodes = [head(model, clan, acts, x, y, width, height)];
  const tall = height >= 225;
  const roomy = height >= 270;
  if (number === model.rival) {
    nodes.push(...rivalGoods(clan, x, y + 42, width), ...rivalCards(model, x + 18, y + 80, width - 32));
    nodes.push(...pointWords(model, clan, x, y + height - 76, width, 16));
    return { nodes, rings: [] };
  }
  nodes.push(...goods(clan, x, y + 40, width));
  const row = height > 300 ? 42 : roomy ? 31 : tall ? 27 : 25;
  const top = y + (roomy ? 76 : tall ? 69 : 66);
  const rings = [];
  const domain = rows(model, clan, x, top, width, row);
  nodes.push(...domain.nodes, lantern(clan, x, top + 3 * row + (roomy ? 5 : 1), width));
  rings.push(...domain.rings);
  if (tall) nodes.push(...pointWords(model, clan, x, y + height - (roomy ? 76 : 65), width, roomy ? 16 : 13.5));
  else nodes.push(bar(model, clan, x + 18, y + height - 8, width - 32));
  return { nodes, rings };
}

function pointsTip(model, clan) {
  const parts = model.facts.points.map((row, n) => `${row.category} ${clan.points[n]}`);
  return `${clan.name}: ${clan.total} VP${model.over ? "" : " if the game ended now"}\n${parts.join("\n")}`;
}

function head(model, clan, acts, x, y, width, height) {
  const { number } = clan;
  const turn = model.order.indexOf(number) + 1;
  const words = [turn ? `turn ${turn}` : "", acts ? "to act" : ""].filter(Boolean).join(", ");
  const name = fitted(clan.name, width - 136 - wide(words, 12), 17);
  return {
    key: `clan:${number}`,
    x,
    y,
    label: `${clan.name}, ${["circle", "square", "triangle", "diamond"][number]}, ${words}, ${clan.total} VP`,
    tip: pointsTip(model, clan),
    parts: [
      rect(0, 0, width, height, acts ? "surface acts" : "surface", 8),
      path(`M1 9q0-8 8-8v${height - 2}q-8 0-8-8Z`, `bar seat-${number + 1}`),
      at(28, 20, mark(number, 10)),
      text(46, 25, name, "strong", 16),
      text(width - 84, 25, words, acts ? "teal strong" : "soft", 12, "end"),
      sign("vp", width - 76, 10, 18, "gold"),
      text(width - 14, 28, clan.total, "serif strong", 24, "end"),
    ],
  };
}

/** One good with its number. */
function good(clan, name, noun, amount, x, y) {
  return {
    key: `good:${clan.number}:${name}`,
    x,
    y,
    label: `${clan.name}: ${amount} ${noun}`,
    halo: [-3, -2, 46, 23, 6],
    parts: [sign(name, 0, 0, 19, amount ? "ink" : "dim"), text(24, 16, amount, amount ? "strong" : "soft", 16)],
  };
}

function goods(clan, x, y, width) {
  return GOODS.map(([name, noun], n) => good(clan, name, noun, clan.goods[name], x + 18 + (n * (width - 30)) / 5, y));
}

/** The three rows: die, icons laid bare by members away, members at home, and what the action card gives there. */
function rows(model, clan, x, y, width, high) {
  const card = model.facts.cards[clan.card];
  const nodes = [];
  const rings = [];
  const left = 194;
  const room = width - left - 14;
  const blocks = !card ? [] : card.domain.map((row) => card.rows[row]).flatMap((its, n) => [
    rect(0, n * high, room, high - 3, its.dark ? "dark" : "light", 4),
    centred(its, 4, n * high + (high - 18) / 2, room - 8, 15, its.dark ? "on-dark" : "ink"),
  ]);
  const action = card ? {
    key: `card:${clan.number}:${card.name}`,
    group: `card:${card.name}`,
    x: x + left,
    y,
    label: `card ${card.name} on the domain of ${clan.name}`,
    tip: card.tip,
    halo: [0, 0, room, 3 * high - 3, 4],
    parts: [rect(-3, -3, room + 6, 3 * high + 3, "surface", 5), ...blocks],
  } : {
    key: `card:${clan.number}:none`,
    x: x + left,
    y,
    label: `no card on the domain of ${clan.name} yet`,
    parts: [rect(-3, -3, room + 6, 3 * high + 3, "slot bare", 5), text(room / 2, 1.5 * high + 3, "no card yet", "soft", 12.5, "middle")],
  };
  clan.facts.rows.forEach((row, n) => {
    const top = y + n * high;
    const middle = (high - 3) / 2;
    const colour = COLOURS[n];
    const parts = clan.dice[n] ? [] : [at(0, middle - 11, chip(n, 22))];
    const bare = model.facts.board.slots[n];
    for (let k = 0; k <= row.away; k += 1) {
      const [name, amount] = bare[k][0];
      const place = k ? 54 + (k - 1) * 22 : 30;
      if (amount > 1) parts.push(text(place - 4, middle + 5, amount, "soft", 11), sign(name, place + 3, middle - 6, 13, "quiet"));
      else parts.push(sign(name, place, middle - 7, 15, "quiet"));
    }
    parts.push(sign("right", left - 31, middle - 5, 10, "quiet"));
    nodes.push({
      key: `domain:${clan.number}:${colour}`, x: x + 18, y: top, tip: row.tip,
      label: `${colour} row of ${clan.name}: ${count(clan.home[n], MEMBERS[n])} at home`, parts,
    });
    nodes.push(...dieNode(model, `domain:${clan.number}:${n}`, x + 18, top + middle - 11, 22, `on the domain of ${clan.name}`));
    for (let k = row.away; k < model.facts.board.members; k += 1) {
      nodes.push({
        key: `home:${clan.number}:${MEMBERS[n]}:${model.facts.board.members - 1 - k}`,
        group: `${MEMBERS[n]}:${clan.number}`,
        x: x + 79 + k * 22,
        y: top + middle,
        parts: [["g", { class: `seat-${clan.number + 1}` }, [sign(MEMBERS[n], -8.5, -8.5, 17, "of-seat")]]],
      });
    }
    const target = clan.number === model.seat && lies(model, "domain", "colour", colour);
    if (target) rings.push(ringed(target, x + 14, top - 2, width - 24, high, { tip: row.tip, radius: 5 }));
  });
  return { nodes: [...nodes, action], rings };
}

function lantern(clan, x, y, width) {
  const cards = count(clan.lantern.length, "card");
  const its = effect({ icons: clan.facts.lantern }, 16);
  return {
    key: `lantern:${clan.number}`,
    x,
    y,
    label: `lantern of ${clan.name}: ${clan.facts.lantern_words}, ${cards}`,
    tip: `the lantern of ${clan.name} brings now: ${clan.facts.lantern_words}`,
    halo: [18, 1, 24, 20, 5],
    parts: [sign("lantern", 20, 1, 19, "gold"), at(48, 3, its.parts), text(width - 14, 16, cards, "soft", 12.5, "end")],
  };
}

/** Points by category in two columns. */
function pointWords(model, clan, x, y, width, line) {
  const columns = [[18, 148], [176, width - 14]];
  const size = line > 14 ? 12.5 : 11.5;
  const parts = [path(`M18 0H${width - 14}`, "line")];
  model.facts.points.forEach(({ category }, n) => {
    const [left, right] = columns[Math.floor(n / 4)];
    const base = 17 + (n % 4) * line;
    const value = clan.points[n];
    parts.push(text(left, base, category, "soft", size), text(right, base, value, value ? "strong" : "soft", size, "end"));
  });
  return [{ key: `points:${clan.number}`, x, y, label: pointsTip(model, clan).replaceAll("\n", ", "), parts }];
}

/** Points by category as a thin bar, all clans in one scale. */
function bar(model, clan, x, y, width) {
  const most = Math.max(1, ...model.clans.map((other) => other.total));
  const parts = [rect(0, 0, width, 4, "bar-ground", 2)];
  let left = 0;
  clan.points.forEach((value, n) => {
    const part = (value / most) * width;
    if (part > 1) parts.push(rect(left, 0, part - 1, 4, `bar-${n % 3}`, 1));
    left += part;
  });
  return { key: `points:${clan.number}`, x, y, label: pointsTip(model, clan).replaceAll("\n", ", "), tip: pointsTip(model, clan), parts };
}

// ---------------------------------------------------------------------------------------------------- the rival

function rivalGoods(clan, x, y, width) {
  const step = (width - 30) / 4;
  const nodes = [good(clan, "coin", "coins", clan.goods.coin, x + 18, y)];
  MEMBERS.forEach((member, n) => {
    const amount = clan.home[n];
    for (let k = 0; k < amount; k += 1) {
      const top = k === amount - 1;
      const parts = [["g", { class: `seat-${clan.number + 1}` }, [sign(member, -9, -9, 18, "of-seat")]]];
      if (top) parts.push(text(14, 6, amount, "strong", 16));
      nodes.push({
        key: `home:${clan.number}:${member}:${k}`, group: `${member}:${clan.number}`,
        x: x + 28 + (n + 1) * step, y: y + 10, label: top ? `${count(amount, member)} of the rival's stock` : undefined, parts,
      });
    }
  });
  return nodes;
}

/** A solo card: its die and space, or its two actions. */
export function soloCard(card, width, height, face) {
  const parts = [rect(0, 0, width, height, "card", 6)];
  if (face) {
    card.actions.forEach(({ op, amount }, n) => {
      const top = (n * (height - 6)) / 2 + 3;
      const words = op === "warrior" || op === "garden" ? "" : amount > 1 ? `${amount}` : "";
      parts.push(sign(RIVAL_SIGNS[op], 6, top + height / 4 - 11, 16), text(26, top + height / 4 + 2, words || short(op, amount), "soft", 11.5));
    });
    parts.push(path(`M6 ${height / 2}H${width - 6}`, "line"));
  } else {
    parts.push(at(width / 2 - 12, 8, chip(card.colour, 24)), text(width / 2, 47, card.position, "soft", 12.5, "middle"));
    parts.push(text(width / 2, height - 8, card.space.replace(" room", ""), "strong", 11, "middle"));
  }
  return parts;
}

function short(op, amount) {
  if (op === "garden") return ["plant", "stone", "either"][amount];
  if (op === "warrior") return ["5 iron", "3 iron", "1 iron"][amount];
  return { gate: "gate", coin: "1", vp: "1", influence: "1", up: "1" }[op];
}

/** The rival's deck: what is known lies open, the rest are backs. */
function rivalCards(model, x, y, width) {
  const { solo } = model.facts;
  const nodes = [{ key: "solo:heading", x, y, parts: [text(0, 12, "next die", "soft", 12.5)] }];
  const [wide1, high] = [82, 84];
  const place = (card, left, face, more = "") => ({
    key: `solo:${card.name}${more}`, x: x + left, y: y + 20, label: `solo card ${card.name}`, tip: card.tip,
    parts: soloCard(card, face ? 68 : wide1, high, face),
  });
  nodes.push(place(solo.top, 0, false));
  const open = solo.row.length ? solo.row : solo.latest;
  const shown = open.slice(-2).filter((card) => card.name !== solo.top.name);
  const room = width - 98 - shown.length * 73;
  const words = solo.unknown ? `${solo.unknown} hidden` : "none hidden";
  nodes.push({ key: "solo:hidden", x: x + 92, y, parts: [text(0, 12, words, "soft", 12.5)] });
  const step = Math.min(20, Math.max(3, (room - 40) / Math.max(1, solo.unknown - 1)));
  for (let n = 0; n < solo.unknown; n += 1) {
    nodes.push({
      key: `solo:unknown:${n}`, x: x + 92 + n * step, y: y + 20, label: n ? undefined : `${count(solo.unknown, "solo card")} in hidden order`,
      tip: n === solo.unknown - 1 ? `in hidden order: ${solo.unknown_names.join(", ")}` : undefined,
      parts: [rect(0, 0, 36, high, "back", 5), ["rect", { x: 2, y: 2, width: 32, height: high - 4, rx: 4, ...filled("back") }]],
    });
  }
  shown.forEach((card, n) => nodes.push(place(card, width - (shown.length - n) * 73 + 5, true, ":turned")));
  if (shown.length) nodes.push({ key: "solo:turned", x: x + width, y, parts: [text(0, 12, "its last turn", "soft", 12.5, "end")] });
  return nodes;
}

// ---------------------------------------------------------------------------------------------------- round, legend

/** Three stones for the rounds, and the marks of the next turn order. */
export function rounds(model, x, y) {
  const total = model.facts.board.rounds;
  const parts = [text(0, 14, "Round", "serif strong")];
  for (let n = 1; n <= total; n += 1) {
    const middle = 66 + (n - 1) * 42;
    const now = n === model.round && !model.over;
    const done = n < model.round || model.over;
    if (n > 1) parts.push(path(`M${middle - 28} 9H${middle - 14}`, "link"));
    parts.push(["circle", { class: `white_castle-stone${now ? " white_castle-now" : done ? " white_castle-done" : ""}`, cx: middle, cy: 9, r: 13 }]);
    parts.push(text(middle, 14, n, now ? "on-seat strong" : "soft", 14, "middle"));
  }
  parts.push(text(190, 13, "next", "soft", 12.5));
  model.track.forEach((clan, n) => parts.push(at(236 + n * 20, 9, mark(clan, 7))));
  const order = model.track.map((clan) => model.clans[clan].name).join(", ");
  return { key: "rounds", x, y, label: `round ${model.round} of ${total}, ${model.facts.phase}; next turn order ${order}`, parts };
}

/** What the signs mean, in columns within a panel. */
export function legend(x, y, width, height) {
  const columns = 3;
  const line = (height - 36) / Math.ceil(SIGNS.length / columns);
  const parts = [rect(0, 0, width, height, "surface", 8), text(12, 20, "Signs", "serif strong")];
  SIGNS.forEach(([name, words], n) => {
    const left = 14 + Math.floor(n / 5) * ((width - 20) / columns);
    const top = 30 + (n % 5) * line;
    parts.push(sign(name, left, top, 15, "quiet"), text(left + 22, top + 12, words, "", 12.5));
  });
  return { key: "legend", x, y, label: "what the signs mean", parts };
}

/** What the signs mean, in one line. */
export function legendLine(x, y, width) {
  const room = SIGNS.reduce((sum, [, words]) => sum + 19 + wide(words, 11.5), 0);
  const gap = (width - room) / (SIGNS.length - 1);
  const parts = [];
  let left = 0;
  for (const [name, words] of SIGNS) {
    parts.push(sign(name, left, 0, 14, "quiet"), text(left + 19, 11, words, "soft", 11.5));
    left += 19 + wide(words, 11.5) + gap;
  }
  return { key: "legend", x, y, label: "what the signs mean", parts };
}
