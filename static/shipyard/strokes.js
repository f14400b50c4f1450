// From a pointer's way to cells and edges: no cell is left out, however fast it moves. Places are in cells, with fractions.

import { beam, EDGES, opposite, readBeam } from "./cells.js";
import { isInside, STEPS } from "./board.js";

const NEAR = 0.25; // of a cell: nearer to a side, its edge is meant
const STEP = 0.2; // of a cell, from one look at edges to the next

// All cells on the way from one place to another, side by side, without the first.
/** @param {Cell} from @param {Cell} to @returns {Cell[]} */
export function cellsBetween([x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  let [x, y] = [Math.floor(x0), Math.floor(y0)];
  const [lastX, lastY] = [Math.floor(x1), Math.floor(y1)];
  const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
  // How much of the way leads to the next column, and to the next row.
  let nextX = dx ? (stepX > 0 ? x + 1 - x0 : x0 - x) / Math.abs(dx) : Infinity;
  let nextY = dy ? (stepY > 0 ? y + 1 - y0 : y0 - y) / Math.abs(dy) : Infinity;
  /** @type {Cell[]} */
  const found = [];
  let left = Math.abs(lastX - x) + Math.abs(lastY - y);
  while (left > 0) {
    if ((nextX <= nextY && x !== lastX) || y === lastY) {
      x += stepX;
      nextX += 1 / Math.abs(dx);
    } else {
      y += stepY;
      nextY += 1 / Math.abs(dy);
    }
    found.push([x, y]);
    left -= 1;
  }
  return found;
}

// The edge of its cell that a place is near to, among some; null in the middle of the cell, or the nearest of all if `always`.
/** @param {number} x @param {number} y @param {{ among?: Edge[], always?: boolean }} [how] @returns {Edge | null} */
export function edgeAt(x, y, { among = EDGES, always = false } = {}) {
  const [right, down] = [x - Math.floor(x), y - Math.floor(y)];
  const far = /** @type {Record<Edge, number>} */ ({ N: down, E: 1 - right, S: 1 - down, W: right });
  const [nearest] = [...among].sort((one, other) => far[one] - far[other]);
  return nearest && (always || far[nearest] < NEAR) ? nearest : null;
}

// The edges that a pointer follows on its way: those that lie along it, not those that it crosses.
/** @param {Cell} from @param {Cell} to @returns {Spot[]} */
export function edgesBetween([x0, y0], [x1, y1]) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const among = /** @type {Edge[]} */ (Math.abs(dx) >= Math.abs(dy) ? ["N", "S"] : ["E", "W"]);
  const count = Math.max(1, Math.ceil(Math.hypot(dx, dy) / STEP));
  /** @type {Spot[]} */
  const found = [];
  for (let index = 1; index <= count; index += 1) {
    const [x, y] = [x0 + (dx * index) / count, y0 + (dy * index) / count];
    const edge = edgeAt(x, y, { among });
    const last = found.at(-1);
    const spot = { x: Math.floor(x), y: Math.floor(y), edge };
    if (edge && !(last && last.x === spot.x && last.y === spot.y && last.edge === edge)) found.push(spot);
  }
  return found;
}

// The side of one cell on which its neighbour is; null if they do not touch.
/** @param {Cell} from @param {Cell} to */
export function sideTowards([x0, y0], [x1, y1]) {
  return EDGES.find((edge) => STEPS[edge]?.[0] === x1 - x0 && STEPS[edge]?.[1] === y1 - y0) ?? null;
}

// A way with another cell at its end. Who goes back takes back.
/** @param {Cell[]} path @param {Cell} next @returns {Cell[]} */
export function extended(path, next) {
  const before = path.at(-2);
  if (before && before[0] === next[0] && before[1] === next[1]) return path.slice(0, -1);
  return [...path, next];
}

// Lay a beam along a way: curves where it turns, intersections where it meets other beams, the direction of the stroke.
/** @param {BoardDraft} draft @param {Cell[]} path @param {string} speed @param {Edge} first where a single cell leads */
export function layBeam(draft, path, speed, first) {
  for (const [place, here] of path.entries()) {
    const [before, after] = [path[place - 1], path[place + 1]];
    const entry = before ? sideTowards(here, before) : null;
    const exit = after ? sideTowards(here, after) : null;
    const [x, y] = here;
    const there = readBeam(draft.cell(x, y).floor);
    // The end of a way joins the beam that is there, unless that leads against it.
    const joins = there && entry && !exit && there.exit !== entry;
    const out = exit ?? (joins ? there.exit : entry ? opposite(entry) : first);
    // Of a beam that is there, other ways in stay if beams lead to them.
    const kept = [...(there?.entries ?? "")].filter((side) => side !== out && isFed(draft, x, y, side));
    draft.change(x, y, { floor: beam(speed, [...new Set([...kept, entry !== out ? entry ?? "" : ""])].join("") || opposite(out), out) });
  }
}

/** @param {BoardDraft} draft @param {number} x @param {number} y @param {string} side */
function isFed(draft, x, y, side) {
  const [dx, dy] = STEPS[side] ?? [0, 0];
  return isInside(draft, x + dx, y + dy) && readBeam(draft.cell(x + dx, y + dy).floor)?.exit === opposite(side);
}
