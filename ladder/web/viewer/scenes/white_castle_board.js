// The board of The White Castle: bridges over water, gardens, the keep, what lies outside the walls, the road of time.
import {
  at, centred, chip, circle, COLOURS, die, effect, filled, mark, path, rect, ring, roof, rounded, sign, slot, text,
} from "./white_castle_shapes.js";
import { count, COURT, lies } from "./white_castle_read.js";

const NAMES = ["coral bridge", "black bridge", "white bridge"];
const FLOORS = ["Gate", "Stewards", "Diplomats", "Daimyo"];

/** A ring over something that can be clicked; `more` tells several rings of one target apart. */
export function ringed(target, x, y, width, height, { tip, radius = 8, more = "", night = false } = {}) {
  const parts = night ? [at(0, 0, ring(width, height, radius), "night-ink")] : ring(width, height, radius);
  return { key: `target:${target.key}${more}`, x, y, label: target.words, tip, target: target.key, parts };
}

/** A die that lies at a place, if there is one. */
export function dieNode(model, place, x, y, size, words) {
  const its = model.dice.get(place);
  if (!its) return [];
  const label = `${COLOURS[its.colour]} die ${its.value} ${words}`;
  return [{ key: its.key, group: its.group, x, y, label, halo: [0, 0, size, size, 7], parts: die(its.colour, its.value, size) }];
}

/** Members of the clans in one place: for each clan a stack of marks under one number. */
function people(key, sort, noun, amounts, names, x, y, r, { gap = 4, from = "left" } = {}) {
  const shown = amounts.map((amount, clan) => [clan, amount]).filter(([, amount]) => amount);
  const width = shown.length * (2 * r + gap) - gap;
  let place = x + r - (from === "right" ? width : from === "middle" ? width / 2 : 0);
  const nodes = [];
  for (const [clan, amount] of shown) {
    for (let k = 0; k < amount; k += 1) {
      const top = k === amount - 1;
      nodes.push({
        key: `${key}:${clan}${k ? `:${k}` : ""}`,
        group: `${sort}:${clan}`,
        x: rounded(place),
        y,
        label: top ? `${count(amount, sort)} of ${names[clan]} ${noun}` : undefined,
        halo: [-r, -r, 2 * r, 2 * r, r],
        parts: mark(clan, amount > 1 ? r : r * 0.94, top ? amount : 1),
      });
    }
    place += 2 * r + gap;
  }
  return nodes;
}

function clanNames(model) {
  return model.clans.map((clan) => clan.name);
}

// ---------------------------------------------------------------------------------------------------- bridges

/** A bridge over water with its dice; the left end carries a lantern. */
export function bridge(model, k, x, y, width, height = 82) {
  const name = COLOURS[k];
  const low = height - 12;
  const peak = height - 52;
  const arc = (t) => (1 - t) ** 2 * low + 2 * t * (1 - t) * peak + t * t * low;
  const [big, small] = width > 320 ? [40, 32] : [37, 30];
  const span = `M6 ${low}Q${width / 2} ${peak} ${width - 6} ${low}v8Q${width / 2} ${peak + 10} 6 ${low + 8}Z`;
  const posts = [0.25, 0.5, 0.75].map((t) => `M${rounded(6 + (width - 12) * t)} ${rounded(arc(t) + 6)}V${height - 2}`).join("");
  const ends = [["left", 0.12], ["right", 0.88]].map(([end, t]) => {
    return { end, x: 6 + (width - 12) * t - big / 2, y: arc(t) - big - 2, value: model.bridges[k][end] };
  });
  const lantern = { x: ends[0].x + big + 7, y: ends[0].y + 3 };
  const base = {
    key: `bridge:${name}`,
    x,
    y,
    label: `${NAMES[k]}: left ${ends[0].value || "empty"}, centre ${model.bridges[k].centre.join(" ") || "empty"}, ` +
      `right ${ends[1].value || "empty"}`,
    tip: model.facts.bridges[k].tip,
    parts: [
      rect(0, 0, width, height, "water", 8),
      ["rect", { x: 0, y: rounded(height * 0.56), width, height: rounded(height * 0.44), rx: 8, ...filled("wave") }],
      path(posts, "pier"),
      path(span, `die die-${name}`),
      text(width / 2, height - 8, name, "soft on-water", 12.5, "middle"),
      sign("lantern", lantern.x, lantern.y, 15, "gold"),
      ...ends.filter(({ value }) => !value).map((end) => slot(0, end.x, end.y, big)[0]),
    ],
  };
  const dice = ends.flatMap((end) => dieNode(model, `bridge:${k}:${end.end}`, x + end.x, y + end.y, big, `on the ${end.end}`));
  const step = Math.min(0.125, 0.46 / Math.max(1, model.bridges[k].centre.length));
  model.bridges[k].centre.forEach((_, n) => {
    const t = 0.5 + (n - (model.bridges[k].centre.length - 1) / 2) * step;
    const place = [x + 6 + (width - 12) * t - small / 2, y + arc(t) - small - 2];
    dice.push(...dieNode(model, `bridge:${k}:${n}`, ...place.map(rounded), small, "in the centre"));
  });
  const rings = ends.flatMap((end) => {
    const target = model.targets.find(({ place = {} }) => place.on === "bridge" && place.colour === name && place.end === end.end);
    return target ? [ringed(target, x + end.x - 5, y + end.y - 5, big + 10, big + 10)] : [];
  });
  return { nodes: [base, ...dice], rings };
}

