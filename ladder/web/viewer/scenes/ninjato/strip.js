// The dark strip: whose decision is due, the raid or scoring phase that goes on, and what the last step did; at the end
// the result.
import {
  TREASURES, choosable, eliteCard, fitted, guardCard, markAt, moved, numbered, path, rect, sign, star, text,
  treasure, wrapped,
} from "./draw.js";
import { treasureKey } from "./houses.js";

const [SENTINEL, GUARD, ELITE] = [1, 2, 3];
const OPPONENTS = ["NINJATO_OPPONENT_UNSPECIFIED", "NINJATO_OPPONENT_SENTINEL", "NINJATO_OPPONENT_GUARD", "NINJATO_OPPONENT_ELITE"];

function night(parts) {
  return [["g", { class: "nj-night" }, parts]];
}

function opponentOf(question) {
  const value = question.opponent || 0;
  return typeof value === "number" ? value : OPPONENTS.indexOf(value);
}

/** What the last step did, as sentences: each seat's deeds together. */
export function justNow(model) {
  const sentences = [];
  let last = null;
  for (const event of model.events) {
    if (event.seat === last && event.seat >= 0) sentences[sentences.length - 1].push(event.words);
    else sentences.push([event.seat >= 0 ? `${model.name(event.seat)} ${event.words}` : capital(event.words)]);
    last = event.seat;
  }
  return sentences.map((deeds) => `${listed(deeds)}.`).join(" ");
}

function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lines(rows, x, y, step, look) {
  return rows.map((row, at) => text(x, y + step * at, row, look));
}

function news(model, x, y, width, most) {
  const words = justNow(model) || "The table is set.";
  return [
    text(x, y, "Just now", { size: 12.5, ink: "teal", bold: true }),
    ...lines(wrapped(words, width, 13.5, most), x, y + 20, 18, { size: 13.5 }),
  ];
}

function loot(model, x, y, columns, size) {
  const all = [];
  for (const [red, heap] of [[0, model.loot.light], [1, model.loot.red]]) {
    heap.forEach((count, kind) => all.push(...Array(count).fill([kind, red])));
  }
  return numbered(all).map(([[kind, red], copy], at) => {
    const target = copy === 0 ? model.target("loot", { treasure: kind, red }) : undefined;
    return {
      key: `${treasureKey("loot", kind, red)}:${copy}`,
      group: `treasure:${TREASURES[kind]}`,
      to: `purse:${model.actor}:${TREASURES[kind]}`,
      x: x + (size + 6) * ((at % columns) + 0.5),
      y: y + (size + 6) * (Math.floor(at / columns) + 0.5),
      label: target ? target.words : `Loot: ${TREASURES[kind]}, ${red ? "red" : "light"} side`,
      tip: model.cards.treasures[kind].tip,
      target: target && target.key,
      parts: night([
        ...treasure(kind, size, red),
        ...(target ? [moved(-size / 2 - 4, -size / 2 - 4, choosable(size + 8, size + 8, size / 2))] : []),
      ]),
    };
  });
}

function opponent(model, x, y, width, height) {
  const { question, raid } = model;
  const sort = opponentOf(question);
  if (!sort) return [[], []];
  const elite = sort === ELITE ? model.cards.elites[question.card || 0] : null;
  const guard = elite ? null : model.cards.guards[question.card || 0];
  const ringing = sort === GUARD && guard.alarm;
  const parts = elite ? eliteCard(elite, width, height, question.standing || 0) : guardCard(guard.value, width, height, ringing);
  const rang = model.events.some((event) => event.subject === "guard" && event.items.includes("alarm"));
  const bell = ringing && rang
    ? [21, 27].map((r) => ["circle", { class: "nj-bell", cx: width - 4, cy: 14, r }])
    : [];
  const says = elite
    ? `${capital(elite.name)}: ${elite.honor} honor at the end for beating it${elite.parts.length > 1 ? "; each part needs a play of its own" : ""}.`
    : ringing
      ? `Guard ${guard.value}: its alarm brings the house a treasure and turns the best light one to its red side.`
      : `${sort === SENTINEL ? "Sentinel" : "Guard"} ${guard.value}.`;
  const nodes = [{
    key: "opponent", x, y, group: `opponent:${sort}`, label: capital(raid.opponent), tip: says, parts: night([...bell, ...parts]),
  }];
  const targets = [];
  if (elite) {
    const step = (height - 30) / elite.parts.length;
    elite.parts.forEach((_, part) => {
      const target = model.target("part", { part });
      if (target) {
        targets.push({
          key: `target:${target.key}`, x: x + 3, y: y + 28 + part * step, label: target.words, target: target.key,
          parts: night(choosable(width - 6, step, 4)),
        });
      }
    });
  }
  return [nodes, targets];
}

