// Turns and mirrors: of places, of edges, and of the whole board; and where a stroke has its images while painting is symmetric.

import { movedCell } from "./cells.js";

export const SYMMETRIES = ["none", "sides", "ends", "half", "mirrors", "quarters"];

const SAME = { N: "N", E: "E", S: "S", W: "W" };
const QUARTER = { N: "E", E: "S", S: "W", W: "N" };
const HALF = { N: "S", E: "W", S: "N", W: "E" };
const BACK = { N: "W", E: "N", S: "E", W: "S" };
const SIDES = { N: "N", E: "W", S: "S", W: "E" };
const ENDS = { N: "S", E: "E", S: "N", W: "W" };

// A motion of a board of that size: a quarter turn "right" or "left", a "half" turn, mirrored "sides" (left and right) or "ends".
/** @param {string} name @param {number} width @param {number} height @returns {Motion} */
export function motion(name, width, height) {
  const [west, north] = [width - 1, height - 1];
  /** @type {Record<string, [(x: number, y: number) => Cell, Record<string, string>, boolean]>} */
  const all = {
    same: [(x, y) => [x, y], SAME, false],
    right: [(x, y) => [north - y, x], QUARTER, false],
    half: [(x, y) => [west - x, north - y], HALF, false],
    left: [(x, y) => [y, west - x], BACK, false],
    sides: [(x, y) => [west - x, y], SIDES, true],
    ends: [(x, y) => [x, north - y], ENDS, true],
  };
  const [at, edges, mirrors] = all[name] ?? /** @type {NonNullable<typeof all[string]>} */ (all["same"]);
  return { at, edges: /** @type {Record<string, Edge>} */ (edges), mirrors };
}

// The images that a stroke has, itself first. Quarter turns need a square board.
/** @param {string} symmetry @param {number} width @param {number} height */
export function imagesOf(symmetry, width, height) {
  const names = /** @type {Record<string, string[]>} */ ({
    sides: ["same", "sides"],
    ends: ["same", "ends"],
    half: ["same", "half"],
    mirrors: ["same", "sides", "ends", "half"],
    quarters: width === height ? ["same", "right", "half", "left"] : ["same"],
  })[symmetry] ?? ["same"];
  return names.map((name) => motion(name, width, height));
}

// A board, turned or mirrored.
/** @param {Board} board @param {string} name @returns {Board} */
export function movedBoard(board, name) {
  const how = motion(name, board.width, board.height);
  const turns = name === "right" || name === "left";
  const [width, height] = turns ? [board.height, board.width] : [board.width, board.height];
  const cells = /** @type {string[]} */ (Array(width * height));
  for (const [index, token] of board.cells.entries()) {
    const [x, y] = how.at(index % board.width, Math.floor(index / board.width));
    cells[y * width + x] = movedCell(token, how);
  }
  return { width, height, cells };
}
