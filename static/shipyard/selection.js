// Parts of a board: copied, put down, moved, turned, mirrored, cleared.

import { boardOf, cropped, Draft, HULL, leaveRails, rowsOf } from "./board.js";
import { movedBoard } from "./symmetry.js";

// The area between two cells, both of them included.
/** @param {Cell} one @param {Cell} other @returns {Area} */
export function areaBetween([x0, y0], [x1, y1]) {
  return { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0) + 1, height: Math.abs(y1 - y0) + 1 };
}

/** @param {Area | null} area @param {number} x @param {number} y */
export const holds = (area, x, y) => area !== null && x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height;

/** @param {Area} area @returns {Cell[]} */
export function cellsIn({ x, y, width, height }) {
  return Array.from({ length: width * height }, (_, index) => /** @type {Cell} */ ([x + (index % width), y + Math.floor(index / width)]));
}

// An area as text for the clipboard: the rows of a document.
/** @param {Board} board @param {Area} area */
export const copied = (board, area) => rowsOf(cropped(board, area)).join("\n");

// What a clipboard's text has, if that can be cells: a floor in each, and as many in each row.
/** @param {string} text @returns {Board | null} */
export function readCopy(text) {
  const rows = text.trim().split(/\r?\n/).map((row) => row.trim());
  const looks = rows.every((row) => row && row.split(/\s+/).every((token) => /^(?:[.~osfka](?:\+|$)|[abdghkt][:\d+-])/.test(token)));
  const counts = new Set(rows.map((row) => row.split(/\s+/).length));
  return looks && counts.size === 1 ? boardOf(rows) : null;
}

// Clear an area, with all on the edges between its cells. A rail at its side also belongs to the cell beside it, and stays there.
/** @param {Board} board @param {Area} area */
export function cleared(board, area) {
  const draft = new Draft(board);
  leaveRails(draft, area);
  for (const [x, y] of cellsIn(area)) draft.set(x, y, HULL);
  return draft.board;
}

// Put a part down with its upper left corner in a cell; what lies beyond the board's end is left out.
/** @param {Board} board @param {Board} part @param {number} x @param {number} y */
export function pasted(board, part, x, y) {
  const draft = new Draft(board);
  leaveRails(draft, { x, y, width: part.width, height: part.height });
  for (const [index, token] of part.cells.entries()) draft.set(x + (index % part.width), y + Math.floor(index / part.width), token);
  return draft.board;
}

// Take an area up and put it down elsewhere.
/** @param {Board} board @param {Area} area @param {number} x @param {number} y */
export const moved = (board, area, x, y) => pasted(cleared(board, area), cropped(board, area), x, y);

// Turn an area "right" or "left", or mirror it by "sides" or "ends", where it is. At the board's end it moves aside, so that nothing of it
// is lost as long as the board has room for it. Returns also what area it is then.
/** @param {Board} board @param {Area} area @param {string} name @returns {{ board: Board, area: Area }} */
export function turnedArea(board, area, name) {
  const part = movedBoard(cropped(board, area), name);
  const [width, height] = [Math.min(part.width, board.width), Math.min(part.height, board.height)];
  const [x, y] = [Math.min(area.x, board.width - width), Math.min(area.y, board.height - height)];
  return { board: pasted(cleared(board, area), part, x, y), area: { x, y, width, height } };
}
