// The White Castle: the position in the words of the drawing. Figures that follow from rules come from facts.
import { COLOURS } from "./white_castle_shapes.js";

const PLACES = ["steward_1", "steward_2", "steward_3", "diplomat_1", "diplomat_2"];
export const COURT = ["gate", ...PLACES, "floor_3"];
const GOODS = ["food", "iron", "pearl", "coin", "vp", "seal"];

/** The position: clans with their goods and members, dice with their keys, targets by what they lie on. */
export function read(input) {
  const { view, facts } = input;
  const open = openOf(view, facts);
  const model = {
    ...input,
    narrow: input.frame === "narrow",
    over: input.ended || !open,
    open,
    round: view.round || 0,
    seats: view.seats || input.names.length,
    rival: view.seats === 1 ? 1 : -1,
    order: view.order || [],
    track: view.track || [],
    rooms: facts.spaces.slice(0, PLACES.length),
    castle: view.castle || [],
    bridges: bridgesOf(view),
  };
  model.clans = (view.clans || []).map((clan, number) => clanOf(model, clan, number));
  model.dice = diceOf(model);
  return model;
}

/** The open decision: its frame, as the protocol lists the numbers of frames, and its words; null after the end. */
function openOf(view, facts) {
  const { kind, numbers = [] } = (view.stack || []).at(-1) || {};
  if (!kind || !facts.open) return null;
  const open = { ...facts.open, kind, clan: numbers[0] };
  if (kind === "place_die") open.die = { colour: numbers[1], value: numbers[2] };
  if (kind === "outside_action") open.space = numbers[1];
  if (kind === "courtier") open.done = numbers.slice(1).map(Boolean);
  return open;
}

function bridgesOf(view) {
  let from = 0;
  return COLOURS.map((_, k) => {
    const size = (view.centre_sizes || [])[k] || 0;
    const centre = (view.centre_dice || []).slice(from, from + size);
    from += size;
    return { left: (view.bridge_left || [])[k] || 0, centre, right: (view.bridge_right || [])[k] || 0 };
  });
}

function clanOf(model, clan, number) {
  const { facts, names } = model;
  const amounts = clan.goods || [];
  return {
    number,
    name: number === model.rival ? facts.clans[number].name : names[number] || facts.clans[number].name,
    goods: Object.fromEntries(GOODS.map((good, k) => [good, amounts[k] || 0])),
    home: clan.home || [0, 0, 0],
    court: clan.court || COURT.map(() => 0),
    yards: clan.yards || [0, 0, 0],
    dice: clan.dice || [0, 0, 0],
    time: clan.time || 0,
    card: clan.action || 0,
    lantern: clan.lantern || [],
    facts: facts.clans[number],
    points: facts.points.map((row) => row.points[number]),
    total: facts.points.reduce((sum, row) => sum + row.points[number], 0),
  };
}

/** Every die by its place. A die that moves gets another key; the group of its equals tells where it came from. */
function diceOf(model) {
  const found = new Map();
  const add = (place, colour, value) => {
    const sort = `${COLOURS[colour]}:${value}`;
    found.set(place, { key: `die:${place}:${sort}`, group: `die:${sort}`, colour, value });
  };
  model.facts.spaces.forEach(({ name, dice }) => dice.forEach(([colour, value], k) => add(`${name}:${k}`, colour, value)));
  model.clans.forEach((clan) => clan.dice.forEach((value, row) => value && add(`domain:${clan.number}:${row}`, row, value)));
  if (model.open?.die) add("held", model.open.die.colour, model.open.die.value);
  model.bridges.forEach(({ left, centre, right }, k) => {
    if (left) add(`bridge:${k}:left`, k, left);
    centre.forEach((value, n) => add(`bridge:${k}:${n}`, k, value));
    if (right) add(`bridge:${k}:right`, k, right);
  });
  return found;
}

/** The clans whose panels are drawn, the own one first; their places never change. */
export function panels(model) {
  return model.clans.map((clan) => clan.number).sort((one, other) => Number(other === model.seat) - Number(one === model.seat));
}

/** The target that lies on something: `lies(model, "room", "room", "steward_1")`. */
export function lies(model, on, field = "", value = "") {
  return model.targets.find(({ place = {} }) => place.on === on && (!field || place[field] === value));
}

/** A number with its noun. */
export function count(amount, noun) {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}
