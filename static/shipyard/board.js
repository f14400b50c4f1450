// The board: cells in reading order, as tokens. A change makes another board, so that all that were can be kept.

import { changed, inOrder, opposite, parseCell, withEdge } from "./cells.js";

export const HULL = ".";
export const SPACE = "~";
export const LARGEST = 100; // cells along an edge
export const STEPS = /** @type {Record<string, Cell>} */ ({ N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] });

// The board of a document; a row that is too short is filled up with hull.
/** @param {unknown} rows @returns {Board} */
export function boardOf(rows) {
  const texts = Array.isArray(rows) ? rows.slice(0, LARGEST).map((row) => String(row).split(/\s+/).filter(Boolean).slice(0, LARGEST)) : [];
  const width = Math.max(1, ...texts.map((row) => row.length));
  const cells = texts.flatMap((row) => [...row, ...Array(width - row.length).fill(HULL)]);
  return cells.length ? { width, height: texts.length, cells } : { width: 1, height: 1, cells: [HULL] };
}

// Whether rows make a board larger than there is any: it would lose cells if it were drawn.
/** @param {string[]} rows */
export const isTooLarge = (rows) => rows.length > LARGEST || rows.some((row) => row.split(/\s+/).filter(Boolean).length > LARGEST);

// The rows of a document, their columns aligned as the server writes them.
/** @param {Board} board */
export function rowsOf({ width, height, cells }) {
  const widths = Array.from({ length: width }, (_, x) => Math.max(...column({ width, height, cells }, x).map((token) => token.length)));
  return Array.from({ length: height }, (_, y) => {
    const row = cells.slice(y * width, (y + 1) * width);
    return row.map((token, x) => token.padEnd(widths[x] ?? 0)).join(" ").trimEnd();
  });
}

/** @param {Board} board @param {number} x */
const column = ({ width, height, cells }, x) => Array.from({ length: height }, (_, y) => cells[y * width + x] ?? HULL);

/** @param {{ width: number, height: number }} board @param {number} x @param {number} y */
export const isInside = ({ width, height }, x, y) => x >= 0 && y >= 0 && x < width && y < height;

/** @param {Board} board @param {number} x @param {number} y */
export const tokenAt = (board, x, y) => (isInside(board, x, y) ? board.cells[y * board.width + x] ?? HULL : HULL);

/** @param {Board} board @param {number} x @param {number} y */
export const cellAt = (board, x, y) => parseCell(tokenAt(board, x, y));

/** @param {Board} one @param {Board} other */
export const isSame = (one, other) => one.width === other.width && one.height === other.height && one.cells.every((token, index) => token === other.cells[index]);

// A board while it is changed, cell by cell; `board` is what it has become.
export class Draft {
  /** @type {Map<number, string>} */ changes = new Map();

  /** @param {Board} base */
  constructor(base) {
    this.base = base;
  }

  get width() { return this.base.width; }
  get height() { return this.base.height; }

  /** @returns {readonly string[]} */
  get cells() { return this.board.cells; }

  /** @param {number} x @param {number} y */
  token(x, y) {
    return this.changes.get(y * this.width + x) ?? tokenAt(this.base, x, y);
  }

  /** @param {number} x @param {number} y */
  cell(x, y) {
    return parseCell(this.token(x, y));
  }

  /** @param {number} x @param {number} y @param {string} token */
  set(x, y, token) {
    if (isInside(this.base, x, y) && token !== this.token(x, y)) this.changes.set(y * this.width + x, token);
  }

  /** @param {number} x @param {number} y @param {Partial<ShipCell>} changes */
  change(x, y, changes) {
    this.set(x, y, changed(this.token(x, y), changes));
  }

  /** @returns {Board} */
  get board() {
    if (!this.changes.size) return this.base;
    const cells = [...this.base.cells];
    for (const [index, token] of this.changes) cells[index] = token;
    return { width: this.width, height: this.height, cells };
  }
}

// What bars an edge, whichever of its two cells declares it: a rail, or the phases of its slide rails.
/** @param {Board | Draft} board @param {number} x @param {number} y @param {Edge} edge */
export function barrier(board, x, y, edge) {
  const [dx, dy] = STEPS[edge] ?? [0, 0];
  const here = cellOf(board, x, y);
  const there = isInside(board, x + dx, y + dy) ? cellOf(board, x + dx, y + dy) : null;
  const across = opposite(edge);
  const slides = [here.slides[edge], there?.slides[across]].filter((phases) => phases !== undefined);
  return { rail: here.rails.includes(edge) || Boolean(there?.rails.includes(across)), slides };
}

/** @param {Board | Draft} board @param {number} x @param {number} y */
const cellOf = (board, x, y) => (board instanceof Draft ? board.cell(x, y) : cellAt(board, x, y));

