// Boards as markup, from the pieces that the server draws with: cell by cell, but for rails and rays, which span cells.

import { barrier, isInside, STEPS } from "./board.js";
import { EDGES, opposite, parseCell } from "./cells.js";
import { short } from "./numbers.js";

const PHASES = "12345";

// What stands on a cell's hull, as drawn in the cell at the upper left; hull and space are the ground's.
/** @param {Pieces} pieces @param {string} token */
export const floorOf = (pieces, token) => pieces.floors[parseCell(token).floor] ?? "";

/** @param {Pieces} pieces @param {string} token */
export function checkpointOf(pieces, token) {
  const { checkpoint } = parseCell(token);
  if (!checkpoint) return "";
  const { number, damage } = checkpoint;
  const half = pieces.cell / 2;
  /** @param {BadgePieces} badge @param {number} value */
  const placed = (badge, value) => `<g transform="translate(${half} ${half})">${numeral(badge, value)}</g>`;
  return (damage ? pieces.torn : "") + pieces.locator + placed(pieces.number, number) + (damage ? placed(pieces.repairs, damage) : "");
}

/** @param {BadgePieces} badge @param {number} value */
function numeral({ plates, digits, stroke }, value) {
  const text = String(value);
  const data = [...text].map((digit, place) => digits[text.length - 1]?.[place]?.[Number(digit)] ?? "");
  return `${plates[text.length - 1] ?? ""}${stroke[0]}${data.join("")}${stroke[1]}`;
}

// Slide rails, crusher, arms, lasers and couplings of a cell, in the order in which they lie on each other.
/** @param {Pieces} pieces @param {string} token */
export function fittingsOf({ features }, token) {
  const cell = parseCell(token);
  const keys = [
    ...EDGES.filter((edge) => cell.slides[edge]).map((edge) => `r${cell.slides[edge]}${edge}`),
    ...(cell.crusher ? [`x${cell.crusher}`] : []),
    ...EDGES.filter((edge) => cell.arms[edge]).map((edge) => `p${cell.arms[edge] === PHASES ? "" : cell.arms[edge]}${edge}`),
    ...EDGES.filter((edge) => cell.emitters[edge]).map((edge) => `l${cell.emitters[edge]}${edge}`),
    ...[...cell.couplings].map((edge) => `c${edge}${cell.arms[edge] || cell.emitters[edge] ? "~" : ""}`),
  ];
  return keys.map((key) => features[key] ?? "").join("");
}

// The path data of all rails: each straight run as one line.
/** @param {Board} board @param {number} size */
export function railsOf({ width, height, cells }, size) {
  const columns = width + 1;
  const count = columns * (height + 1);
  const [across, upright] = [new Uint8Array(count), new Uint8Array(count)];
  for (const [index, token] of cells.entries()) {
    if (!token.includes("w")) continue;
    const corner = Math.floor(index / width) * columns + (index % width);
    for (const edge of parseCell(token).rails) {
      if (edge === "N") across[corner] = 1;
      else if (edge === "S") across[corner + columns] = 1;
      else if (edge === "W") upright[corner] = 1;
      else upright[corner + 1] = 1;
    }
  }
  return runs(upright, columns, columns, size, "v") + runs(across, columns, 1, size, "h");
}

/** @param {Uint8Array} edges @param {number} columns @param {number} step @param {number} size @param {string} way */
function runs(edges, columns, step, size, way) {
  let data = "";
  for (let corner = 0; corner < edges.length; corner += 1) {
    if (!edges[corner] || edges[corner - step]) continue;
    let length = 1;
    while (edges[corner + step * length]) length += 1;
    data += `M${(corner % columns) * size} ${Math.floor(corner / columns) * size}${way}${length * size}`;
  }
  return data;
}

// Every laser's rays, walked from its emitter: solid up to the first rail, and dotted beyond a slide rail, as far as they may ever reach.
/** @param {Board} board @param {Pieces} pieces */
export function raysOf(board, { cell: size, rays }) {
  let markup = "";
  for (const [index, token] of board.cells.entries()) {
    if (!token.includes("+l")) continue;
    const [x, y] = [index % board.width, Math.floor(index / board.width)];
    const { emitters } = parseCell(token);
    for (const edge of EDGES) {
      const strength = emitters[edge];
      if (!strength) continue;
      const heading = opposite(edge);
      const near = reach(board, x, y, heading, size, isShut);
      const far = reach(board, x, y, heading, size, isAlwaysShut);
      const turn = edge === "N" ? "" : `rotate(${EDGES.indexOf(edge) * 90})`;
      const place = `transform="translate(${x * size + size / 2} ${y * size + size / 2})${turn}"`;
      /** @param {string | number} from @param {number} to */
      const lines = (from, to) => (rays[strength] ?? []).map((shift) => `M${short(shift)}${from}V${to}`).join("");
      markup += `<path class="ray" ${place} d="${lines(-6, near)}"/>`;
      if (far !== near) markup += `<path class="ray far" ${place} stroke-dasharray=".1 4" d="${lines(` ${near + 4}`, far)}"/>`;
    }
  }
  return markup;
}

/** @param {Board} board @param {number} x @param {number} y @param {Edge} heading @param {number} size @param {(bar: ReturnType<typeof barrier>) => boolean} stops */
function reach(board, x, y, heading, size, stops) {
  const [dx, dy] = STEPS[heading] ?? [0, 0];
  let far = size / 2 - 2;
  while (!stops(barrier(board, x, y, heading)) && isInside(board, x + dx, y + dy)) {
    x += dx;
    y += dy;
    far += size;
  }
  return far;
}

/** @param {ReturnType<typeof barrier>} bar */
const isShut = ({ rail, slides }) => rail || slides.length > 0;
/** @param {ReturnType<typeof barrier>} bar */
const isAlwaysShut = ({ rail, slides }) => rail || (slides.length > 0 && ![...PHASES].some((phase) => slides.every((open) => open?.includes(phase))));
