// Shapes of Honshu in units of 24 to a cell: terrains, what stands on them, cubes, cards; and the patterns behind them.

export const CELL = 24;
export const COLOURS = { B: "blue", N: "brown", G: "grey", Y: "yellow" };
const TERRAINS = { F: "forest", T: "town", L: "lake", W: "field" };
const LAYOUTS = [
  [[0, 1], [2, 3], [4, 5]],
  [[4, 2, 0], [5, 3, 1]],
  [[5, 4], [3, 2], [1, 0]],
  [[1, 3, 5], [0, 2, 4]],
];
// a fish, an axe, a shovel, a coin with a square hole, in a box of 10 around (0, 0)
const GLYPHS = {
  B: "M-4.4 0C-2.6-3.2 1-3.2 2.6-.5L4.8-2.5V2.5L2.6 .5C1 3.2-2.6 3.2-4.4 0Z",
  N: "M-2.9 4.6L.7-2L-.9-2.9C.3-5.2 3.6-4.6 4.5-1.4L2.3-1.1L-1.5 5.3Z",
  G: "M-1.7-5H1.7V-3.7H.75V-.4H2.9V1.6C2.9 3.4 1.4 4.6 0 5.2C-1.4 4.6-2.9 3.4-2.9 1.6V-.4H-.75V-3.7H-1.7Z",
  Y: "M4.5 0A4.5 4.5 0 1 1-4.5 0A4.5 4.5 0 1 1 4.5 0ZM-1.7-1.7V1.7H1.7V-1.7Z",
};

export function rounded(value) {
  return Math.round(value * 100) / 100;
}

export function rect(x, y, width, height, name, more = {}) {
  return ["rect", { class: name, x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height), ...more }];
}

export function path(d, name, more = {}) {
  return ["path", { class: name, d, ...more }];
}

/** A text; `size` in units, `anchor` start, middle or end. */
export function text(x, y, words, name = "", size = 12.5, anchor = "start") {
  const place = { x: rounded(x), y: rounded(y), "font-size": size };
  if (anchor !== "start") place["text-anchor"] = anchor;
  return ["text", { class: name, ...place }, String(words)];
}

export function moved(x, y, scale, parts) {
  const grown = scale === 1 ? "" : ` scale(${rounded(scale * 100) / 100})`;
  return ["g", { transform: `translate(${rounded(x)} ${rounded(y)})${grown}` }, parts];
}

/** The attributes of a shape that is filled with a pattern. */
export function filled(name) {
  return { fill: `url(#honshu-p-${name})` };
}

/** The words of a cell: "forest", "blue production", "grey factory worth 3". */
export function cellWords(code) {
  if (TERRAINS[code]) return TERRAINS[code];
  return code[0] === "p" ? `${COLOURS[code[1]]} production` : `${COLOURS[code[0]]} factory worth ${code[1]}`;
}

/** The cells of a card as it lies: {row, column, index, code}. */
export function layout(codes, k) {
  return LAYOUTS[k].flatMap((line, row) => line.map((index, column) => ({ row, column, index, code: codes[index] })));
}

/** Width and height of a card in cells as it lies. */
export function extent(k) {
  return k % 2 ? [3, 2] : [2, 3];
}

/** What hover and focus say about a card. */
export function cardTip(name, codes) {
  const words = codes.map(cellWords);
  return [name, ...[0, 2, 4].map((at) => `${words[at]} | ${words[at + 1]}`)].join("\n");
}

export function cardLabel(name, codes) {
  return `${name}: ${codes.map(cellWords).join(", ")}`;
}

/** The cells of a list as one path. */
export function cellsPath(cells) {
  return cells.map(([row, column]) => `M${column * CELL} ${row * CELL}h${CELL}v${CELL}h-${CELL}z`).join("");
}