// A rail between two cells belongs to both: have a cell declare what bars one of its edges, as the cell beyond that edge does.
/** @param {Draft} draft @param {number} x @param {number} y @param {Edge} edge */
export function adopt(draft, x, y, edge) {
  const [dx, dy] = STEPS[edge] ?? [0, 0];
  if (!isInside(draft, x, y) || !isInside(draft, x + dx, y + dy)) return;
  const [here, beyond] = [draft.cell(x, y), draft.cell(x + dx, y + dy)];
  if (here.floor === SPACE) return; // nothing stands in space
  const [mine, theirs] = [here.slides[edge], beyond.slides[opposite(edge)]];
  const open = mine && theirs ? [...mine].filter((phase) => theirs.includes(phase)).join("") : mine ?? theirs ?? "";
  const barred = here.rails.includes(edge) || beyond.rails.includes(opposite(edge)) || Boolean(mine && theirs && !open);
  draft.change(x, y, { rails: inOrder(barred ? here.rails + edge : here.rails), slides: withEdge(here.slides, edge, open) });
}

// Leave the rails around an area to the cells beside it, before its own cells go.
/** @param {Draft} draft @param {Area} area */
export function leaveRails(draft, area) {
  for (const [x, y, edge] of rim(area)) {
    const [dx, dy] = STEPS[edge] ?? [0, 0];
    adopt(draft, x + dx, y + dy, opposite(edge));
  }
}

// The cells along the sides of an area, each with the edge on that side.
/** @param {Area} area @returns {[number, number, Edge][]} */
function rim({ x, y, width, height }) {
  const across = Array.from({ length: width }, (_, index) => x + index);
  const down = Array.from({ length: height }, (_, index) => y + index);
  return [
    ...across.flatMap((column) => /** @type {[number, number, Edge][]} */ ([[column, y, "N"], [column, y + height - 1, "S"]])),
    ...down.flatMap((row) => /** @type {[number, number, Edge][]} */ ([[x, row, "W"], [x + width - 1, row, "E"]])),
  ];
}

// A board with rows and columns added at its sides, or taken away where a number is negative: no more than it has room for, and no line
// of the board goes for one that is added. What stays keeps its rails.
/** @param {Board} board @param {{ north?: number, east?: number, south?: number, west?: number }} by @returns {Board} */
export function resized(board, { north = 0, east = 0, south = 0, west = 0 }) {
  const [left, right] = bounded(board.width, west, east);
  const [top, bottom] = bounded(board.height, north, south);
  const [width, height] = [board.width + left + right, board.height + top + bottom];
  const draft = new Draft(board);
  for (const [x, y, edge] of rim({ x: Math.max(0, -left), y: Math.max(0, -top), width: board.width + Math.min(0, left) + Math.min(0, right), height: board.height + Math.min(0, top) + Math.min(0, bottom) })) adopt(draft, x, y, edge);
  const cells = Array.from({ length: width * height }, (_, index) => draft.token((index % width) - left, Math.floor(index / width) - top));
  return { width, height, cells };
}

// How many lines are added before and after those that are there, or taken away: one stays at least, and `LARGEST` at most.
/** @param {number} size @param {number} before @param {number} after @returns {[number, number]} */
function bounded(size, before, after) {
  /** @param {number} value @param {number} there */
  const clamp = (value, there) => Math.min(LARGEST - there, Math.max(1 - there, value));
  const first = clamp(before, size);
  return [first, clamp(after, size + first)];
}

// A part of a board, with the rails on its edges, as a board of its own.
/** @param {Board} board @param {Area} area */
export const cropped = (board, { x, y, width, height }) => resized(board, { west: -x, north: -y, east: x + width - board.width, south: y + height - board.height });

// All checkpoints by their numbers, in order; several may have one number.
/** @param {Board} board */
export function checkpointsOf(board) {
  return board.cells
    .map((token, index) => ({ index, checkpoint: parseCell(token).checkpoint }))
    .flatMap(({ index, checkpoint }) => (checkpoint ? [{ index, ...checkpoint }] : []))
    .sort((one, other) => one.number - other.number || one.index - other.index);
}

// Number checkpoints from 1 without a gap, if a change added or removed some. Of two with one number, the one that is new comes last.
/** @param {Board} before @param {Board} after @returns {Board} */
export function renumbered(before, after) {
  const found = checkpointsOf(after);
  if (`${checkpointsOf(before).map(({ number }) => number)}` === `${found.map(({ number }) => number)}`) return after;
  const stays = before.width === after.width && before.height === after.height;
  /** @param {{ index: number, number: number }} one */
  const isNew = ({ index, number }) => !(stays && parseCell(before.cells[index] ?? HULL).checkpoint?.number === number);
  const taken = new Set();
  const order = found
    .sort((one, other) => one.number - other.number || Number(isNew(one)) - Number(isNew(other)) || one.index - other.index)
    .map((one) => {
      const rank = taken.has(one.number) ? Infinity : one.number;
      taken.add(one.number);
      return { ...one, rank };
    })
    .sort((one, other) => (one.rank === other.rank ? one.index - other.index : one.rank - other.rank));
  const draft = new Draft(after);
  for (const [place, { index, damage }] of order.entries()) {
    draft.change(index % after.width, Math.floor(index / after.width), { checkpoint: { number: place + 1, damage } });
  }
  return draft.board;
}
