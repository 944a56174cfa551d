// Several tables that play, each with its board, its seats and what happened last. A classic script.
(() => {
  const host = document.querySelector("[data-boards]");
  const line = document.querySelector("[data-boards-line]");
  const words = document.querySelector("[data-boards-words]");
  const { Seats, still, position } = window.KumiteTables;
  const { Board } = window.kumiteModules["board.js"];
  const SILENCE_MS = 40000;
  const MOTION = 2;
  const cards = new Map(); // by match

  const say = (kind, text) => {
    line.querySelector(".dot").className = `dot ${kind}`;
    if (words.textContent !== text) words.textContent = text;
  };

  class Card {
    constructor(table) {
      this.root = document.createElement("article");
      this.root.className = "card stack tight";
      const heading = document.createElement("h2");
      const link = document.createElement("a");
      link.href = `/matches/${encodeURIComponent(table.match)}`;
      link.textContent = table.title;
      heading.append(link);
      const seats = document.createElement("div");
      seats.className = "seats-line";
      const stage = document.createElement("div");
      stage.className = "viewer-stage";
      this.last = document.createElement("p");
      this.last.className = "small soft clip";
      this.root.append(heading, seats, stage, this.last);
      host.append(this.root);
      this.seats = new Seats(seats);
      this.board = new Board(stage, window.kumiteScenes[table.game], { frame: "wide" });
      this.drawn = -1;
      this.before = null;
    }

    show(state) {
      if (!state.names) return;
      this.seats.show(state);
      const said = state.log[state.log.length - 1];
      if (said) this.last.textContent = said.seat < 0 ? said.words : `${state.names[said.seat]} ${said.words}`;
      if (state.over) this.last.textContent = "The match is over.";
      if (!state.sight || state.number === this.drawn) return;
      const next = position(state);
      this.board.show(next, { before: this.before, motion: still() || this.drawn < 0 ? 0 : MOTION });
      this.drawn = state.number;
      this.before = next;
    }
  }

  const tables = (state) => {
    if (!state.referee) { say("off", "No referee runs: these matches stand still."); return; }
    const now = new Set(state.tables.map((table) => table.match));
    for (const [match, card] of cards) if (!now.has(match)) { card.root.remove(); cards.delete(match); }
    for (const table of state.tables) if (!cards.has(table.match)) cards.set(table.match, new Card(table));
    const more = state.total > cards.size ? `, ${cards.size} of them shown` : "";
    if (!state.total) say("off", "No table plays now. A board appears here when a match begins.");
    else say("", state.total === 1 ? "1 table plays." : `${state.total} tables play${more}.`);
  };

  let timer = 0;
  let source = null;
  const open = () => {
    source?.close();
    source = new EventSource("/live/boards");
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => { say("lost", "Connection lost; trying again."); open(); }, SILENCE_MS);
    };
    alive();
    source.addEventListener("beat", alive);
    source.addEventListener("tables", (event) => { alive(); tables(JSON.parse(event.data)); });
    source.addEventListener("state", (event) => {
      alive();
      const state = JSON.parse(event.data);
      cards.get(state.match)?.show(state);
    });
    source.addEventListener("error", () => {
      say("lost", "Connection lost; trying again.");
      if (source.readyState === EventSource.CLOSED) { clearTimeout(timer); timer = setTimeout(open, 10000); }
    });
  };
  open();
  addEventListener("pagehide", () => { clearTimeout(timer); source.close(); });
  addEventListener("pageshow", (event) => { if (event.persisted) open(); });
})();
