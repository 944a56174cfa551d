/** The bots of this program, by name. */

import type { Bot } from "./bot.js";
import { EdoYashiki } from "./edo_yashiki/bot.js";
import { Random } from "./random.js";

export const bots: ReadonlyMap<string, () => Bot> = new Map([
  ["random", () => new Random()],
  ["edo_yashiki", () => new EdoYashiki(new Random())],
]);

/** A new bot of that name. */
export function makeBot(name: string): Bot {
  const make = bots.get(name);
  if (make === undefined) {
    throw new Error(`no bot ${JSON.stringify(name)}; there are: ${[...bots.keys()].join(", ")}`);
  }
  return make();
}
