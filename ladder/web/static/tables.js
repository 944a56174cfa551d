// What pages of play and of running tables share: seats with clocks that run on, the log, the board in words.
// A classic script.
(() => {
  const SVG = "http://www.w3.org/2000/svg";

  const mark = (seat) => {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("class", `mark s${seat + 1}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `seat ${seat + 1}`);
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#m${seat + 1}`);
    svg.append(use);
    return svg;
  };
  const element = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const face = (milliseconds) => {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    const two = (value) => String(value).padStart(2, "0");
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };

  /** The seats of a table in one line. Clocks of seats that decide run on from what the referee said, down to 0. */
  class Seats {
    constructor(host) {
      this.host = host;
      this.shown = "";
      this.state = null;
      this.offset = 0;
      setInterval(() => this.tick(), 250);
    }

    show(state) {
      this.state = state;
      if (state.now) this.offset = state.now - Date.now();
      const points = state.sight?.facts?.points;
      const total = (seat) => (points ? points.reduce((sum, line) => sum + (line.points[seat] ?? 0), 0) : null);
      const key = JSON.stringify([state.names, state.seat, state.number ? 1 : 0]);
      if (key !== this.shown) {
        this.shown = key;
        this.host.replaceChildren(
          ...(state.names || []).map((name, seat) => {
            const one = element("div", "seat-card");
            const shown = element("bdi", "name", name);
            one.append(mark(seat), shown);
            if (seat === state.seat) one.append(element("span", "badge", "you"));
            one.append(element("span", "points num"), element("span", "clock num"), element("span", "sr"));
            return one;
          }),
        );
      }
      [...this.host.children].forEach((one, seat) => {
        const due = (state.awaited || []).includes(seat) && !state.over;
        one.classList.toggle("turn", due);
        one.querySelector(".sr").textContent = due ? "decides now" : "";
        const sum = total(seat);
        one.querySelector(".points").textContent = sum === null ? "" : `${sum} points`;
      });
      this.tick();
    }

    tick() {
      const state = this.state;
      if (!state?.bank_ms?.length) return;
      const now = Date.now() + this.offset;
      [...this.host.children].forEach((one, seat) => {
        let left = state.bank_ms[seat];
        if (seat === state.seat && state.ask?.budget_ms !== undefined) left = state.ask.bank_ms - (now - state.ask.asked);
        else if ((state.awaited || []).includes(seat) && !state.over) left -= now - state.moved;
        const text = face(left);
        const clock = one.querySelector(".clock");
        if (clock.textContent !== text) clock.textContent = text;
        clock.classList.toggle("late", left < 20000);
      });
    }
  }

  /** The log of a table: new lines are added, so that a screen reader says them once. */
  class Log {
    constructor(host) {
      this.host = host;
      this.last = 0;
    }

    show(lines, names) {
      for (const line of lines) {
        if (line.n <= this.last) continue;
        this.last = line.n;
        const one = element("li");
        if (line.seat >= 0) one.append(mark(line.seat), element("bdi", "", names[line.seat] ?? ""), ` ${line.words}`);
        else one.append(line.words);
        this.host.append(one);
      }
      while (this.host.children.length > 400) this.host.firstChild.remove();
      this.host.scrollTop = this.host.scrollHeight;
    }
  }

  /** The board in words: one table for each section. */
  const words = (host, sections) => {
    host.replaceChildren(
      ...sections.flatMap(([title, columns, rows]) => {
        const table = element("table", "small");
        table.append(element("caption", "", title));
        if (columns.length) {
          const head = element("tr");
          head.append(...columns.map((name) => element("th", "", name)));
          const top = element("thead");
          top.append(head);
          table.append(top);
        }
        const body = element("tbody");
        for (const row of rows) {
          const line = element("tr");
          line.append(...row.map((cell) => element("td", "", cell)));
          body.append(line);
        }
        table.append(body);
        const scroll = element("div", "scroll");
        scroll.tabIndex = 0;
        scroll.setAttribute("role", "region");
        scroll.setAttribute("aria-label", title);
        scroll.append(table);
        return [scroll];
      }),
    );
  };

  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  /** A position of the state as a board takes it. */
  const position = (state) => ({
    view: state.sight.view,
    facts: state.sight.facts,
    events: state.events || [],
    names: state.names,
    seat: state.seat ?? null,
    awaited: state.awaited || [],
    ended: Boolean(state.over),
  });

  window.KumiteTables = { Seats, Log, words, still, position, element, mark, face };
})();
