// What is seen for an instant: shots, marks on cells, arms and crushers at work. Forms and motion; what happens, and where,
// the server has told.

import { AHEAD, CELL, EASE, centre, draw } from "./geometry.js";

// Marks by kind: each has a form of its own.
/** @type {Record<string, string>} */
const FORMS = {
  damage: "M0-15L3.6-5.6L13-8L6.4 0L13 8L3.6 5.6L0 15L-3.6 5.6L-13 8L-6.4 0L-13-8L-3.6-5.6z",
  repair: "M-3-13H3V-3H13V3H3V13H-3V3H-13V-3H-3z",
  weld: "M0-14V-6M0 6V14M-14 0H-6M6 0H14M-10-10L-5-5M5 5L10 10M10-10L5-5M-5 5L-10 10",
  inspect: "M-11 1L-4 8L11-8",
  goal: "M-11 1L-4 8L11-8M0-15V-20M15 0H20M0 15V20M-15 0H-20M10.6-10.6L14-14M10.6 10.6L14 14M-10.6 10.6L-14 14M-10.6-10.6L-14-14",
  archive: "M-13-7V-13H-7M7-13H13V-7M13 7V13H7M-7 13H-13V7",
  destroyed: "M0-16V-8M0 8V16M-16 0H-8M8 0H16M-11.5-11.5L-6-6M6 6L11.5 11.5M11.5-11.5L6-6M-6 6L-11.5 11.5",
  down: "M-6-14H6L-6-4H6",
  up: "M0-15V-3M-9-11A13 13 0 1 0 9-11",
  win: "M0-20L5.5-7.6L19-6.2L9 2.9L11.8 16.2L0 9.4L-11.8 16.2L-9 2.9L-19-6.2L-5.5-7.6z",
};
const RING = "M0-14A14 14 0 1 1 0 14A14 14 0 1 1 0-14z"; // of all others: something has come to be

// Draw what an instant shows beside its robots; still pictures, for who wants nothing to move, stay until they are taken away.
/** @param {Element} layer @param {Frame} frame */
export function showEffects(layer, frame) {
  for (const shot of frame.shots ?? []) drawShot(layer, shot);
  for (const mark of frame.marks ?? []) drawMark(layer, mark);
  showLabels(layer, frame);
}

// What happened at a cell in a word: “−1”, “lost in space”; pushes have numbers, where one robot pushes the next. Returns the labels.
/** @param {Element} layer @param {Frame} frame */
function showLabels(layer, frame) {
  return (frame.labels ?? []).map(({ kind, text, at, heading }) => {
    const [x, y] = centre(at);
    if (heading !== undefined) return drawNumber(layer, text, x, y, heading);
    const { x: left, width } = /** @type {any} */ (layer).ownerSVGElement.viewBox.baseVal;
    const room = Math.min(x - left, left + width - x) / 3.6; // in letters, on the nearer side
    const anchor = text.length < room ? "middle" : x - left < width / 2 ? "start" : "end";
    const beside = anchor === "middle" ? 0 : anchor === "start" ? -CELL / 2 : CELL / 2;
    const place = { x: x + beside, y: y - 12 };
    for (const old of layer.querySelectorAll(`text[x="${place.x}"][y="${place.y}"]`)) old.remove(); // what was said there before
    const label = draw(layer, "text", { class: `cell-label is-${kind}`, ...place, "text-anchor": anchor });
    label.textContent = text;
    return label;
  });
}

// Between who pushes and who is pushed, beside their eyes. The numbers of the push before are over.
/** @param {Element} layer @param {string} text @param {number} x @param {number} y @param {number} heading */
function drawNumber(layer, text, x, y, heading) {
  if (text === "1") for (const old of layer.querySelectorAll(".is-push")) old.remove();
  const [dx, dy] = AHEAD[heading];
  const [cx, cy] = [x + dx * 16 + Math.abs(dy) * 11, y + dy * 16 - Math.abs(dx) * 11];
  const label = draw(layer, "g", { class: "cell-label is-push" });
  draw(label, "circle", { cx, cy, r: 6.5 });
  draw(label, "text", { x: cx, y: cy + 3.6, "text-anchor": "middle" }).textContent = text;
  return label;
}

// Where a robot came from, for a while.
/** @param {Element} layer @param {Cell | null | undefined} from @param {Cell | null} to @param {number} duration */
export function fadeTrail(layer, from, to, duration) {
  if (!from || !to || String(from) === String(to)) return;
  const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
  const trail = draw(layer, "line", { class: "trail", x1, y1, x2, y2 });
  trail.animate({ opacity: [0, 0.7, 0] }, { duration, fill: "forwards" }).finished.then(() => trail.remove(), () => {});
}

// Labels that are seen to rise and fade; they go by themselves, while the film goes on.
/** @param {Element} layer @param {Frame} frame @param {number} duration */
export function floatLabels(layer, frame, duration) {
  for (const label of showLabels(layer, frame)) {
    const steps = { opacity: [0, 1, 1, 0], translate: ["0 6px", "0 0", "0 -4px", "0 -9px"], offset: [0, 0.12, 0.75, 1] };
    label.animate(steps, { duration, easing: "ease-out", fill: "forwards" }).finished.then(() => label.remove(), () => {});
  }
}

// The same, seen to come and go; returns the animations.
/** @param {Element} layer @param {Element} board @param {Frame} frame @param {number} duration */
export function playEffects(layer, board, frame, duration) {
  const moves = [];
  for (const shot of frame.shots ?? []) for (const part of drawShot(layer, shot)) moves.push(flash(part, duration));
  for (const mark of frame.marks ?? []) {
    moves.push(swell(drawMark(layer, mark), duration));
    if (mark.kind === "win") moves.push(...cheer(layer, mark, duration));
  }
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

// Three rings run out from the winner.
/** @param {Element} layer @param {Mark} mark @param {number} duration */
function cheer(layer, { at: [x, y] }, duration) {
  return [0, 1, 2].map((turn) => {
    const [cx, cy] = centre([x, y]);
    const ring = draw(layer, "circle", { class: "cheer", cx, cy, r: CELL * 3 });
    ring.style.transformOrigin = `${cx}px ${cy}px`;
    const steps = { scale: [0.15, 1], opacity: [0.9, 0] };
    return ring.animate(steps, { duration: duration * 0.6, delay: duration * 0.2 * turn, easing: "ease-out", fill: "both" });
  });
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