/** The border of a set of cells as one path. */
export function outline(cells) {
  const inside = new Set(cells.map(([row, column]) => `${row},${column}`));
  const sides = [[-1, 0, 0, 0, 1, 0], [0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 0, 1], [0, -1, 0, 1, 0, 0]];
  const edges = [];
  for (const [row, column] of cells) {
    for (const [down, right, x, y, endX, endY] of sides) {
      if (inside.has(`${row + down},${column + right}`)) continue;
      edges.push(`M${(column + x) * CELL} ${(row + y) * CELL}L${(column + endX) * CELL} ${(row + endY) * CELL}`);
    }
  }
  return edges.join("");
}

/** The lines between the cells of a list as one path. */
export function seamsOf(cells) {
  const inside = new Set(cells.map(String));
  const lines = cells.map(([row, column]) => {
    const right = inside.has(`${row},${column + 1}`) ? `M${(column + 1) * CELL} ${row * CELL}v${CELL}` : "";
    const below = inside.has(`${row + 1},${column}`) ? `M${column * CELL} ${(row + 1) * CELL}h${CELL}` : "";
    return right + below;
  });
  return lines.join("");
}

/** A cell of a terrain at 0, 0. `far`: for small cells, with half the strokes. */
export function terrain(code, far = false) {
  const ground = [rect(0, 0, CELL, CELL, undefined, filled(`${far ? "far-" : ""}${groundOf(code)}`))];
  return TERRAINS[code] ? ground : [...ground, standing(code, 0, 0, far)];
}

function groundOf(code) {
  return TERRAINS[code] || (code[0] === "p" ? "production" : "factory");
}

function standing(code, x, y, far) {
  return ["use", { href: `#honshu-${far ? "v" : "t"}-${code}`, x, y }];
}

/** A card with its left upper corner at 0, 0: shadow, faces, edges. `hidden`: cells that go under. */
export function card(codes, k, { far = false, lift = 1, hidden = [], edge = 1.2, seams = !far } = {}) {
  const [width, height] = extent(k).map((cells) => cells * CELL);
  const cells = layout(codes, k);
  const grounds = new Map();
  for (const cell of cells) {
    const name = groundOf(cell.code);
    grounds.set(name, [...(grounds.get(name) || []), [cell.row, cell.column]]);
  }
  const parts = [rect(0.9 * lift, 1.7 * lift, width, height, "honshu-shade", { rx: 2.4 })];
  for (const [name, list] of grounds) {
    parts.push(path(cellsPath(list), undefined, filled(`${far ? "far-" : ""}${name}`)));
  }
  for (const { row, column, code } of cells) {
    if (!TERRAINS[code]) parts.push(standing(code, column * CELL, row * CELL, far));
  }
  if (seams) {
    let lines = "";
    for (let x = CELL; x < width; x += CELL) lines += `M${x} 0V${height}`;
    for (let y = CELL; y < height; y += CELL) lines += `M0 ${y}H${width}`;
    parts.push(path(lines, "honshu-seam"));
  }
  if (!far) parts.push(rect(0, 0, width, height, "honshu-rim", { rx: 2 }));
  parts.push(rect(0, 0, width, height, "honshu-edge", { rx: 2, "stroke-width": rounded(edge) }));
  const under = cells.filter((cell) => hidden.includes(cell.index)).map((cell) => [cell.row, cell.column]);
  if (under.length) parts.push(path(cellsPath(under), "honshu-wash"), path(cellsPath(under), undefined, filled("under")));
  return parts;
}

/** The back of a card of w times h units. */
export function back(width, height) {
  return [
    rect(0.6, 1.2, width, height, "honshu-shade", { rx: 2.4 }),
    rect(0, 0, width, height, "honshu-back", { rx: 2.4, ...filled("back") }),
  ];
}

/** A cube, its middle at 0, 0, `width` units wide. */
export function cube(colour, width) {
  return ["use", { href: `#honshu-c-${colour}`, transform: `scale(${rounded(width / 16)})` }];
}

