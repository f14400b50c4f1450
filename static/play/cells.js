// What is in a cell of the board: the words are the server's (json of id board-tips), what moves is read from the drawing as
// it is now, also while a turn is played back. And the board by keyboard: arrow keys lead a cursor from cell to cell.

import { listen } from "../site/events.js";
import { need } from "../site/need.js";
import { CELL, made } from "./geometry.js";

/** @type {Record<string, Cell>} */
const STEPS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };
const HIDDEN = ":not([display=none])";

/** @type {{ element: Part, tips: any } | null} */
let source = null;
const stripped = new WeakSet();

function tips() {
  const element = document.getElementById("board-tips");
  if (!element) return null;
  if (source?.element !== element) source = { element, tips: JSON.parse(element.textContent) };
  return source.tips;
}

/** @param {string} text @param {Record<string, any>} values */
const put = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
/** @param {{ width: number, height: number }} given @param {number} x @param {number} y */
const inside = ({ width, height }, x, y) => x >= 0 && y >= 0 && x < width && y < height;

// The browser's own bubbles would lie over ours: the drawing keeps its name without them.
/** @param {Part} drawing */
export function stripTitles(drawing) {
  if (stripped.has(drawing) || !tips()) return;
  stripped.add(drawing);
  for (const title of drawing.querySelectorAll("title")) {
    if (!title.id) { title.remove(); continue; }
    const name = made("desc", { id: title.id });
    name.textContent = title.textContent;
    title.replaceWith(name);
  }
}

// The cell at a point of the window, or null.
/** @param {Part} drawing @param {number} clientX @param {number} clientY @returns {Cell | null} */
export function cellAt(drawing, clientX, clientY) {
  const matrix = drawing.getScreenCTM();
  if (!tips() || !matrix) return null;
  const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  /** @type {Cell} */
  const cell = [Math.floor(point.x / CELL), Math.floor(point.y / CELL)];
  return inside(tips(), cell[0], cell[1]) ? cell : null;
}

// Where a cell is in the window.
/** @param {Part} drawing @param {Cell} given */
export function placeOf(drawing, [x, y]) {
  const matrix = drawing.getScreenCTM() ?? new DOMMatrix();
  const corner = new DOMPoint(x * CELL, y * CELL).matrixTransform(matrix);
  const size = CELL * matrix.a;
  return new DOMRect(corner.x, corner.y, size, size);
}

// Pairs of what there is and what it does: where it is, robots (mine first), the crystal, then what is built in.
/** @param {Part} drawing @param {Cell} given */
export function linesOf(drawing, [x, y]) {
  const { width, parts, cells, words, headings } = tips();
  const here = `[data-x="${x}"][data-y="${y}"]`;
  const lines = [...drawing.querySelectorAll(`.robot${HIDDEN}, .crystal${HIDDEN}`)]
    .filter((group) => isIn(group, x, y))
    .sort((one, other) => Number(isMine(other)) - Number(isMine(one)))
    .map((group) => (group.matches(".robot") ? robotLine(group, words, headings) : [words.crystal, ""]));
  for (const { dataset } of drawing.querySelectorAll(`.pin${here}[data-tip]`)) lines.unshift([dataset.letter, dataset.tip]);
  const point = drawing.querySelector(`.checkpoint${here}`);
  const built = cells[y * width + x].map((/** @type {number} */ number) => parts[number]);
  for (const [name, meaning] of built) lines.push([point && name === `${words.checkpoint} ${point.dataset.number}` ? checkpointName(name, point, words) : name, meaning]);
  if (!built.length) lines.push([words.hull, ""]);
  return [["", put(words.cell, { x: x + 1, y: y + 1 })], ...lines];
}

// What is heard: without the letter of a pin, which only points to a note.
/** @param {string[][]} lines */
export const textOf = (lines) => lines.map(([what, meaning]) => [/^[a-z]$/.test(what) ? "" : what, meaning].filter(Boolean).join(": ").replace(/\.$/, "")).join(". ");

/** @param {string} name @param {Part} element @param {any} words */
function checkpointName(name, { dataset, classList }, words) {
  const left = Number(dataset.left) ? put(words.left, { count: dataset.left }) : "";
  return [name, classList.contains("next") && words.next, classList.contains("done") && words.done, left].filter(Boolean).join(", ");
}

