// Marks that every board uses: a seat has a colour and a shape, so that it is told without colour.

const SHAPES = [
  ["circle", { r: 8 }],
  ["rect", { x: -7, y: -7, width: 14, height: 14, rx: 1.5 }],
  ["path", { d: "M0-8.5 8.5 7-8.5 7Z" }],
  ["path", { d: "M0-9.5 9.5 0 0 9.5-9.5 0Z" }],
  ["path", { d: "M-4.5-8h9L9 0 4.5 8h-9L-9 0Z" }],
];

/** The mark of a seat as a shape with its centre at 0, 0; `size` is its height (16 if left out). */
export function seatMark(seat, size = 16) {
  const [tag, place] = SHAPES[seat];
  const grown = size === 16 ? {} : { transform: `scale(${size / 16})` };
  return [tag, { class: `seat-mark seat-${seat + 1}`, ...place, ...grown }];
}

/** A text cut to at most `most` characters, with an ellipsis where something was cut. */
export function clipped(text, most) {
  const signs = [...text];
  return signs.length > most ? `${signs.slice(0, most - 1).join("")}…` : text;
}