/** A garden card: price in food, points, effect, gardeners. */
export function garden(model, n, x, y, width, height = 82) {
  const card = model.facts.gardens[n];
  const its = effect(card.effect, 17);
  const fit = Math.min(1, (width - 24) / its.width);
  const ground = card.plant ? "leaf" : "rake";
  const nodes = [{
    key: `garden:${card.name}`,
    x,
    y,
    label: `garden ${card.name}: ${card.food} food, ${card.points} VP`,
    tip: card.tip,
    parts: [
      rect(0, 0, width, height, card.plant ? "moss" : "sand", 7),
      ["rect", { x: 0, y: 0, width, height, rx: 7, opacity: 0.55, ...filled(ground) }],
      rect(6, 6, width - 12, 25, "label", 4),
      sign("food", 11, 10, 17),
      text(31, 24.5, card.food, "strong", 16),
      sign("vp", width - 44, 10, 17, "gold"),
      text(width - 12, 24.5, card.points, "strong", 16, "end"),
      rect(6, 34, Math.max(its.width * fit + 12, 30), 24, "label", 4),
      ["g", { transform: `translate(12 37.5) scale(${rounded(fit)})` }, its.parts],
      sign(card.plant ? "plant" : "stone", width - 26, height - 25, 17, card.plant ? "green" : "quiet"),
    ],
  }];
  const marks = model.clans.map((clan) => Number(card.clans.includes(clan.number)));
  nodes.push(...people(`gardener:${card.name}`, "gardener", `on garden ${card.name}`, marks, clanNames(model), x + 10, y + height - 13, 8.5));
  const target = lies(model, "garden", "garden", card.name);
  return { nodes, rings: target ? [ringed(target, x, y, width, height, { tip: card.tip })] : [] };
}

// ---------------------------------------------------------------------------------------------------- the keep

/** Dice on a space and the places that are left; the first free place shows the value that the next die covers. */
function places(model, space, x, y, size) {
  const here = space.dice.length;
  const room = Math.max(space.capacity, here, 1);
  const parts = [];
  for (let n = here; n < room; n += 1) parts.push(...slot(n === here ? space.covers : 0, x + n * (size + 5), y, size));
  const dice = space.dice.map((_, n) => ({ place: `${space.name}:${n}`, x: x + n * (size + 5), y, size }));
  return { parts, dice };
}