/** @param {Part} group @param {any} words @param {Record<string, string>} headings */
function robotLine(group, words, headings) {
  /** @param {string} part */
  const has = (part) => group.querySelector(`.when-${part}${HIDDEN}`) !== null;
  const damage = Math.max(0, ...[...group.querySelectorAll(`[data-from]${HIDDEN}`)].map((part) => Number(part.dataset.from)));
  const way = has("undecided") ? "" : headings["NESW".charAt(quarters(need(group, ".pose")))];
  const states = [way && put(words.facing, { way }), damage && put(words.damage, { count: damage }), has("virtual") && words.virtual, has("down") && words.down];
  return [group.dataset.robot, states.filter(Boolean).join(", ")];
}

const me = () => document.querySelector(".mate.is-me")?.dataset.mate;
/** @param {Part} group */
const isMine = ({ dataset }) => dataset.robot !== undefined && dataset.robot === me();

/** @param {Element} element */
const matrixOf = (element) => new DOMMatrix(getComputedStyle(element).transform);

/** @param {Part} group @param {number} x @param {number} y */
function isIn(group, x, y) {
  const { e, f } = matrixOf(group);
  return Math.floor(e / CELL) === x && Math.floor(f / CELL) === y;
}

/** @param {Element} pose */
function quarters(pose) {
  const { a, b } = matrixOf(pose);
  return ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4;
}

// --- By keyboard ---

/** @type {SVGElement | null} */
let cursor = null; // the frame round the cell
/** @type {Cell | null} */
let cell = null;
/** @type {Element | null} */
let voice = null;

// Boards take the focus; `showTip` gets what is to be shown beside the cell, or null.
/** @param {(tip: Tip | null) => void} showTip */
export function exploreBoards(showTip) {
  ready();
  listen("parts:fresh", ready);
  document.addEventListener("focusin", ({ target }) => isBoard(target) && target.matches(":focus-visible") && go(target, cell ?? start(target), showTip));
  document.addEventListener("focusout", ({ target }) => {
    if (!isBoard(target)) return;
    cursor?.remove();
    if (voice) voice.textContent = "";
    showTip(null);
  });
  document.addEventListener("keydown", (event) => {
    if (!isBoard(event.target) || event.ctrlKey || event.altKey || event.metaKey || !tips()) return;
    const { width, height } = tips();
    const [x, y] = cell ?? start(event.target);
    const [dx, dy] = STEPS[event.key] ?? [event.key === "Home" ? -width : event.key === "End" ? width : 0, 0];
    if (!dx && !dy) return;
    event.preventDefault();
    /** @param {number} value @param {number} size */
    const clamp = (value, size) => Math.max(0, Math.min(size - 1, value));
    go(event.target, cell && [clamp(x + dx, width), clamp(y + dy, height)], showTip);
  });
}

/** @param {EventTarget | null} target @returns {target is Element} */
const isBoard = (target) => target instanceof Element && target.matches("[data-board]");

function ready() {
  if (!tips()) return;
  for (const board of document.querySelectorAll("[data-board]")) {
    board.tabIndex = 0;
    board.setAttribute("role", "application");
    board.setAttribute("aria-label", tips().words.board);
  }
}

// Where my robot is; else the middle.
/** @param {Element} board @returns {Cell} */
function start(board) {
  const mine = me();
  const robot = mine && board.querySelector(`.robot[data-robot="${CSS.escape(mine)}"]${HIDDEN}`);
  const { width, height } = tips();
  if (!robot) return [width >> 1, height >> 1];
  const { e, f } = matrixOf(robot);
  return [Math.floor(e / CELL), Math.floor(f / CELL)];
}

/** @param {Part} board @param {Cell | null} to @param {(tip: Tip | null) => void} showTip */
function go(board, to, showTip) {
  const drawing = board.querySelector("svg.starship");
  if (!drawing || !tips()) return;
  cell = to ?? start(board);
  markCell(drawing, cell);
  cursor?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const lines = linesOf(drawing, cell);
  const here = cell;
  showTip({ key: here.join(), box: () => placeOf(drawing, here), lines: () => lines, drawing, cell: here });
  voice ??= /** @type {Part} */ (board.closest("main, body")).appendChild(Object.assign(document.createElement("p"), { className: "unseen", ariaLive: "polite" }));
  voice.textContent = textOf(lines);
}

// Frame a cell, and no other; without one none.
/** @param {Part | null} [drawing] @param {Cell | null} [place] */
export function markCell(drawing, place) {
  if (!drawing || !place) return cursor?.remove();
  cursor ??= made("rect", { class: "cell-cursor", width: CELL - 2, height: CELL - 2, rx: 4 });
  drawing.append(cursor);
  cursor.setAttribute("x", place[0] * CELL + 1);
  cursor.setAttribute("y", place[1] * CELL + 1);
  return undefined;
}