function needs(model, x, y) {
  const { raid } = model;
  if (!raid.needs.length) return [];
  const parts = [sign(model.mode, x, y, 22, "teal")];
  raid.needs.forEach((need, at) => parts.push(text(x + 30, y + 18 + 24 * at, need, { size: 16, bold: true })));
  return parts;
}

function tallNeeds(model, x, y) {
  const { raid } = model;
  if (!raid.needs.length) return [];
  return [sign(model.mode, x, y, 22, "teal"), ...lines(raid.needs, x, y + 44, 22, { size: 14, bold: true })];
}

/** The clans of a scoring phase in its order: honor, who was first, what is left for the second. */
function scoring(model, x, y, width) {
  const w = (width - 12) / 3;
  return model.facts.scoring.map((row, at) => {
    const clan = model.cards.clans[row.clan];
    const honor = model.facts.clans[row.clan].honor;
    const state = row.left ? ["second gets", row.left] : row.first < 0 ? ["no influence", ""] : row.now ? ["choosing", ""] : ["waits", ""];
    const parts = [
      rect(0, 0, w, 100, "wall", { line: row.now ? "teal" : "line", thick: row.now ? 2 : 1 }),
      sign(clan.id, 8, 9, 24),
      text(w - 8, 29, honor, { size: 20, ink: "gold", at: "end", bold: true, serif: true }),
      text(8, 53, "1st", { size: 12.5, ink: "soft" }),
      text(w / 2 + 3, 53, "2nd", { size: 12.5, ink: "soft" }),
      ...(row.first >= 0 ? [markAt(row.first, 40, 49, 13)] : [text(32, 53, "–", { size: 12.5, ink: "soft" })]),
      ...(row.second >= 0 ? [markAt(row.second, w / 2 + 39, 49, 13)] : [text(w / 2 + 34, 53, "–", { size: 12.5, ink: "soft" })]),
      text(w / 2, 73, state[0], { size: 12.5, ink: state[0] === "choosing" ? "teal" : "soft", at: "middle", bold: row.now }),
      text(w / 2, 90, state[1], { size: 12.5, at: "middle", bold: true }),
    ];
    return {
      key: `scoring:${clan.id}`, x: x + at * (w + 6), y, label: `${clan.name}, ${honor} honor: ${state.join(" ")}`, parts: night(parts),
    };
  });
}

function supply(model, x, y, width, columns) {
  const tokens = model.view.supply || [];
  const w = (width - 6 * (columns - 1)) / columns;
  return tokens.map((token, at) => {
    const { clan, honor } = model.cards.tokens[token];
    const target = model.target("supply", { token });
    const { id, name } = model.cards.clans[clan];
    return {
      key: `token:${token}`,
      x: x + (at % columns) * (w + 6) + w / 2,
      y: y + Math.floor(at / columns) * 52 + 23,
      label: target ? target.words : `${name} ${honor}, in the supply`,
      target: target && target.key,
      parts: night([
        rect(-w / 2, -23, w, 46, "wall", { line: "line" }),
        sign(id, -w / 2 + 7, -11, 22, target ? "ink" : "soft"),
        text(w / 2 - 8, 7, honor, { size: 20, ink: target ? "gold" : "soft", at: "end", bold: true, serif: true }),
        ...(target ? [moved(-w / 2, -23, choosable(w, 46, 6))] : []),
      ]),
    };
  });
}

/** The masked envoys of the seat that may disguise one. */
function disguises(model, x, y) {
  const own = model.envoys[model.actor].filter((envoy) => model.cards.envoys[envoy].mask);
  return own.slice(0, 6).map((envoy, at) => {
    const row = model.cards.envoys[envoy];
    const target = model.target("envoy", { envoy });
    return {
      key: `disguise:${envoy}`,
      x: x + at * 52,
      y,
      label: target ? target.words : row.tip,
      tip: row.tip,
      target: target && target.key,
      parts: night([
        rect(0, 0, 46, 62, "wall", { line: "line" }),
        sign(model.cards.clans[row.clan].id, 5, 6, 20),
        text(41, 22, row.age, { size: 12.5, ink: "soft", at: "end" }),
        sign("mask", 14, 36, 18, "plum"),
        ...(target ? [choosable(46, 62, 6)].map((ring) => moved(0, 0, ring)) : []),
      ]),
    };
  });
}

function sub(model) {
  if (model.raid) return model.raid.words;
  return model.facts.doing;
}

