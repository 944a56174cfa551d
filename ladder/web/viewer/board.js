// One board: a position in, a drawing out, as wide as there is room. Replays, live tables and play all use it.
import { Stage } from "./stage.js";

const NARROW = 860; // pixels below which a board is drawn for phones: a wide one would have letters too small to read

export class Board {
  /** `scene` is the game's; `frame` fixes "wide" or "narrow", otherwise the width of the host decides. */
  constructor(host, scene, { frame = null } = {}) {
    this._scene = scene;
    this._fixed = frame;
    this._scenes = new WeakMap(); // by position: its scene, and in which frame
    this._shown = null; // the arguments of the last `show`
    this._asked = { targets: [], chosen: [], onTarget: () => {} };
    this.stage = new Stage(host, { onTarget: (key) => this._asked.onTarget(key) });
    this.frame = frame || frameOf(host.clientWidth);
    this._watch = new ResizeObserver(() => this._resized(host.clientWidth));
    if (!frame) this._watch.observe(host);
  }

  /** Show a position: {view, facts, events, names, seat, awaited, ended, views?}. `before` is the position of the step
   * before, against which changes get their halo; `motion` is the speed of what moves, 0: nothing moves. */
  show(position, { before = null, motion = 0 } = {}) {
    this._shown = { position, before };
    const { targets, chosen } = this._asked;
    const now = targets.length || chosen.length ? this._draw(position, targets, chosen) : this._plain(position);
    this.stage.draw(now, { frame: this.frame, before: before && this._plain(before), motion });
  }

  /** Mark the parts that can be clicked now: {key, words, place}; `onTarget` hears the key of the one that was. */
  ask(targets, chosen, onTarget) {
    this._asked = { targets, chosen, onTarget };
    this._again();
  }

  /** Nothing can be clicked any more. */
  unask() {
    this.ask([], [], () => {});
  }

  _again() {
    if (this._shown) this.show(this._shown.position, { before: this._shown.before });
  }

  /** The scene of a position in which nothing can be clicked; that of a position drawn before is kept. */
  _plain(position) {
    const kept = this._scenes.get(position);
    if (kept && kept.frame === this.frame) return kept.scene;
    const scene = this._draw(position, [], []);
    this._scenes.set(position, { frame: this.frame, scene });
    return scene;
  }

  _draw(position, targets, chosen) {
    return this._scene({ views: null, ...position, targets, chosen, frame: this.frame });
  }

  _resized(width) {
    if (this._fixed || !width || frameOf(width) === this.frame) return;
    this.frame = frameOf(width);
    this._again();
  }
}

function frameOf(width) {
  return width && width < NARROW ? "narrow" : "wide";
}
