import type { Ask } from "../generated/referee/v1/play.js";
import type { Bot } from "./bot.js";
import type { Luck } from "./luck.js";

/** Plays every game, known or not: it needs only the number of options. */
export class Random implements Bot {
  decide(ask: Ask, luck: Luck): number {
    return luck.below(ask.optionCount);
  }
}
