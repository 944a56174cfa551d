/** What a bot knows about its referee, across any number of streams: understands messages, and says what is due. */

import { FaultCode, PlayRequest } from "../generated/referee/v1/play.js";
import type { Ask, Fault, Over, PlayResponse, Seated, Welcome } from "../generated/referee/v1/play.js";
import type { Memory } from "./resume.js";

const PROTOCOL_VERSION = 1;

/** How a bot introduces itself. */
export interface Profile {
  /** Empty with a token: the token is the name. */
  name: string;
  /** The program, the bot and the version; a changed text is a new build on a ladder. */
  software: string;
  /** How many to play at a time. */
  tables: number;
}

/** The referee's word on why it ends a stream, and what to do then. */
export interface Closing {
  message: string;
  then: "resume" | "await restart" | "leave" | "give up";
  /** Where the tables are now; undefined: where they were. */
  address: string | undefined;
  /** Milliseconds to wait at least before dialling again. */
  retryAfter: number;
}

/** Every other fault that closes a stream leaves the tables to be resumed. */
const CLOSING = new Map<FaultCode, Closing["then"]>([
  [FaultCode.SHUTDOWN, "leave"],
  [FaultCode.TAKEN_OVER, "leave"],
  [FaultCode.VERSION, "give up"],
  [FaultCode.UNAUTHENTICATED, "give up"],
  [FaultCode.BAD_HELLO, "give up"],
  [FaultCode.NAME_TAKEN, "give up"],
  [FaultCode.OUT_OF_ORDER, "give up"],
  [FaultCode.NO_GAME, "give up"],
  [FaultCode.REVOKED, "give up"],
  [FaultCode.KICKED, "give up"],
  [FaultCode.RESTARTING, "await restart"],
]);

/** What a fault that closes the stream means. A code of a later protocol means: resume. */
export function closingOf({ code, message, address, retryAfterUs }: Fault): Closing {
  return {
    message,
    then: CLOSING.get(code) ?? "resume",
    address: code === FaultCode.REDIRECTED && address !== "" ? address : undefined,
    retryAfter: Number(retryAfterUs) / 1000,
  };
}

export class Session {
  /** Of the current stream: whether it is open for play, and why the referee closes it. */
  welcomed = false;
  closing: Closing | undefined;

  private known = false;
  private readonly seats = new Map<string, Seated>();

  constructor(
    private readonly profile: Profile,
    private readonly memory: Memory,
  ) {}

  /** Whether nothing is left to resume: the referee has welcomed the bot, and no match of its runs. */
  get idle(): boolean {
    return this.known && this.seats.size === 0;
  }

  /** Forgets what belongs to the last stream. */
  reset(): void {
    this.welcomed = false;
    this.closing = undefined;
  }

  /** The first message of a new stream. */
  hello(): PlayRequest {
    return PlayRequest.create({
      hello: { protocolVersion: PROTOCOL_VERSION, ...this.profile, resumeToken: this.memory.token },
    });
  }

  /**
   * Acts on a message of the referee, in the order in which its parts are meant. What is due at once goes to `send`,
   * questions to `think`. Events (told) do not come, because the hello does not want any.
   */
  receive(message: PlayResponse, send: (reply: PlayRequest) => void, think: (asks: Ask[]) => void): void {
    if (message.ping !== undefined) {
      send(PlayRequest.create({ pong: { nonce: message.ping.nonce } }));
    }
    if (message.welcome !== undefined) {
      this.welcome(message.welcome);
    }
    for (const seated of message.seated) {
      this.seats.set(`${seated.matchId}/${seated.seat}`, seated);
    }
    const ready = message.seated.filter((seated) => !seated.isReady);
    if (ready.length > 0) {
      send(PlayRequest.create({ ready }));
    }
    if (message.asks.length > 0) {
      think(message.asks);
    }
    message.over.forEach((over) => this.over(over));
    message.faults.forEach((fault) => this.fault(fault));
  }

  private welcome(welcome: Welcome): void {
    this.welcomed = this.known = true;
    const how = welcome.resumed ? "took its tables up again" : "connected";
    console.error(`kumite: ${welcome.name} ${how} (referee ${welcome.refereeVersion})`);
    if (welcome.resumeToken !== this.memory.token) {
      this.seats.clear(); // a referee with a new token knows nothing of our old tables
    }
    this.memory.keep(welcome.resumeToken);
  }

  private over(over: Over): void {
    const key = `${over.matchId}/${over.seat}`;
    const game = this.seats.get(key)?.game;
    if (!this.seats.delete(key)) {
      return; // told twice, after a break
    }
    const { places, points } = over.result ?? { places: [], points: [] };
    const outcome =
      over.seat < places.length
        ? `place ${places[over.seat]} of ${places.length}, ${points[over.seat]} points`
        : "stopped";
    const rating = over.ratings[over.seat];
    const change =
      rating === undefined ? "" : `, rating ${rating.ratingBefore.toFixed(0)} -> ${rating.ratingAfter.toFixed(0)}`;
    const endings = over.endings.map((ending) => ending.message).filter((text) => text !== "");
    console.error([`kumite: match ${over.matchId} (${game}) is over: ${outcome}${change}`, ...endings].join("; "));
  }

  private fault(fault: Fault): void {
    const { code, matchId, seat, ask, message } = fault;
    if (!fault.closesStream) {
      const where = matchId === "" ? "" : `, match ${matchId}, seat ${seat}, ask ${ask}`;
      console.error(`kumite: fault ${FaultCode[code] ?? code}${where}: ${message}`);
      return;
    }
    if (code === FaultCode.UNKNOWN_RESUME) {
      this.memory.keep(""); // say hello afresh
    }
    this.closing = closingOf(fault);
  }
}