function hint(model) {
  const ringed = (model.targets || []).filter((target) => target.place && target.place.on).length;
  if (!ringed) return "";
  return ringed === 1 ? "1 thing is ringed on the board" : `${ringed} things are ringed on the board`;
}

/** The strip beside the wide board, 908 by 128. Returns [nodes, targets]. */
export function strip(model, x, y, width, height) {
  const parts = [rect(0, 0, width, height, "now", { line: "teal", r: 10, thick: 1.5 })];
  if (model.over) return [[{ key: "now", x, y, label: "The game is over", parts: night([...parts, ...result(model, width, height)]) }], []];
  const nodes = [];
  const targets = [];
  const name = fitted(model.name(model.actor), 190, 20);
  parts.push(markAt(model.actor, 34, 36, 34), text(62, 33, name, { size: 20, bold: true, serif: true }));
  const doing = wrapped(sub(model), 200, 14, 2);
  parts.push(...lines(doing, 62, 54, 18, { size: 14 }));
  const low = 54 + 18 * doing.length + 6;
  if (model.raid && model.kind !== "fight") parts.push(text(62, low, asks(model), { size: 13, ink: "teal", bold: true }));
  if (hint(model)) parts.push(text(18, height - 14, hint(model), { size: 12.5, ink: "teal", bold: true }));
  if (model.raid && model.kind === "clan_token") {
    nodes.push(...supply(model, x + 286, y + 14, 350, 5));
    parts.push(...news(model, 660, 26, width - 680, 5));
  } else if (model.raid) {
    const empty = !model.loot.light.some(Boolean) && !model.loot.red.some(Boolean);
    parts.push(text(286, 26, "Loot", { size: 12.5, ink: "teal", bold: true }));
    if (empty) parts.push(text(286, 50, "none yet", { ink: "soft" }));
    nodes.push(...loot(model, x + 282, y + 32, 4, 30));
    const [cards, parted] = opponent(model, x + 440, y + 15, 70, 98);
    nodes.push(...cards);
    targets.push(...parted);
    parts.push(...needs(model, 526, 22));
    if (!cards.length) parts.push(path("M448 20V108", null, { line: "line" }));
    if (raidAhead(model)) parts.push(...lines(wrapped(raidAhead(model), width - 500, 14, 1), 470, 112, 18, { bold: true }));
    parts.push(...news(model, cards.length ? 680 : 470, 26, cards.length ? width - 694 : width - 500, cards.length ? 5 : 3));
  } else if (model.facts.scoring) {
    nodes.push(...scoring(model, x + width - 330, y + 14, 316));
    if (model.kind === "disguise") nodes.push(...disguises(model, x + 286, y + 58));
    parts.push(...news(model, 286, 26, model.kind === "disguise" ? 260 : 270, model.kind === "disguise" ? 1 : 5));
  } else {
    if (model.kind === "place") {
      const left = model.facts.shuriken_left[model.actor];
      for (let at = 0; at < left; at += 1) parts.push(moved(74 + at * 30, 85, star(model.actor, 24)));
    }
    parts.push(path("M270 20V108", null, { line: "line" }), ...news(model, 290, 30, width - 320, 4));
  }
  nodes.unshift({ key: "now", x, y, label: `${name} ${sub(model)}. ${justNow(model)}`, parts: night(parts) });
  return [nodes, targets];
}

function raidAhead(model) {
  return model.raid.ahead ? `Banzai would bring ${model.raid.ahead}.` : "";
}

function asks(model) {
  return { banzai: "leave, or banzai?", keep: "failed: keeps one", clan_token: "victory!" }[model.kind] || "";
}

function aside(model) {
  const ahead = lines(wrapped(raidAhead(model), 190, 13, 3), 138, 128, 17, { size: 13 });
  return [text(138, 104, asks(model), { size: 16, ink: "teal", bold: true }), ...ahead];
}

/** How high the strip of a phone is. */
export function stripHeight(model) {
  if (model.over) return 46 + 66 * model.seats;
  if (model.kind === "clan_token") return 268;
  if (model.raid) return 252;
  if (model.facts.scoring) return model.kind === "disguise" ? 300 : 260;
  return 168;
}

