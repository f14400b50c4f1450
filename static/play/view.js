// A board wider than the screen is shown from where my robot is.

// My robot on a board, if it is there.
/** @param {Part} view @returns {Part | null} */
export function mineOn(view) {
  const mine = document.querySelector(".mate.is-me")?.dataset.mate;
  return mine ? view.querySelector(`.robot[data-robot="${CSS.escape(mine)}"]:not([display=none])`) : null;
}

/** @param {Part} view */
export function showMine(view) {
  const robot = mineOn(view);
  if (!robot || view.scrollWidth <= view.clientWidth) return;
  const [box, frame] = [robot.getBoundingClientRect(), view.getBoundingClientRect()];
  view.scrollLeft += box.left - frame.left - frame.width / 2;
  view.scrollTop += box.top - frame.top - frame.height / 2;
}
