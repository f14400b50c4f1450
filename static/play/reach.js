// A board that is larger than its frame scrolls in it: by keyboard as well, and from where my robot is. If my robot or my next
// checkpoint is out of sight, a sign at the edge of the frame points to it, and a press on the sign shows it.

import { listen } from "../site/events.js";
import { whenLaidOut } from "../site/laid.js";
import { settings } from "../site/settings.js";
import { gettext } from "../site/words.js";
import { placeOf } from "./cells.js";
import { draw, made } from "./geometry.js";
import { mineOn, showMine } from "./view.js";

const INSET = 24; // pixels from the edge of the frame to the middle of a sign
const APART = 48; // pixels between two signs
const CHANGES = { subtree: true, childList: true, attributes: true, attributeFilter: ["data-x", "data-heading", "class", "display"] };

/** @typedef {{ sign: HTMLButtonElement, find: () => Part | null }} Sign */
/** @type {WeakMap<Element, Sign[]>} */
const signs = new WeakMap(); // by frame

function reach({ moved = false } = {}) {
  for (const view of document.querySelectorAll("[data-board]")) {
    const scrolls = view.scrollWidth > view.clientWidth || view.scrollHeight > view.clientHeight;
    if (scrolls) {
      view.tabIndex = 0;
      view.setAttribute("role", "group");
      view.setAttribute("aria-label", gettext("Board (scrollable)"));
      if (moved) showMine(view);
      if (!signs.has(view)) watch(view);
    }
    if (signs.has(view)) point(view);
  }
}

/** @param {Part} view */
function watch(view) {
  signs.set(view, [
    makeSign(view, gettext("Show your robot"), () => mineOn(view)),
    makeSign(view, gettext("Show your next checkpoint"), () => view.querySelector(".checkpoint.next")),
  ]);
  let due = 0;
  const soon = () => {
    due ||= requestAnimationFrame(() => {
      due = 0;
      point(view);
    });
  };
  new MutationObserver(soon).observe(view, CHANGES);
  view.addEventListener("scroll", soon, { passive: true });
}

/** @param {Part} view @param {string} name @param {() => Part | null} find */
function makeSign(view, name, find) {
  const sign = document.createElement("button");
  Object.assign(sign, { type: "button", className: "board-sign", ariaLabel: name, hidden: true });
  sign.addEventListener("click", () => {
    const [left = 0, top = 0] = wayTo(find(), view) ?? [];
    view.focus({ preventScroll: true });
    view.scrollBy({ left, top, behavior: settings.motion === "reduced" ? "auto" : "smooth" });
  });
  view.after(sign);
  return { sign, find };
}

// Show the signs of what is out of sight, each where the way to it leaves the frame.
/** @param {Part} view */
function point(view) {
  const [width, height] = [view.clientWidth / 2, view.clientHeight / 2];
  /** @type {number[] | null} */
  let other = null;
  for (const { sign, find } of signs.get(view) ?? []) {
    const target = find();
    const way = wayTo(target, view);
    if (!target || !way) {
      if (sign === document.activeElement) view.focus({ preventScroll: true });
      sign.hidden = true;
      continue;
    }
    const [dx = 0, dy = 0] = way;
    const scale = Math.min((width - INSET) / Math.abs(dx), (height - INSET) / Math.abs(dy));
    let [left, top] = [width + dx * scale, height + dy * scale];
    if (other && Math.hypot((other[0] ?? 0) - left, (other[1] ?? 0) - top) < APART) top += top > height ? -APART : APART;
    other = [left, top];
    Object.assign(sign.style, { left: `${view.offsetLeft + left}px`, top: `${view.offsetTop + top}px` });
    sign.classList.toggle("is-me", target.matches(".robot"));
    sign.replaceChildren(arrow((Math.atan2(dx, -dy) * 180) / Math.PI));
    sign.hidden = false;
  }
}

// From the middle of the frame to what is in a cell, or null if that is in sight or not there.
/** @param {Part | null} target @param {Part} view */
function wayTo(target, view) {
  const drawing = view.querySelector("svg.starship");
  if (!target || !drawing) return null;
  const frame = view.getBoundingClientRect();
  const cell = placeOf(drawing, [Number(target.dataset.x), Number(target.dataset.y)]);
  const [dx, dy] = [cell.x + cell.width / 2 - frame.x - frame.width / 2, cell.y + cell.height / 2 - frame.y - frame.height / 2];
  return Math.abs(dx) < frame.width / 2 && Math.abs(dy) < frame.height / 2 ? null : [dx, dy];
}

// No picture of what is out of sight: that would look as if it stood there.
/** @param {number} degrees */
function arrow(degrees) {
  const shown = made("svg", { viewBox: "-32 -32 64 64", "aria-hidden": "true" });
  draw(shown, "path", { d: "M0-26L19 0H8V24H-8V0H-19z", transform: `rotate(${degrees})` });
  return shown;
}

listen("settings:change", ({ name }) => name === "cell_size" && reach({ moved: true }));
listen("parts:fresh", () => reach());
addEventListener("resize", () => reach());
for (const view of document.querySelectorAll("[data-board]")) whenLaidOut(view, () => reach({ moved: true }));
