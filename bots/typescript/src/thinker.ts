/**
 * Lets the bot decide in a thread of its own, so that a long thought delays neither pings nor anything else on the
 * stream. This file is both ends: `Thinker` is the connection's, the code below it runs in the thread.
 */

import { inspect } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

import type { Ask, GameInfo } from "../generated/referee/v1/play.js";
import { makeBot } from "./bots.js";
import { Luck } from "./luck.js";

/** Milliseconds that answers wait for each other, to travel in one message. */
const TOGETHER = 2;
/** Characters of the line that tells the referee of a failure. */
const LONGEST_FAILURE = 500;

/** A decision. */
export interface Decision {
  matchId: string;
  ask: number;
  seat: number;
  option: number;
}

/** A decision that did not come about. */
export interface Failed {
  matchId: string;
  ask: number;
  seat: number;
  /** What went wrong, in one line. */
  message: string;
}

/** What a bot threw, in one line that is not too long. */
export function oneLine(thrown: unknown): string {
  const simple = thrown instanceof Error || typeof thrown !== "object";
  const text = simple ? String(thrown) : inspect(thrown);
  const letters = Array.from(text.replace(/\s+/g, " ").trim()); // whole ones, so that none is cut in two
  return letters.slice(0, LONGEST_FAILURE).join("");
}

interface Start {
  bot: string;
  seed: string;
}

interface Task {
  games?: GameInfo[];
  asks?: Ask[];
  stream: number;
}

interface Done {
  decisions: Decision[];
  failures: Failed[];
  stream: number;
}

/** A bot in a thread of its own. */
export class Thinker {
  private readonly worker: Worker;

  /** `decided` gets decisions and failures as they come, with the number of the stream that asked. */
  constructor(start: Start, decided: (decisions: Decision[], failures: Failed[], stream: number) => void) {
    this.worker = new Worker(new URL(import.meta.url), { workerData: start });
    this.worker.on("message", (done: Done) => decided(done.decisions, done.failures, done.stream));
  }

  /** Passes on what the games consist of. */
  learn(games: GameInfo[]): void {
    this.post({ games, stream: 0 });
  }

  /** Has questions answered. */
  ask(asks: Ask[], stream: number): void {
    this.post({ asks, stream });
  }

  /** Ends the thread, also in the middle of a thought. */
  async end(): Promise<void> {
    await this.worker.terminate();
  }

  private post(task: Task): void {
    this.worker.postMessage(task);
  }
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const { bot: name, seed } = workerData as Start;
  const bot = makeBot(name);
  port.on("message", ({ games, asks = [], stream }: Task) => {
    if (games !== undefined) {
      bot.learn?.(games);
    }
    let decisions: Decision[] = [];
    let failures: Failed[] = [];
    let sent = performance.now();
    for (const ask of asks) {
      const { matchId, ask: number, seat } = ask;
      try {
        const option = bot.decide(ask, new Luck(`${seed}/${matchId}/${seat}/${number}`));
        if (!Number.isInteger(option) || option < 0 || option >= ask.optionCount) {
          // A number that no message can hold would break the stream, and with it every table.
          throw new RangeError(`the bot chose ${option}, and there are the options 0 to ${ask.optionCount - 1}`);
        }
        decisions.push({ matchId, ask: number, seat, option });
      } catch (error) {
        // The referee plays a random option at once, and the other tables play on.
        console.error(`kumite: the bot failed in match ${matchId}, seat ${seat}, ask ${number}:`, error);
        failures.push({ matchId, ask: number, seat, message: oneLine(error) });
      }
      // A failure does not wait for the next thought.
      if (performance.now() - sent > TOGETHER || failures.length > 0) {
        port.postMessage({ decisions, failures, stream } satisfies Done);
        decisions = [];
        failures = [];
        sent = performance.now();
      }
    }
    if (decisions.length + failures.length > 0) {
      port.postMessage({ decisions, failures, stream } satisfies Done);
    }
  });
}