/** A storehouse, the sign of the category of factories, in a box of 24. */
export function storehouse() {
  return [
    rect(0, 0, 24, 24, "honshu-prize"),
    path("M1.6 11L7 3H17L22.4 11ZM4 11H20V22H4Z", "honshu-gold"),
    rect(9.6, 14.4, 4.8, 7.6, "honshu-prize"),
  ];
}

/** A dotted place where a card can lie. */
export function gap(x, y, width, height) {
  return rect(x, y, width, height, "honshu-gap", { rx: 3 });
}

// ---------------------------------------------------------------------------------------------------- definitions

function pattern(name, width, height, parts) {
  return ["pattern", { id: `honshu-p-${name}`, width, height, patternUnits: "userSpaceOnUse" }, parts];
}

function ground(name, size = CELL) {
  return rect(0, 0, size, size, `honshu-ground-${name}`);
}

function tree(x, y, s = 1) {
  const [a, b, c, d, e, f] = [5.6, 3.5, 5.2, 2.2, 2.9, 4.2].map((value) => rounded(value * s));
  return (
    `M${x} ${rounded(y - a)}l${b} ${c}h-${d}l${e} ${f}h-${b}v${rounded(2 * s)}h-${rounded(1.4 * s)}v-${rounded(2 * s)}` +
    `h-${b}l${e}-${f}h-${d}z`
  );
}

function hut(x, y, s = 1) {
  const at = (dx, dy) => `${rounded(x + dx * s)} ${rounded(y - dy * s)}`;
  return [
    rect(x - 3.6 * s, y - 3.6 * s, 7.2 * s, 3.6 * s, "honshu-wall"),
    path(`M${at(-5.2, 3.6)}L${at(-2.2, 7.6)}L${at(2.2, 7.6)}L${at(5.2, 3.6)}Z`, "honshu-ink-town"),
  ];
}

function grain(spots) {
  return spots.map(([cx, cy]) => ["circle", { class: "honshu-ink-field", cx, cy, r: 0.8 }]);
}

function patterns() {
  const waves = "q3-3 6 0t6 0t6 0t6 0";
  return [
    pattern("lake", 24, 24, [ground("lake"), path(`M0 5${waves}M0 13${waves}M0 21${waves}`, "honshu-wave")]),
    pattern("field", 24, 24, [
      ground("field"),
      path("M4 8q3-2.6 6 0M14 17q3-2.6 6 0", "honshu-dune"),
      ...grain([[16, 6], [7, 18], [19, 10.5]]),
    ]),
    pattern("production", 24, 24, [ground("production"), path("M0 3H24M0 9H24M0 15H24M0 21H24", "honshu-furrow")]),
    pattern("factory", 6, 6, [ground("factory", 6), path("M0 6L6 0", "honshu-hatch")]),
    pattern("forest", 24, 24, [ground("forest"), path(tree(6.4, 9) + tree(17.6, 7.6) + tree(12, 18.4), "honshu-ink-forest")]),
    pattern("town", 24, 24, [ground("town"), ...hut(7, 11), ...hut(17, 14.6), ...hut(8.4, 22.2, 0.9)]),
    pattern("far-lake", 24, 24, [ground("lake"), path("M0 7q6-5.6 12 0t12 0M0 17q6-5.6 12 0t12 0", "honshu-wave honshu-bold")]),
    pattern("far-field", 24, 24, [ground("field"), path("M7 13q5-4 10 0", "honshu-dune honshu-bold")]),
    pattern("far-production", 24, 24, [ground("production"), path("M0 5H24M0 12H24M0 19H24", "honshu-furrow")]),
    pattern("far-factory", 8, 8, [ground("factory", 8)]),
    pattern("far-forest", 24, 24, [ground("forest"), path(tree(7.4, 12, 1.35) + tree(17, 13.4, 1.35), "honshu-ink-forest")]),
    pattern("far-town", 24, 24, [ground("town"), ...hut(12, 18, 1.7)]),
    pattern("works", 24, 24, [
      rect(0, 0, 24, 24, "honshu-prize"),
      path("M2.6 11L8 4.4H16L21.4 11ZM4.8 11H19.2V20.4H14.2V14.6H9.8V20.4H4.8Z", "honshu-gold honshu-soft"),
    ]),
    pattern("bonus", 8, 8, [rect(0, 0, 8, 8, "honshu-prize"), path("M-2 2L2-2M0 8L8 0M6 10L10 6", "honshu-stripe")]),
    pattern("under", 5, 5, [path("M0 5L5 0", "honshu-stroke")]),
    pattern("back", 12, 20.78, [
      rect(0, 0, 12, 20.78, "honshu-ground-back"),
      path(
        "M0 0L6 3.46L12 0M6 3.46V10.39M0 6.93L6 10.39L12 6.93M0 0V6.93M12 0V6.93M0 13.86L6 10.39L12 13.86" +
          "M0 20.78L6 17.32L12 20.78M6 17.32V10.39M0 20.78V13.86M12 20.78V13.86M0 6.93V13.86M12 6.93V13.86",
        "honshu-star",
      ),
    ]),
  ];
}

