// The White Castle: a keep on its stone base, water on the left, yards on the right, the road of time at its foot.
import { bridge, garden, keep, outside, road, roadInLines, well, yards } from "./white_castle_board.js";
import { clanPanel, legend, legendLine, rounds } from "./white_castle_clans.js";
import { panels, read } from "./white_castle_read.js";
import { definitions } from "./white_castle_shapes.js";
import { strip, STRIP_HIGH } from "./white_castle_strip.js";

/** The drawing of one position. */
export function scene(input) {
  const model = read(input);
  const drawn = model.narrow ? narrow(model) : wide(model);
  return { ...drawn, label: sentence(model), defs: definitions() };
}

function sentence(model) {
  const points = model.clans.map((clan) => `${clan.name} ${clan.total}`).join(", ");
  const now = model.over ? "the end" : model.facts.phase;
  return `The White Castle, round ${model.round} of ${model.facts.board.rounds}, ${now}. VP${model.over ? "" : " if it ended now"}: ${points}`;
}

/** Nodes of all parts from the lowest layer up, the rings of what can be clicked on top. */
class Layers {
  constructor() {
    this._nodes = [];
    this._rings = [];
  }

  add({ nodes, rings = [] }) {
    this._nodes.push(...nodes);
    this._rings.push(...rings);
  }

  nodes() {
    return [...this._nodes, ...this._rings];
  }
}

// ---------------------------------------------------------------------------------------------------- wide

function wide(model) {
  const few = model.clans.length < 3;
  const [width, height] = [1280, few ? 820 : 844];
  const [left, main, low] = [20, 908, 800];
  const layers = new Layers();
  layers.add(strip(model, left, 20, main, 128));
  const side = left + main + 20;
  layers.add({ nodes: [rounds(model, side, 36)] });
  const bridges = 288;
  for (let k = 0; k < 3; k += 1) {
    const y = 164 + k * 178;
    layers.add(bridge(model, k, left, y, bridges));
    for (let n = 0; n < 2; n += 1) layers.add(garden(model, 2 * k + n, left + n * (bridges / 2 + 3), y + 87, bridges / 2 - 3));
  }
  const middle = left + bridges + 16;
  layers.add(keep(model, middle, 164, 400));
  const right = middle + 416;
  const rest = left + main - right;
  layers.add(outside(model, 0, right, 164, rest));
  layers.add(outside(model, 1, right, 229, rest));
  layers.add(well(model, right, 296, rest));
  layers.add(yards(model, right, 408, rest, 282));
  layers.add({ nodes: road(model, left, 757, main) });
  const room = width - 20 - side;
  const clans = panels(model);
  const gap = 10;
  const each = Math.min((low - 68 - gap * (clans.length - 1)) / clans.length, 288);
  clans.forEach((clan, n) => layers.add(clanPanel(model, clan, side, 68 + n * (each + gap), room, each)));
  const end = 68 + clans.length * (each + gap);
  layers.add({ nodes: [few ? legend(side, end, room, low - end) : legendLine(left, 820, width - 40)] });
  return { width, height, nodes: layers.nodes() };
}

// ---------------------------------------------------------------------------------------------------- narrow

function narrow(model) {
  const [width, left, main] = [360, 12, 336];
  const layers = new Layers();
  const clans = panels(model);
  const own = model.seat !== null && clans[0] === model.seat ? clans.shift() : null;
  layers.add(strip(model, left, 12, main, STRIP_HIGH));
  let y = 12 + STRIP_HIGH + 16;
  layers.add({ nodes: [rounds(model, left, y)] });
  y += 34;
  if (own !== null) {
    layers.add(clanPanel(model, own, left, y, main, 321));
    y += 333;
  }
  for (let k = 0; k < 3; k += 1) {
    layers.add(bridge(model, k, left, y, main, 84));
    for (let n = 0; n < 2; n += 1) layers.add(garden(model, 2 * k + n, left + n * (main / 2 + 3), y + 89, main / 2 - 3));
    y += 181;
  }
  const castle = keep(model, left, y + 4, main);
  layers.add(castle);
  y = castle.low + 12;
  layers.add(outside(model, 0, left, y, main / 2 - 4));
  layers.add(outside(model, 1, left + main / 2 + 4, y, main / 2 - 4));
  y += 68;
  layers.add(well(model, left, y, main, 84));
  y += 96;
  layers.add(yards(model, left, y, main, 254));
  y += 270;
  const time = roadInLines(model, left, y, main);
  layers.add(time);
  y = time.low + 20;
  for (const clan of clans) {
    const high = clan === model.rival ? 288 : 237;
    layers.add(clanPanel(model, clan, left, y, main, high));
    y += high + 10;
  }
  layers.add({ nodes: [legend(left, y, main, 168)] });
  return { width, height: y + 180, nodes: layers.nodes() };
}
