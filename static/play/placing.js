// Where a bubble goes: beside what it is about, away from all that one may press or has to read, and within the window. Where there is no
// room beside the thing itself, there may be beside the group that it is in, or that group's group.

const GAP = 8;
const PRESSED = "button, a[href], input, select, textarea, label, summary, [role=button], [role=tab], [data-hint]";
const ON_BOARD = ".robot:not([display=none]), .ghost, .board-spot, .board-way, .pin";
const GROUPS = 7; // how far out it may go

// The left and top at which to show a bubble about a box. `start` is the element whose surroundings are tried one by one; of a cell it
// is the board, beside which it goes where it is to be seen whole (`beyond`).
/** @param {Element} bubble @param {DOMRect} box @param {Element | null} start @param {{ board?: Element | null, beyond?: boolean }} [given] */
export function aside(bubble, box, start, { board = null, beyond = false } = {}) {
  const size = bubble.getBoundingClientRect();
  const cell = board ? grown(box, box.width) : box; // a cell with its neighbours
  const taken = [cell, ...obstacles(bubble, board)];
  const boxes = board && !beyond ? [cell] : [];
  if (!board) boxes.push(box);
  for (let group = start, far = 0; group && group !== document.body && far < GROUPS; group = group.parentElement, far += 1) {
    boxes.push(group.getBoundingClientRect());
  }
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
  return choose({ size, box, boxes, taken, board: board?.getBoundingClientRect(), view });
}

// The first place, beside boxes or at the board's edge, that covers nothing taken; else the one that covers least.
/** @param {{ size: Size, box: Box & Size, boxes: Box[], taken: Box[], board?: Box, view: Size }} given @returns {[number, number]} */
export function choose({ size, box, boxes, taken, board, view }) {
  const ways = boxes.flatMap((around) => beside(around, box, size));
  if (board) ways.push(...within(board, box, size, view));
  /** @type {{ left: number, top: number, covers: number } | null} */
  let best = null;
  for (const way of ways) {
    const [left, top] = kept(way, size, view);
    const covers = covered({ left, top, right: left + size.width, bottom: top + size.height }, taken);
    if (!best || covers < best.covers) best = { left, top, covers };
    if (!covers) break;
  }
  return best ? [best.left, best.top] : [0, 0];
}

/** @param {Element} bubble @param {Element | null} board */
function obstacles(bubble, board) {
  const pressed = [...document.querySelectorAll(PRESSED)].filter((element) => !bubble.contains(element) && element.checkVisibility());
  const boxes = [...pressed, ...(board?.querySelectorAll(ON_BOARD) ?? [])].map((element) => element.getBoundingClientRect());
  return boxes.filter(({ width, height, bottom, top }) => width && height && bottom > 0 && top < window.innerHeight);
}

// Above, below, on the right and on the left of a box, in line with what it is about.
/** @param {Box} around @param {Box & Size} box @param {Size} size @returns {[number, number][]} */
function beside(around, box, { width, height }) {
  const [x, y] = [box.left + box.width / 2 - width / 2, box.top + box.height / 2 - height / 2];
  return [[x, around.top - height - GAP], [x, around.bottom + GAP], [around.right + GAP, y], [around.left - width - GAP, y]];
}

// At the board's edge that is further from the cell.
/** @param {Box} board @param {Box & Size} box @param {Size} size @param {Size} view @returns {[number, number][]} */
function within(board, box, { width, height }, view) {
  const x = box.left + box.width / 2 - width / 2;
  const [top, bottom] = [board.top + GAP / 2, Math.min(board.bottom, view.height) - height - GAP / 2];
  return box.top - board.top > board.bottom - box.bottom ? [[x, top], [x, bottom]] : [[x, bottom], [x, top]];
}

/** @param {[number, number]} place @param {Size} size @param {Size} view */
function kept([left, top], { width, height }, view) {
  return [Math.max(GAP, Math.min(left, view.width - width - GAP)), Math.max(GAP, Math.min(top, view.height - height - GAP))];
}

/** @param {DOMRect} rect @param {number} by */
const grown = ({ left, top, right, bottom }, by) => ({ left: left - by, top: top - by, right: right + by, bottom: bottom + by });

// How much of what is taken a box would cover.
/** @param {Box} box @param {Box[]} taken */
function covered(box, taken) {
  let area = 0;
  for (const { left, top, right, bottom } of taken) {
    area += Math.max(0, Math.min(box.right, right) - Math.max(box.left, left)) * Math.max(0, Math.min(box.bottom, bottom) - Math.max(box.top, top));
  }
  return area;
}
