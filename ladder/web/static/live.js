// What happens now: cards of the first page, the line of the header, one running match. A classic script.
// Streams are server-sent events; the browser sends Last-Event-ID when it comes back. Pages without live parts look
// at /live.json now and then, so that they hold no connection.
(() => {
  const SILENCE_MS = 40000; // two heartbeats of the server and some more
  const LOOK_MS = 20000;
  const line = document.querySelector("[data-line]");
  const tables = document.querySelector("[data-tables]");
  const followed = document.querySelector("[data-follow]");

  const say = (element, kind, text) => {
    if (!element) return;
    element.querySelector(".dot").className = `dot ${kind}`;
    const words = element.querySelector("span");
    if (words.textContent !== text) words.textContent = text;
  };
  const header = (state) => {
    if (!state.referee) { say(line, "off", "history"); return; }
    say(line, state.total ? "" : "off", state.total === 1 ? "1 table live" : `${state.total} tables live`);
  };

  // An event stream that notices its own death; the browser itself connects again after errors.
  const stream = (address, onState, onLost) => {
    let source = null;
    let timer = 0;
    let over = false;
    const alive = () => {
      clearTimeout(timer);
      if (!over) timer = setTimeout(() => { onLost(); open(); }, SILENCE_MS);
    };
    const open = () => {
      source?.close();
      source = new EventSource(address);
      alive();
      source.addEventListener("beat", alive);
      source.addEventListener("state", (event) => {
        alive();
        if (onState(JSON.parse(event.data)) === "over") { over = true; clearTimeout(timer); source.close(); }
      });
      source.addEventListener("error", () => {
        if (over) return;
        onLost();
        // A refusal closes the source for good: try again later.
        if (source.readyState === EventSource.CLOSED) { clearTimeout(timer); timer = setTimeout(open, 10000); }
      });
    };
    open();
    addEventListener("pagehide", () => { over = true; clearTimeout(timer); source.close(); });
    addEventListener("pageshow", (event) => { if (event.persisted) { over = false; open(); } });
  };

  window.kumiteStream = stream;

  const position = (table) => {
    const waits = table.awaited.length ? `, waits for ${table.awaited.join(", ")}` : "";
    return table.number ? `position ${table.number}${waits}` : "about to begin";
  };
  const card = (table) => {
    const made = document.createElement("article");
    made.className = "card stack tight";
    made.dataset.match = table.match;
    const heading = document.createElement("h3");
    const link = document.createElement("a");
    link.href = `/matches/${encodeURIComponent(table.match)}`;
    link.textContent = table.title;
    heading.append(link);
    const players = document.createElement("p");
    players.className = "line-up";
    table.players.forEach((name, seat) => {
      const one = document.createElement("span");
      one.className = "res";
      const mark = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      mark.setAttribute("class", `mark s${seat + 1}`);
      mark.setAttribute("aria-hidden", "true");
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      use.setAttribute("href", `#m${seat + 1}`);
      mark.append(use);
      const shown = document.createElement("bdi");
      shown.className = "name";
      shown.textContent = name;
      one.append(mark, shown);
      players.append(one, " ");
    });
    const where = document.createElement("p");
    where.className = "small soft num";
    where.dataset.position = "";
    made.append(heading, players, where);
    return made;
  };
  const draw = (state) => {
    header(state);
    const there = new Map([...tables.children].map((one) => [one.dataset.match, one]));
    for (const table of state.tables) {
      let one = there.get(table.match);
      there.delete(table.match);
      if (!one) { one = card(table); tables.append(one); }
      const where = one.querySelector("[data-position]");
      const text = position(table);
      if (where.textContent === text) continue;
      where.textContent = text;
      where.classList.remove("changed");
      void where.offsetWidth; // begins the animation again
      where.classList.add("changed");
    }
    // Without a referee the cards stay: their matches go on when it comes back.
    if (state.referee) for (const gone of there.values()) gone.remove();
    document.querySelector("[data-no-tables]").hidden = tables.children.length > 0;
    return "";
  };

  const follow = () => {
    const players = JSON.parse(followed.dataset.players);
    stream(`/live/${encodeURIComponent(followed.dataset.follow)}`, (state) => {
      dispatchEvent(new CustomEvent("kumite-live", { detail: state })); // the board of the same page
      if (!state.referee) { say(followed, "off", "No referee runs: the match stands still."); return ""; }
      if (state.over) { say(followed, "off", "The match is over. Load the page again for its result."); return "over"; }
      const awaited = state.awaited.map((seat) => players[seat] ?? `seat ${seat + 1}`);
      say(followed, "", `The match is being played: ${position({ number: state.number, awaited })}.`);
      return "";
    }, () => say(followed, "lost", "Connection lost; trying again."));
  };

  const look = async () => {
    if (!document.hidden) {
      try { header(await (await fetch("/live.json")).json()); } catch { say(line, "lost", "connection lost"); }
    }
    setTimeout(look, LOOK_MS);
  };

  if (tables) stream("/live", draw, () => say(line, "lost", "connection lost"));
  else look();
  if (followed) follow();
})();
