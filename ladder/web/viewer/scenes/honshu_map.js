// A domain of Honshu as an island: coast, cards from bottom to top, what scored at the end, cubes, and the places where
// a card can lie.
import {
  CELL, COLOURS, card, cardLabel, cardTip, cellsPath, cube, extent, moved, outline, path, rect,
  rounded, seamsOf, text,
} from "./honshu_shapes.js";

const STEPS = [52, 46, 40, 36, 32, 28, 26, 24, 22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8];
const FAR = 19; // cells below this many units are drawn with half the strokes
const COAST = [[23, "coast", 0.28], [21, "sea", 1], [16, "coast", 0.42], [14, "sea", 1], [9.6, "coast", 0.6], [7.6, "sea", 1]];

/** The largest cell with which boxes of cells fit; in steps, so that the board does not breathe with every card. */
export function fit(boxes, width, height, most) {
  return (
    STEPS.find((cell) => cell <= most && boxes.every((box) => box.columns * cell <= width && box.rows * cell <= height)) ||
    STEPS[STEPS.length - 1]
  );
}

/** The nodes of a domain in a rectangle; `frame` is {x, y, width, height}, `box` what is centred in it. */
export function domainNodes(model, domain, cell, frame, box) {
  const x = frame.x + (frame.width - box.columns * cell) / 2 - box.column * cell;
  const y = frame.y + (frame.height - box.rows * cell) / 2 - box.row * cell;
  const where = { x, y, cell, scale: cell / CELL, far: cell < FAR };
  return [
    coast(model, domain, where),
    ...domain.layers.map((at) => cardNode(model, domain, domain.cards[at], where)),
    ...(where.far ? [] : [seams(domain, where)]),
    ...newest(model, domain, where),
    ...(model.over ? areas(domain, where) : []),
    ...cubes(model, domain, where),
    ...(cell < 24 ? [] : [numbers(domain, where)]),
    ...(model.seat === domain.seat ? choosing(model, domain, where) : []),
  ];
}

function coast(model, domain, { x, y, scale }) {
  const d = cellsPath(domain.cells);
  const lines = COAST.map(([width, name, opacity]) =>
    path(d, `honshu-${name}`, { "stroke-width": rounded(width / scale), opacity: opacity < 1 ? opacity : undefined }),
  );
  return { key: `domain:${domain.seat}`, x: rounded(x), y: rounded(y), scale, lift: false, parts: lines };
}

function cardNode(model, domain, laid, { x, y, cell, scale, far }) {
  const name = laid.number ? `card ${laid.number}` : `province ${domain.province}`;
  return {
    key: laid.number ? `card:${laid.number}` : `province:${domain.seat}`,
    x: rounded(x + laid.column * cell),
    y: rounded(y + laid.row * cell),
    scale,
    lift: model.laidNow.get(domain.seat) === laid.number && !laid.mask ? undefined : false,
    label: cardLabel(name, laid.codes),
    tip: cardTip(name, laid.codes),
    parts: card(laid.codes, laid.k, {
      far, lift: 2, seams: false, edge: 1.2 * Math.max(1, FAR / cell),
    }),
  };
}

/** The lines between cells, once for all cards. */
function seams(domain, { x, y, scale }) {
  const parts = [path(seamsOf(domain.cells), "honshu-seam")];
  return { key: `seams:${domain.seat}`, x: rounded(x), y: rounded(y), scale, lift: false, parts };
}

/** The outline of the card that was laid in this step, also where it went under. */
function newest(model, domain, { x, y, cell, scale }) {
  const number = model.laidNow.get(domain.seat);
  const laid = number && !model.over && domain.cards.find((found) => found.number === number);
  if (!laid) return [];
  const [columns, rows] = extent(laid.k);
  const edge = [0, 0, columns * CELL, rows * CELL];
  return [{
    key: `newest:${domain.seat}`,
    x: rounded(x + laid.column * cell),
    y: rounded(y + laid.row * cell),
    scale,
    label: `card ${number} was laid in this step`,
    parts: [
      rect(...edge, "honshu-newest-rim", { rx: 2, "stroke-width": rounded(4.4 / scale) }),
      rect(...edge, "honshu-newest", {
        rx: 2, "stroke-width": rounded(2.4 / scale), "stroke-dasharray": `${rounded(6 / scale)} ${rounded(3.5 / scale)}`,
      }),
    ],
  }];
}