function room(model, k, x, y, width, height, rowHeight) {
  const space = model.rooms[k];
  const card = model.facts.cards[model.castle[k] ?? 0];
  const there = places(model, space, 6, 6, 27);
  const nodes = [{
    key: `room:${space.name}`,
    x,
    y,
    label: `${space.title}${space.full ? ", full" : `, the next die covers ${space.covers}`}`,
    tip: space.tip,
    parts: [rect(0, 0, width, height, "surface", 5), ...there.parts],
  }];
  const rowAt = (row) => 40 + row * rowHeight;
  if ((model.castle[k] ?? 0) >= 0) {
    const rows = card.rows.flatMap((its, row) => [
      rect(4, rowAt(row) - 40, width - 8, rowHeight - 3, its.dark ? "dark" : "light", 4),
      centred(its, 28, rowAt(row) - 40 + (rowHeight - 20) / 2, width - 36, 17, its.dark ? "on-dark" : "ink"),
    ]);
    nodes.push({
      key: `card:${space.name}:${card.name}`,
      group: `card:${card.name}`,
      x,
      y: y + 40,
      label: `card ${card.name} in ${space.title}`,
      tip: card.tip,
      halo: [2, -2, width - 4, card.rows.length * rowHeight + 1, 5],
      parts: rows,
    });
  }
  space.tiles.forEach((colour, row) => nodes.push({
    key: `tile:${space.name}:${row}`,
    x: x + 8,
    y: y + rowAt(row) + (rowHeight - 22) / 2,
    label: `${COLOURS[colour]} tile at row ${row + 1} of ${space.title}`,
    parts: chip(colour, 19),
  }));
  for (const one of there.dice) nodes.push(...dieNode(model, one.place, x + one.x, y + one.y, one.size, `in ${space.title}`));
  const court = model.clans.map((clan) => clan.court[1 + k]);
  nodes.push(...people(`court:${space.name}`, "courtier", `in ${space.title}`, court, clanNames(model), x + width - 6, y + 19, 8.5, { gap: 3, from: "right" }));
  const rings = [];
  const whole = lies(model, "space", "space", space.name) || lies(model, "room", "room", space.name);
  if (whole) rings.push(ringed(whole, x - 1, y - 1, width + 2, height + 2, { tip: space.tip, radius: 6 }));
  const floor = lies(model, "floor", "floor", k < 3 ? "floor1" : "floor2");
  if (floor && model.seat !== null && court[model.seat]) {
    rings.push(ringed(floor, x - 1, y - 1, width + 2, height + 2, { tip: space.tip, radius: 6, more: `:${space.name}` }));
  }
  for (const target of model.targets) {
    const { on, room: its, row } = target.place || {};
    if (on === "row" && its === space.name) rings.push(ringed(target, x + 4, y + rowAt(row), width - 8, rowHeight - 3, { radius: 4 }));
  }
  return { nodes, rings };
}

function storey(model, floor, middle, y, width, height, over, wall) {
  const left = middle - width / 2;
  return [
    rect(left, y + height - 4, width, wall + 4, "wall", 2),
    ...roof(left, y, width, height, over),
    text(middle - 12, y + height - 9, FLOORS[floor], "serif on-dark strong", 14, "middle"),
    sign("vp", middle + 36, y + height - 20, 13, "on-dark"),
    text(middle + 53, y + height - 9, model.facts.board.floor_points[floor], "on-dark", 12.5),
  ];
}

/** The castle: three storeys under swept roofs on a stone base with the gate. Ends at `low`. */
export function keep(model, x, y, width) {
  const { narrow } = model;
  const middle = x + width / 2;
  const base = width - (narrow ? 8 : 24);
  const [second, top] = narrow ? [base - 12, base * 0.78] : [base * 0.86, base * 0.62];
  const row = narrow ? 44 : 38;
  const back = [];
  const found = { nodes: [], rings: [] };
  const add = ({ nodes, rings }) => {
    found.nodes.push(...nodes);
    found.rings.push(...rings);
  };
  let level = y + 8;
  back.push(...storey(model, 3, middle, level, top, 30, narrow ? 8 : 14, 74));
  add(favours(model, middle, level + 30, top));
  level += 104;
  const [high2, high1] = [50 + 2 * row, 50 + 3 * row];
  back.push(...storey(model, 2, middle, level, second, 26, narrow ? 5 : 14, high2));
  const wide2 = (second - 18) / 2;
  for (let k = 0; k < 2; k += 1) add(room(model, 3 + k, middle - second / 2 + 6 + k * (wide2 + 6), level + 32, wide2, high2 - 8, row));
  level += 26 + high2;
  back.push(...storey(model, 1, middle, level, base, 26, narrow ? 4 : 12, high1));
  const wide1 = (base - 24) / 3;
  for (let k = 0; k < 3; k += 1) add(room(model, k, middle - base / 2 + 6 + k * (wide1 + 6), level + 32, wide1, high1 - 8, row));
  level += 26 + high1;
  const high0 = narrow ? 62 : 76;
  back.push(...stones(middle, level, base, width, high0));
  add(gate(model, middle, level + (high0 - 48) / 2));
  const label = `the castle, floors worth ${[...model.facts.board.floor_points].slice(1).join(", ")} VP`;
  return { nodes: [{ key: "castle", label, parts: back }, ...found.nodes], rings: found.rings, low: level + high0 };
}