/** The strip of a phone. Returns [nodes, targets]. */
export function narrowStrip(model, x, y, width) {
  const height = stripHeight(model);
  const parts = [rect(0, 0, width, height, "now", { line: "teal", r: 10, thick: 1.5 })];
  if (model.over) return [[{ key: "now", x, y, label: "The game is over", parts: night([...parts, ...narrowResult(model, width)]) }], []];
  const nodes = [];
  const targets = [];
  const name = fitted(model.name(model.actor), width - 90, 20);
  parts.push(markAt(model.actor, 32, 34, 30), text(58, 32, name, { size: 20, bold: true, serif: true }));
  parts.push(text(58, 53, fitted(sub(model), width - 70, 14)));
  let low = 84;
  if (model.kind === "clan_token") {
    nodes.push(...supply(model, x + 14, y + 70, width - 28, 5));
    low = 196;
  } else if (model.raid) {
    parts.push(text(16, 84, "Loot", { size: 12.5, ink: "teal", bold: true }));
    if (!model.loot.light.some(Boolean) && !model.loot.red.some(Boolean)) parts.push(text(16, 106, "none yet", { ink: "soft" }));
    nodes.push(...loot(model, x + 12, y + 92, 3, 30));
    const [cards, parted] = opponent(model, x + 138, y + 70, 70, 98);
    nodes.push(...cards);
    targets.push(...parted);
    parts.push(...(cards.length ? tallNeeds(model, 220, 78) : aside(model)));
    low = 190;
  } else if (model.facts.scoring) {
    nodes.push(...scoring(model, x + 12, y + 72, width - 24));
    low = 196;
    if (model.kind === "disguise") {
      nodes.push(...disguises(model, x + 14, y + 182));
      low = 262;
    }
  } else if (model.kind === "place") {
    for (let at = 0; at < model.facts.shuriken_left[model.actor]; at += 1) parts.push(moved(width - 30 - at * 28, 50, star(model.actor, 24)));
  }
  parts.push(...news(model, 16, low, width - 32, 3));
  nodes.unshift({ key: "now", x, y, label: `${name} ${sub(model)}. ${justNow(model)}`, parts: night(parts) });
  return [nodes, targets];
}

const TITLES = {
  rounds: "Rounds", warrior: "Warrior", people: "People", friends: "Friends", arts: "Arts", foes: "Foes",
  treasures: "Unspent", trophies: "Trophies",
};

function ranked(model) {
  const places = model.facts.places || model.honor.map(() => 1);
  return [...places.keys()].sort((a, b) => places[a] - places[b]).map((seat) => [seat, places[seat]]);
}

/** The result: a row for each seat, best first, a column for each category. */
function result(model, width, height) {
  const parts = [];
  const pitch = Math.min(27, (height - 40) / model.seats);
  const top = (height - pitch * model.seats - 26) / 2;
  const columns = model.facts.points.map((_, at) => 312 + at * 66);
  parts.push(text(18, top + 17, "Final honor", { size: 16, bold: true, serif: true }));
  model.facts.points.forEach(({ category }, at) => {
    parts.push(text(columns[at], top + 17, TITLES[category], { size: 12.5, ink: "soft", at: "end" }));
  });
  parts.push(text(width - 22, top + 17, "Total", { size: 12.5, ink: "soft", at: "end" }));
  ranked(model).forEach(([seat, place], row) => {
    const y = top + 22 + pitch * (row + 0.72);
    const best = place === 1;
    if (best) parts.push(rect(10, y - 17, width - 20, pitch - 2, "glow", { r: 5 }));
    parts.push(text(22, y, place, { size: 16, ink: best ? "gold" : "soft", bold: true }), markAt(seat, 50, y - 5, 16));
    parts.push(text(68, y, fitted(model.name(seat), 170, 16), { size: 16, bold: best }));
    model.facts.points.forEach(({ points }, at) => {
      const value = points[seat];
      parts.push(text(columns[at], y, value || "·", { ink: value ? "ink" : "soft", at: "end" }));
    });
    parts.push(text(width - 22, y + 1, model.honor[seat], { size: 20, ink: best ? "gold" : "ink", at: "end", bold: true, serif: true }));
  });
  return parts;
}

function narrowResult(model, width) {
  const parts = [text(16, 30, "Final honor", { size: 20, bold: true, serif: true })];
  ranked(model).forEach(([seat, place], row) => {
    const y = 62 + 66 * row;
    const best = place === 1;
    parts.push(text(16, y, place, { size: 16, ink: best ? "gold" : "soft", bold: true }), markAt(seat, 44, y - 5, 18));
    parts.push(text(62, y, fitted(model.name(seat), width - 130, 16), { size: 16, bold: best }));
    parts.push(text(width - 18, y + 1, model.honor[seat], { size: 20, ink: best ? "gold" : "ink", at: "end", bold: true, serif: true }));
    const told = model.facts.points.filter(({ points }) => points[seat]).map(({ category, points }) => `${TITLES[category]} ${points[seat]}`);
    parts.push(...lines(wrapped(told.join(" · "), width - 80, 12.5, 2), 62, y + 19, 17, { size: 12.5, ink: "soft" }));
  });
  return parts;
}