// ---------------------------------------------------------------------------------------------------- what scored

function areas(domain, { x, y, cell, scale }) {
  const at = { x: rounded(x), y: rounded(y), scale };
  const scored = new Set(
    [
      ...domain.forest.cells,
      ...domain.town.cells,
      ...domain.lakes.flatMap((lake) => lake.cells),
      ...domain.deliveries.map((delivery) => delivery.factory),
      ...domain.bonus.flatMap((area) => area.cells),
    ].map(String),
  );
  const rest = domain.cells.filter((spot) => !scored.has(String(spot)));
  const nodes = [{ key: `wash:${domain.seat}`, ...at, parts: [path(cellsPath(rest), "honshu-wash")] }];
  const bonus = new Map(domain.bonus.flatMap((area) => area.cells.map((spot) => [String(spot), spot])));
  if (bonus.size) {
    const points = domain.bonus.reduce((sum, area) => sum + area.points, 0);
    const words = `${domain.bonus.length} times the scoring card, ${points} points`;
    nodes.push({
      key: `area:${domain.seat}:bonus`, ...at, label: words, tip: words,
      parts: bounds([...bonus.values()], "bonus", scale, 0.8),
    });
  }
  for (const [kind, list] of [["lake", domain.lakes], ["town", domain.town.cells.length ? [domain.town] : []]]) {
    for (const area of list) {
      const words = `${kind} of ${area.cells.length} cell${area.cells.length > 1 ? "s" : ""}, ${area.points} points`;
      const [row, column] = area.cells[0];
      nodes.push({
        key: `area:${domain.seat}:${kind}:${row}:${column}`, ...at, label: words, tip: words,
        parts: [...bounds(area.cells, kind, scale), tag(centre(area.cells), area.points, kind, cell, scale)],
      });
    }
  }
  return nodes;
}

function bounds(cells, kind, scale, weight = 1) {
  const d = outline(cells);
  return [
    path(d, "honshu-area-rim", { "stroke-width": rounded((5.6 * weight) / scale) }),
    path(d, `honshu-area honshu-area-${kind}`, { "stroke-width": rounded((2.8 * weight) / scale) }),
  ];
}

/** The cell of an area with the least way to all others. */
function centre(cells) {
  const way = ([row, column]) =>
    cells.reduce((sum, [otherRow, otherColumn]) => sum + Math.abs(row - otherRow) + Math.abs(column - otherColumn), 0);
  return cells.reduce((best, spot) => (way(spot) < way(best) ? spot : best));
}

function tag([row, column], points, kind, cell, scale) {
  const size = cell >= 18 ? 12.5 : 11.5;
  const width = String(points).length * size * 0.58 + 9;
  return moved((column + 0.5) * CELL, (row + 0.5) * CELL, 1 / scale, [
    rect(-width / 2, -size / 2 - 2.5, width, size + 5, `honshu-tag honshu-tag-${kind}`, { rx: (size + 5) / 2 }),
    text(0, size * 0.35, points, "honshu-on", size, "middle"),
  ]);
}

/** Cubes on their cells; at the end on the factories that took them. */
function cubes(model, domain, { x, y, cell, scale, far }) {
  const sent = new Map();
  if (model.over) for (const { source, factory } of domain.deliveries) sent.set(String(source), factory);
  const guests = new Map();
  return domain.cubes.map(({ row, column, colour }) => {
    const factory = sent.get(`${row},${column}`);
    const [atRow, atColumn] = factory || [row, column];
    const guest = factory ? guests.get(String(factory)) || 0 : 0;
    if (factory) guests.set(String(factory), guest + 1);
    const [dx, dy] = factory ? [(far ? 12 : 7.5) + 9 * guest, 5.5] : [12, 12];
    const words = `${COLOURS[colour]} cube at row ${row}, column ${column}`;
    return {
      key: `cube:${domain.seat}:${row}:${column}`,
      x: rounded(x + atColumn * cell + dx * scale),
      y: rounded(y + atRow * cell + dy * scale),
      scale,
      from: `supply:${colour}`,
      to: `supply:${colour}`,
      label: factory ? `${words}, brought to the factory at row ${atRow}, column ${atColumn}` : words,
      parts: [cube(colour, factory ? 12 : 15)],
    };
  });
}

