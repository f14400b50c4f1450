// The first heading: one press on an arrow sends it. On the board the arrows stand around my robot, and press those of the panel; by
// keyboard the arrow keys go to them, and Enter sends.

import { FIELDS } from "./keyboard.js";

const CELL = 32; // user units of the drawing
const SVG = "http://www.w3.org/2000/svg";
const KEYS = { ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W" };
const WAYS = { N: [0, 0, -1], E: [90, 1, 0], S: [180, 0, 1], W: [270, -1, 0] }; // degrees, and the step
const AWAY = 27; // from the middle of the robot
const RADIUS = 10;
const ARROW = "M0 6V-6M-5-1 0-6 5-1";

let compass = null; // that of the panel on the page
let layer = null; // its arrows on the board

export function showHeadings(shown) {
  if (!compass) {
    document.addEventListener("keydown", press);
    document.addEventListener("parts:fresh", draw); // the board may be another
  }
  compass = shown;
  draw();
}

function press(event) {
  const { target, key } = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (!(key in KEYS) || !compass.isConnected || target.closest?.(FIELDS) || document.querySelector("dialog[open]")) return;
  // Elsewhere arrow keys have a meaning of their own: a board that scrolls, tabs, radio buttons.
  if (target !== document.body && !compass.contains(target) && target.id !== "panel-title") return;
  const arrow = arrowOf(KEYS[key]);
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
  if (!robot) return;
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
function within(place, start, length) {
  const edge = RADIUS + 1;
  return Math.min(Math.max(place, start + edge), start + length - edge);
}

function arrowOf(way) {
  return compass.querySelector(`[value="${way}"]`);
}

function part(name, values) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  return made;
}
