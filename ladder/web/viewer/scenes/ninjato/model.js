// A position in the shape that drawing wants: lists by seat and by house, and the targets by the thing they name.
import { sum } from "./draw.js";

const HOUSES = 5;

function rows(values, width, count) {
  return Array.from({ length: count }, (_, at) => {
    const row = (values || []).slice(at * width, at * width + width);
    return row.length ? row : Array(width).fill(0);
  });
}

function ragged(sizes, values, count) {
  let start = 0;
  return Array.from({ length: count }, (_, at) => {
    const size = (sizes || [])[at] || 0;
    start += size;
    return (values || []).slice(start - size, start);
  });
}

const PLACE_FIELDS = ["space", "value", "skill", "envoy", "rumor", "house", "treasure", "red", "part", "token"];

/** The name of a place of a part: "hand value:3". */
export function placeName(on, fields) {
  const told = PLACE_FIELDS.filter((name) => fields[name] !== undefined).map((name) => `${name}:${fields[name]}`);
  return [on, ...told].join(" ");
}

export function read(input) {
  const { view, facts, names, seat } = input;
  const cards = facts.components;
  const seats = names.length;
  const question = view.question || null;
  const hands = view.hand_sizes || [];
  const faces = (at) => {
    if (input.views) return input.views[at].hand || null;
    return at === seat ? view.hand || null : null;
  };
  const placed = (space) => facts.shuriken.filter((it) => it.space === space);
  const targets = new Map();
  for (const target of input.targets || []) {
    if (target.place && target.place.on) targets.set(placeName(target.place.on, target.place), target);
  }
  const raid = facts.raid;
  return {
    ...input,
    events: (input.events || []).map((event) => ({ seat: -1, items: [], ...event })),
    cards,
    seats,
    question,
    kind: question ? question.kind : "",
    actor: question ? question.seat || 0 : -1,
    mine: seat === null || seat === undefined ? -1 : seat,
    over: !question,
    raid,
    mode: question && question.mode ? "stealth" : "force",
    house: raid ? question.house || 0 : -1,
    loot: raid ? { light: rows(question.loot_light, 5, 1)[0], red: rows(question.loot_red, 5, 1)[0] } : null,
    honor: (view.honor || []).concat(Array(seats).fill(0)).slice(0, seats),
    purses: rows(view.treasures, 5, seats),
    known: rows(view.known, 5, seats),
    hands: (view.hand_sizes ? hands : Array(seats).fill(0)),
    faces,
    ready: rows(view.ready, cards.skills.length, seats),
    used: rows(view.used, cards.skills.length, seats),
    envoys: ragged(view.envoy_sizes, view.envoys, seats),
    rumors: ragged(view.rumor_sizes, view.rumors, seats),
    trophies: ragged(view.trophy_sizes, view.trophies, seats),
    light: rows(view.light, 5, HOUSES),
    red: rows(view.red, 5, HOUSES),
    placed,
    totals: names.map((_, at) => sum(facts.points.map((row) => row.points[at]))),
    target: (on, fields = {}) => targets.get(placeName(on, fields)),
    name: (at) => names[at] || `seat ${at + 1}`,
  };
}
