/**
 * Plays Edo Yashiki by what the typed view shows: it lays each card where that brings most points and hopes of points,
 * wants the card that would bring most, and grudges the others theirs. It does not look ahead.
 */

import { EdoYashikiKind } from "../../generated/referee/v1/edo_yashiki.js";
import type { EdoYashikiAsk, EdoYashikiView } from "../../generated/referee/v1/edo_yashiki.js";
import type { Ask, GameInfo } from "../../generated/referee/v1/play.js";
import type { Bot } from "../bot.js";
import type { Luck } from "../luck.js";
import { House, LINE_POINTS } from "./house.js";
import type { Face, Line, Placement } from "./house.js";

/** Points for lines of so many different kinds. */
const VARIETY_POINTS: readonly number[] = [0, 0, 2, 4, 6];
/** What a hope of a point is worth, in points. */
const HOPE = 0.05;
/** What it is worth to take a point away from another player. */
const GRUDGE = 0.5;
const KINDS = [EdoYashikiKind.FLOOR, EdoYashikiKind.TATAMI, EdoYashikiKind.POND, EdoYashikiKind.GARDEN];
const ALL_TOKENS = 0b1111;

export class EdoYashiki implements Bot {
  private faces: Face[] = [];

  /** `otherwise` plays all other games. */
  constructor(private readonly otherwise: Bot) {}

  learn(games: GameInfo[]): void {
    for (const { components } of games) {
      if (components?.$case === "edoYashiki") {
        this.faces = components.value.cards.map((card) => card.cells);
      }
    }
  }

  decide(ask: Ask, luck: Luck): number {
    if (ask.game?.$case !== "edoYashiki" || ask.game.value.view === undefined || this.faces.length === 0) {
      return this.otherwise.decide(ask, luck);
    }
    const question = ask.game.value;
    const view = ask.game.value.view;
    switch (ask.kind) {
      case "rank_cards":
        return this.rank(question, view, ask.seat, ask.optionCount);
      case "pick_card":
        return best(question.picks, (index) => this.want(view, ask.seat, index));
      case "place_card":
        return this.place(question, view, ask.seat);
      case "score_line":
        return best(question.lines, (line) => LINE_POINTS[view.lineLength[line]!] ?? 0); // never stops early
      default:
        return this.otherwise.decide(ask, luck);
    }
  }

  /** The ranking with the most wanted card first, and so on down. */
  private rank(ask: EdoYashikiAsk, view: EdoYashikiView, seat: number, count: number): number {
    const wants = view.row.map((_, index) => this.want(view, seat, index));
    const seats = view.row.length;
    const rankings = Array.from({ length: count }, (_, i) => ask.rankings.subarray(i * seats, (i + 1) * seats));
    return best(rankings, (ranking) => ranking.reduce((sum, index, place) => sum + wants[index]! * (seats - place), 0));
  }

  private place(ask: EdoYashikiAsk, view: EdoYashikiView, seat: number): number {
    const house = House.of(view, seat, this.faces);
    const face = this.faces[view.row[view.taken[seat]!]!]!;
    const placements = ask.anchorX.flatMap((x, i) =>
      Array.from({ length: ask.orientations }, (_, turned) => ({ x, y: ask.anchorY[i]!, turned: turned === 1 })),
    );
    return best(placements, (placement) => worth(house, face, placement, tokens(view, seat)));
  }

  /** How much a seat wants a card of the row: for what it brings, and what it would bring others. */
  private want(view: EdoYashikiView, seat: number, index: number): number {
    const face = this.faces[view.row[index]!]!;
    const gains = view.houseSizes.map((_, owner) => {
      const house = House.of(view, owner, this.faces);
      return Math.max(...house.placements().map((where) => worth(house, face, where, tokens(view, owner))));
    });
    const others = gains.filter((_, owner) => owner !== seat);
    return gains[seat]! + (GRUDGE * others.reduce((sum, gain) => sum + gain, 0)) / others.length;
  }
}

/** What it brings to lay a card so. */
function worth(house: House, face: Face, placement: Placement, tokens: number | undefined): number {
  const { made, hopes } = house.consider(face, placement);
  return points(tokens === undefined ? made : scorable(made, tokens)) + HOPE * hopes;
}

/** The points of lines that are scored together. */
export function points(lines: readonly Line[]): number {
  const paying = lines.filter((line) => (LINE_POINTS[line.length] ?? 0) > 0);
  const kinds = new Set(paying.map((line) => line.kind));
  return paying.reduce((sum, line) => sum + LINE_POINTS[line.length]!, VARIETY_POINTS[kinds.size]!);
}

/** Specialists: the lines that the tokens pay for, the longest first. Whoever has no token left gets all four again. */
function scorable(lines: readonly Line[], tokens: number): Line[] {
  const scored: Line[] = [];
  for (const line of lines.toSorted((a, b) => (LINE_POINTS[b.length] ?? 0) - (LINE_POINTS[a.length] ?? 0))) {
    const token = 1 << KINDS.indexOf(line.kind);
    if ((tokens & token) !== 0 && (LINE_POINTS[line.length] ?? 0) > 0) {
      scored.push(line);
      tokens = tokens === token ? ALL_TOKENS : tokens & ~token;
    }
  }
  return scored;
}

/** Specialists: the tokens of a seat; undefined by the other rules. */
function tokens(view: EdoYashikiView, seat: number): number | undefined {
  return view.specialists ? view.tokens[seat] : undefined;
}

/** The index of the best of several things, the first one of equals. */
function best<T>(things: readonly T[], value: (thing: T) => number): number {
  const values = things.map(value);
  return values.indexOf(Math.max(...values));
}
