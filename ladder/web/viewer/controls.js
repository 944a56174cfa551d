// What stands around the board of a player: clocks, scrubber, buttons, speed, eyes, help.
import { h, icon, mark } from "./dom.js";
import { ALL, PUBLIC } from "./replay.js";
import { clock, lasting } from "./words.js";

const SPEEDS = [1, 4, 16];
const KEYS = [
  ["← →", "a step back, a step on"],
  ["Space", "play, pause"],
  ["Home End", "the beginning, the end"],
  ["[ ]", "the round before, the round after"],
  ["!", "the next fault"],
  ["0", "what the public saw"],
  ["1 2 …", "what this seat saw"],
  ["a", "everything, after the end"],
  ["?", "these keys"],
];
let made = 0;

export class Controls {
  /** The parts of a player, shown by the page: `seats`, `bar`, `foot`, `help`. `links` has addresses: {file, embed}. */
  constructor(player, links) {
    const { replay } = player;
    this._player = player;
    this._name = `viewer-${(made += 1)}`;
    this._clocks = replay.players.map(() => h("span", { class: "viewer-clock" }));
    this._names = replay.players.map((name, seat) =>
      h("li", {}, mark(seat), h("bdi", { title: name }, name), this._clocks[seat]));
    this.seats = h("ul", { class: "viewer-seats", "aria-label": "Clocks", hidden: !replay.clocks(replay.last) }, this._names);
    this._where = h("span", {});
    this._time = h("span", { class: "viewer-soft", hidden: replay.steps[replay.last].at_us < 1e6 });
    this._now = h("p", { class: "viewer-now", "aria-hidden": "true" });
    this._range = h("input", {
      type: "range", min: 0, max: replay.last, step: 1, "aria-label": "Step",
      oninput: () => player.jump(Number(this._range.value), { speak: false }),
    });
    this._play = h("button", { type: "button", class: "viewer-button main", onclick: () => player.toggle() }, icon("play"));
    this._buttons = [
      this._button("first", "To the beginning (Home)", () => player.jump(0)),
      this._button("back", "A step back (←)", () => player.by(-1)),
      this._play,
      this._button("on", "A step on (→)", () => player.by(1)),
      this._button("last", "To the end (End)", () => player.jump(replay.last)),
    ];
    this._jump = this._jumps();
    this.bar = h(
      "div",
      { class: "viewer-bar", role: "group", "aria-label": "Player" },
      h("div", { class: "viewer-transport" },
        h("div", { class: "viewer-where" }, this._where, this._now, this._time),
        h("div", { class: "viewer-scrub" }, this._ticks(), this._range),
        h("div", { class: "viewer-row near buttons" }, this._buttons)),
      h("div", { class: "viewer-row more" },
        this._segments("speed", "Speed", SPEEDS.map((speed) => [speed, `${speed}×`]), (speed) => player.pace(speed)),
        this._jump,
        this._eyes()),
    );
    this.help = h("dialog", { class: "viewer-help", "aria-label": "Keys" },
      h("h2", {}, "Keys"),
      h("dl", {}, KEYS.map(([keys, what]) => [h("dt", {}, keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, what)])),
      h("form", { method: "dialog" }, h("button", { class: "viewer-button wide" }, "Close")));
    this.foot = h("div", { class: "viewer-foot viewer-row" },
      this._link("Copy the link to this step", (button) => copy(player.address(), button)),
      links.file && h("a", { class: "viewer-link", href: links.file, download: "" }, "Download the replay"),
      links.embed && this._link("Copy as a frame", (button) => copy(frame(links.embed, player), button)),
      document.fullscreenEnabled && this._link("Full screen", () => player.full()),
      h("button", { type: "button", class: "viewer-link keys", onclick: () => this.help.showModal() }, "Keys ", h("kbd", {}, "?")));
  }

