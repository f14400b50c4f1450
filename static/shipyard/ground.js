// What everything stands on: space with a few stars, and the hull with its plates and seams, drawn by its corners.

import { isInside } from "./board.js";
import { parseCell } from "./cells.js";
import { short } from "./numbers.js";

const CORNER = 7; // radius of the hull's corners
const RADII = [0.4, 0.55, 0.55, 0.9]; // of stars

// The path data of each part of the ground.
/** @param {Board} board @param {number} size @param {number} margin */
export function groundOf(board, size, margin) {
  const { width, height } = board;
  const solid = board.cells.map(isSolid);
  /** @param {number} x @param {number} y */
  const isHull = (x, y) => isInside(board, x, y) && solid[y * width + x] === true;
  let plates = "";
  let rivets = "";
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isHull(x, y)) continue;
      if ((x + y) % 2) plates += `M${x * size} ${y * size}h${size}v${size}h-${size}z`;
      if (x && y && isHull(x - 1, y) && isHull(x, y - 1) && isHull(x - 1, y - 1)) rivets += `M${x * size} ${y * size}h0`;
    }
  }
  let seams = "";
  for (let x = 1; x < width; x += 1) seams += `M${x * size} 0V${height * size}`;
  for (let y = 1; y < height; y += 1) seams += `M0 ${y * size}H${width * size}`;
  return { hull: outline(width, height, isHull, size), plates, rivets, seams, stars: stars(board, isHull, size, margin) };
}

// Whether there is hull in a cell.
/** @param {string} token */
export const isSolid = (token) => token[0] !== "~" || parseCell(token).floor !== "~";

/** @typedef {(x: number, y: number) => boolean} IsHull */

/** @param {Board} board @param {IsHull} isHull @param {number} size @param {number} margin */
function stars({ width, height }, isHull, size, margin) {
  let data = "";
  const [wide, high] = [width * size + 2 * margin, height * size + 2 * margin];
  for (let index = 1; index <= Math.floor(((width + 1) * (height + 1)) / 2); index += 1) {
    const x = ((index * 0.7548776662) % 1) * wide - margin;
    const y = ((index * 0.5698402909) % 1) * high - margin;
    if (isHull(Math.floor(x / size), Math.floor(y / size))) continue;
    const radius = RADII[index % 4] ?? 0;
    const across = short(2 * radius);
    const arc = `a${short(radius)} ${short(radius)} 0 1`;
    data += `M${short(x)} ${short(y)}${arc} 0 ${across} 0${arc} 0-${across} 0`;
  }
  return data;
}

// The path round all hull, holes included. Each corner that has hull on one side of it is passed, the hull to the right.
/** @param {number} width @param {number} height @param {IsHull} isHull @param {number} size */
function outline(width, height, isHull, size) {
  const stride = width + 1;
  /** @type {Map<number, number[]>} */
  const steps = new Map();
  /** @param {number} x @param {number} y @param {number} toX @param {number} toY */
  const step = (x, y, toX, toY) => {
    const [from, to] = [x * (height + 1) + y, toX * (height + 1) + toY];
    const ways = steps.get(from);
    if (ways) ways.push(to);
    else steps.set(from, [to]);
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isHull(x, y)) continue;
      if (!isHull(x, y - 1)) step(x, y, x + 1, y);
      if (!isHull(x + 1, y)) step(x + 1, y, x + 1, y + 1);
      if (!isHull(x, y + 1)) step(x + 1, y + 1, x, y + 1);
      if (!isHull(x - 1, y)) step(x, y + 1, x, y);
    }
  }
  let data = "";
  // Corners are numbered column by column, so that the first of those left is where the next loop begins.
  for (let first = 0; first < stride * (height + 1); first += 1) {
    while (steps.has(first)) data += rounded(cornersOnly(walk(steps, first, height + 1)), size);
  }
  return data;
}

/** @param {Map<number, number[]>} steps @param {number} first @param {number} high */
function walk(steps, first, high) {
  const loop = [first];
  let before = first;
  let here = steps.get(first)?.[0] ?? first;
  take(steps, first, here);
  while (here !== first) {
    loop.push(here);
    const ways = steps.get(here) ?? [];
    // Where two plates touch by a corner alone, turn right, so that their outlines stay apart.
    const [dx, dy] = [Math.floor(here / high) - Math.floor(before / high), (here % high) - (before % high)];
    const right = here - dy * high + dx;
    const after = ways.includes(right) ? right : ways[0] ?? first;
    take(steps, here, after);
    [before, here] = [here, after];
  }
  return loop.map((corner) => /** @type {Cell} */ ([Math.floor(corner / high), corner % high]));
}

/** @param {Map<number, number[]>} steps @param {number} from @param {number} to */
function take(steps, from, to) {
  const ways = steps.get(from) ?? [];
  ways.splice(ways.indexOf(to), 1);
  if (!ways.length) steps.delete(from);
}

/** @param {Cell[]} loop */
function cornersOnly(loop) {
  return loop.filter(([x, y], index) => {
    const [beforeX, beforeY] = /** @type {Cell} */ (loop.at(index - 1));
    const [afterX, afterY] = /** @type {Cell} */ (loop[(index + 1) % loop.length]);
    return !(beforeX === x && x === afterX) && !(beforeY === y && y === afterY);
  });
}

/** @param {Cell[]} loop @param {number} size */
function rounded(loop, size) {
  let data = "";
  for (const [index, [x, y]] of loop.entries()) {
    /** @param {Cell | undefined} other */
    const towards = (other) => `${short(x * size + Math.sign((other?.[0] ?? x) - x) * CORNER)} ${short(y * size + Math.sign((other?.[1] ?? y) - y) * CORNER)}`;
    data += `${data ? "L" : "M"}${towards(loop.at(index - 1))}Q${x * size} ${y * size} ${towards(loop[(index + 1) % loop.length])}`;
  }
  return `${data}Z`;
}
