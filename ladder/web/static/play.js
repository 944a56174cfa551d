// A person's seat: the board, the question as buttons and as targets on the board, clocks, log, hint. A classic script.
// What can be chosen, and every word, comes from the server; this script knows no rules.
(() => {
  const root = document.querySelector("[data-play]");
  const { Seats, Log, words, still, position, element } = window.KumiteTables;
  const { Board } = window.kumiteModules["board.js"];
  const find = (name) => root.querySelector(`[data-${name}]`);
  const [question, path, parts, brings] = ["question", "path", "parts", "brings"].map(find);
  const [confirm, undo, hint, hinted] = ["confirm", "undo", "hint", "hinted"].map(find);
  const place = `/play/${root.dataset.play}`;
  const board = new Board(find("board"), window.kumiteScenes[root.dataset.game]);
  const seats = new Seats(find("seats"));
  const log = new Log(find("log"));
  const MANY = 16; // buttons above which a field filters them
  const MOTION = 1.5;
  let state = null;
  let choosing = null;
  let sending = false;
  let drawn = -1;
  let before = null;
  let filter = "";

  const say = (host, text) => {
    host.hidden = !text;
    if (host.firstElementChild.textContent !== text) host.firstElementChild.textContent = text;
  };
  const post = async (what, body) => {
    const answer = await fetch(`${place}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { ok: answer.ok, told: await answer.json() };
  };

  const send = async () => {
    const option = choosing?.option;
    if (!option || sending) return;
    sending = true;
    const asked = choosing.ask.ask;
    draw();
    for (let tries = 0; sending; tries += 1) {
      try {
        const { ok, told } = await post("answer", { ask: asked, option: option.number });
        sending = false;
        if (!ok) say(find("notice"), told.message);
        else if (choosing?.ask.ask === asked) choosing = null;
      } catch {
        // The same answer again is harmless: it carries the number of its question.
        say(find("lost"), "Connection lost; the answer is sent again.");
        await new Promise((done) => setTimeout(done, Math.min(5000, 500 * (tries + 1))));
      }
    }
    draw();
  };
  const click = (key) => {
    if (!choosing || sending) return;
    filter = "";
    if (choosing.click(key) === "confirm") send();
    draw();
    if (choosing?.option) confirm.focus({ preventScroll: true });
  };
  const back = () => {
    if (!choosing?.begun || sending) return;
    choosing.undo();
    draw();
  };

  const button = (part, chosen) => {
    const made = element("button", "btn part");
    made.type = "button";
    made.dataset.part = part.key;
    made.setAttribute("aria-pressed", String(chosen));
    const option = choosing.brings(part.key);
    made.append(element("span", "", part.words));
    if (option?.brings) made.append(element("small", "soft", option.brings));
    made.addEventListener("click", () => click(part.key));
    return made;
  };
  const buttons = () => {
    const shown = choosing.parts;
    const last = choosing.clicked.at(-1);
    const focused = parts.contains(document.activeElement) ? document.activeElement.dataset.part : null;
    const made = shown
      .filter((part) => part.words.toLowerCase().includes(filter.toLowerCase()))
      .map((part) => button(part, Boolean(choosing.option) && part.key === last));
    const list = element("div", "part-list");
    list.append(...made);
    if (shown.length > MANY) {
      let field = parts.querySelector("input");
      if (!field) {
        field = element("input");
        field.type = "search";
        field.placeholder = `search ${shown.length} choices`;
        field.setAttribute("aria-label", "Search the choices");
        field.addEventListener("input", () => {
          filter = field.value;
          buttons();
        });
        parts.replaceChildren(field);
      } else if (!filter) field.value = "";
      parts.querySelector(".part-list")?.remove();
      parts.append(list);
    } else parts.replaceChildren(list);
    if (focused) [...list.children].find((one) => one.dataset.part === focused)?.focus({ preventScroll: true });
  };

  const ask = () => {
    const open = Boolean(choosing) && !sending;
    hint.hidden = !open;
    confirm.hidden = !open || !choosing.option;
    undo.hidden = !open || !choosing.begun;
    if (!open) {
      const waits = (state.awaited || []).filter((seat) => seat !== state.seat).map((seat) => state.names[seat]);
      question.textContent = state.over ? "The match is over" : waits.length ? `Waiting for ${waits.join(", ")}` : "One moment";
      parts.replaceChildren();
      path.hidden = true;
      brings.textContent = "";
      board.unask();
      return;
    }
    question.textContent = choosing.ask.question;
    const chosen = choosing.chosen;
    path.hidden = !chosen.length;
    path.textContent = chosen.map((part) => part.words).join(", then ");
    const option = choosing.option;
    brings.textContent = option ? [option.words, option.brings].filter(Boolean).join(": ") : "";
    buttons();
    // What is chosen is drawn as chosen, never as a target as well: a scene has each key once.
    const targets = choosing.parts.filter((part) => Object.keys(part.place).length && !choosing.clicked.includes(part.key));
    board.ask(targets, chosen, click);
  };

  const show = () => {
    if (!state.sight || state.number === drawn) return;
    const next = position(state);
    board.show(next, { before, motion: still() || drawn < 0 ? 0 : MOTION });
    drawn = state.number;
    before = next;
    words(find("text"), state.sight.text);
  };
  const over = () => {
    const host = find("over");
    find("ask").hidden = Boolean(state.over);
    find("leave").hidden = Boolean(state.over);
    if (!state.over || !host.hidden) return;
    host.hidden = false;
    const result = find("result");
    if (!state.over.places) result.textContent = `No result: ${state.over.message}.`;
    else {
      const names = [...state.names, ...state.over.automata];
      const list = element("ol", "places");
      names
        .map((name, seat) => ({ name, seat, place: state.over.places[seat], points: state.over.points[seat] }))
        .sort((one, other) => one.place - other.place)
        .forEach(({ name, seat, place: rank, points }) => {
          const line = element("li");
          line.value = rank;
          line.append(element("bdi", seat === state.seat ? "key" : "", name), ` ${points} points`);
          list.append(line);
        });
      result.replaceChildren(list);
    }
    host.querySelector("h2").focus();
  };
  const waiting = () => {
    const found = state.waiting;
    question.textContent = "Waiting for the table";
    if (!found) return;
    const missing = found.seats.filter((seat) => !seat.joined || !seat.present);
    path.hidden = false;
    path.textContent = missing
      .map((seat) => (seat.joined ? `${seat.name} is coming` : "a person is invited"))
      .join(", ");
  };
  const draw = () => {
    if (!state) return;
    say(find("notice"), state.gone || state.notice);
    say(find("lost"), state.referee || state.gone || state.over ? "" : "The referee does not answer; what you see may be old.");
    if (state.gone && !state.over) {
      question.textContent = "This seat is closed";
      parts.replaceChildren();
      [hint, confirm, undo].forEach((one) => { one.hidden = true; });
      board.unask();
      return;
    }
    if (!state.names) {
      waiting();
      return;
    }
    seats.show(state);
    log.show(state.log, state.names);
    show();
    ask();
    over();
  };
  const onState = (told) => {
    state = told;
    root.closest("main").querySelector("[data-invited]")?.toggleAttribute("hidden", Boolean(told.names));
    if (!told.ask) choosing = null;
    else if (choosing?.ask.ask !== told.ask.ask) {
      choosing = new window.KumiteChoosing(told.ask);
      hinted.textContent = "";
      filter = "";
    }
    draw();
    return told.over || told.gone ? "over" : "";
  };

  confirm.addEventListener("click", send);
  undo.addEventListener("click", back);
  hint.addEventListener("click", async () => {
    hint.disabled = true;
    hinted.textContent = "greedy thinks";
    try {
      const { ok, told } = await post("hint", {});
      if (ok && choosing?.ask.ask === told.ask) {
        const found = choosing.ask.options[told.option];
        hinted.textContent = `greedy would: ${found.words}${told.note ? ` (${told.note})` : ""}`;
        choosing.choose(told.option);
        draw();
      } else hinted.textContent = ok ? "" : told.message;
    } catch {
      hinted.textContent = "The pages do not answer; try again.";
    }
    hint.disabled = false;
  });
  let sure = 0;
  find("leave").addEventListener("click", async (event) => {
    const leaving = event.currentTarget;
    if (!sure) {
      leaving.textContent = "Leave: the match ends for everyone";
      sure = setTimeout(() => { sure = 0; leaving.textContent = "Leave the table"; }, 4000);
      return;
    }
    clearTimeout(sure);
    sure = 0;
    const { ok, told } = await post("leave", {});
    if (!ok) say(find("notice"), told.message);
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") back();
  });
  window.kumiteStream(`${place}/events`, onState, () => say(find("lost"), "Connection lost; trying again."));
})();
