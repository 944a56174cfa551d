// The four halls of the town: Dojo, Sensei, Palace and Pavilion.
import { back, choosable, dojoCard, moved, numbered, panel, path, price, rect, sign, spread, text } from "./draw.js";
import { markAt } from "./draw.js";
import { shurikenNodes } from "./houses.js";

const [DOJO, SENSEI, PALACE, PAVILION] = [0, 1, 2, 3];
const DEAL = 60; // milliseconds between cards of one display

/** The target of a whole hall, which tells what is in it. */
function hallTarget(model, space, x, y, width, height, tip) {
  const target = model.target("space", { space });
  if (!target) return [];
  return [{
    key: `target:${target.key}`, x, y, label: target.words, tip, target: target.key, parts: choosable(width, height),
  }];
}

/** A card or tile that may be chosen: a ring is drawn on it. */
function card(model, node, width, height, target) {
  if (!target) return { ...node, halo: [0, 0, width, height] };
  const ring = moved(-2, -2, choosable(width + 4, height + 4));
  return { ...node, label: `${target.words}: ${node.label}`, target: target.key, parts: [...node.parts, ring] };
}

export function dojo(model, x, y, width, height) {
  const { view } = model;
  const narrow = width < 400;
  const [cw, ch] = height < 140 ? [54, 74] : [58, 80];
  const cy = height < 140 ? 32 : 36;
  const on = model.kind === "dojo_pick" || model.kind === "dojo_discard";
  const parts = panel(width, height, "Dojo", narrow ? "" : "take 4, 3 or 2 cards", on);
  const left = 14 + 4 * cw + 58;
  const stack = model.placed(DOJO);
  parts.push(text(left, cy + 8, narrow ? "next" : "first next round", { size: 12.5, ink: "soft" }));
  if (!stack.length) parts.push(text(left, cy + 34, narrow ? "none" : "no shuriken yet", { size: 12.5, ink: "soft" }));
  const discarded = (view.dojo_discard || []).reduce((a, b) => a + b, 0);
  if (!narrow) parts.push(text(left, cy + 70, `${discarded} discarded`, { size: 12.5, ink: "soft" }));
  const nodes = [{ key: "dojo", x, y, label: "Dojo", parts }];
  const deck = model.target("dojo_deck");
  nodes.push({
    key: "dojo:deck",
    x: x + 14,
    y: y + cy,
    label: deck ? deck.words : `Dojo deck: ${view.dojo_deck || 0} cards`,
    tip: "Dojo deck: a card taken from it is seen by its owner only.",
    target: deck && deck.key,
    parts: [
      ...[0, 1, 2].map((n) => moved(n * 2.5, -n * 2.5, back(cw, ch, 5))),
      rect(5 + cw / 2 - 17, -5 + ch / 2 - 12, 34, 24, "surface", { r: 12 }),
      text(5 + cw / 2, ch / 2 + 1, view.dojo_deck || 0, { size: 16, at: "middle", bold: true }),
      ...(deck ? [moved(-3, -8, choosable(cw + 11, ch + 11))] : []),
    ],
  });
  numbered(spread(view.face_up)).forEach(([kind, copy], at) => {
    const target = copy === 0 ? model.target("face_up", { value: kind + 1 }) : undefined;
    const node = {
      key: `dojo:up:${kind + 1}:${copy}`,
      group: `dojo:${kind + 1}`,
      from: "dojo:deck",
      wait: DEAL * at,
      x: x + 14 + cw + 20 + at * (cw + 8),
      y: y + cy - 3,
      label: `Dojo card ${kind + 1}, face up`,
      tip: cardTip(kind + 1),
      parts: dojoCard(kind + 1, cw, ch),
    };
    nodes.push(card(model, node, cw, ch, target));
  });
  const room = narrow ? 44 : width - left - 24;
  const spot = (n, all) => {
    const place = all - 1 - n; // the top of the stack first
    return narrow
      ? [x + left + 16 + (place % 2) * 26, y + cy + 30 + Math.floor(place / 2) * 24]
      : [x + left + 16 + (place * Math.min(32 * (all - 1), room)) / Math.max(1, all - 1), y + cy + 34];
  };
  nodes.push(...shurikenNodes(model, DOJO, spot, narrow ? 24 : 30));
  return [nodes, hallTarget(model, DOJO, x, y, width, height,
    `${order(model)}With no card in hand you take 4 cards, with one 3, with more 2; of more than 7 you discard.`)];
}

function order(model) {
  const first = model.facts.next_order.map((seat) => seat + 1);
  return stackTold(model) ? `Turn order of the next round as things stand: seats ${first.join(", ")}.\n` : "";
}

function stackTold(model) {
  return model.placed(DOJO).length > 0;
}

