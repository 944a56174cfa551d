// One position as a picture: `kumite picture` opens a page that holds nothing but the board.
import { Board } from "./board.js";
import { Replay } from "./replay.js";

/** Draw a step of a replay file; returns the width and height of the board in its own units. */
export function picture(host, file, scene, { step, viewer, frame }) {
  const replay = new Replay(file);
  const board = new Board(host, scene, { frame });
  board.show(replay.position(step, viewer), { before: step ? replay.position(step - 1, viewer) : null });
  return { width: board.stage.scene.width, height: board.stage.scene.height };
}

const PROPERTIES = [
  "fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width", "stroke-linecap", "stroke-linejoin",
  "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit", "opacity", "font-family", "font-size", "font-style",
  "font-weight", "letter-spacing", "text-anchor", "dominant-baseline", "text-decoration-line", "paint-order",
  "stop-color", "stop-opacity", "visibility", "vector-effect", "clip-path", "mask",
];
const PAINTS = new Set(["fill", "stroke", "stop-color"]);

/** An SVG element as a text that needs no stylesheet: what the stylesheets give stands in its attributes. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const plain = painter();
  const bare = bareElements();
  const drawn = [svg, ...svg.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  drawn.forEach((element, at) => {
    const style = getComputedStyle(element);
    const usual = bare(element.tagName);
    if (style.display === "none") copies[at].setAttribute("display", "none");
    for (const name of PROPERTIES) {
      const value = PAINTS.has(name) ? plain(style.getPropertyValue(name)) : style.getPropertyValue(name);
      const inherited = at ? getComputedStyle(element.parentNode).getPropertyValue(name) : usual.getPropertyValue(name);
      const has = copies[at].hasAttribute(name);
      if (has || value !== (PAINTS.has(name) ? plain(inherited) : inherited)) copies[at].setAttribute(name, value);
    }
  });
  const paper = plain(getComputedStyle(document.body).backgroundColor);
  for (const element of copies) for (const name of ["class", "data-key", "tabindex"]) element.removeAttribute(name);
  const ground = document.createElementNS(svg.namespaceURI, "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", paper]]) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("xmlns", svg.namespaceURI);
  copy.setAttribute("role", "img");
  return new XMLSerializer().serializeToString(copy);
}

/** Styles of elements that no stylesheet speaks of, by tag. */
function bareElements() {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  const inside = frame.contentDocument;
  const svg = inside.body.appendChild(inside.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const found = new Map();
  return (tag) => {
    if (!found.has(tag)) {
      const element = tag === "svg" ? svg : svg.appendChild(inside.createElementNS(svg.namespaceURI, tag));
      found.set(tag, frame.contentWindow.getComputedStyle(element));
    }
    return found.get(tag);
  };
}

/** Writes any colour of CSS, such as a mixed one, as rgb or rgba, which every program knows. */
function painter() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  return (value) => {
    if (!/^(color|oklab|oklch|lab|lch|hwb)\(/.test(value)) return value;
    if (!known.has(value)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = value;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(value, alpha === 255 ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${alpha / 255})`);
    }
    return known.get(value);
  };
}

/** Milliseconds that each step of a replay takes to draw, layout included, and the elements of the largest step. */
export function timings(host, file, scene) {
  const replay = new Replay(file);
  const viewer = replay.viewers()[0];
  const positions = replay.steps.map((_, step) => replay.position(step, viewer));
  const board = new Board(host, scene, { frame: "wide" });
  let elements = 0;
  const times = positions.map((position, step) => {
    const start = performance.now();
    board.show(position, { before: positions[step - 1] || null });
    board.stage.svg.getBoundingClientRect();
    const time = performance.now() - start;
    elements = Math.max(elements, board.stage.svg.querySelectorAll("*").length);
    return time;
  });
  return { times, elements };
}