function stones(middle, y, width, foot, height) {
  const lean = (foot - width) / 2;
  const left = middle - width / 2;
  const parts = [path(`M${left} ${y}H${left + width}L${middle + foot / 2} ${y + height}H${middle - foot / 2}Z`, "stones")];
  const courses = Math.floor(height / 16);
  let joints = "";
  for (let n = 0; n < courses; n += 1) {
    const top = rounded(y + (n * height) / courses);
    const out = (lean * n) / courses;
    joints += `M${rounded(left - out)} ${top}H${rounded(left + width + out)}`;
    for (let q = 0; q < Math.floor(width / 44); q += 1) joints += `M${rounded(left + 22 + (n % 2) * 22 + q * 44)} ${top}v${rounded(height / courses)}`;
  }
  return [...parts, path(joints, "joints")];
}

function favours(model, middle, y, width) {
  const one = (width - 20) / 3;
  const found = { nodes: [], rings: [] };
  model.facts.favours.forEach((favour, n) => {
    const x = middle - width / 2 + 6 + n * (one + 4);
    const taken = favour.clan >= 0;
    const parts = [rect(0, 0, one, 34, taken ? "surface taken" : "surface", 5), centred(favour.effect, 4, 8, one - 8, 17, taken ? "quiet" : "ink")];
    if (taken) parts.push(at(one - 9, 5, mark(favour.clan, 6.5)));
    const label = `favour ${n + 1}${taken ? `, taken by ${model.clans[favour.clan].name}` : ", free"}`;
    found.nodes.push({ key: `favour:${n}`, x, y: y + 6, label, tip: favour.tip, halo: [0, 0, one, 34, 5], parts });
    const target = lies(model, "favour", "slot", n);
    if (target) found.rings.push(ringed(target, x, y + 6, one, 34, { tip: favour.tip, radius: 5 }));
  });
  const court = model.clans.map((clan) => clan.court[COURT.length - 1]);
  if (!court.some(Boolean)) {
    found.nodes.push({ key: "nobody:floor_3", x: middle, y: y + 60, parts: [text(0, 0, "nobody yet", "soft", 12.5, "middle")] });
  }
  found.nodes.push(...people("court:floor_3", "courtier", "on floor 3", court, clanNames(model), middle, y + 56, 8.5, { from: "middle" }));
  const target = lies(model, "floor", "floor", "floor3");
  if (target) found.rings.push(ringed(target, middle - width / 2 - 2, y, width + 4, 76));
  return found;
}

function gate(model, middle, y) {
  const court = model.clans.map((clan) => clan.court[0]);
  const points = model.facts.board.floor_points[0];
  const parts = [
    rect(0, 0, 200, 48, "surface", 6),
    sign("gate", 10, 10, 28, "vermilion"),
    text(46, 22, "Gate", "serif strong"),
    sign("vp", 46, 28, 12, "gold"),
    text(62, 39, points, "soft", 12.5),
  ];
  if (!court.some(Boolean)) parts.push(text(188, 28, "nobody", "soft", 12.5, "end"));
  const x = middle - 100;
  const nodes = [{ key: "gate", x, y, label: "the gate", tip: `the gate: a courtier here counts ${points} VP`, parts }];
  nodes.push(...people("court:gate", "courtier", "at the gate", court, clanNames(model), x + 190, y + 24, 9.5, { from: "right" }));
  const target = lies(model, "floor", "floor", "gate");
  return { nodes, rings: target ? [ringed(target, x, y, 200, 48)] : [] };
}

// ---------------------------------------------------------------------------------------------------- outside