/** What a Dojo card does. */
export function cardTip(value) {
  const more = value === 3 ? " A 3 can support another card instead: it then adds 1 or takes away 1." : "";
  return `Dojo card ${value}: beats guards below ${value} by force, guards above ${value} by stealth.${more}`;
}

export function sensei(model, x, y, width, height) {
  const tiles = model.view.sensei || [];
  const narrow = width < 500;
  const tw = tiles.length <= 2 ? 128 : narrow ? Math.min(128, (width - 48) / 4) : 100;
  const th = height - 44;
  const parts = panel(width, height, "Sensei", "learn a skill", model.kind.startsWith("sensei"));
  if (!tiles.length) parts.push(text(width / 2, height / 2 + 12, "nothing left to learn this round", { ink: "soft", at: "middle" }));
  const nodes = [{ key: "sensei", x, y, label: "Sensei", parts }];
  numbered(tiles).forEach(([skill, copy], at) => {
    const row = model.cards.skills[skill];
    const free = model.facts.free_skills[at] || [];
    const cost = row.price ? `costs a ${row.price}` : "any card";
    const body = [
      rect(0, 0, tw, th, "wall", { line: "soft" }),
      sign(row.way, tw / 2 - 12, 7, 24, "soft"),
      text(tw / 2, 48, row.sign, { size: 16, at: "middle", bold: true }),
      text(tw / 2, 65, row.name, { size: tw < 90 ? 11.5 : 12.5, ink: "soft", at: "middle" }),
    ];
    if (th > 84) {
      const stacked = tw < 120; // the marks of those for whom the tile is free stand below its price
      const shift = stacked ? 0 : free.length * 7.5;
      body.push(text(tw / 2 - shift, th - (stacked && th > 96 ? 18 : 11), cost, { size: 12, ink: "soft", at: "middle" }));
      const start = stacked ? tw / 2 - (free.length - 1) * 7 : tw / 2 + 38 - shift;
      if (!stacked || th > 96) free.forEach((seat, n) => body.push(markAt(seat, start + n * 14, th - (stacked ? 8 : 15), 11)));
    }
    const owners = free.length ? ` Free for ${free.map((seat) => `seat ${seat + 1}`).join(", ")}.` : "";
    const node = {
      key: `sensei:${skill}:${copy}`,
      group: `skill:${skill}`,
      wait: DEAL * at,
      x: x + 12 + at * (tw + 8),
      y: y + 32,
      label: `${row.name}, ${row.way}: ${row.sign}, ${cost}`,
      tip: `${row.tip}.${owners}`,
      parts: body,
    };
    nodes.push(card(model, node, tw, th, copy === 0 ? model.target("sensei", { skill }) : undefined));
  });
  nodes.push(...shurikenNodes(model, SENSEI, (n) => [x + 84 + n * 28, y + 16], 26));
  const tips = tiles.map((skill) => model.cards.skills[skill].tip);
  return [nodes, hallTarget(model, SENSEI, x, y, width, height, tips.join("\n"))];
}

function initial(model, clan) {
  return model.cards.clans[clan].name[0];
}

export function palace(model, x, y, width, height) {
  const { cards, facts } = model;
  const narrow = width < 400;
  const ew = narrow ? (width - 45) / 4 : 68;
  const eh = narrow ? 96 : height - 42;
  const parts = panel(width, height, "Palace", narrow ? `${model.view.envoy_deck || 0} envoys left` : "", model.kind === "envoy_take");
  const nodes = [{ key: "palace", x, y, label: "Palace", parts }];
  const shown = model.view.palace || [];
  if (!shown.length) parts.push(text(24, 80, "no envoy left", { ink: "soft" }));
  shown.forEach((envoy, at) => {
    const row = cards.envoys[envoy];
    const clan = cards.clans[row.clan];
    const body = [
      rect(0, 0, ew, eh, "wall", { line: "soft" }),
      sign(clan.id, 7, 7, 24),
      text(ew - 7, 22, row.age, { ink: "soft", at: "end" }),
      text(7, 46, initial(model, row.clan), { ink: "soft", bold: true }),
      ...(row.mask ? [sign("mask", ew - 25, 29, 17, "plum")] : []),
      moved(0, eh - 33, [price(row.price, 14, ew)]),
    ];
    const node = {
      key: `envoy:${envoy}`,
      to: model.actor >= 0 ? `envoys:${model.actor}:${clan.id}` : undefined,
      from: "deck:envoy_deck",
      wait: DEAL * at,
      x: x + 12 + at * (ew + 7),
      y: y + 31,
      label: `Envoy of ${clan.name}, age ${row.age}${row.mask ? ", with a mask" : ""}`,
      tip: row.tip,
      parts: body,
    };
    nodes.push(card(model, node, ew, eh, model.target("palace", { envoy })));
  });
  nodes.push(...influence(model, narrow ? x + 12 : x + 12 + 4 * (ew + 7) + 8, narrow ? y + 31 + eh + 16 : y + 16, x + width - 12, narrow));
  nodes.push(...shurikenNodes(model, PALACE, (n) => [x + 84 + n * 28, y + 16], 26));
  const tips = shown.map((envoy) => cards.envoys[envoy].tip);
  return [nodes, hallTarget(model, PALACE, x, y, width, height, tips.join("\n")), facts];
}

