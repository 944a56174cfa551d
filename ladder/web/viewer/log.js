// The steps of a replay in words: answers, events, notes, faults, and how long each answer took.
import { h, mark } from "./dom.js";
import { ALL } from "./replay.js";
import { clock, lasting } from "./words.js";

export class Log {
  /** `jump` goes to a step. */
  constructor(replay, jump) {
    this._replay = replay;
    this._viewer = null;
    this._lines = replay.steps.map((step) => this._line(step, jump));
    this._list = h("div", { class: "viewer-log", tabindex: 0, role: "region", "aria-label": "Steps of the match" },
      h("ol", {}, this._lines.map(({ item }) => item)));
    this.root = h("div", { class: "viewer-side" }, this._list);
  }

  /** Mark a step as the present one, and show what this viewer was told. */
  show(step, viewer) {
    if (viewer !== this._viewer) {
      this._viewer = viewer;
      for (const { parts } of this._lines) for (const { element, told } of parts) element.hidden = !told(viewer);
    }
    for (const [n, { item }] of this._lines.entries()) {
      if (n === step) item.setAttribute("aria-current", "step");
      else if (item.hasAttribute("aria-current")) item.removeAttribute("aria-current");
    }
    const { item } = this._lines[step];
    const [top, bottom] = [item.offsetTop, item.offsetTop + item.offsetHeight];
    const list = this._list;
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - Math.max(0, (list.clientHeight - item.offsetHeight) / 2);
    }
  }

  /** A step as one text, as far as this viewer was told. */
  words(step, viewer) {
    return this._lines[step].parts.filter(({ told }) => told(viewer)).map(({ words }) => words).join(". ");
  }

  _line(step, jump) {
    const parts = [
      ...(step.answers || []).map((answer) => this._answer(answer)),
      ...(step.faults || []).map((fault) => this._fault(fault)),
      ...(step.events || []).map((event) => this._event(event, step.answers || [])),
    ];
    const item = h("li", {},
      h("button", { type: "button", class: "viewer-number", "aria-label": `Step ${step.n}`, onclick: () => jump(step.n) }, String(step.n)),
      h("div", {}, step.n === 0 && h("b", {}, "Set-up"), parts.map(({ element }) => element)));
    return { item, parts };
  }

  _answer({ seat, words, by, spent_us: spent, left_us: left, note, option, of }) {
    const name = this._replay.players[seat];
    const told = (viewer) => viewer === ALL || viewer === seat;
    const times = [spent >= 1000 && lasting(spent), left !== undefined && `${clock(left)} left`].filter(Boolean);
    const element = h("div", { class: "viewer-answer" }, mark(seat), h("div", {},
      h("bdi", { class: "viewer-sr" }, name), " ", h("span", { title: `option ${option} of ${of}` }, words),
      by && [" ", h("span", { class: "viewer-badge warn" }, by)],
      times.length ? [" ", h("span", { class: "viewer-tiny" }, times.join(", "))] : null,
      note && h("q", {}, note)));
    return { element, told, words: `${name}: ${words}` };
  }

  _fault({ seat, kind, message }) {
    const name = this._replay.players[seat];
    const element = h("div", { class: "viewer-answer" }, mark(seat), h("div", {},
      h("span", { class: "viewer-badge fault" }, `! ${kind}`), " ", h("bdi", {}, message)));
    return { element, told: () => true, words: `fault of ${name}: ${message}` };
  }

  /** An event; where the answer of the same seat stands above and says the same, the event is left out. */
  _event({ seat = -1, words, audience }, answers) {
    const said = answers.some((answer) => answer.seat === seat && words.includes(answer.words));
    const told = (viewer) =>
      !(said && (viewer === ALL || viewer === seat)) && (viewer === ALL || !audience || audience.includes(viewer));
    const name = seat < 0 ? "" : this._replay.players[seat];
    const to = audience && `(told to ${audience.map((one) => this._replay.players[one]).join(", ")})`;
    const element = h("div", { class: "viewer-event" }, seat < 0 ? h("span", {}) : mark(seat), h("div", {},
      name && h("bdi", { class: "viewer-sr" }, `${name} `), words, to && [" ", h("span", { class: "viewer-tiny" }, to)]));
    return { element, told, words: name ? `${name} ${words}` : words };
  }
}
