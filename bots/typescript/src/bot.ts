/** What a bot is: something that decides. Write your own, and enter it in bots.ts. */

import type { Ask, GameInfo } from "../generated/referee/v1/play.js";
import type { Luck } from "./luck.js";

/** The same object sits at all tables, and is asked one question at a time, in a thread of its own. */
export interface Bot {
  /**
   * The index of the chosen option, 0 to ask.optionCount - 1. Luck depends on the seed and the question only: a question
   * that comes again after a break gets the same answer.
   */
  decide(ask: Ask, luck: Luck): number;

  /** Takes in the games' cards and boards, whenever a connection opens. Leave it out if the bot does not need them. */
  learn?(games: GameInfo[]): void;
}