/** The printed numbers of the cards, where their first cell can be seen. */
function numbers(domain, { x, y, scale }) {
  const width = (number) => (number > 9 ? 11.4 : 7.4);
  const plates = domain.numbers.map(
    ({ spot: [row, column], number }) => `M${column * CELL + 0.6} ${row * CELL + 0.6}h${width(number)}v8.8h-${width(number)}z`,
  );
  const digits = domain.numbers.map(({ spot: [row, column], number }) =>
    text(column * CELL + 0.6 + width(number) / 2, row * CELL + 7.7, number, "honshu-strong", 7.6, "middle"),
  );
  const parts = [path(plates.join(""), "honshu-plate"), ...digits];
  return { key: `numbers:${domain.seat}`, x: rounded(x), y: rounded(y), scale, parts };
}

// ---------------------------------------------------------------------------------------------------- choices

/** Cubes that can be paid, places where the card can lie, and the card as it lies where it was put. */
function choosing(model, domain, where) {
  const nodes = [];
  const { x, y, cell, scale } = where;
  const put = [...model.chosen].reverse().find((part) => part.place.row !== undefined && part.place.card !== undefined);
  for (const part of [...model.chosen, ...model.targets]) {
    if (!part.key.startsWith("cube:") || part.place.row === undefined) continue;
    const target = model.targets.includes(part);
    nodes.push({
      key: `target:${part.key}`,
      x: rounded(x + part.place.column * cell),
      y: rounded(y + part.place.row * cell),
      scale,
      label: part.words,
      tip: part.words,
      target: target ? part.key : undefined,
      parts: [
        rect(0, 0, CELL, CELL, "honshu-hit"),
        rect(1, 1, 22, 22, "honshu-ring-rim", { rx: 3 }),
        rect(1, 1, 22, 22, `honshu-ring${target ? "" : " honshu-picked"}`, { rx: 3 }),
      ],
    });
  }
  if (put) nodes.push(ghost(model, put.place, where));
  for (const part of model.targets.filter(({ key }) => key.startsWith("at:"))) {
    const [columns, rows] = extent(part.place.turn);
    const r = Math.min(4.6, cell * 0.17);
    const dot = part.place.under
      ? ["circle", { class: "honshu-dot-under", r: rounded(r + 0.4) }]
      : ["circle", { class: "honshu-dot", r: rounded(r) }];
    const hit = Math.max(cell / 2, 9);
    nodes.push({
      key: `target:${part.key}`,
      x: rounded(x + (part.place.column + columns / 2) * cell),
      y: rounded(y + (part.place.row + rows / 2) * cell),
      label: part.words,
      tip: part.place.ways > 1 ? `${part.words}\n${part.place.ways} ways, over and under` : part.words,
      target: part.key,
      parts: [
        ["use", {
          class: part.place.under ? "honshu-preview honshu-below" : "honshu-preview",
          href: "#honshu-laying",
          transform: `translate(${rounded((-columns / 2) * cell)} ${rounded((-rows / 2) * cell)}) scale(${rounded(scale * 100) / 100})`,
        }],
        rect(-hit, -hit, 2 * hit, 2 * hit, "honshu-hit"),
        dot,
      ],
    });
  }
  return nodes;
}

/** The card that is being laid as it is turned, shown at a place while that is hovered or has the focus. */
export function layingShape(model) {
  const { card: number, turn } = model.laying;
  return ["g", { id: "honshu-laying" }, card(model.faces.get(number), turn, { lift: 3 })];
}

function ghost(model, place, { x, y, cell, scale }) {
  const codes = model.faces.get(place.card);
  const [columns, rows] = extent(place.turn);
  return {
    key: `card:${place.card}`,
    x: rounded(x + place.column * cell),
    y: rounded(y + place.row * cell - 4),
    scale,
    label: cardLabel(`card ${place.card}`, codes),
    parts: [
      ...card(codes, place.turn, { far: cell < FAR, lift: 3, hidden: place.hidden || [] }),
      rect(-1.5, -1.5, columns * CELL + 3, rows * CELL + 3, "honshu-ring", { rx: 3, "stroke-width": 2.2 }),
    ],
  };
}

