// The text twin: the same board in words, as tables, for those who do not see it.
import { h } from "./dom.js";
import { PUBLIC, ALL, Track } from "./replay.js";

export class Twin {
  /** `load` gives a promise of the file with the board in words; it is called when the reader opens the part. */
  constructor(replay, load) {
    this._replay = replay;
    this._load = load;
    this._track = null;
    this._at = [0, PUBLIC];
    this._tables = h("div", { class: "viewer-twin", tabindex: 0, role: "region", "aria-label": "The board in words" });
    this.root = h("details", { class: "viewer-words", ontoggle: () => this._open() }, h("summary", {}, "The board in words"), this._tables);
  }

  show(step, viewer) {
    this._at = [step, viewer];
    if (this.root.open && this._track) this._draw();
  }

  async _open() {
    if (!this.root.open) return;
    if (!this._track) {
      this._tables.textContent = "Loading";
      try {
        this._track = new Track((await this._load()).steps, this._replay.players.length);
      } catch (error) {
        this._tables.textContent = `The board in words could not be loaded: ${error.message}`;
        return;
      }
    }
    this._draw();
  }

  _draw() {
    const [step, viewer] = this._at;
    const parts = this._track.at(step, null).text;
    if (viewer !== ALL) {
      this._tables.replaceChildren(...tables(this._track.at(step, viewer === PUBLIC ? null : viewer).text));
      return;
    }
    const known = new Set(parts.map((part) => JSON.stringify(part)));
    const more = this._replay.players.flatMap((name, seat) => {
      const own = this._track.at(step, seat).text.filter((part) => !known.has(JSON.stringify(part)));
      return own.map(([title, columns, rows]) => [`${title}, as ${name} saw it`, columns, rows]);
    });
    this._tables.replaceChildren(...tables([...parts, ...more]));
  }
}

/** The parts of a board in words as elements: a table where there are columns, otherwise lines. */
export function tables(parts) {
  return parts.map(([title, columns, rows]) => {
    if (!columns.length) return h("section", {}, h("h3", {}, title), rows.map((row) => h("p", {}, row.join(" "))));
    const head = columns.map((column) => h("th", { scope: "col" }, column));
    const lines = rows.map((row) => h("tr", {}, row.map((cell, at) => (at ? h("td", {}, cell) : h("th", { scope: "row" }, cell)))));
    return h("table", {}, h("caption", {}, title), h("thead", {}, h("tr", {}, head)), h("tbody", {}, lines));
  });
}
