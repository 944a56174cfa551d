// A drawing for a game without one: a card for every seat with its points, and nothing else of the board.
import { clipped, seatMark } from "../marks.js";

const HIGH = 64;

export function scene({ frame, view, facts, names, awaited, targets }) {
  const width = frame === "narrow" ? 360 : 720;
  const points = (seat) => (facts.points || []).reduce((sum, line) => sum + line.points[seat], 0);
  const nodes = names.map((name, seat) => ({
    key: `seat:${seat}`,
    x: 16,
    y: 56 + seat * HIGH,
    label: `${name}, ${points(seat)} points`,
    halo: [0, 0, width - 32, HIGH - 8, 6],
    parts: [
      ["rect", { class: "panel", width: width - 32, height: HIGH - 8, rx: 6 }],
      ["g", { transform: "translate(24 28)" }, [seatMark(seat)]],
      ["text", { class: awaited.includes(seat) ? "name due" : "name", x: 44, y: 33 }, clipped(name, 28)],
      ["text", { class: "points", x: width - 48, y: 34 }, String(points(seat))],
    ],
  }));
  const below = 56 + names.length * HIGH;
  targets.forEach((target, at) => {
    nodes.push({
      key: `target:${target.key}`,
      x: 16,
      y: below + at * 40,
      label: target.words,
      target: target.key,
      parts: [
        ["rect", { class: "place", width: width - 32, height: 32, rx: 6 }],
        ["text", { class: "words", x: 12, y: 21 }, target.words],
      ],
    });
  });
  nodes.unshift({ key: "round", x: 16, y: 36, parts: [["text", { class: "heading" }, `round ${view.round || 0}`]] });
  return { width, height: below + targets.length * 40 + 16, label: `round ${view.round || 0}`, nodes, defs: [] };
}
