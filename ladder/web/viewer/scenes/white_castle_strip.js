// The dark strip of The White Castle: who does what now, what can be chosen there, what just happened; the result.
import {
  at, centred, COLOURS, die, effect, fitted, lines, mark, MEMBERS, path, rect, sign, text, wide,
} from "./white_castle_shapes.js";
import { lies } from "./white_castle_read.js";
import { ringed } from "./white_castle_board.js";
import { soloCard } from "./white_castle_clans.js";

const MOST_EVENTS = 7;

/** The height of the strip on a phone, the same at every question: what lies below stays in its place. */
export const STRIP_HIGH = 240;

/** The strip; on a phone higher than wide. */
export function strip(model, x, y, width, height) {
  const ground = { key: "now", x, y, label: sentence(model), parts: [at(0, 0, [rect(0, 0, width, height, "night acts", 10)], "night-ink")] };
  if (model.over) {
    const parts = model.narrow ? resultInLines(model, width) : resultTable(model, width, height);
    return { nodes: [{ ...ground, parts: [...ground.parts, at(0, 0, parts, "night-ink")] }], rings: [] };
  }
  const clan = model.clans[model.open.clan];
  const column = model.narrow ? width - 78 : 270;
  const told = lines(`${model.open.words}`, column, 14).slice(0, 3);
  const parts = [
    at(34, 36, mark(clan.number, 17)),
    text(62, 33, fitted(clan.name, column, 20), "serif strong", 20),
    ...told.map((line, n) => text(62, 53 + n * 17, line)),
  ];
  const hint = model.facts.board.hints[model.open.kind];
  if (hint && !(model.narrow && model.open.kind === "choose_start_pair")) {
    const hints = lines(hint, column, 12.5).slice(0, 3 - told.length);
    parts.push(...hints.map((line, n) => text(62, 54 + (told.length + n) * 17, line, "soft", 12.5)));
  }
  const middle = middleOf(model);
  const place = model.narrow ? { x: 16, y: 92 } : { x: 344, y: 18 };
  parts.push(at(place.x, place.y, middle.parts));
  const found = { nodes: [], rings: middle.rings.map((one) => ({ ...one, x: x + place.x + one.x, y: y + place.y + one.y })) };
  for (const node of middle.nodes) found.nodes.push({ ...node, x: x + place.x + node.x, y: y + place.y + node.y });
  const right = answerButtons(model, x, y, width, height);
  found.nodes.push(...right.nodes);
  found.rings.push(...right.rings);
  parts.push(...(model.narrow ? justNow(model, width, right.used, height) : justNowLine(model, width, height)));
  return { nodes: [{ ...ground, parts: [...ground.parts, at(0, 0, parts, "night-ink")] }, ...found.nodes], rings: found.rings };
}

function justNowLine(model, width, height) {
  const base = height - 13;
  const phase = `round ${model.round}, ${model.facts.phase}`;
  return [
    path(`M18 ${height - 32}H${width - 18}`, "line"),
    text(18, base, "Just now", "teal strong", 12.5),
    text(88, base, fitted(happened(model), width - 124 - wide(phase, 12.5), 13), "", 13),
    text(width - 18, base, phase, "soft", 12.5, "end"),
  ];
}

/** What happened, in as many lines as the buttons leave. */
function justNow(model, width, used, height) {
  const pairs = model.open.kind === "choose_start_pair";
  const base = pairs ? height - 10 : used ? height - 64 : 176;
  const told = lines(happened(model), width - 100, 12.5);
  const most = used || pairs ? 1 : 4;
  const shown = told.slice(0, most);
  if (told.length > most) shown[most - 1] = fitted(`${shown[most - 1]} ${told[most]}`, width - 100, 12.5);
  return [text(16, base, "Just now", "teal strong", 12.5), ...shown.map((line, n) => text(84, base + n * 16, line, "soft", 12.5))];
}

function sentence(model) {
  if (model.over) return `the game is over: ${ranked(model).map((clan) => `${clan.name} ${clan.total} VP`).join(", ")}`;
  return `${model.clans[model.open.clan].name} ${model.open.words}. Just now: ${happened(model)}`;
}

/** What the last step did, in words. */
function happened(model) {
  const told = model.events.filter(({ words }) => words);
  if (!told.length) return model.round === 1 ? "the board was laid out" : "nothing";
  const seat = told[0].seat;
  const name = seat >= 0 && model.clans[seat] ? `${model.clans[seat].name} ` : "";
  const words = told.slice(0, MOST_EVENTS).map((event) => event.words);
  return name + words.join(" · ") + (told.length > MOST_EVENTS ? " · …" : "");
}

// ---------------------------------------------------------------------------------------------------- in the middle

