// Reads a replay file: what every viewer of it saw at every step.
import { apply } from "./patch.js";

const FORMAT = "kumite replay";
const VERSION = 1;
const KEPT = 8; // positions

/** Whose eyes a replay is seen through, beside the number of a seat. */
export const PUBLIC = "public";
export const ALL = "all";

export class Replay {
  /** `file` is the content of a replay file. */
  constructor(file) {
    if (file.format !== FORMAT || file.version !== VERSION) {
      throw new Error(`this viewer reads ${FORMAT} ${VERSION}, not ${file.format} ${file.version}`);
    }
    this.header = file.header;
    this.steps = file.steps;
    this.end = file.end;
    this.players = file.header.players;
    this._positions = new Map();
    this._track = new Track(file.steps, this.players.length);
    this.rounds = this._rounds();
    this.faults = this.steps.filter((step) => step.faults).map((step) => step.n);
  }

  get last() {
    return this.steps.length - 1;
  }

  /** Whose eyes there are: the public; after the end also every seat, and all of them together. */
  viewers() {
    return this.header.finished ? [ALL, PUBLIC, ...this.players.keys()] : [PUBLIC];
  }

  /** View and facts of the public (null) or a seat after a step. */
  sight(number, seat) {
    return this._track.at(number, seat);
  }

  /** What is shown after a step to a viewer: PUBLIC, ALL or a seat; the latest ones are the same objects again. */
  position(number, viewer) {
    const key = `${number} ${viewer}`;
    const position = this._positions.get(key) || this._position(number, viewer);
    this._positions.delete(key);
    this._positions.set(key, position);
    if (this._positions.size > KEPT) this._positions.delete(this._positions.keys().next().value);
    return position;
  }

  _position(number, viewer) {
    const step = this.steps[number];
    const seat = typeof viewer === "number" ? viewer : null;
    const heard = (event) => !event.audience || viewer === ALL || event.audience.includes(seat);
    return {
      ...this.sight(number, seat),
      events: (step.events || []).filter(heard).map((event) => ({ seat: -1, items: [], amount: 0, ...event })),
      names: this.players,
      seat,
      views: viewer === ALL ? this.players.map((_, other) => this.sight(number, other).view) : null,
      awaited: step.awaited || [],
      ended: number === this.last && this.header.finished,
    };
  }

  /** Time left to every seat after a step, in microseconds; null: the match has no clock. */
  clocks(number) {
    const left = this.players.map(() => null);
    for (const step of this.steps.slice(0, number + 1)) {
      for (const answer of step.answers || []) if (answer.left_us !== undefined) left[answer.seat] = answer.left_us;
    }
    return left.some((value) => value !== null) ? left : null;
  }

  /** The first step of every round, as [round, step]; a game whose view has no field `round` has none. */
  _rounds() {
    const found = [];
    for (const n of this.steps.keys()) {
      const { round } = this._track.at(n, null).view;
      if (round && (!found.length || found[found.length - 1][0] !== round)) found.push([round, n]);
    }
    return found;
  }
}

/** What the public and every seat saw, step by step, from the patches of a file; ladder/viewer/track.py says how. */
export class Track {
  constructor(steps, seats) {
    this._steps = steps;
    this._public = [];
    this._over = Array.from({ length: seats }, () => []);
  }

  /** What the public (null) or a seat saw at a step. */
  at(number, seat) {
    for (let n = this._public.length; n <= number; n += 1) {
      const step = this._steps[n];
      this._public.push(apply(n ? this._public[n - 1] : {}, step.public || {}));
      for (const [own, known] of this._over.entries()) {
        known.push(apply(n ? known[n - 1] : {}, (step.seats && step.seats[own]) || {}));
      }
    }
    return seat === null ? this._public[number] : apply(this._public[number], this._over[seat][number]);
  }
}
