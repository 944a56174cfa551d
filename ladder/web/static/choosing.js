// How an option is chosen click by click: no page, no board, only what was clicked and what can be clicked next.
// A classic script, used by play.js.
window.KumiteChoosing = class {
  /** `ask` is {ask, parts: [{key, words, place}], options: [{words, path: [numbers of parts], brings}]}. */
  constructor(ask) {
    this.ask = ask;
    this.clicked = []; // keys, in order
    this.open = ask.options.map((option, number) => ({ ...option, number }));
    this._advance();
  }

  _key(option, level) {
    return this.ask.parts[option.path[level]].key;
  }

  _fits(option, keys) {
    return keys.every((key, level) => level < option.path.length && this._key(option, level) === key);
  }

  _candidates(keys) {
    return this.open.filter((option) => this._fits(option, keys));
  }

  /** The parts at a level that can follow these keys, each once, in the order of the options. */
  _following(keys) {
    const found = new Map();
    for (const option of this._candidates(keys)) {
      if (option.path.length <= keys.length) continue;
      const part = this.ask.parts[option.path[keys.length]];
      if (!found.has(part.key)) found.set(part.key, part);
    }
    return [...found.values()];
  }

  /** Where one part alone can follow, it is no choice. */
  _advance() {
    while (!this.option) {
      const next = this._following(this.clicked);
      if (next.length !== 1 || (!this.clicked.length && this._candidates([next[0].key])[0].path.length === 1)) return;
      this.clicked.push(next[0].key);
    }
  }

  /** The chosen option; null: the choice is half-made. */
  get option() {
    const found = this._candidates(this.clicked);
    return found.length === 1 && found[0].path.length === this.clicked.length ? found[0] : null;
  }

  /** The parts that can be clicked now; once the option is chosen, those of the last level, so that it can change. */
  get parts() {
    return this._following(this.option ? this.clicked.slice(0, -1) : this.clicked);
  }

  /** The parts that were clicked, with their words. */
  get chosen() {
    return this.clicked.map((key, level) => this._following(this.clicked.slice(0, level)).find((part) => part.key === key));
  }

  /** Whether anything can be taken back. */
  get begun() {
    return this._floor() < this.clicked.length;
  }

  /** The clicks that were made by themselves before the first choice. */
  _floor() {
    let level = 0;
    while (level < this.clicked.length && this._following(this.clicked.slice(0, level)).length === 1) level += 1;
    return level;
  }

  /** A click on a part. Returns "confirm" for the second click on the last part, otherwise "". */
  click(key) {
    const before = this.option ? this.clicked.slice(0, -1) : this.clicked;
    if (this.option && this.clicked.at(-1) === key) return "confirm";
    if (this._following(before).some((part) => part.key === key)) {
      this.clicked = [...before, key];
      this._advance();
      return "";
    }
    const level = this.clicked.indexOf(key);
    if (level >= 0) this.clicked = this.clicked.slice(0, level);
    return "";
  }

  /** Take the last click back, and what followed from it by itself. */
  undo() {
    const floor = this._floor();
    while (this.clicked.length > floor) {
      this.clicked.pop();
      if (this._following(this.clicked).length > 1) return;
    }
  }

  /** What one more click on a part would bring, if that chooses an option. */
  brings(key) {
    const before = this.option ? this.clicked.slice(0, -1) : this.clicked;
    const found = this._candidates([...before, key]);
    return found.length === 1 && found[0].path.length === before.length + 1 ? found[0] : null;
  }

  /** Click through to the option of that number. */
  choose(number) {
    const option = this.open[number];
    this.clicked = option.path.map((index) => this.ask.parts[index].key);
  }
};
