// The bar under the board: where in a film one is, and where its phases begin.

export class Scrubber {
  // `chosen` is called with the place that was chosen: how many instants are over there.
  constructor(root, chosen) {
    this.chosen = chosen;
    this.slider = root.querySelector("[data-position]");
    this.marks = root.querySelector("[data-marks]");
    this.film = null;
    this.slider.addEventListener("input", () => chosen(Number(this.slider.value)));
  }

  open(film) {
    this.film = film;
    this.slider.max = film.end;
    this.marks.replaceChildren(...film.phases.filter(({ phase }) => phase > 0).map(({ phase, at }) => {
      const name = phase === 6 ? "" : String(phase); // there is hardly room for more than its line
      const mark = Object.assign(document.createElement("button"), { type: "button", textContent: name, className: "player-mark" });
      mark.setAttribute("aria-label", film.titleAt(at));
      mark.style.setProperty("--at", at / film.end);
      mark.addEventListener("click", () => this.chosen(at + 1));
      return mark;
    }));
  }

  // Show a place; null where no film is on the board: then it is at the end.
  at(position) {
    const { slider, film } = this;
    slider.value = position ?? slider.max;
    const title = film && position !== null ? film.titleAt(Math.max(0, position - 1)) : "";
    slider.setAttribute("aria-valuetext", title ? `${title}, ${position} of ${film.end}` : "The end of the turn");
    slider.style.setProperty("--played", slider.value / (slider.max || 1));
    for (const mark of this.marks.children) mark.classList.toggle("is-now", mark.getAttribute("aria-label") === title);
  }
}
