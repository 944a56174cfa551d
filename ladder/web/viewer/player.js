// Plays a replay: step, play, scrub, jump to a round or a fault, and look through the eyes of a seat.
import { Board } from "./board.js";
import { Controls } from "./controls.js";
import { h } from "./dom.js";
import { Log } from "./log.js";
import { ALL, PUBLIC, Replay } from "./replay.js";
import { Twin } from "./twin.js";

const PAUSE = 2000; // milliseconds between two steps at speed 1
const SPEEDS = [1, 4, 16];
const USUAL_SPEED = 4;
const REMEMBERED = "kumite.speed";

export class Player {
  /** `file` is the content of a replay file, `scene` the game's drawing. `words` loads the board in words, a promise of
   * its file; `links` are addresses: {file, embed}; `named` says whether the address tells step and seat. */
  constructor(host, file, scene, { words = null, links = {}, named = true } = {}) {
    this.replay = new Replay(file);
    this.step = 0;
    this.viewer = this.replay.viewers()[0];
    this.speed = remembered();
    this.playing = 0; // the timer of the next step
    this._named = named;
    this._stage = h("div", { class: "viewer-stage" });
    this._said = h("p", { class: "viewer-sr", role: "status" });
    this.log = new Log(this.replay, (step) => this.jump(step));
    this.twin = new Twin(this.replay, words);
    this.controls = new Controls(this, links);
    this.root = h(
      "div",
      { class: "viewer-player" },
      h("div", { class: "viewer-main" }, this.controls.seats, this._stage, this.controls.bar),
      this.log.root,
      this.controls.foot,
      words && this.twin.root,
      this._said,
      this.controls.help,
    );
    host.replaceChildren(this.root);
    this.board = new Board(this._stage, scene);
    document.addEventListener("keydown", (event) => this._key(event));
    addEventListener("hashchange", () => this._follow());
    if (!this._follow()) this.show(0);
  }

  static get speeds() {
    return SPEEDS;
  }

  /** Show a step; `motion` is the speed of what moves, 0: nothing moves. */
  show(step, { viewer = this.viewer, motion = 0 } = {}) {
    this.step = Math.max(0, Math.min(step, this.replay.last));
    this.viewer = this.replay.viewers().includes(viewer) ? viewer : this.replay.viewers()[0];
    const before = this.step ? this.replay.position(this.step - 1, this.viewer) : null;
    this.board.show(this.replay.position(this.step, this.viewer), { before, motion });
    this.controls.show();
    this.log.show(this.step, this.viewer);
    this.twin.show(this.step, this.viewer);
  }

  /** Go to a step because a person asked for it: what plays stops, and the address follows. */
  jump(step, { motion = 0, speak = true } = {}) {
    this.stop();
    this.show(step, { motion });
    this._address();
    if (speak) this._say();
  }

  /** One step on (1) or back (-1), with motion. */
  by(steps) {
    this.jump(this.step + steps, { motion: steps > 0 ? Math.min(this.speed, 4) : 0 });
  }

  /** Look through other eyes: ALL, PUBLIC or a seat. */
  look(viewer) {
    this.show(this.step, { viewer });
    this._address();
  }

  /** Play from here, or from the beginning where the replay is at its end. */
  play() {
    if (this.step === this.replay.last) this.show(0);
    this._next();
    this.controls.show();
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = 0;
    this.controls.show();
  }

  toggle() {
    if (this.playing) {
      this.stop();
      this._address();
    } else this.play();
  }

  /** Set the speed, which is remembered for the next replay too. */
  pace(speed) {
    this.speed = speed;
    try {
      localStorage.setItem(REMEMBERED, speed);
    } catch {
      // a page that may store nothing forgets the speed
    }
    this.controls.show();
  }

  /** To the round after (1) or before (-1) the present one. */
  round(way) {
    const starts = this.replay.rounds.map(([, step]) => step);
    const next = way > 0 ? starts.find((step) => step > this.step) : starts.filter((step) => step < this.step).pop();
    if (next !== undefined) this.jump(next);
  }

  /** To the next step with a fault; after the last to the first. */
  fault() {
    const { faults } = this.replay;
    if (faults.length) this.jump(faults.find((step) => step > this.step) ?? faults[0]);
  }

  /** The address of the present step as the present viewer sees it. */
  address() {
    return `${location.href.replace(/#.*/, "")}#${mark(this.step, this.viewer)}`;
  }

  full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.root.requestFullscreen?.();
  }

  _next() {
    this.playing = setTimeout(() => {
      this.show(this.step + 1, { motion: this.speed });
      if (this.step < this.replay.last) this._next();
      else {
        this.stop();
        this._address();
        this._say();
      }
    }, PAUSE / this.speed);
  }

  _say() {
    this._said.textContent = `Step ${this.step}. ${this.log.words(this.step, this.viewer)}`;
  }

  _address() {
    if (!this._named) return;
    try {
      history.replaceState(history.state, "", `#${mark(this.step, this.viewer)}`);
    } catch {
      // a frame without an address of its own
    }
  }

  /** Go where the address says; false where it says nothing about a step or a seat. */
  _follow() {
    const asked = this._named && read(location.hash);
    if (!asked) return false;
    this.stop();
    this.show(asked.step, { viewer: asked.viewer });
    return true;
  }

  _key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.controls.help.open) return;
    const { target } = event;
    if (target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const act = this._acts()[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  _acts() {
    const acts = {
      ArrowLeft: () => this.by(-1),
      ArrowRight: () => this.by(1),
      Home: () => this.jump(0),
      End: () => this.jump(this.replay.last),
      " ": () => this.toggle(),
      "[": () => this.round(-1),
      "]": () => this.round(1),
      "!": () => this.fault(),
      "?": () => this.controls.help.showModal(),
    };
    for (const viewer of this.replay.viewers()) acts[digit(viewer)] = () => this.look(viewer);
    return acts;
  }
}

/** The key of a viewer: a for all, 0 for the public, 1 for the first seat. */
export function digit(viewer) {
  return viewer === ALL ? "a" : viewer === PUBLIC ? "0" : String(viewer + 1);
}

/** Step and viewer as they stand behind the # of an address, where they stay for ever: seats count from 1. */
export function mark(step, viewer) {
  return `step=${step}${viewer === ALL ? "" : `&seat=${digit(viewer)}`}`;
}

/** Step and viewer of an address; null: it names neither. */
export function read(hash) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  if (!asked.has("step") && !asked.has("seat")) return null;
  const seat = asked.get("seat");
  const viewer = seat === null || !/^\d+$/.test(seat) ? ALL : seat === "0" ? PUBLIC : Number(seat) - 1;
  return { step: Number.parseInt(asked.get("step"), 10) || 0, viewer };
}

function remembered() {
  try {
    const speed = Number(localStorage.getItem(REMEMBERED));
    return SPEEDS.includes(speed) ? speed : USUAL_SPEED;
  } catch {
    return USUAL_SPEED;
  }
}
