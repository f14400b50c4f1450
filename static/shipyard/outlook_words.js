// What a ship is like before any flight, in words: for each part a figure, what is said of it, and whether it wants a look.

import { placeOf, sentenceCase } from "./cell_words.js";
import { keyOf } from "./outlook_marks.js";
import { gettext, listed, locale, ngettext, pgettext } from "../site/words.js";

export const PARTS = /** @type {const} */ (["ways", "lines", "shelter", "unreachable"]);
const NAMED = 6; // cells that are named

/** @typedef {{ figure: string, told: string[], warns: boolean }} Said */
/** @typedef {(typeof PARTS)[number]} PartName */

// Null for a part of which nothing can be told.
/** @param {ShipOutlook} outlook @returns {Record<PartName, Said | null>} */
export const wordsOfOutlook = (outlook) => ({ ways: ways(outlook), lines: lines(outlook), shelter: shelter(outlook), unreachable: unreachable(outlook) });

/** @param {ShipOutlook} outlook @returns {Said | null} */
function ways({ starts, legs, behind }) {
  if (!starts || !legs) return null;
  if (!starts.length && !legs.length) return { figure: gettext("no start or checkpoint yet"), told: [], warns: false };
  const all = [...starts, ...legs];
  const told = all.map((way) => (starts.includes(way) ? fromStart(way) : fromCheckpoint(way)));
  const far = starts.filter((way) => excess(way, starts) > behind);
  for (const way of far) told.push(gettext("The start cell at {place} is {phases} phases farther from checkpoint 1 than the others, on average.", { place: spot(way.origin), phases: short(excess(way, starts)) }));
  const first = starts.map(({ phases }) => phases);
  const known = first.filter((phases) => phases !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const before = known.length < first.length ? gettext("no route to checkpoint 1") : !first.length ? "" : least === most ? gettext("{phases} phases", { phases: short(least) }) : gettext("{least} to {most} phases", { least: short(least), most: short(most) });
  const after = legs.map(({ phases }) => (phases === null ? gettext("no route") : short(phases)));
  const figure = !before ? listed(after) : after.length ? gettext("{first}, then {others}", { first: before, others: listed(after) }) : before;
  return { figure, told, warns: far.length > 0 || all.some(({ phases }) => phases === null) };
}

/** @param {ShipWay} way */
function fromStart({ origin, checkpoint, phases }) {
  const place = spot(origin);
  return phases === null ? gettext("There is no route from {place} to checkpoint {checkpoint} without transporters.", { place, checkpoint }) : gettext("From {place} to checkpoint {checkpoint}: {phases} phases.", { place, checkpoint, phases: short(phases) });
}

/** @param {ShipWay} way */
function fromCheckpoint({ checkpoint, phases }) {
  const before = checkpoint - 1;
  return phases === null ? gettext("There is no route from checkpoint {before} to checkpoint {checkpoint} without transporters.", { before, checkpoint }) : gettext("From checkpoint {before} to checkpoint {checkpoint}: {phases} phases.", { before, checkpoint, phases: short(phases) });
}

// By how many phases a start is farther than the others in the mean; 0 where that is not known.
/** @param {ShipWay} way @param {ShipWay[]} starts */
function excess(way, starts) {
  const others = starts.filter((other) => other !== way);
  if (!others.length || starts.some(({ phases }) => phases === null)) return 0;
  return (way.phases ?? 0) - others.reduce((sum, { phases }) => sum + (phases ?? 0), 0) / others.length;
}

/** @param {ShipOutlook} outlook @returns {Said} */
function lines({ lines: found }) {
  const told = found.map(({ checkpoint }) => gettext("Robots on checkpoint {one} can shoot at checkpoint {next}.", { one: checkpoint, next: checkpoint + 1 }));
  return { figure: found.length ? listed(found.map(({ checkpoint }) => gettext("{one} to {next}", { one: checkpoint, next: checkpoint + 1 }))) : pgettext("ways", "none"), told, warns: found.length > 0 };
}

/** @param {ShipOutlook} outlook @returns {Said | null} */
function shelter({ shelter: found }) {
  if (!found) return null;
  const { share, limit, cells, bare } = found;
  const told = [ngettext("{open} of {number} cell near the start is exposed to fire.", "{open} of {number} cells near the start are exposed to fire.", cells.length, { open: bare.length })];
  if (share < limit) told.push(gettext("At least {limit} should be sheltered.", { limit: percent(limit) }));
  return { figure: percent(share), told, warns: share < limit };
}

/** @param {ShipOutlook} outlook @returns {Said | null} */
function unreachable({ unreachable: found }) {
  if (!found) return null;
  const named = found.slice(0, NAMED).map(spot);
  const told = found.length ? [sentenceCase(found.length > NAMED ? gettext("{cells} and {number} more.", { cells: named.join("; "), number: found.length - NAMED }) : `${listed(named)}.`)] : [];
  return { figure: found.length ? ngettext("{number} cell", "{number} cells", found.length) : pgettext("cells", "none"), told, warns: false };
}

// What is said of single cells, beside what is in them, by their places in reading order.
/** @param {ShipOutlook} outlook @param {Set<string>} shown parts @param {number} width @returns {Map<number, string[]>} */
export function notesOf({ shelter: found, unreachable: cut, findings }, shown, width) {
  /** @type {Map<number, string[]>} */
  const notes = new Map();
  /** @param {Cell[]} cells @param {string} sentence */
  const note = (cells, sentence) => { for (const [x, y] of cells) notes.set(y * width + x, [...(notes.get(y * width + x) ?? []), sentence]); };
  if (shown.has("shelter")) note(found?.bare ?? [], gettext("exposed to fire"));
  if (shown.has("unreachable")) note(cut ?? [], gettext("no robot can reach this cell"));
  for (const finding of findings ?? []) if (shown.has(keyOf(finding))) note(finding.cells, finding.message);
  return notes;
}

/** @param {Cell} cell */
const spot = ([x, y]) => placeOf(x, y);

/** @param {number} number */
const short = (number) => number.toLocaleString(locale(), { maximumFractionDigits: 1 });

/** @param {number} share */
const percent = (share) => gettext("{number} %", { number: Math.round(100 * share) });
