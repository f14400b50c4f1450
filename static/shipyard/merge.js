// Two drawings that were made from a third: what only one side changed is taken from there, cell by cell. What both changed, each in
// another way, is a clash: people say which of the two they want.
//
// A drawing here is { document, ruleset, players }: all that is saved of a draft.

import { boardOf, isSame, renumbered, rowsOf } from "./board.js";

/** @param {Drawn} base @param {Drawn} mine @param {Drawn} theirs @returns {Merger} */
export function merged(base, mine, theirs) {
  /** @type {Clash[]} */
  const clashes = [];
  const texts = [...new Set([base, mine, theirs].flatMap(({ document }) => Object.keys(document)))].filter((key) => key !== "rows");
  const values = [
    ...texts.map((key) => picked(key, base.document[key], mine.document[key], theirs.document[key])),
    ...["ruleset", "players"].map((key) => picked(key, fieldOf(base, key), fieldOf(mine, key), fieldOf(theirs, key))),
  ];
  for (const { key, mine: one, theirs: other } of values) if (one !== other) clashes.push({ key, mine: String(one ?? ""), theirs: String(other ?? "") });
  const rows = rowsFrom(base, mine, theirs, clashes);
  /** @param {"mine" | "theirs"} side @returns {Drawn} */
  const taken = (side) => {
    const found = Object.fromEntries(values.map((value) => [value.key, value[side]]));
    const { ruleset, players, ...document } = found;
    return { document: { ...document, rows: rows[side] }, ruleset: String(ruleset), players: Number(players) };
  };
  return { clashes, mine: taken("mine"), theirs: taken("theirs") };
}

// Whether two drawings say the same, however their rows are spaced.
/** @param {Drawn} one @param {Drawn} other */
export const isSameDrawn = (one, other) => markOf(one) === markOf(other);

/** @param {Drawn} drawn */
function markOf({ document, ruleset, players }) {
  const keys = Object.keys(document).filter((key) => key !== "rows").sort();
  return JSON.stringify([keys.map((key) => [key, document[key]]), tokensOf(document.rows), ruleset, players]);
}

/** @param {string[]} rows */
const tokensOf = (rows) => rows.map((row) => row.split(/\s+/).filter(Boolean).join(" "));

/** @param {string[]} one @param {string[]} other */
const isSameText = (one, other) => `${tokensOf(one).join("\n")}` === `${tokensOf(other).join("\n")}`;

/** @param {Drawn} drawn @param {string} key */
const fieldOf = (drawn, key) => (key === "ruleset" ? drawn.ruleset : drawn.players);

// One value as each side has it in the end: both the same, but where both changed it.
/** @param {string} key @param {unknown} base @param {unknown} mine @param {unknown} theirs */
function picked(key, base, mine, theirs) {
  if (mine === base) return { key, mine: theirs, theirs };
  return theirs === base ? { key, mine, theirs: mine } : { key, mine, theirs };
}

/** @param {Drawn} base @param {Drawn} mine @param {Drawn} theirs @param {Clash[]} clashes @returns {{ mine: string[], theirs: string[] }} */
function rowsFrom({ document: { rows: before } }, { document: { rows: ours } }, { document: { rows: others } }, clashes) {
  if (isSameText(before, others) || isSameText(ours, others)) return { mine: ours, theirs: ours };
  if (isSameText(before, ours)) return { mine: others, theirs: others };
  const [base, mine, theirs] = [boardOf(before), boardOf(ours), boardOf(others)];
  if (isSame(mine, theirs)) return { mine: others, theirs: others };
  if ([mine, theirs].some(({ width, height }) => width !== base.width || height !== base.height)) {
    clashes.push({ key: "size", mine: sizeOf(mine), theirs: sizeOf(theirs) }); // no cell is known to be the same as another
    return { mine: ours, theirs: others };
  }
  const cells = base.cells.map((token, index) => picked("cell", token, mine.cells[index], theirs.cells[index]));
  for (const [index, cell] of cells.entries()) {
    if (cell.mine !== cell.theirs) clashes.push({ key: "cell", x: index % base.width, y: Math.floor(index / base.width), mine: String(cell.mine), theirs: String(cell.theirs) });
  }
  /** @param {"mine" | "theirs"} side */
  const rows = (side) => rowsOf(renumbered(theirs, { ...base, cells: cells.map((cell) => String(cell[side])) }));
  return { mine: rows("mine"), theirs: rows("theirs") };
}

/** @param {Board} board */
const sizeOf = ({ width, height }) => `${width} × ${height}`;
