/**
 * Connects a bot to a Kumite referee and keeps it connected: dials, dials again after a break, and gives up when the
 * referee refuses the bot or none answers. The protocol is described in proto/referee/v1/play.proto.
 */

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { credentials, Metadata, status } from "@grpc/grpc-js";
import type { ChannelCredentials, ServiceError } from "@grpc/grpc-js";

import { PlayRequest, RefereeServiceClient } from "../generated/referee/v1/play.js";
import type { GameInfo, PlayResponse } from "../generated/referee/v1/play.js";
import { makeBot } from "./bots.js";
import { Redial, STRANGER_PATIENCE } from "./redial.js";
import { Memory } from "./resume.js";
import { Session } from "./session.js";
import type { Profile } from "./session.js";
import { Thinker } from "./thinker.js";

const OPTIONS = {
  "grpc.keepalive_time_ms": 30_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.max_receive_message_length": 64 * 1024 * 1024,
  // A new client must not wait out the pause that gRPC keeps for an address after a failure: we keep our own.
  "grpc.use_local_subchannel_pool": 1,
};
/** How a stream ends when trying again is no use. */
const FINAL: ReadonlySet<number> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
  status.INVALID_ARGUMENT,
]);

/** Where to play, and how. */
export interface Config extends Profile {
  /** host:port or unix:/path. */
  address: string;
  /** Sent as bearer token; empty: none. */
  token: string;
  /** PEM file of the authority to trust; undefined: no TLS. */
  tlsCa: string | undefined;
  /** Folder in which to remember the resume token; undefined: nowhere. */
  state: string | undefined;
  /** Who plays: a name in bots.ts. */
  bot: string;
  /** What all luck of the bot grows from. */
  seed: string;
}

/** Plays until `stop` is aborted or the referee says goodbye; throws if the bot is refused or nobody answers. */
export async function play(config: Config, stop: AbortSignal): Promise<void> {
  const security = config.tlsCa === undefined ? credentials.createInsecure() : trust(config.tlsCa);
  const { name, software, tables } = config;
  const memory = await Memory.open(config.state, config.address, name || config.token);
  const session = new Session({ name, software, tables }, memory);
  const connection = new Connection(config, security, session, stop);
  try {
    await keepPlaying(config, connection, session, stop);
  } finally {
    await connection.end();
    if (session.idle) {
      memory.forget();
    }
  }
}

function trust(file: string): ChannelCredentials {
  try {
    return credentials.createSsl(readFileSync(file));
  } catch (error) {
    throw new Error(`cannot use ${file} for TLS: ${(error as Error).message}`);
  }
}

/** Opens one stream after the other, with pauses between them. */
async function keepPlaying(config: Config, connection: Connection, session: Session, stop: AbortSignal): Promise<void> {
  const redial = new Redial(config.address, performance.now());
  let reported = "";
  while (!stop.aborted) {
    const { address } = redial;
    const opened = performance.now();
    const ended = await connection.playStream(address);
    const reason = session.closing?.message ?? ended.details;
    if (stop.aborted) {
      return;
    }
    if (session.closing?.then === "leave") {
      console.error(`kumite: ${reason}`);
      return;
    }
    if (session.closing === undefined ? FINAL.has(ended.code) : session.closing.then === "give up") {
      throw new Error(`no play at ${address}: ${reason}`);
    }
    const wait = redial.next(opened, performance.now(), session.welcomed, session.closing);
    if (wait === undefined) {
      throw new Error(`no referee answers at ${address}: ${reason}${redial.hint(config.tlsCa !== undefined)}`);
    }
    const line = `kumite: connection to ${address}: ${reason}; trying again`;
    if (session.welcomed || line !== reported) {
      reported = line;
      console.error(line);
    }
    await sleep(wait, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** How a stream ended: gRPC's status. */
type Ended = Pick<ServiceError, "code" | "details">;

/** The streams to one referee, one at a time, and the bot that thinks about what they ask. */
class Connection {
  private readonly thinker: Thinker;
  private readonly learns: boolean;
  /** The number of the current stream, how to send on it, and how to break off what is under way. */
  private stream = 0;
  private send: (message: PlayRequest) => void = () => undefined;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly config: Config,
    private readonly security: ChannelCredentials,
    private readonly session: Session,
    stop: AbortSignal,
  ) {
    const { bot, seed } = config;
    this.learns = makeBot(bot).learn !== undefined;
    this.thinker = new Thinker({ bot, seed }, (answers, failures, stream) => {
      if (stream === this.stream) {
        this.send(PlayRequest.create({ answers, failures })); // what an earlier stream asked is asked again
      }
    });
    stop.addEventListener("abort", () => this.cancel());
  }

  /** Opens a stream and plays on it to its end; returns how it ended. */
  async playStream(address: string): Promise<Ended> {
    this.session.reset();
    let client: RefereeServiceClient;
    try {
      client = new RefereeServiceClient(address, this.security, OPTIONS);
    } catch (error) {
      return { code: status.UNAVAILABLE, details: (error as Error).message };
    }
    try {
      if (this.learns) {
        this.thinker.learn(await this.games(client));
      }
      await this.talk(client);
      return { code: status.OK, details: "the referee closed the stream" };
    } catch (error) {
      const { code = status.UNKNOWN, details = String(error) } = error as ServiceError;
      return { code, details };
    } finally {
      this.send = this.cancel = () => undefined;
      client.close();
    }
  }

  /** Ends the bot. */
  async end(): Promise<void> {
    await this.thinker.end();
  }

  /** What can be played at the referee, with cards and boards. */
  private games(client: RefereeServiceClient): Promise<GameInfo[]> {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + STRANGER_PATIENCE };
      const call = client.describe({ games: [], components: true }, new Metadata(), options, (error, described) =>
        error === null ? resolve(described.games) : reject(error),
      );
      this.cancel = () => call.cancel();
    });
  }

  private async talk(client: RefereeServiceClient): Promise<void> {
    const metadata = new Metadata();
    if (this.config.token !== "") {
      metadata.set("authorization", `Bearer ${this.config.token}`);
    }
    const call = client.play(metadata);
    call.on("error", () => undefined); // the loop below learns of it; after the loop it matters no more
    this.cancel = () => call.cancel();
    this.send = (message) => call.write(message);
    const stream = ++this.stream;
    // A referee that lets us in but says nothing is as good as none.
    const unwelcome = setTimeout(this.cancel, STRANGER_PATIENCE);
    try {
      this.send(this.session.hello());
      for await (const message of call as AsyncIterable<PlayResponse>) {
        clearTimeout(unwelcome);
        this.session.receive(message, this.send, (asks) => this.thinker.ask(asks, stream));
        if (this.session.closing !== undefined) {
          return;
        }
      }
    } finally {
      clearTimeout(unwelcome);
      call.cancel();
    }
  }
}
