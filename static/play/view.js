// A board wider than the screen is shown from where my robot is.

/** @param {Part} view */
export function showMine(view) {
  const mine = document.querySelector(".mate.is-me")?.dataset.mate;
  const robot = mine && view.querySelector(`.robot[data-robot="${CSS.escape(mine)}"]`);
  if (!robot || view.scrollWidth <= view.clientWidth) return;
  const [box, frame] = [robot.getBoundingClientRect(), view.getBoundingClientRect()];
  view.scrollLeft += box.left - frame.left - frame.width / 2;
  view.scrollTop += box.top - frame.top - frame.height / 2;
}