/** What the open decision is about, drawn from 0, 0: {parts, nodes, rings, high}. */
function middleOf(model) {
  const { open } = model;
  const found = { parts: [], nodes: [], rings: [] };
  if (open.kind === "choose_start_pair") return pairs(model);
  if (open.die) return { ...found, nodes: [heldDie(model)], parts: [text(70, 34, model.narrow ? "" : "in hand", "soft")] };
  if (open.done) return courtier(model);
  if (open.effects) return effects(model);
  if (open.kind === "outside_action") return signs(model, model.facts.spaces[open.space].actions);
  if (open.kind === "choose_resource") return signs(model, ["food", "iron", "pearl"]);
  if (open.kind === "take_die") {
    const its = effect({ icons: model.clans[open.clan].facts.lantern }, 18);
    const parts = [sign("lantern", 0, 10, 26, "gold"), text(38, 14, "a left die brings", "soft", 12.5), at(38, 23, its.parts)];
    if (!its.width) parts.push(text(38, 36, "nothing", "soft"));
    return { ...found, parts };
  }
  if (open.kind.startsWith("rival_")) {
    const cards = model.facts.solo.row.slice(-2);
    const parts = cards.map((card, n) => at(n * 76, -6, soloCard(card, 68, 78, true)));
    return { ...found, parts };
  }
  return found;
}

function heldDie(model) {
  const its = model.dice.get("held");
  const words = `${COLOURS[its.colour]} die ${its.value} in hand`;
  return { key: its.key, group: its.group, x: 0, y: 0, label: words, halo: [0, 0, 56, 56, 12], parts: die(its.colour, its.value, 56) };
}

/** A box of the strip with its ring, if it can be chosen. */
function box(found, target, key, label, x, y, width, height, parts) {
  found.nodes.push({ key, x, y, label, parts: [at(0, 0, [rect(0, 0, width, height, "box", 6), ...parts], "night-ink")] });
  if (target) found.rings.push(ringed(target, x, y, width, height, { radius: 6, night: true }));
}

function pairs(model) {
  const found = { parts: [], nodes: [], rings: [] };
  const [width, high] = model.narrow ? [98, 60] : [104, 78];
  const bend = model.narrow ? 28 : 36;
  const low = model.narrow ? 37 : 47;
  const { offer_resources: goods = [], offer_actions: actions = [] } = model.view;
  goods.forEach((resource, n) => {
    const x = (model.narrow ? n % 3 : n) * (width + (model.narrow ? 5 : 7));
    const y = model.narrow ? Math.floor(n / 3) * (high + 6) - 10 : -6;
    if (resource < 0) {
      box(found, null, `pair:${n}`, `pair ${n + 1} is taken`, x, y, width, high, [text(width / 2, high / 2 + 4, "taken", "soft", 12.5, "middle")]);
      return;
    }
    const [first, second] = [model.facts.cards[resource], model.facts.cards[actions[n] || 0]];
    const lanterns = effect({ icons: [first.lantern, second.lantern] }, 15);
    box(found, lies(model, "pair", "pair", n), `pair:${n}`, `pair ${n + 1}: ${first.tip}; ${second.tip}`, x, y, width, high, [
      centred({ icons: first.gain }, 6, bend / 2 - 6, width - 12, 14, "ink"),
      path(`M8 ${bend}H${width - 8}`, "line"),
      at(10, low, effect(second.rows[0], model.narrow ? 16 : 18).parts),
      sign("lantern", width - 30 - lanterns.width, low, 17, "gold"),
      at(width - 10 - lanterns.width, low + 1, lanterns.parts),
    ]);
  });
  return found;
}

function courtier(model) {
  const found = { parts: [], nodes: [], rings: [] };
  model.facts.board.courtier.forEach(({ name, price: [good, amounts] }, n) => {
    const done = model.open.done[n];
    const x = n * 156;
    const parts = [sign(name === "audience" ? "gate" : "up", 12, 16, 22, done ? "quiet" : "ink"), text(44, 23, name, done ? "soft" : "strong")];
    if (done) parts.push(text(44, 42, "done", "teal strong", 12.5));
    else if (name === "climb" && model.chosen.length) parts.push(text(44, 42, "choose a place", "teal strong", 12.5));
    else {
      const its = effect({ icons: [[good, amounts[0]]] }, 15, "quiet");
      parts.push(at(44, 31, its.parts));
      if (amounts.length > 1) parts.push(text(50 + its.width, 43, `or ${amounts.slice(1).join(", ")}`, "soft", 12.5));
    }
    const target = name === "audience" ? lies(model, "gate") : null;
    box(found, target, `courtier:${name}`, `${name}${done ? ", done" : ""}`, x, 0, 148, 54, parts);
  });
  return found;
}

function effects(model) {
  const found = { parts: [], nodes: [], rings: [] };
  const { open } = model;
  const shown = open.effects.map((its, n) => {
    const pending = open.kind === "next_action" ? lies(model, "pending", "entry", n) : null;
    const light = open.kind === "choose_light" ? lies(model, "light", "row", n) : null;
    return { its, n, target: pending || light };
  });
  const room = model.narrow ? 312 : 380;
  const width = Math.min(128, (room + 6) / shown.length - 6);
  for (const { its, n, target } of shown) {
    const source = wide(its.source, 11) > width - 8 ? its.source.replace(/^row (\d) of card /, "row $1, ") : its.source;
    box(found, target, `effect:${n}`, `${its.source}: ${its.words}`, n * (width + 6), 0, width, 58, [
      centred(its, 6, 9, width - 12, 19, "ink"),
      text(width / 2, 49, source, "soft", 11, "middle"),
    ]);
  }
  return found;
}