/** A space outside the walls: dice, and the two actions of which one is done. */
export function outside(model, n, x, y, width, height = 58) {
  const space = model.facts.spaces[5 + n];
  const there = places(model, space, 8, 22, 27);
  const left = width - 82;
  const parts = [rect(0, 0, width, height, "surface", 7), ...there.parts, text(9, 16, `Outside ${n + 1}`, "serif strong", 12.5)];
  space.actions.forEach((member, k) => {
    parts.push(rect(left + k * 46, 21, 28, 28, "dark", 5), sign(member, left + 4 + k * 46, 25, 20, "on-dark"));
  });
  parts.push(text(left + 37, 39, "or", "soft", 12.5, "middle"));
  const label = `${space.title}${space.full ? ", full" : `, the next die covers ${space.covers}`}`;
  const nodes = [{ key: `space:${space.name}`, x, y, label, tip: space.tip, parts }];
  for (const one of there.dice) nodes.push(...dieNode(model, one.place, x + one.x, y + one.y, one.size, `at ${space.title}`));
  const target = lies(model, "space", "space", space.name);
  return { nodes, rings: target ? [ringed(target, x, y, width, height, { tip: space.tip })] : [] };
}

/** The well: what it gives, and its dice in up to two lines. */
export function well(model, x, y, width, height = 104) {
  const space = model.facts.spaces[7];
  const its = effect({ icons: space.icons }, 18);
  const number = space.dice.length;
  const size = number <= 5 ? 27 : 23;
  const columns = Math.max(1, Math.floor((width - 16) / (size + 4)));
  const squeeze = number > 2 * columns ? (width - 20 - size) / (Math.ceil(number / 2) - 1) : size + 4;
  const line = number > 2 * columns ? Math.ceil(number / 2) : columns;
  const top = height > 90 ? 36 : 32;
  const parts = [
    rect(0, 0, width, height, "surface", 7),
    text(9, 19, "Well", "serif strong"),
    sign("well", 46, 7, 15, "blue"),
    at(width - its.width - 14, 8, its.parts),
  ];
  if (!number) parts.push(...slot(space.covers, 10, top, 27), text(46, top + 18, "any number of dice", "soft", 12.5));
  const nodes = [{ key: "space:well", x, y, label: `the well, the next die covers ${space.covers}`, tip: space.tip, parts }];
  space.dice.forEach((_, n) => {
    const place = [x + 10 + (n % line) * squeeze, y + top + Math.floor(n / line) * (size + 4)];
    nodes.push(...dieNode(model, `well:${n}`, ...place.map(rounded), size, "in the well"));
  });
  const target = lies(model, "space", "space", "well");
  return { nodes, rings: target ? [ringed(target, x, y, width, height, { tip: space.tip })] : [] };
}

/** Three training yards: price in iron, value of a warrior, tiles, warriors. */
export function yards(model, x, y, width, height) {
  const found = { nodes: [{ key: "yards", x, y, parts: [text(2, 14, "Training yards", "serif strong")] }], rings: [] };
  const high = (height - 22 - 12) / 3;
  model.facts.yards.forEach((yard, n) => {
    const top = y + 22 + n * (high + 6);
    const parts = [
      rect(0, 0, width, high, "surface", 7),
      sign("iron", 9, 9, 18),
      text(31, 24, yard.iron, "strong", 16),
      text(width - 10, 23, `counts ${yard.value}×`, "soft", 12.5, "end"),
    ];
    let left = 9;
    for (const its of yard.effects) {
      const drawn = effect(its, 17);
      parts.push(rect(left, high - 33, drawn.width + 14, 26, "light", 5), at(left + 7, high - 28.5, drawn.parts));
      left += drawn.width + 20;
    }
    found.nodes.push({ key: `yard:${yard.name}`, x, y: top, label: `yard for ${yard.iron} iron`, tip: yard.tip, parts });
    const there = model.clans.map((clan) => clan.yards[n]);
    const noun = `in the yard for ${yard.iron} iron`;
    found.nodes.push(...people(`warriors:${yard.name}`, "warrior", noun, there, clanNames(model), x + width - 10, top + high - 20, 8.5, { gap: 3, from: "right" }));
    const target = lies(model, "yard", "yard", yard.name);
    if (target) found.rings.push(ringed(target, x, top, width, high, { tip: yard.tip }));
  });
  return found;
}

// ---------------------------------------------------------------------------------------------------- time

