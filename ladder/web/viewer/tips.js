// Tips: what hover and focus say about a thing on the board.

export class Tips {
  /** `nodeOf` finds the node of an element. */
  constructor(host, nodeOf) {
    this._host = host;
    this._nodeOf = nodeOf;
    this._box = document.createElement("div");
    this._box.className = "board-tip";
    this._box.setAttribute("role", "tooltip");
    this._box.hidden = true;
    host.append(this._box);
    host.addEventListener("pointerover", (event) => this._show(event.target));
    host.addEventListener("pointerleave", () => this.hide());
    host.addEventListener("focusin", (event) => this._show(event.target));
    host.addEventListener("focusout", () => this.hide());
    host.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
  }

  hide() {
    this._box.hidden = true;
  }

  _show(element) {
    const node = this._nodeOf(element);
    if (!node || !node.tip) {
      this.hide();
      return;
    }
    this._box.textContent = node.tip;
    this._box.hidden = false;
    const thing = element.closest("[data-key]").getBoundingClientRect();
    const board = this._host.getBoundingClientRect();
    const box = this._box.getBoundingClientRect();
    const left = Math.max(4, Math.min(board.width - box.width - 4, thing.left - board.left + (thing.width - box.width) / 2));
    const above = thing.top - board.top - box.height - 8;
    this._box.style.left = `${left}px`;
    this._box.style.top = `${above > 0 ? above : thing.bottom - board.top + 8}px`;
  }
}
