// What the drawing of Honshu needs of a position: the view in the shape of the table, with the figures of the facts.
import { layout } from "./honshu_shapes.js";

const COLOUR_LETTERS = { BLUE: "B", BROWN: "N", GREY: "G", YELLOW: "Y" };

function codesOf(face) {
  return face.split(" ");
}

/** The position as the drawing uses it. */
export function read({ view, facts, events, names, seat, awaited, targets, chosen, views }) {
  const seats = names.length;
  const phase = (view.phase || "").replace("HONSHU_PHASE_", "").toLowerCase();
  const faces = new Map(Object.entries(facts.faces || {}).map(([card, face]) => [Number(card), codesOf(face)]));
  const cubes = (view.trick_cubes || []).map((name) => COLOUR_LETTERS[name.replace("HONSHU_COLOUR_", "")] || null);
  const laidNow = new Map(
    events.filter(({ subject }) => subject === "placement").map((event) => [event.seat, Number(event.items[0])]),
  );
  const domains = domainsOf(view, facts, faces);
  return {
    names,
    seat,
    seats,
    phase,
    phaseWords: facts.phase || "",
    over: phase === "over",
    round: view.round || 0,
    order: view.order || [],
    turns: facts.turns || [],
    hand: view.hand || [],
    held: names.map((_, owner) => heldBy(owner, view, seat, views)),
    faces,
    trick: (facts.trick || []).map((bid, at) => ({ ...bid, cube: cubes[at] })),
    pairs: pairsOf(view, names),
    taken: names.map((_, owner) => (view.taken || [])[owner] || 0),
    discards: view.discards || [],
    pile: view.pile_count || 0,
    supply: view.supply || [0, 0, 0, 0],
    points: facts.points || [],
    places: facts.places || [],
    fields: facts.fields || [],
    scoring: facts.scoring || [],
    worths: facts.worths || [],
    domains,
    laidNow,
    awaited,
    targets,
    chosen: chosen.map((part) => (typeof part === "string" ? { key: part, place: {} } : part)),
  };
}

/** The hidden hand of a seat: its size, and the numbers of its cards where they are known. */
function heldBy(owner, view, seat, views) {
  const size = (view.hand_sizes || [])[owner] || 0;
  if (seat === owner) return { size: 0, known: [] };
  if (views) return { size, known: (views[owner] && views[owner].hand) || [] };
  if (seat !== null && view.passed_cards && (view.passed_to || 0) === owner) return { size, known: view.passed_cards };
  return { size, known: [] };
}

/** Two players: the two pairs that lie on the table, with their names. */
function pairsOf(view, names) {
  if (names.length > 2) return [];
  const offers = view.offers || [];
  if (offers.length) {
    return [0, 1].map((owner) => ({ key: `offer:${owner}`, owner, cards: offers.slice(2 * owner, 2 * owner + 2) }));
  }
  const hand = view.face_up || [];
  const deck = view.revealed || [];
  if (!deck.length && !hand.length) return [];
  return [
    { key: "pair:deck", name: "deck pair", cards: deck },
    { key: "pair:hand", name: "hand pair", cards: hand },
  ];
}

function domainsOf(view, facts, faces) {
  let card = 0;
  let cube = 0;
  return (facts.domains || []).map((found, seat) => {
    const cards = [{ number: 0, codes: codesOf(found.face), k: 0, row: 0, column: 0, mask: 0 }];
    for (const end = card + ((view.domain_sizes || [])[seat] || 0); card < end; card += 1) {
      const number = view.laid_cards[card];
      cards.push({
        number,
        codes: faces.get(number),
        k: view.laid_rotations[card] || 0,
        row: view.laid_rows[card] || 0,
        column: view.laid_columns[card] || 0,
        mask: view.laid_masks[card] || 0,
      });
    }
    const seen = new Map();
    for (const at of found.layers) {
      const { codes, k, row, column } = cards[at];
      for (const cell of layout(codes, k)) {
        const spot = [row + cell.row, column + cell.column];
        seen.set(spot.join(), { spot, code: cell.code, first: cell.index === 0 ? cards[at].number : 0 });
      }
    }
    const cubes = [];
    for (const end = cube + ((view.cube_counts || [])[seat] || 0); cube < end; cube += 1) {
      const [row, column] = [view.cube_rows[cube] || 0, view.cube_columns[cube] || 0];
      cubes.push({ row, column, colour: seen.get(`${row},${column}`).code[1] });
    }
    const cells = [...seen.values()].map(({ spot }) => spot);
    const numbers = [...seen.values()].filter(({ first }) => first).map(({ spot, first }) => ({ spot, number: first }));
    return { ...found, seat, cards, cells, numbers, cubes, box: boxOf(cells) };
  });
}

/** The smallest box around cells: {row, column, rows, columns}. */
export function boxOf(cells) {
  const rows = cells.map(([row]) => row);
  const columns = cells.map(([, column]) => column);
  const [row, column] = [Math.min(...rows), Math.min(...columns)];
  return { row, column, rows: Math.max(...rows) - row + 1, columns: Math.max(...columns) - column + 1 };
}

/** The points of a seat in a category. */
export function pointsOf(model, category, seat) {
  const line = model.points.find((found) => found.category === category);
  return line ? line.points[seat] : 0;
}

/** All points of a seat. */
export function totalOf(model, seat) {
  return model.points.reduce((sum, line) => sum + line.points[seat], 0);
}
