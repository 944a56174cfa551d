// Ninjato as a street at dusk: five houses, the town below them, the road of honor, and the seats beside.
import { text } from "./ninjato/draw.js";
import { legend, piles, road, rounds } from "./ninjato/foot.js";
import { defs } from "./ninjato/glyphs.js";
import { house, houseRow } from "./ninjato/houses.js";
import { read } from "./ninjato/model.js";
import { seatPanel } from "./ninjato/seats.js";
import { justNow, narrowStrip, strip, stripHeight } from "./ninjato/strip.js";
import { dojo, palace, pavilion, sensei } from "./ninjato/town.js";

const HOUSES = 5;

/** The seats in the order in which they are drawn: the viewer's own first, then in turn order. */
function seatOrder(model) {
  const others = model.view.order.filter((seat) => seat !== model.mine);
  return model.mine >= 0 ? [model.mine, ...others] : others;
}

function wideBoard(model) {
  const [W, H] = [1280, 820];
  const [left, main] = [20, 908];
  const side = left + main + 20;
  const width = W - 20 - side;
  const nodes = [];
  const targets = [];
  const add = ([drawn, chosen]) => {
    nodes.push(...drawn);
    targets.push(...chosen);
  };
  add(strip(model, left, 20, main, 128));
  const step = (main - 4 * 14) / HOUSES + 14;
  for (let at = 0; at < HOUSES; at += 1) add(house(model, at, left + at * step, 170, step - 14, 252));
  add(dojo(model, left, 440, 448, 140));
  add(sensei(model, left + 460, 440, main - 460, 140));
  add(palace(model, left, 590, 500, 140));
  add(pavilion(model, left + 512, 590, main - 512, 140));
  nodes.push(...road(model, left, 742, main - 304, 64), ...piles(model, left + main - 284, 752, 284));
  nodes.push({ key: "rounds:title", x: side, y: 33, parts: [text(0, 0, "Round", { bold: true, serif: true })] });
  nodes.push(...rounds(model, side + 44, 22, width - 44));
  const gap = 10;
  const more = model.mine >= 0 && model.seats > 2 ? 20 : 0;
  const each = Math.min((H - 20 - 82 - gap * (model.seats - 1) - more) / model.seats, 262);
  let y = 82;
  for (const seat of seatOrder(model)) {
    const height = each + (seat === model.mine ? more : 0);
    nodes.push(...seatPanel(model, seat, side, y, width, height));
    y += height + gap;
  }
  if (model.seats === 2) nodes.push(...legend(model, side, y + 2, width, H - 20 - y - 2));
  return { width: W, height: H, nodes: [...nodes, ...targets] };
}

function narrowBoard(model) {
  const [W, margin, width] = [360, 12, 336];
  const nodes = [];
  const targets = [];
  let y = 12;
  const add = ([drawn, chosen], height) => {
    nodes.push(...drawn);
    targets.push(...chosen);
    y += height;
  };
  add(narrowStrip(model, margin, y, width), stripHeight(model) + 18);
  nodes.push(...rounds(model, margin, y, width));
  y += 52;
  if (model.mine >= 0) {
    nodes.push(...seatPanel(model, model.mine, margin, y, width, 192));
    y += 202;
  }
  for (let at = 0; at < HOUSES; at += 1) add(houseRow(model, at, margin, y, width, 72), 78);
  y += 4;
  add(dojo(model, margin, y, width, 122), 132);
  const learns = (model.view.sensei || []).length > 0;
  add(sensei(model, margin, y, width, learns ? 148 : 66), learns ? 158 : 76);
  add(palace(model, margin, y, width, 236), 246);
  add(pavilion(model, margin, y, width, 144), 154);
  nodes.push(...road(model, margin, y, width, 124));
  nodes.push(...piles(model, margin, y + 140, width));
  y += 204;
  for (const seat of seatOrder(model)) {
    if (seat === model.mine) continue;
    nodes.push(...seatPanel(model, seat, margin, y, width, 170));
    y += 180;
  }
  nodes.push(...legend(model, margin, y, width, 170));
  return { width: W, height: y + 182, nodes: [...nodes, ...targets] };
}

function labelOf(model) {
  const honor = model.honor.map((value, seat) => `${model.name(seat)} ${value}`).join(", ");
  const now = model.over ? "the game is over" : `${model.name(model.actor)} ${model.raid ? model.raid.words : model.facts.doing}`;
  return `Ninjato, round ${model.view.round} of ${model.cards.rounds}: ${now}. Honor: ${honor}. ${justNow(model)}`;
}

/** One position of Ninjato as a drawing. */
export function scene(input) {
  const model = read(input);
  const board = input.frame === "narrow" ? narrowBoard(model) : wideBoard(model);
  return { ...board, label: labelOf(model), defs: defs() };
}

