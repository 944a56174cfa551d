// Shapes of a scene as elements of SVG.

const SVG = "http://www.w3.org/2000/svg";
const TAGS = new Set(
  `g rect circle ellipse line path polyline polygon text tspan use symbol pattern clipPath mask linearGradient
  radialGradient stop title desc marker`.split(/\s+/),
);

/** The element of a shape: [tag, attributes, children or text]. */
export function build(shape) {
  const [tag, attributes, inside] = shape;
  if (!TAGS.has(tag)) throw new Error(`a scene has a shape <${tag}>, which is none that the stage draws`);
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) {
    const value = attributes[name];
    if (value === undefined || value === null || value === false) continue;
    if (name === "style" || name.startsWith("on") || (name === "href" && !String(value).startsWith("#"))) {
      throw new Error(`a scene has a shape <${tag}> with the attribute ${name}=${value}`);
    }
    element.setAttribute(name, value);
  }
  if (Array.isArray(inside)) for (const part of inside) element.append(build(part));
  else if (inside !== undefined && inside !== null) element.textContent = inside;
  return element;
}

/** Set the attributes of an element; afterwards it has these and no others, in this order. */
export function shell(element, attributes) {
  const wanted = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null);
  const same = wanted.length === element.attributes.length &&
    wanted.every(([name, value], at) => element.attributes[at].name === name && element.attributes[at].value === `${value}`);
  if (same) return;
  for (const { name } of [...element.attributes]) element.removeAttribute(name);
  for (const [name, value] of wanted) element.setAttribute(name, value);
}

/** The nodes of a scene by key; two nodes with one key are a mistake of the scene. */
export function checked(scene) {
  const nodes = new Map();
  for (const node of scene.nodes) {
    if (nodes.has(node.key)) throw new Error(`a scene has two nodes with the key ${node.key}`);
    nodes.set(node.key, node);
  }
  return nodes;
}