function signs(model, names) {
  const found = { parts: [], nodes: [], rings: [] };
  names.forEach((name, n) => {
    const target = MEMBERS.includes(name) ? lies(model, "member", "member", name) : lies(model, "resource", "good", name);
    box(found, target, `choice:${name}`, name, n * 66, 0, 58, 54, [sign(name, 17, 15, 24, "ink")]);
  });
  return found;
}

// ---------------------------------------------------------------------------------------------------- buttons

/** The targets that have no place on the board: words, and exchanges of seals. */
function answers(model) {
  const buttons = model.targets.filter(({ place = {} }) => !place.on);
  const swaps = model.targets.filter(({ place = {} }) => place.on === "exchange");
  return { buttons, swaps };
}

function answerButtons(model, x, y, width, height) {
  const { buttons, swaps } = answers(model);
  const nodes = [];
  const high = model.narrow ? 44 : 32;
  let right = x + width - 14;
  const top = model.narrow ? y + height - 54 : y + 14;
  for (const target of [...buttons].reverse()) {
    const words = target.words.charAt(0).toUpperCase() + target.words.slice(1);
    const broad = wide(words, 14) + 28;
    right -= broad;
    nodes.push({
      key: `target:${target.key}`, x: right, y: top, label: target.words, target: target.key,
      parts: [at(0, 0, [rect(0, 0, broad, high, "button", 6), text(broad / 2, high / 2 + 5, words, "strong", 14, "middle")], "night-ink")],
    });
    right -= 8;
  }
  const low = model.narrow ? top : y + 54;
  if (!model.narrow) right = x + width - 14;
  for (const target of [...swaps].reverse()) {
    const { good, seals } = target.place;
    const broad = model.narrow ? 58 : 68;
    right -= broad;
    const its = effect({ icons: [[good, 1]], price: ["seal", seals] }, 15);
    nodes.push({
      key: `target:${target.key}`, x: right, y: low, label: target.words, tip: target.words, target: target.key,
      parts: [at(0, 0, [rect(0, 0, broad, high, "button", 6), at((broad - its.width) / 2, high / 2 - 8, its.parts)], "night-ink")],
    });
    right -= 6;
  }
  return { nodes, rings: [], used: buttons.length + swaps.length > 0 };
}

// ---------------------------------------------------------------------------------------------------- the result

function ranked(model) {
  const place = (clan) => model.facts.places[clan.number] ?? 0;
  return [...model.clans].sort((one, other) => place(one) - place(other));
}

function resultTable(model, width, height) {
  const pitch = Math.min(26, (height - 40) / model.clans.length);
  const top = (height - pitch * model.clans.length - 26) / 2;
  const widths = model.facts.points.map(({ category }) => wide(category, 12));
  const gap = (width - 320 - widths.reduce((sum, one) => sum + one, 0)) / widths.length;
  const column = (n) => 234 + widths.slice(0, n + 1).reduce((sum, one) => sum + one + gap, 0);
  const parts = [text(18, top + 16, "Final VP", "serif strong", 16), text(width - 22, top + 16, "total", "soft", 12, "end")];
  model.facts.points.forEach(({ category }, n) => parts.push(text(column(n), top + 16, category, "soft", 12, "end")));
  ranked(model).forEach((clan, n) => {
    const base = top + 22 + pitch * (n + 0.72);
    if (!n) parts.push(rect(10, base - 17, width - 20, pitch - 1, "best", 5));
    parts.push(text(22, base, model.facts.places[clan.number] || "", n ? "soft strong" : "gold strong", 16));
    parts.push(at(50, base - 5, mark(clan.number, 8)), text(68, base, fitted(clan.name, 150, 16), n ? "" : "strong", 16));
    clan.points.forEach((value, k) => parts.push(text(column(k), base, value || "·", value ? "" : "soft", 14, "end")));
    parts.push(text(width - 22, base + 1, clan.total, n ? "serif strong" : "serif strong gold", 20, "end"));
  });
  return parts;
}

function resultInLines(model, width) {
  const pitch = (STRIP_HIGH - 38) / model.clans.length;
  const parts = [text(16, 27, "Final VP", "serif strong", 18)];
  ranked(model).forEach((clan, n) => {
    const base = 56 + pitch * n;
    parts.push(text(16, base, model.facts.places[clan.number] || "", n ? "soft strong" : "gold strong", 16), at(44, base - 5, mark(clan.number, 9)));
    parts.push(text(62, base, fitted(clan.name, width - 140, 16), n ? "" : "strong", 16));
    parts.push(text(width - 18, base + 1, clan.total, n ? "serif strong" : "serif strong gold", 20, "end"));
    const scored = model.facts.points.map(({ category }, k) => [category, clan.points[k]]).filter(([, value]) => value);
    const words = lines(scored.map(([category, value]) => `${category} ${value}`).join(", "), width - 80, 12).slice(0, pitch > 60 ? 2 : 1);
    parts.push(...words.map((line, k) => text(62, base + 17 + k * 15, line, "soft", 12)));
  });
  return parts;
}

