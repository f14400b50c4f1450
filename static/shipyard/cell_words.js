// What is in a cell, in words, for those who hear the board. The words of each part are the server's.

import { barrier, cellAt } from "./board.js";
import { EDGES } from "./cells.js";
import { gettext, ngettext } from "../site/words.js";

/** @param {Board} board @param {number} x @param {number} y @param {Record<string, string>} words */
export function wordsOf(board, x, y, words) {
  const cell = cellAt(board, x, y);
  /** @param {string} token */
  const told = (token) => words[token] ?? gettext("Unknown: {token}", { token });
  const parts = [told(cell.floor)];
  if (cell.checkpoint) {
    const { number, damage } = cell.checkpoint;
    parts.push(told("i").replace("{number}", String(number)));
    if (damage) parts.push(ngettext("{number} repair left", "{number} repairs left", damage));
  }
  if (cell.crusher) parts.push(told(`x${cell.crusher}`));
  const bars = EDGES.map((edge) => ({ edge, ...barrier(board, x, y, edge) }));
  for (const { edge, slides } of bars) for (const open of slides) parts.push(told(`r${open}${edge}`));
  const rails = bars.filter(({ rail }) => rail).map(({ edge }) => edge).join("");
  if (rails) parts.push(told(`w${rails}`));
  for (const edge of cell.couplings) parts.push(told(`c${edge}`));
  for (const [edge, phases] of Object.entries(cell.arms)) parts.push(told(`p${phases === "12345" ? "" : phases}${edge}`));
  for (const [edge, strength] of Object.entries(cell.emitters)) parts.push(told(`l${strength}${edge}`));
  for (const token of cell.rest) parts.push(told(`+${token}`));
  return parts.join(", ");
}

// Where a cell is, as people count.
/** @param {number} x @param {number} y */
export const placeOf = (x, y) => gettext("column {column}, row {row}", { column: x + 1, row: y + 1 });

// Words as they stand at the beginning of a line.
/** @param {string} words */
export const sentenceCase = (words) => words.charAt(0).toUpperCase() + words.slice(1);
