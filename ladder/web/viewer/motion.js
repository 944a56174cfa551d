// Moves what changed from one scene to the next: a thing that kept its key glides, what is new or gone fades.

const GLIDE = 260;
const FADE = 200;
const LONGEST = 900; // milliseconds for a step at speed 1
const EASE = "cubic-bezier(.2, .7, .2, 1)";

export class Motion {
  /** `settled` is called when every motion has ended, to put the things back into their layers. */
  constructor(svg, settled) {
    this._svg = svg;
    this._settled = settled;
    this._running = [];
    this._over = null; // the layer of what moves, and of what is going
    this._still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Start the motions from what was shown (`old`, by key) to what is shown now. */
  run({ speed, old, gone, shown, first }) {
    if (!speed || first || this._still.matches) return;
    const leaving = new Map(gone.map(({ node, element }) => [node.key, { node, element }]));
    const arriving = [...shown.values()].filter(({ node }) => !old.has(node.key));
    const partners = paired(arriving, leaving);
    const moves = [];
    for (const { node, element } of shown.values()) {
      const was = old.get(node.key) || partners.get(node.key);
      if (was) {
        if (placed(was) !== placed(node)) moves.push({ element, node, frames: glide(was, node), time: GLIDE });
      } else {
        const from = origin(node.from, old);
        moves.push({ element, node, frames: appear(from, node), time: from ? GLIDE : FADE, fades: !from });
      }
    }
    for (const { node, element } of leaving.values()) {
      const now = shown.get(node.to)?.node;
      moves.push({ element, node, frames: vanish(node, now), time: now ? GLIDE : FADE, leaves: true });
    }
    if (moves.length) this._start(moves, speed);
  }

  /** End every motion at once. */
  finish() {
    for (const animation of this._running.splice(0)) animation.cancel();
    if (!this._over) return;
    this._over.remove();
    this._over = null;
    this._settled();
  }

  _start(moves, speed) {
    this._over = document.createElementNS(this._svg.namespaceURI, "g");
    this._over.setAttribute("class", "moving");
    this._svg.append(this._over);
    const longest = Math.max(...moves.map(({ node, time }) => (node.wait || 0) + time));
    const pace = Math.min(1, LONGEST / longest) / speed;
    for (const { element, node, frames, time, leaves, fades } of moves) {
      if (leaves) element.setAttribute("aria-hidden", "true");
      if (leaves || (!fades && node.lift !== false && !element.contains(document.activeElement))) this._over.append(element);
      const timing = { duration: time * pace, delay: (node.wait || 0) * pace, easing: EASE, fill: "both" };
      this._running.push(element.animate(frames, timing));
    }
    const mine = this._over;
    Promise.allSettled(this._running.map((animation) => animation.finished)).then(() => {
      if (this._over === mine) this.finish();
    });
  }
}

/** New nodes by key, each with the node that is gone which it continues: the same group, in order. */
function paired(arriving, leaving) {
  const groups = new Map();
  for (const { node } of leaving.values()) {
    if (node.group !== undefined) groups.set(node.group, [...(groups.get(node.group) || []), node]);
  }
  const partners = new Map();
  for (const { node } of arriving) {
    const partner = node.group !== undefined && groups.get(node.group)?.shift();
    if (partner) {
      partners.set(node.key, partner);
      leaving.delete(partner.key);
    }
  }
  return partners;
}

function origin(from, old) {
  if (Array.isArray(from)) return { x: from[0], y: from[1] };
  return from === undefined ? null : old.get(from) || null;
}

function placed({ x = 0, y = 0, turn = 0, scale = 1 }) {
  return `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;
}

function glide(was, node) {
  let turn = was.turn || 0;
  while (turn - (node.turn || 0) > 180) turn -= 360;
  while (turn - (node.turn || 0) < -180) turn += 360;
  return [{ transform: placed({ ...was, turn }) }, { transform: placed(node) }];
}

function appear(from, node) {
  if (!from) return [{ opacity: 0 }, { opacity: 1 }];
  const start = { ...node, x: from.x, y: from.y };
  return [{ opacity: 0, transform: placed(start) }, { opacity: 1, offset: 0.3 }, { opacity: 1, transform: placed(node) }];
}

function vanish(node, to) {
  if (!to) return [{ opacity: 1 }, { opacity: 0 }];
  return [{ opacity: 1, transform: placed(node) }, { opacity: 0, transform: placed({ ...node, x: to.x, y: to.y }) }];
}