/** Influence by clan and seat; the first is underlined, the second underlined with dots. */
function influence(model, x, y, right, narrow) {
  const { cards, facts, seats } = model;
  const column = Math.min(30, (right - x - 80) / seats);
  const head = [text(66, 4, "houses", { size: 12, ink: "soft", at: "end" })];
  for (let seat = 0; seat < seats; seat += 1) head.push(markAt(seat, 90 + column * seat, 0, 13));
  const nodes = [{ key: "influence", x, y, label: "Influence by clan and seat", parts: head }];
  const step = narrow ? 26 : 32;
  cards.clans.forEach((clan, at) => {
    const { honor, influence: shares, ranked } = facts.clans[at];
    const parts = [
      path(`M0 -18H${right - x}`, null, { line: "line" }),
      sign(clan.id, 0, -13, 20),
      text(24, 3, initial(model, at), { size: 12.5, ink: "soft", bold: true }),
      text(66, 3, honor, { size: 16, ink: "gold", at: "end", bold: true }),
    ];
    shares.forEach((share, seat) => {
      const rank = ranked.indexOf(seat);
      const cx = 90 + column * seat;
      parts.push(text(cx, 3, share || "·", { size: 16, ink: share ? "ink" : "soft", at: "middle", bold: rank === 0 }));
      if (rank === 0) parts.push(path(`M${cx - 6} 8h12`, null, { line: "ink", thick: 2 }));
      if (rank === 1) parts.push(path(`M${cx - 5} 8h3m4 0h3`, null, { line: "soft", thick: 2 }));
    });
    const rank = (place) => (ranked.length > place ? `seat ${ranked[place] + 1}` : "none");
    nodes.push({
      key: `clan:${clan.id}`,
      x,
      y: y + (narrow ? 26 : 30) + step * at,
      halo: [-4, -16, right - x + 4, step - 2, 4],
      label: `${clan.name}: houses worth ${honor}; first ${rank(0)}, second ${rank(1)}`,
      tip: `${clan.name}: ${honor} honor on houses. First: ${rank(0)}, second: ${rank(1)}. After rounds 3, 5 and 7 the ` +
        "first takes the honor or a rumor, and the second the other.",
      parts,
    });
  });
  return nodes;
}

export function pavilion(model, x, y, width, height) {
  const { cards } = model;
  const rw = (width - 48) / 4;
  const rh = height < 150 ? height - 42 : 98;
  const on = model.kind === "rumor_take" || model.kind === "rumor_free";
  const parts = panel(width, height, "Pavilion", `${model.view.rumor_deck || 0} rumors left`, on);
  const nodes = [{ key: "pavilion", x, y, label: "Pavilion", parts }];
  const shown = model.view.pavilion || [];
  if (!shown.length) parts.push(text(24, 80, "no rumor left", { ink: "soft" }));
  const says = (rumor) => `${cards.rumor_types[cards.rumors[rumor].type].tip}. Price: ${cards.rumors[rumor].words}.`;
  shown.forEach((rumor, at) => {
    const row = cards.rumors[rumor];
    const sort = cards.rumor_types[row.type].name;
    const node = {
      key: `rumor:${rumor}`,
      to: model.actor >= 0 ? `rumors:${model.actor}:${sort}` : undefined,
      from: "deck:rumor_deck",
      wait: DEAL * at,
      x: x + 12 + at * (rw + 8),
      y: y + 31,
      label: `Rumor: ${sort}, costs ${row.words}`,
      tip: says(rumor),
      parts: [
        rect(0, 0, rw, rh, "wall", { line: "plum" }),
        sign(sort, rw / 2 - 12, 8, 24, "plum"),
        text(rw / 2, 49, sort, { size: 13, at: "middle", bold: true }),
        moved(0, rh - 28, [price(row.price, 17, rw)]),
      ],
    };
    nodes.push(card(model, node, rw, rh, model.target("pavilion", { rumor })));
  });
  nodes.push(...shurikenNodes(model, PAVILION, (n) => [x + 92 + n * 28, y + 16], 26));
  return [nodes, hallTarget(model, PAVILION, x, y, width, height, shown.map(says).join("\n"))];
}
