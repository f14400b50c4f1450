// A position that is set up: a click or Enter on the board places the chosen robot, and every change draws the board again. The fields
// of the form are the truth: this fills them in, and the server says what is wrong.

import { cellAt, markCell } from "../play/cells.js";
import { CELL, LETTERS } from "../play/geometry.js";
import { giveTips } from "../play/tips.js";
import { keysOf } from "../site/keys.js";
import { need } from "../site/need.js";

const GONE = ["out", "away", "place"]; // states of robots that are not on the board

const form = need(document, "[data-set-up]");
const board = need(form, "[data-board]");
const said = () => need(form, "[data-placed]");
let asked = 0; // counts what was asked for, so that only the newest answer is shown
let chosen = 1; // the number of the robot that is placed

giveTips();
for (const part of form.querySelectorAll("[data-unscripted]")) part.hidden = true;
for (const part of form.querySelectorAll("[data-scripted]")) part.hidden = false;
choose(1);

form.addEventListener("change", ({ target }) => refresh(Boolean(target.closest("[data-terms]"))));
form.addEventListener("focusin", ({ target }) => {
  const piece = target.closest("[data-piece]");
  if (piece) choose(Number(piece.dataset.piece));
});
form.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-choose-piece]");
  const piece = button?.closest("[data-piece]");
  if (!piece) return;
  choose(Number(piece.dataset.piece));
  board.focus();
  board.scrollIntoView({ block: "nearest" });
});
board.addEventListener("click", (event) => {
  const drawing = event.target.closest("svg.starship");
  const cell = drawing && cellAt(drawing, event.clientX, event.clientY);
  if (cell) press(cell);
});
board.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const keys = keysOf(event);
  const cell = keys.includes("Enter") ? cursor() : null;
  const piece = keys.find((key) => /^[1-9]$/.test(key) && pieceOf(Number(key)));
  const way = keys.find((key) => /^[a-z]$/.test(key) && LETTERS.includes(key.toUpperCase()));
  if (cell) place(cell);
  else if (piece) choose(Number(piece));
  else if (way) turn(LETTERS.indexOf(way.toUpperCase()));
  else return;
  event.preventDefault();
});

/** @param {number} number */
const pieceOf = (number) => form.querySelector(`[data-piece="${number}"]`);
/** @param {number} number @param {string} name */
const fieldOf = (number, name) => need(form, `[name="robot-${number}-${name}"]`);

// The cell of the keyboard's frame.
/** @returns {Cell | null} */
function cursor() {
  const frame = board.querySelector(".cell-cursor");
  return frame && [Math.floor(Number(frame.getAttribute("x")) / CELL), Math.floor(Number(frame.getAttribute("y")) / CELL)];
}

/** @param {number} number */
function choose(number) {
  chosen = number;
  for (const part of form.querySelectorAll("[data-piece]")) {
    const is = Number(part.dataset.piece) === number;
    part.classList.toggle("is-chosen", is);
    const button = need(part, "[data-choose-piece]");
    button.hidden = false;
    button.setAttribute("aria-pressed", String(is));
  }
}

// On another robot: choose it. On the chosen one: turn it. Else place the chosen one.
/** @param {Cell} cell */
function press([x, y]) {
  const here = [...form.querySelectorAll("[data-piece]")].map((part) => Number(part.dataset.piece)).filter((number) =>
    !GONE.includes(fieldOf(number, "state").value)
    && fieldOf(number, "column").value === String(x + 1) && fieldOf(number, "row").value === String(y + 1));
  const first = here[0];
  if (first === undefined) return place([x, y]);
  if (!here.includes(chosen)) return choose(first);
  return turn((LETTERS.indexOf(fieldOf(chosen, "heading").value) + 1) % LETTERS.length);
}

/** @param {Cell} cell */
function place([x, y]) {
  if (!pieceOf(chosen)) return;
  fieldOf(chosen, "column").value = String(x + 1);
  fieldOf(chosen, "row").value = String(y + 1);
  const state = fieldOf(chosen, "state");
  if (GONE.includes(state.value)) state.value = "on";
  const name = need(need(form, `[data-piece="${chosen}"]`), "legend").lastChild?.textContent?.trim() ?? "";
  /** @type {Record<string, string>} */
  const values = { robot: name, column: String(x + 1), row: String(y + 1) };
  refresh(false, said().dataset.placed.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? ""));
}

/** @param {number} heading */
function turn(heading) {
  if (!pieceOf(chosen)) return;
  fieldOf(chosen, "heading").value = LETTERS.charAt(heading);
  refresh();
}

// Ask the server for the board and for what is wrong. Robots' fields stay as they are, unless their number or the rules have changed.
// `placed` is said first.
async function refresh(robots = false, placed = "") {
  const mine = ++asked;
  const given = new FormData(/** @type {any} */ (form));
  given.append("show", "1");
  const frame = cursor();
  const answer = await fetch(form.action, { method: "POST", body: given }).catch(() => null);
  if (mine !== asked || !answer?.ok) return; // without a connection the form can still be sent
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== asked) return;
  const focus = document.activeElement?.id;
  for (const part of form.querySelectorAll("[data-part]")) {
    const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (fresh && part.isConnected && (robots || part.dataset.part !== "robots")) part.innerHTML = fresh.innerHTML;
  }
  if (placed) said().prepend(`${placed} `);
  const drawing = board.querySelector("svg.starship");
  if (frame && document.activeElement === board) markCell(drawing, frame);
  choose(pieceOf(chosen) ? chosen : 1);
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
}
