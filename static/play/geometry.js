// The board's own units, and how things move in them.

export const CELL = 32;
export const EASE = "cubic-bezier(.35, 0, .25, 1)";
export const AHEAD = [[0, -1], [1, 0], [0, 1], [-1, 0]]; // by heading: north, east, south, west
export const LETTERS = "NESW";
const SVG = "http://www.w3.org/2000/svg";

/** @param {Cell} given */
export const centre = ([x, y]) => [x * CELL + CELL / 2, y * CELL + CELL / 2];

// The shorter way round.
/** @param {number} degrees */
export const shortest = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

// A part of a drawing.
/** @param {string} kind @param {Record<string, string | number>} attributes */
export function made(kind, attributes) {
  const element = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** @param {Element} layer @param {string} kind @param {Record<string, string | number>} attributes */
export const draw = (layer, kind, attributes) => layer.appendChild(made(kind, attributes));

// The same from its markup.
/** @param {string} markup */
export function parsed(markup) {
  const whole = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml");
  return /** @type {Part} */ (document.importNode(whole.documentElement, true).firstElementChild);
}
