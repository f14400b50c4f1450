// Headings. The first: one press on an arrow sends it. On the board the arrows stand around my robot, and press those of the panel; by
// keyboard the arrow keys go to them, and Enter sends. Later ones come with a program: on a phone they are asked before it.

import { listen } from "../site/events.js";
import { need } from "../site/need.js";
import { gettext } from "../site/words.js";
import { CELL, made as part } from "./geometry.js";
import { FIELDS } from "./keyboard.js";

/** @type {Record<string, string>} */
const KEYS = { ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W" };
const WAYS = { N: [0, 0, -1], E: [90, 1, 0], S: [180, 0, 1], W: [270, -1, 0] }; // degrees, and the step
const AWAY = 27; // from the middle of the robot
const RADIUS = 10;
const ARROW = "M0 6V-6M-5-1 0-6 5-1";

/** @type {Part} */
let compass; // that of the panel on the page
/** @type {SVGElement | null} */
let layer = null; // its arrows on the board

/** @param {Part} shown */
export function showHeadings(shown) {
  if (!compass) {
    document.addEventListener("keydown", press);
    listen("parts:fresh", draw); // the board may be another
  }
  compass = shown;
  draw();
}

// While it asks, the question has the dock of a phone (orders.css); hand and registers have it once a heading is chosen.
/** @param {Part} form @param {Registers} registers */
export function askHeading(form, registers) {
  const question = form.querySelector("[data-compass]");
  const again = form.querySelector("[data-ask-heading]");
  if (!question || !again) return;
  /** @param {boolean} asking */
  const ask = (asking) => {
    form.classList.toggle("is-asking", asking);
    again.hidden = asking;
    const heading = question.querySelector(".way:has(:checked)")?.textContent.trim() ?? "";
    again.textContent = gettext("Heading: {heading}", { heading });
  };
  question.addEventListener("click", ({ target }) => target.matches("input") && ask(false)); // the one that was chosen, too
  again.addEventListener("click", () => {
    ask(true);
    question.querySelector("input:checked")?.focus({ preventScroll: true });
  });
  listen("orders:change", () => registers.open.some(({ chip }) => chip) && ask(false), form);
  const { submitted, draftSaved } = form.dataset;
  ask(submitted === undefined && !draftSaved);
}

/** @param {Heard<KeyboardEvent>} event */
function press(event) {
  const { target, key } = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const way = KEYS[key];
  if (!way || !compass.isConnected || target.closest?.(FIELDS) || document.querySelector("dialog[open]")) return;
  // Elsewhere arrow keys have a meaning of their own: a board that scrolls, tabs, radio buttons.
  if (target !== document.body && !compass.contains(target) && !target.matches("#panel-title, #recap-title")) return;
  const arrow = arrowOf(way);
  if (arrow.matches(":disabled")) return;
  event.preventDefault();
  arrow.focus();
}

function draw() {
  layer?.remove();
  layer = null;
  if (!compass.isConnected || compass.matches(":disabled") || compass.querySelector("[aria-pressed=true]")) return;
  const board = document.querySelector("[data-board] > svg");
  const robot = board?.querySelector(`.robot[data-robot="${CSS.escape(compass.dataset.robot)}"]`);
  if (!board || !robot) return;
  const [x, y] = [robot.dataset.x, robot.dataset.y].map((place) => (Number(place) + 0.5) * CELL);
  layer = part("g", { class: "board-ways", "aria-hidden": "true" });
  const frame = board.viewBox.baseVal;
  for (const [way, [degrees, right, down]] of Object.entries(WAYS)) {
    const left = within(x + right * AWAY, frame.x, frame.width);
    const top = within(y + down * AWAY, frame.y, frame.height);
    const arrow = part("g", { class: "board-way", transform: `translate(${left} ${top}) rotate(${degrees})` });
    const area = { x: -CELL / 2, y: -CELL / 2, width: CELL, height: CELL };
    arrow.append(part("rect", area), part("circle", { r: RADIUS }), part("path", { d: ARROW, transform: "scale(.85)" }));
    arrow.addEventListener("click", (event) => {
      event.stopPropagation(); // it is not the cell that was pressed
      arrowOf(way).click();
    });
    layer.append(arrow);
  }
  board.insertBefore(layer, board.querySelector(":scope > .pins")); // pins are read above it
}

// A robot at the edge has its arrow on the drawing all the same.
/** @param {number} place @param {number} start @param {number} length */
function within(place, start, length) {
  const edge = RADIUS + 1;
  return Math.min(Math.max(place, start + edge), start + length - edge);
}

/** @param {string} way */
function arrowOf(way) {
  return need(compass, `[value="${way}"]`);
}