  /** Show where the player is. */
  show() {
    const { replay, step, viewer, speed, playing } = this._player;
    const round = replay.rounds.filter(([, first]) => first <= step).pop();
    const last = replay.rounds[replay.rounds.length - 1];
    this._where.replaceChildren(
      h("b", {}, step ? `Step ${step}` : "Set-up"), ` of ${replay.last}`, round ? `, round ${round[0]} of ${last[0]}` : "");
    this._time.textContent = `${lasting(replay.steps[step].at_us)} of ${lasting(replay.steps[replay.last].at_us)}`;
    this._now.textContent = this._player.log.words(step, viewer);
    this._range.value = step;
    this._range.setAttribute("aria-valuetext", `step ${step} of ${replay.last}${round ? `, round ${round[0]}` : ""}`);
    this._play.replaceChildren(icon(playing ? "pause" : "play"));
    this._play.setAttribute("aria-label", playing ? "Pause (space)" : "Play (space)");
    this._play.title = this._play.getAttribute("aria-label");
    for (const [button, off] of [[0, !step], [1, !step], [3, step === replay.last], [4, step === replay.last]]) {
      this._buttons[button].setAttribute("aria-disabled", off);
    }
    this._check("speed", speed);
    this._check("eyes", viewer);
    const clocks = replay.clocks(step);
    const awaited = new Set(replay.steps[step].awaited || []);
    for (const [seat, shown] of this._clocks.entries()) {
      const left = clocks && clocks[seat];
      shown.textContent = left === null || left === undefined ? "" : clock(left);
      this._names[seat].classList.toggle("due", awaited.has(seat));
    }
    this._jump.selectedIndex = 0;
  }

  _button(name, label, act) {
    return h("button", { type: "button", class: "viewer-button", "aria-label": label, title: label, onclick: act }, icon(name));
  }

  _link(label, act) {
    const button = h("button", { type: "button", class: "viewer-link", onclick: () => act(button) }, label);
    return button;
  }

  /** The steps of rounds as lines and those with faults as marks, over the scrubber. */
  _ticks() {
    const { replay } = this._player;
    const at = (step) => `${(100 * step) / Math.max(1, replay.last)}%`;
    const line = (step) => icon("", ["line", { x1: at(step), x2: at(step), y1: 8, y2: 14 }]);
    const svg = icon("", null, { class: "viewer-ticks", "aria-hidden": "true" });
    for (const [, step] of replay.rounds) svg.append(line(step));
    for (const step of replay.faults) {
      const fault = icon("", ["text", { x: at(step), y: 11, "text-anchor": "middle" }]);
      fault.textContent = "!";
      fault.addEventListener("click", () => this._player.jump(step));
      svg.append(fault);
    }
    return svg;
  }

  _jumps() {
    const { replay } = this._player;
    const faults = replay.faults.map((step) => {
      const kinds = replay.steps[step].faults.map((fault) => `${fault.kind}, ${replay.players[fault.seat]}`);
      return h("option", { value: step }, `! step ${step}: ${kinds.join("; ")}`);
    });
    const rounds = replay.rounds.map(([round, step]) => h("option", { value: step }, `Round ${round}`));
    return h("select", {
      class: "viewer-jump", "aria-label": "Jump to a round or a fault", hidden: !rounds.length && !faults.length,
      onchange: (event) => event.target.value && this._player.jump(Number(event.target.value)),
    }, h("option", { value: "" }, "Jump to"), rounds, faults);
  }

  _eyes() {
    const { replay } = this._player;
    const words = (viewer) => {
      if (viewer === ALL) return "all";
      if (viewer === PUBLIC) return "public";
      return [mark(viewer), h("span", { class: "viewer-sr" }, `seat ${viewer + 1}, ${replay.players[viewer]}`)];
    };
    const viewers = replay.viewers();
    return h("div", { class: "viewer-row near", hidden: viewers.length < 2 }, h("span", { class: "viewer-soft" }, "seen by"),
      this._segments("eyes", "Seen by", viewers.map((viewer) => [viewer, words(viewer)]), (viewer) => this._player.look(viewer)));
  }

  /** Radio buttons side by side; `choices` has pairs of a value and what it shows. */
  _segments(name, legend, choices, act) {
    return h("fieldset", { class: "viewer-segments" }, h("legend", { class: "viewer-sr" }, legend),
      choices.map(([value, shown]) =>
        h("label", { title: typeof value === "number" && name === "eyes" ? this._player.replay.players[value] : null },
          h("input", { type: "radio", name: `${this._name}-${name}`, value, onchange: () => act(value) }), shown)));
  }

  _check(name, value) {
    for (const input of this.bar.querySelectorAll(`input[name="${this._name}-${name}"]`)) {
      input.checked = input.value === String(value);
    }
  }
}

function frame(address, player) {
  const whole = new URL(address, location.href).href.replace(/#.*/, "");
  const at = player.address().replace(/^[^#]*/, "");
  return `<iframe src="${whole}${at}" width="100%" height="720" title="A match of Kumite"></iframe>`;
}

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "viewer-sr" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = before), 1500);
}
