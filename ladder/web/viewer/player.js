// Plays a replay: step, play, jump, and look through the eyes of a seat.
import { Board } from "./board.js";
import { h } from "./dom.js";
import { ALL, PUBLIC, Replay } from "./replay.js";

export class Player {
  /** `file` is the content of a replay file, `scene` the game's drawing. */
  constructor(host, file, scene, { frame = null } = {}) {
    this.replay = new Replay(file);
    this.step = 0;
    this.viewer = this.replay.viewers()[0];
    this._stage = h("div", { class: "viewer-stage" });
    host.replaceChildren(h("div", { class: "viewer" }, this._stage));
    this.board = new Board(this._stage, scene, { frame });
  }

  /** Show a step; `motion` is the speed of what moves, 0: nothing moves. */
  show(step, viewer = this.viewer, motion = 0) {
    this.step = Math.max(0, Math.min(step, this.replay.last));
    this.viewer = this.replay.viewers().includes(viewer) ? viewer : this.replay.viewers()[0];
    const before = this.step ? this.replay.position(this.step - 1, this.viewer) : null;
    this.board.show(this.replay.position(this.step, this.viewer), { before, motion });
  }
}

export { ALL, PUBLIC };
