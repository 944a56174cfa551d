/** When and where to dial again after the end of a stream, and when to give up. All times are milliseconds. */

import type { Closing } from "./session.js";

/** For how long a bot that was never welcomed dials, and how long an open stream may stay without a welcome. */
export const STRANGER_PATIENCE = 30_000;
/** For how long a bot dials that has lost its referee: a restart may take minutes, and tables wait. */
export const GUEST_PATIENCE = 600_000;
/** Between two attempts to connect (back-off): the first, doubling up to the longest. */
export const FIRST_PAUSE = 100;
export const LONGEST_PAUSE = 10_000;
/** The longest that a referee can have the bot wait before it dials again. */
export const LONGEST_WAIT = 600_000;

export class Redial {
  /** Where to dial next. */
  address: string;
  private pause = FIRST_PAUSE;
  /** Whether the bot waits as one that a referee knows, and whether a referee ever said anything. */
  private patient = false;
  private spoken = false;

  /** `alive` is when a referee was last heard of: at first, the start of the program. */
  constructor(
    private readonly first: string,
    private alive: number,
  ) {
    this.address = first;
  }

  /**
   * Takes in how a stream ended; `closing` is undefined if the referee said nothing about it. Returns how long to wait
   * before the bot dials again; undefined: it is to give up.
   */
  next(opened: number, ended: number, welcomed: boolean, closing: Closing | undefined): number | undefined {
    this.spoken ||= welcomed || closing !== undefined;
    if (welcomed || closing?.then === "await restart") {
      this.alive = ended;
      this.patient = true;
    }
    if (welcomed && ended - opened > LONGEST_PAUSE) {
      this.pause = FIRST_PAUSE; // after streams that are closed at once the pauses grow on
    }
    if (closing?.address !== undefined) {
      this.address = closing.address;
      this.patient = true;
    } else if (!welcomed) {
      this.address = this.first; // where a redirection led does not answer
    }
    if (ended - this.alive > (this.patient ? GUEST_PATIENCE : STRANGER_PATIENCE)) {
      return undefined;
    }
    const wait = this.pause * (0.5 + Math.random() / 2);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    const asked = Math.min(closing?.retryAfter ?? 0, LONGEST_WAIT);
    if (asked <= 0) {
      return wait;
    }
    this.alive = ended + Math.max(wait, asked); // what the referee asks for does not count against its patience
    return Math.max(wait, asked);
  }

  /** What may be wrong if no referee ever said anything. */
  hint(tls: boolean): string {
    if (this.spoken) {
      return "";
    }
    return tls
      ? " (if a referee is there, it may speak without TLS: try without --tls-ca)"
      : " (if a referee is there, it may speak TLS: try --tls-ca FILE)";
  }
}
