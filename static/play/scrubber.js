// The bar under the board: where in a film one is, and where its phases begin.

import { need } from "../site/need.js";
import { gettext } from "../site/words.js";

export class Scrubber {
  // `chosen` is called with the place that was chosen: how many instants are over there.
  /** @param {Part} root @param {(position: number) => void} chosen */
  constructor(root, chosen) {
    this.chosen = chosen;
    this.slider = need(root, "[data-position]");
    this.marks = need(root, "[data-marks]");
    /** @type {Film | null} */
    this.film = null;
    this.slider.addEventListener("input", () => chosen(Number(this.slider.value)));
  }

  /** @param {Film} film */
  open(film) {
    this.film = film;
    this.slider.max = String(film.end);
    this.marks.replaceChildren(...film.phases.filter(({ phase }) => phase > 0).map(({ phase, at }) => {
      const name = phase === 6 ? "" : String(phase); // there is hardly room for more than its line
      const mark = Object.assign(document.createElement("button"), { type: "button", textContent: name, className: "player-mark" });
      mark.setAttribute("aria-label", film.titleAt(at));
      mark.style.setProperty("--at", String(at / film.end));
      mark.addEventListener("click", () => this.chosen(at + 1));
      return mark;
    }));
  }

  // Show a place; null where no film is on the board: then it is at the end.
  /** @param {number | null} position */
  at(position) {
    const { slider, film } = this;
    slider.value = String(position ?? slider.max);
    const title = film && position !== null ? film.titleAt(Math.max(0, position - 1)) : "";
    slider.setAttribute("aria-valuetext", film && title
      ? gettext("{phase}, {position} of {end}", { phase: title, position: Number(position), end: film.end })
      : gettext("End of the turn"));
    slider.style.setProperty("--played", String(Number(slider.value) / (Number(slider.max) || 1)));
    for (const mark of this.marks.children) mark.classList.toggle("is-now", mark.getAttribute("aria-label") === title);
  }
}
