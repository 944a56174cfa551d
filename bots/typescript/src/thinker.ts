/**
 * Lets the bot decide in a thread of its own, so that a long thought delays neither pings nor anything else on the
 * stream. This file is both ends: `Thinker` is the connection's, the code below it runs in the thread.
 */

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

import type { Ask, GameInfo } from "../generated/referee/v1/play.js";
import { makeBot } from "./bots.js";
import { Luck } from "./luck.js";

/** Milliseconds that answers wait for each other, to travel in one message. */
const TOGETHER = 2;

/** A decision. */
export interface Decision {
  matchId: string;
  ask: number;
  seat: number;
  option: number;
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
  stream: number;
}

/** A bot in a thread of its own. */
export class Thinker {
  private readonly worker: Worker;

  /** `decided` gets decisions as they come, with the number of the stream that asked. */
  constructor(start: Start, decided: (decisions: Decision[], stream: number) => void) {
    this.worker = new Worker(new URL(import.meta.url), { workerData: start });
    this.worker.on("message", (done: Done) => decided(done.decisions, done.stream));
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
    let sent = performance.now();
    for (const ask of asks) {
      const { matchId, ask: number, seat } = ask;
      try {
        const option = bot.decide(ask, new Luck(`${seed}/${matchId}/${seat}/${number}`));
        decisions.push({ matchId, ask: number, seat, option });
      } catch (error) {
        // The other tables play on; the referee's clock decides this question.
        console.error(`kumite: the bot failed in match ${matchId}, seat ${seat}, ask ${number}:`, error);
      }
      if (performance.now() - sent > TOGETHER) {
        port.postMessage({ decisions, stream } satisfies Done);
        decisions = [];
        sent = performance.now();
      }
    }
    if (decisions.length > 0) {
      port.postMessage({ decisions, stream } satisfies Done);
    }
  });
}
