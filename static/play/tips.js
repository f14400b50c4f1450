// What everything is, in short: on hover, on keyboard focus, on a long press, and on a tap on a cell of the board. An element says it
// by its data-tip (on the focus of a link in a group [data-tips], all that are in it); a board by what the server sent along
// (cells.js). One bubble for all, heard of by screen readers, out of the way of what one may press (placing.js); Escape hides it.

import { listen } from "../site/events.js";
import { cellAt, exploreBoards, linesOf, markCell, placeOf, stripTitles } from "./cells.js";
import { aside } from "./placing.js";

const PRESSED = ".board-spot, .board-way"; // what is on the board to be pressed
const HOVER_DELAY = 450; // how long a pointer or the focus rests before the bubble comes, in milliseconds
const NEIGHBOUR_DELAY = 90; // the same where the bubble of a neighbour is there already
const LEAVE_DELAY = 150; // so that a pointer may go over to the bubble
const LONG_PRESS = 500;
const MOVE_TOLERANCE = 10; // pixels that a finger may tremble
const HOLDERS = "button, a, label, summary, [role=button], [role=tab], [tabindex]";

/** @typedef {"hover" | "focus" | "press" | "tap"} By what brought a bubble */

/** @type {HTMLElement} */
let bubble;
/** @type {{ tip: Tip, by: By, at: DOMRect } | null} */
let shown = null; // what it is about, whether "hover", "focus", "press" or "tap" brought it, and where that was then
let timer = 0;
/** @type {{ x: number, y: number, tip: Tip, again: boolean, done: boolean } | null} */
let touch = null; // a finger that is down: {x, y, tip, again, done}; "again" on a cell that was explained already
/** @type {{ element: Element, before: string | null } | null} */
let described = null; // {element, before}: who refers to the bubble, and what it referred to before

export function giveTips() {
  if (bubble) return;
  bubble = document.createElement("div");
  Object.assign(bubble, { id: "tip", className: "tip", role: "tooltip", popover: "manual" });
  (document.querySelector("main") ?? document.body).append(bubble);
  const listeners = { pointerover, pointermove, pointerdown, pointerup, pointercancel, focusin, focusout };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(/** @type {any} */ (name), listener, { passive: true });
  document.documentElement.addEventListener("pointerleave", leave);
  document.addEventListener("click", swallow, true);
  document.addEventListener("contextmenu", (event) => touch && event.preventDefault());
  document.addEventListener("keydown", keydown, true);
  document.addEventListener("scroll", moved, { capture: true, passive: true });
  addEventListener("resize", moved);
  listen("parts:fresh", () => shown && (typeof shown.tip.key === "string" || !shown.tip.key.isConnected) && hide());
  exploreBoards((tip) => (tip ? show(tip, "focus") : hide()));
}

// --- What there is to say: {key, box, lines}, or null ---

/** @param {Part | null} element @returns {Tip | null} */
function tipOf(element) {
  if (!element?.dataset?.tip) return null;
  // What lies in it is told with it: a chip with its register.
  const lines = () => [element, ...element.querySelectorAll("[data-tip]")].filter((part) => part.dataset.tip).map((part) => ["", part.dataset.tip]);
  return { key: element, box: () => element.getBoundingClientRect(), lines };
}

/** @param {Part} target @param {number} x @param {number} y @returns {Tip | null} */
function tipAt(target, x, y) {
  if (!(target instanceof Element)) return null;
  const drawing = target.closest("[data-board] svg.starship");
  if (!drawing) return tipOf(target.closest("[data-tip]"));
  const cell = cellAt(drawing, x, y);
  return cell && { key: cell.join(), box: () => placeOf(drawing, cell), lines: () => linesOf(drawing, cell), drawing, cell };
}

/** @param {Part} target @returns {Tip | null} */
function tipOfFocus(target) {
  return tipOf(target.closest("[data-tip]")) ?? (target.matches(HOLDERS) ? tipOf(target.querySelector("[data-tip]")) ?? tipOfGroup(target) : null);
}

// What can take no focus itself is told with what can: all of a group [data-tips], line by line.
/** @param {Part} target @returns {Tip | null} */
function tipOfGroup(target) {
  const group = target.closest("[data-tips]");
  if (!group) return null;
  const lines = () => [...group.querySelectorAll("[data-tip]")].filter((part) => part.dataset.tip).map(({ textContent, dataset }) => [textContent.trim(), dataset.tip]);
  return { key: target, box: () => group.getBoundingClientRect(), lines };
}

// --- The pointer ---

/** @param {Heard<PointerEvent>} event */
function pointerover({ target, pointerType, clientX, clientY }) {
  const drawing = target instanceof Element && target.closest("[data-board] svg.starship");
  if (drawing) stripTitles(drawing);
  if (pointerType === "touch") return;
  hover(target, clientX, clientY);
  last = `${clientX} ${clientY}`;
}

/** @param {Heard<PointerEvent>} event */
function pointermove({ target, pointerType, clientX, clientY }) {
  if (pointerType !== "touch") {
    if (target instanceof Element && target.closest("[data-board] svg.starship")) hover(target, clientX, clientY);
    last = `${clientX} ${clientY}`;
  } else if (touch && Math.hypot(clientX - touch.x, clientY - touch.y) > MOVE_TOLERANCE) {
    release();
    if (shown?.by === "press") hide();
  }
}

/** @type {Tip["key"] | "leaving" | null} */
let pending = null; // the key of what is about to be shown, or is shown; "leaving" while it is about to go

/** @type {Element | null} */
let clicked = null; // what was clicked, until the pointer leaves it
let last = ""; // where the pointer was last

