import assert from "node:assert/strict";
import { test } from "node:test";

import { EdoYashikiKind } from "../generated/referee/v1/edo_yashiki.js";
import { points } from "../src/edo_yashiki/bot.js";
import { House, lying } from "../src/edo_yashiki/house.js";
import type { Face } from "../src/edo_yashiki/house.js";

const KINDS: Record<string, EdoYashikiKind> = {
  F: EdoYashikiKind.FLOOR,
  T: EdoYashikiKind.TATAMI,
  P: EdoYashikiKind.POND,
  G: EdoYashikiKind.GARDEN,
};

function face(rows: string): Face {
  return [...rows.replaceAll("/", "")].map((letter) => KINDS[letter]!);
}

const START = { face: face("FT/FP/GT"), x: 0, y: 0, turned: false };

test("a turned card reads backwards", () => {
  assert.deepEqual(lying(face("FT/TP/GF"), true), face("FG/PT/TF"));
});

test("a single card can be laid in every place that touches it, but not exactly on it", () => {
  // Anchors up to 2 to the side and 3 up or down: 5 by 7, of which 4 touch corners only and 1 is the card's own.
  const placements = new House([START]).placements();

  assert.equal(placements.length, 2 * (5 * 7 - 4 - 1));
  assert.ok(!placements.some(({ x, y }) => x === 0 && y === 0));
});

test("cells of a line cannot be covered", () => {
  const anchors = new House([{ ...START, face: face("FT/FP/FT") }]).placements().map(({ x, y }) => `${x},${y}`);

  assert.ok(anchors.includes("1,0")); // over the right column
  assert.ok(!anchors.includes("-1,0")); // over the left one, three floors
});

test("a card makes new lines and lengthens old ones, and each counts once", () => {
  const house = new House([START]);
  const { made } = house.consider(face("GF/PF/TF"), { x: 0, y: -3, turned: false });

  assert.deepEqual(made, [{ kind: EdoYashikiKind.FLOOR, length: 3 }]);
  const { made: long } = house.consider(face("FG/FP/FT"), { x: 0, y: -3, turned: false });
  assert.deepEqual(long, [{ kind: EdoYashikiKind.FLOOR, length: 5 }]);
  assert.equal(points(long), 4);
});

test("looking at a card leaves the house as it was", () => {
  const house = new House([START]);
  const before = house.placements();
  house.consider(face("FF/FF/FF"), { x: -1, y: -1, turned: false });

  assert.deepEqual(house.placements(), before);
});

test("lines of different kinds bring more, lines of six bring nothing", () => {
  const line = (kind: EdoYashikiKind, length: number) => ({ kind, length });

  assert.equal(points([line(EdoYashikiKind.FLOOR, 3), line(EdoYashikiKind.POND, 4)]), 1 + 2 + 2);
  assert.equal(points([line(EdoYashikiKind.FLOOR, 3), line(EdoYashikiKind.FLOOR, 3)]), 2);
  assert.equal(points([line(EdoYashikiKind.FLOOR, 6), line(EdoYashikiKind.POND, 3)]), 1);
});