const GROUNDS = ["moss", "water", "sand", "light"];

/** The seasons of the road of time: first and last space of each, with the gates before them. */
function seasons(model) {
  const last = model.facts.board.time_points.length - 1;
  const gates = Object.entries(model.facts.board.gates).map(([space, seals]) => ({ space: Number(space), seals }));
  const firsts = [{ space: 0, seals: 0 }, ...gates];
  return firsts.map(({ space, seals }, n) => ({ first: space, last: n < gates.length ? gates[n].space - 1 : last, seals }));
}

function season(model, its, n, x, y, cell) {
  const points = model.facts.board.time_points;
  const width = cell * (its.last - its.first + 1);
  const parts = [rect(0, 0, width, 34, GROUNDS[n], 6)];
  let bars = "";
  const even = points[its.first] === points[its.last];
  for (let space = its.first; space <= its.last; space += 1) {
    const middle = cell * (space - its.first + 0.5);
    if (space > its.first) bars += `M${rounded(cell * (space - its.first))} 5v24`;
    parts.push(text(middle, 22, space, "soft", 13, "middle"));
    if (!even) parts.push(text(middle, 49, points[space], "gold strong", 12.5, "middle"));
  }
  if (even) parts.push(text(width - 4, 49, `${points[its.first]} VP`, "gold strong", 12.5, "end"));
  return { key: `season:${n}`, x, y, parts: [...parts, path(bars, "joints")] };
}

function gateSign(its, n, x, y) {
  return {
    key: `gates:${n}`,
    x,
    y,
    label: `gate before space ${its.first}: ${count(its.seals, "seal")}`,
    tip: `Entering space ${its.first} costs ${count(its.seals, "seal")}`,
    parts: [sign("gate", 2, 3, 18, "quiet"), text(22, 13, its.seals, "strong", 12.5), sign("seal", 21, 17, 13, "vermilion")],
  };
}

/** Markers from the lowest, so that the last one plays first: stacked upwards, or two abreast where cells are broad. */
function markers(model, its, x, y, cell) {
  const abreast = cell > 44 && model.clans.length > 2;
  const nodes = [];
  for (let space = its.first; space <= its.last; space += 1) {
    const here = model.track.filter((clan) => model.clans[clan].time === space).reverse();
    here.forEach((clan, level) => nodes.push({
      key: `time:${clan}`,
      x: x + cell * (space - its.first + 0.5) + (abreast ? (level % 2) * 20 - 10 : 0),
      y: y - 3 - (abreast ? Math.floor(level / 2) : level) * 17,
      label: `${model.clans[clan].name} on space ${space} of the time track`,
      halo: [-10, -10, 20, 20, 8],
      parts: [circle(0, 0, 11, "ground"), ...mark(clan, 8.5)],
    }));
  }
  return nodes;
}

/** The passage of time in one line. */
export function road(model, x, y, width) {
  const all = seasons(model);
  const gap = 38;
  const cell = (width - gap * (all.length - 1)) / model.facts.board.time_points.length;
  const found = [{ key: "time", x, y, label: "passage of time", parts: [text(2, 49, "Passage of time", "serif strong")] }];
  let left = x;
  const above = [];
  all.forEach((its, n) => {
    if (n) {
      found.push(gateSign(its, n, left, y));
      left += gap;
    }
    found.push(season(model, its, n, rounded(left), y, cell));
    above.push(...markers(model, its, rounded(left), y, cell));
    left += cell * (its.last - its.first + 1);
  });
  return [...found, ...above];
}

/** The passage of time, a line for each season; ends at `low`. */
export function roadInLines(model, x, y, width) {
  const nodes = [{ key: "time", x, y, label: "passage of time", parts: [text(0, 14, "Passage of time", "serif strong")] }];
  const above = [];
  const all = seasons(model);
  const cell = (width - 42) / Math.max(...all.map((its) => its.last - its.first + 1));
  let low = y + 30;
  all.forEach((its, n) => {
    low += 34;
    if (n) nodes.push(gateSign(its, n, x, low));
    nodes.push(season(model, its, n, x + 42, low, cell));
    above.push(...markers(model, its, x + 42, low, cell));
    low += 54;
  });
  return { nodes: [...nodes, ...above], low };
}