/** @param {Part} target @param {number} x @param {number} y */
function hover(target, x, y) {
  if (bubble.contains(target)) {
    if (pending === "leaving") clearTimeout(timer);
    pending = shown?.tip.key ?? null;
    return;
  }
  if (clicked?.contains(target)) return;
  clicked = null;
  const tip = tipAt(target, x, y);
  if (!tip) return leave();
  if (tip.key === pending || (shown?.tip.key === tip.key && shown.by !== "hover")) return;
  if (last === `${x} ${y}`) return leave(); // the pointer rests: the page has moved below it
  pending = tip.key;
  clearTimeout(timer);
  timer = setTimeout(() => show(tip, "hover"), shown ? NEIGHBOUR_DELAY : HOVER_DELAY);
}

function leave() {
  if (pending === null || pending === "leaving") return;
  clearTimeout(timer);
  pending = shown?.by === "hover" ? "leaving" : null;
  if (pending) timer = setTimeout(hide, LEAVE_DELAY);
}

/** @param {Heard<PointerEvent>} event */
function pointerdown({ target, pointerType, clientX, clientY }) {
  if (bubble.contains(target)) return;
  const before = shown?.tip.key;
  hide();
  const tip = pointerType === "touch" && tipAt(target, clientX, clientY);
  if (!tip) return pointerType === "touch" || ignore(target, clientX, clientY);
  touch = { x: clientX, y: clientY, tip, again: tip.key === before || Boolean(target.closest(PRESSED)), done: false };
  timer = setTimeout(() => {
    show(tip, "press");
    if (touch) touch.done = true;
  }, LONG_PRESS);
}

// Who has clicked on it knows what it is: it is not explained before the pointer has been elsewhere.
/** @param {Part} target @param {number} x @param {number} y */
function ignore(target, x, y) {
  clicked = target.closest("button"); // what it shows may be drawn again under the pointer
  pending = tipAt(target, x, y)?.key ?? null;
}

function pointerup() {
  // A tap on a cell explains it; another one does what a click there does.
  if (touch?.tip.drawing && !touch.done && !touch.again) {
    show(touch.tip, "tap");
    touch.done = true;
  }
  // The click that follows a long press is not meant as one; it comes at once, or never.
  if (touch?.done) setTimeout(release, 50);
  else release();
}

function pointercancel() {
  release();
}

function release() {
  if (touch && !touch.done) clearTimeout(timer);
  touch = null;
}

/** @param {Event} event */
function swallow(event) {
  if (!touch?.done) return;
  event.preventDefault();
  event.stopPropagation();
}

// --- The focus ---

/** @param {Heard<FocusEvent>} event */
function focusin({ target }) {
  if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
  const tip = tipOfFocus(target);
  if (!tip) return;
  hide();
  fill(tip);
  described = { element: target, before: target.getAttribute("aria-describedby") };
  target.setAttribute("aria-describedby", [described.before, bubble.id].filter(Boolean).join(" "));
  timer = setTimeout(() => show(tip, "focus"), HOVER_DELAY);
}

function focusout() {
  if (described) {
    const { element, before } = described;
    before === null ? element.removeAttribute("aria-describedby") : element.setAttribute("aria-describedby", before);
    described = null;
    hide();
  }
}

/** @param {KeyboardEvent} event */
function keydown(event) {
  if (event.key !== "Escape" || !shown) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  hide();
}

// If only something else has moved, as a scrolled log does, the bubble stays. A bubble of the focus goes along.
function moved() {
  if (!shown) return;
  const { tip, by, at } = shown;
  const { left, top, right, bottom } = tip.box();
  if (Math.hypot(left - at.left, top - at.top, right - at.right, bottom - at.bottom) <= 1) return;
  if (by === "focus") shown.at = place(tip, by);
  else hide();
}

// --- The bubble ---

/** @param {Tip} tip */
function fill({ lines }) {
  bubble.replaceChildren(...lines().map(([what, meaning]) => {
    const line = document.createElement("p");
    if (what) line.append(Object.assign(document.createElement("strong"), { textContent: what }), meaning ? " " : "");
    line.append(meaning);
    return line;
  }));
}

/** @param {Tip} tip @param {By} by */
function show(tip, by) {
  clearTimeout(timer);
  if (tip.key instanceof Element && !tip.key.isConnected) return hide();
  fill(tip);
  bubble.classList.toggle("on-board", Boolean(tip.drawing));
  // Shown again, so that it is above a dialog that was opened in between.
  if (bubble.matches(":popover-open")) bubble.hidePopover?.();
  bubble.showPopover?.();
  shown = { tip, by, at: place(tip, by) };
  pending = tip.key;
}

function hide() {
  clearTimeout(timer);
  pending = null;
  if (!shown) return;
  if (shown.by !== "focus") markCell(); // the keyboard's cursor stays
  shown = null;
  bubble.hidePopover?.();
}

// By mouse a cell is explained beside it; else beside the board, so that all of it is seen. Returns where what it is about is.
/** @param {Tip} tip @param {By} by */
function place(tip, by) {
  const { drawing, cell } = tip;
  if (by === "tap" || (drawing && by === "press")) markCell(drawing, cell);
  const board = drawing?.closest("[data-board]");
  const start = drawing ? board ?? null : /** @type {Element} */ (tip.key);
  const box = tip.box();
  const [left, top] = aside(bubble, box, start, { board, beyond: by !== "hover" });
  bubble.style.left = `${left}px`;
  bubble.style.top = `${top}px`;
  return box;
}