/** What stands on a cell: the socket of a production cell, or a storehouse with what a cube scores in it. */
function building(code, far) {
  const colour = code[0] === "p" ? code[1] : code[0];
  if (code[0] === "p") {
    return [
      rect(4, 4, 16, 16, "honshu-socket", { rx: 2, "stroke-width": far ? 2.2 : 1.6 }),
      ["use", { href: `#honshu-g-${colour}`, transform: `translate(12 12) scale(${far ? 1.3 : 1.12})` }],
    ];
  }
  const sign = ["use", { class: "honshu-on-cube", href: `#honshu-g-${colour}`, transform: "translate(8 16) scale(.72)" }];
  return [
    path("M1.4 10L6.4 2.6H17.6L22.6 10Z", "honshu-roof"),
    rect(3.4, 9.6, 17.2, 12.6, "honshu-block", { rx: 1 }),
    ...(far ? [] : [sign]),
    text(far ? 12 : 15.6, far ? 20.8 : 20.4, code[1], "honshu-on-cube honshu-digit", far ? 14 : 12.5, "middle"),
  ];
}

function block(colour) {
  return [
    rect(-7.2, -2, 16, 12.8, "honshu-shade", { rx: 1.5 }),
    rect(-8.9, -9.7, 17.8, 19.4, "honshu-halo", { rx: 2.6 }),
    rect(-7.6, -8.4, 15.2, 16.8, "honshu-block", { rx: 1.8 }),
    path("M-7-4H7V-6.6Q7-8.3 5.4-8.3H-5.4Q-7-8.3-7-6.6Z", "honshu-shine"),
    ["use", { class: "honshu-on-cube", href: `#honshu-g-${colour}`, transform: "translate(0 2.4) scale(1.03)" }],
  ];
}

/** The patterns and symbols of the game; `worths` are the points that factories show. */
export function definitions(worths) {
  const colours = Object.keys(COLOURS);
  const codes = colours.flatMap((colour) => [`p${colour}`, ...worths.map((worth) => `${colour}${worth}`)]);
  const named = (id, name, parts) => ["g", { id: `honshu-${id}`, class: name }, parts];
  return [
    ...patterns(),
    ...colours.map((colour) => named(`g-${colour}`, "honshu-sign", [path(GLYPHS[colour], "", { "fill-rule": "evenodd" })])),
    ...colours.map((colour) => named(`c-${colour}`, `honshu-cube honshu-${COLOURS[colour]}`, block(colour))),
    ...[false, true].flatMap((far) =>
      codes.map((code) => {
        const colour = COLOURS[code[0] === "p" ? code[1] : code[0]];
        return named(`${far ? "v" : "t"}-${code}`, `honshu-${colour}`, building(code, far));
      }),
    ),
  ];
}
