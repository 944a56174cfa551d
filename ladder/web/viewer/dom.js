// Elements of HTML, made in one line, and the few icons of the player.
import { build } from "./shapes.js";
import { seatMark } from "./marks.js";

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  play: "M4 2.5v11l9.5-5.5Z",
  pause: "M3.5 2.5h3.2v11H3.5ZM9.3 2.5h3.2v11H9.3Z",
  back: "M11.5 2.5v11L4 8Z",
  on: "M4.5 2.5v11L12 8Z",
  first: "M2.5 2.5h2v11h-2ZM13 2.5v11L5.5 8Z",
  last: "M11.5 2.5h2v11h-2ZM3 2.5v11L10.5 8Z",
};

/** An element with attributes and children; a function as a value of `on...` listens to that event. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An icon by its name, or the element of a shape, or an empty SVG element with attributes. */
export function icon(name, shape = null, attributes = { viewBox: "0 0 16 16", "aria-hidden": "true" }) {
  if (shape) return build(shape);
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  if (name) svg.append(build(["path", { d: ICONS[name] }]));
  return svg;
}

/** The mark of a seat as a small picture in a line of text. */
export function mark(seat) {
  const svg = icon("", null, { class: "viewer-mark", viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  svg.append(build(seatMark(seat)));
  return svg;
}
