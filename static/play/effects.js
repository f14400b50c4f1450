// What is seen for an instant: shots, marks on cells, arms and crushers at work. Forms and motion; what happens, and where,
// the server has told.

import { AHEAD, EASE, centre, draw } from "./geometry.js";

// Marks by kind: each has a form of its own.
/** @type {Record<string, string>} */
const FORMS = {
  damage: "M0-15L3.6-5.6L13-8L6.4 0L13 8L3.6 5.6L0 15L-3.6 5.6L-13 8L-6.4 0L-13-8L-3.6-5.6z",
  repair: "M-3-13H3V-3H13V3H3V13H-3V3H-13V-3H-3z",
  weld: "M0-14V-6M0 6V14M-14 0H-6M6 0H14M-10-10L-5-5M5 5L10 10M10-10L5-5M-5 5L-10 10",
  inspect: "M-11 1L-4 8L11-8",
  archive: "M-13-7V-13H-7M7-13H13V-7M13 7V13H7M-7 13H-13V7",
  destroyed: "M0-16V-8M0 8V16M-16 0H-8M8 0H16M-11.5-11.5L-6-6M6 6L11.5 11.5M11.5-11.5L6-6M-6 6L-11.5 11.5",
  down: "M-6-14H6L-6-4H6",
  up: "M0-15V-3M-9-11A13 13 0 1 0 9-11",
};
const RING = "M0-14A14 14 0 1 1 0 14A14 14 0 1 1 0-14z"; // of all others: something has come to be

// Draw what an instant shows beside its robots; still pictures, for who wants nothing to move, stay until they are taken away.
/** @param {Element} layer @param {Frame} frame */
export function showEffects(layer, frame) {
  for (const shot of frame.shots ?? []) drawShot(layer, shot);
  for (const mark of frame.marks ?? []) drawMark(layer, mark);
}

// The same, seen to come and go; returns the animations.
/** @param {Element} layer @param {Element} board @param {Frame} frame @param {number} duration */
export function playEffects(layer, board, frame, duration) {
  const moves = [];
  for (const shot of frame.shots ?? []) for (const part of drawShot(layer, shot)) moves.push(flash(part, duration));
  for (const mark of frame.marks ?? []) moves.push(swell(drawMark(layer, mark), duration));
  for (const [x, y, edge] of frame.arms ?? []) {
    const piston = board.querySelector(`.arm[data-x="${x}"][data-y="${y}"][data-edge="${edge}"] .piston`);
    if (piston) moves.push(thrust(piston, "0 13px", duration));
  }
  for (const [x, y] of frame.crushers ?? []) {
    for (const jaw of board.querySelectorAll(`.crusher[data-x="${x}"][data-y="${y}"] .jaw`)) {
      moves.push(thrust(jaw, jaw.classList.contains("west") ? "7px 0" : "-7px 0", duration));
    }
  }
  return moves;
}

// From the front of who fires to the near side of what is hit, or to the far side of the last cell.
/** @param {Element} layer @param {Shot} shot */
function drawShot(layer, { from, to, hit, robot }) {
  const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  const [begin, end] = [robot ? 9 : -9, hit ? -7 : 14];
  const line = { x1: x1 + dx * begin, y1: y1 + dy * begin, x2: x2 + dx * end, y2: y2 + dy * end };
  const parts = ["shot", "shot-core"].map((name) => draw(layer, "line", { class: name, ...line }));
  if (hit) parts.push(draw(layer, "circle", { class: "shot-hit", cx: line.x2, cy: line.y2, r: 4.5 }));
  return parts;
}

/** @param {Element} layer @param {Mark} mark */
function drawMark(layer, { kind, at }) {
  const [x, y] = centre(at);
  const place = draw(layer, "g", { transform: `translate(${x} ${y})` });
  const form = draw(place, "g", { class: `mark mark-${kind}` });
  const path = FORMS[kind] ?? RING;
  draw(form, "path", { class: "mark-edge", d: path });
  draw(form, "path", { class: "mark-form", d: path });
  return form;
}

/** @param {Element} part @param {number} duration */
function flash(part, duration) {
  return part.animate({ opacity: [0, 1, 1, 0], offset: [0, 0.15, 0.6, 1] }, { duration, fill: "forwards" });
}

/** @param {Element} form @param {number} duration */
function swell(form, duration) {
  const frames = { opacity: [0, 1, 1, 0], scale: [0.6, 1, 1.08, 1.25], offset: [0, 0.25, 0.65, 1] };
  return form.animate(frames, { duration, easing: "ease-out", fill: "forwards" });
}

/** @param {Element} part @param {string} out @param {number} duration */
function thrust(part, out, duration) {
  return part.animate({ translate: ["0 0", out, out, "0 0"], offset: [0, 0.45, 0.6, 1] }, { duration, easing: EASE });
}

// A step that does not happen: towards what stops it, and back.
/** @param {Element} group @param {number} heading @param {number} duration */
export function bump(group, heading, duration) {
  const [dx, dy] = AHEAD[heading];
  return group.animate({ translate: ["0 0", `${dx * 5}px ${dy * 5}px`, "0 0"], offset: [0, 0.4, 1] }, { duration, easing: EASE });
}
