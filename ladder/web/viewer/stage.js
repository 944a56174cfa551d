// Draws scenes as SVG: things keep their identity by key, glide where they moved, and can be clicked where they are
// targets. Knows no game.
import { build, checked, shell } from "./shapes.js";
import { Motion } from "./motion.js";
import { Tips } from "./tips.js";

const SVG = "http://www.w3.org/2000/svg";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Stage {
  /** Draws inside `host`; `onTarget` hears the key of a target that was clicked. */
  constructor(host, { onTarget = () => {} } = {}) {
    this.host = host;
    this.onTarget = onTarget;
    this.scene = null;
    this._shown = new Map(); // by key: {element, node, inside, outside}
    this.svg = document.createElementNS(SVG, "svg");
    this._defs = document.createElementNS(SVG, "defs");
    this._things = document.createElementNS(SVG, "g");
    this._drawnDefs = "";
    this.svg.append(this._defs, this._things);
    host.append(this.svg);
    this._motion = new Motion(this.svg, () => this._order());
    this._tips = new Tips(host, (element) => this._node(element));
    this.svg.addEventListener("click", (event) => this._choose(event));
    this.svg.addEventListener("keydown", (event) => this._key(event));
    this.svg.addEventListener("focusin", (event) => this._rove(event.target));
  }

  /** Show a scene. `before` is the scene of the step before, against which changes get their halo; `motion` 0 moves
   * nothing, 1 takes the usual time, 4 a quarter of it. `frame` "narrow" lets a small board grow. */
  draw(scene, { before = null, motion = 0, frame = "wide" } = {}) {
    this._motion.finish();
    this._tips.hide();
    const nodes = checked(scene);
    const focused = this._node(document.activeElement)?.key;
    const earlier = before && new Map(before.nodes.map((node) => [node.key, node]));
    const old = new Map([...this._shown].map(([key, { node }]) => [key, node]));
    this._frame(scene, frame);
    const gone = [];
    for (const [key, shown] of this._shown) {
      if (!nodes.has(key)) {
        gone.push(shown);
        this._shown.delete(key);
        shown.element.remove();
      }
    }
    for (const node of scene.nodes) this._draw(node, earlier);
    this.scene = scene;
    this._order();
    this._tabs(focused);
    this._motion.run({ speed: motion, old, gone, shown: this._shown, first: !old.size });
  }

  /** End every motion at once. */
  finish() {
    this._motion.finish();
  }

  /** Show the tip of nothing and forget everything drawn. */
  clear() {
    this._motion.finish();
    this._tips.hide();
    this._shown.clear();
    this._things.replaceChildren();
    this.scene = null;
  }

  _frame(scene, frame) {
    shell(this.svg, {
      class: frame === "narrow" ? "board narrow" : "board",
      viewBox: `0 0 ${scene.width} ${scene.height}`,
      width: scene.width,
      height: scene.height,
      role: "group",
      "aria-label": scene.label,
    });
    const defs = JSON.stringify(scene.defs || []);
    if (defs !== this._drawnDefs) {
      this._defs.replaceChildren(...(scene.defs || []).map(build));
      this._drawnDefs = defs;
    }
  }

  _draw(node, earlier) {
    let shown = this._shown.get(node.key);
    if (!shown) {
      shown = { element: document.createElementNS(SVG, "g"), inside: null };
      this._shown.set(node.key, shown);
    }
    const changed = Boolean(node.halo && earlier && differs(node, earlier.get(node.key)));
    const inside = changed ? `${written(node)}${node.halo}` : written(node);
    if (inside !== shown.inside) {
      const parts = (node.parts || []).map(build);
      if (changed) parts.unshift(build(halo(node.halo)));
      shown.element.replaceChildren(...parts);
      shown.inside = inside;
    }
    shown.node = node;
    shell(shown.element, attributes(node));
  }

  _order() {
    let next = this._things.firstChild;
    for (const { key } of this.scene ? this.scene.nodes : []) {
      const { element } = this._shown.get(key);
      if (element === next) next = next.nextSibling;
      else this._things.insertBefore(element, next);
    }
  }

  _node(element) {
    const key = element?.closest?.("[data-key]")?.getAttribute("data-key");
    const shown = key === undefined ? undefined : this._shown.get(key);
    return shown && this.svg.contains(shown.element) ? shown.node : undefined;
  }

  /** The nodes that the keyboard reaches: targets, or without any the nodes with tips. */
  _reachable() {
    const nodes = this.scene ? this.scene.nodes : [];
    const targets = nodes.filter((node) => node.target !== undefined);
    return targets.length ? targets : nodes.filter((node) => node.tip);
  }

  _tabs(focused) {
    const reachable = this._reachable();
    const chosen = reachable.find((node) => node.key === focused) || reachable[0];
    for (const node of reachable) this._shown.get(node.key).element.setAttribute("tabindex", node === chosen ? 0 : -1);
    if (chosen && chosen.key === focused) this._shown.get(focused).element.focus({ preventScroll: true });
  }

  _rove(element) {
    const node = this._node(element);
    if (!node) return;
    for (const other of this._reachable()) {
      this._shown.get(other.key).element.setAttribute("tabindex", other.key === node.key ? 0 : -1);
    }
  }

  _choose(event) {
    const node = this._node(event.target);
    if (node && node.target !== undefined) {
      event.preventDefault();
      this.onTarget(node.target);
    }
  }

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this._choose(event);
    const way = ARROWS[event.key];
    const here = way && this._node(event.target);
    if (!here) return;
    event.preventDefault();
    const next = nearest(here, this._reachable(), way);
    if (next) this._shown.get(next.key).element.focus();
  }
}

/** Whether a node is new, moved or drawn otherwise than in the scene before. */
function differs(node, other) {
  return (
    !other ||
    ["x", "y", "scale", "turn"].some((name) => (node[name] || 0) !== (other[name] || 0)) ||
    written(node) !== written(other)
  );
}

const texts = new WeakMap();

/** The parts of a node as text, made once. */
function written(node) {
  let text = texts.get(node);
  if (text === undefined) texts.set(node, (text = JSON.stringify(node.parts || [])));
  return text;
}

function halo([x, y, width, height, r = 6]) {
  return ["rect", { class: "halo", x: x - 4, y: y - 4, width: width + 8, height: height + 8, rx: r + 4 }];
}

function attributes(node) {
  const turned = node.turn ? ` rotate(${node.turn})` : "";
  const scaled = node.scale !== undefined && node.scale !== 1 ? ` scale(${node.scale})` : "";
  const role = node.target !== undefined ? "button" : node.label || node.tip ? "img" : undefined;
  return {
    class: node.target !== undefined ? "thing target" : node.tip ? "thing tipped" : "thing",
    "data-key": node.key,
    transform: `translate(${node.x || 0} ${node.y || 0})${turned}${scaled}`,
    role,
    "aria-label": role && (node.label || node.tip),
    "aria-description": role && node.label ? node.tip : undefined,
    "aria-hidden": role ? undefined : "true",
  };
}

/** The reachable node that lies next in a direction: near, and more ahead than aside. */
function nearest(here, nodes, [right, down]) {
  let best = null;
  let least = Infinity;
  for (const node of nodes) {
    const [x, y] = [(node.x || 0) - (here.x || 0), (node.y || 0) - (here.y || 0)];
    const ahead = x * right + y * down;
    const aside = Math.abs(x * down) + Math.abs(y * right);
    if (node !== here && ahead > 0.5 && ahead + 2 * aside < least) [best, least] = [node, ahead + 2 * aside];
  }
  return best;
}
