// Edo Yashiki: what the drawing needs of a view and its facts, with the lists of the protocol taken apart.

/** The position as the drawing reads it. */
export function read(input) {
  const { view, facts, names } = input;
  const houses = readHouses(view, facts, names.length);
  return {
    ...input,
    seats: names.length,
    round: view.round || 0,
    first: view.first_player || 0,
    deck: view.deck_count || 0,
    specialists: Boolean(view.specialists),
    drafting: view.phase === "EDO_YASHIKI_PHASE_DRAFT",
    scores: names.map((_, seat) => (view.scores || [])[seat] || 0),
    tokens: names.map((_, seat) => tokensOf(view, seat)),
    row: readRow(view, facts, houses, names.length),
    houses,
    own: input.seat === null || input.seat === undefined ? null : input.seat,
  };
}

function readHouses(view, facts, seats) {
  const houses = [];
  let at = 0;
  for (let seat = 0; seat < seats; seat += 1) {
    const cards = [];
    const cells = new Set();
    for (const end = at + ((view.house_sizes || [])[seat] || 0); at < end; at += 1) {
      const [x, y] = [view.house_x[at] || 0, view.house_y[at] || 0];
      cards.push({ number: view.house_cards[at], x, y, turned: Boolean((view.house_turned || [])[at]) });
      for (let cell = 0; cell < 6; cell += 1) cells.add(`${x + (cell % 2)},${y + Math.floor(cell / 2)}`);
    }
    houses.push({
      seat,
      cards,
      cells,
      lines: (facts.lines || [])[seat] || [],
      scored: (facts.scored || []).filter((line) => line.seat === seat),
      gained: (facts.gained || [])[seat] || 0,
    });
  }
  return houses;
}

/** The row: each card with its owner, the seats that reached for it in vain, and whether it lies in a house by now. */
function readRow(view, facts, houses, seats) {
  const taken = view.taken || [];
  const laid = new Set(houses.flatMap((house) => house.cards.map((card) => card.number)));
  const passes = lastPasses(view, taken, seats);
  return (view.row || []).map((number, index) => {
    const owner = taken.indexOf(index);
    const losers = passes.flatMap((reach) => [...reach.keys()].filter((seat) => reach[seat] === index && seat !== owner));
    return { number, index, owner: owner < 0 ? null : owner, losers: [...new Set(losers)], laid: laid.has(number) };
  });
}

/** By pass and seat: the row index reached for; nothing while cards are being taken. */
function lastPasses(view, taken, seats) {
  if (!taken.length || taken.some((index) => index < 0) || !(view.history_passes || []).length) return [];
  const count = view.history_passes[view.history_passes.length - 1];
  const flat = view.history_reaches.slice(-count * seats);
  return Array.from({ length: count }, (_, pass) => flat.slice(pass * seats, (pass + 1) * seats));
}

function tokensOf(view, seat) {
  const own = view.seat === seat || (view.seat === undefined && seat === -1);
  const chain = own && view.phase === "EDO_YASHIKI_PHASE_SCORE" && (view.line_x || []).length;
  const bits = chain ? view.chain_tokens || 0 : (view.tokens || [])[seat] || 0;
  return [0, 1, 2, 3].map((kind) => Boolean((bits >> kind) & 1));
}

/** The smallest box around cells, as [left, top, columns, rows]. */
export function boxOf(cells) {
  const places = [...cells].map((cell) => cell.split(",").map(Number));
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left + 1, Math.max(...ys) - top + 1];
}

/** The lines of the seat's own scoring that are no target: those scored already, and those without a token. */
export function chainLines(view) {
  const kinds = { FLOOR: "F", TATAMI: "T", POND: "P", GARDEN: "G" };
  return (view.line_x || []).map((x, at) => ({
    axis: (view.line_vertical || [])[at] ? "V" : "H",
    x,
    y: view.line_y[at],
    length: view.line_length[at],
    kind: kinds[view.line_kind[at].split("_").pop()],
    scored: (view.lines_scored || []).includes(at),
    number: at,
  }));
}
