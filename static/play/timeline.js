// The whole game as one film: a bar with all its turns, each as long as the others, and its moments on it. The page lists the moments.

import { gettext } from "../site/words.js";

const TICKS = 10; // places of the bar in a turn
const WAIT = 150; // milliseconds until a turn is opened that the bar was drawn over

export class Timeline {
  // `chosen` is called with the turn and the part of it, from 0 to 1.
  /** @param {Part} root @param {(turn: number, share: number) => void} chosen */
  constructor(root, chosen) {
    this.first = Number(root.dataset.first);
    /** @type {Part | null} */
    this.slider = root.querySelector("[data-game-position]");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let soon;
    this.slider?.addEventListener("input", ({ target }) => {
      const ticks = Number(target.value);
      const turn = Math.min(Math.floor(ticks / TICKS), Number(target.max) / TICKS - 1);
      this.#say(this.first + turn);
      clearTimeout(soon);
      soon = setTimeout(() => chosen(this.first + turn, ticks / TICKS - turn), WAIT);
    });
    const moments = document.querySelectorAll("[data-place]");
    const turns = Number(this.slider?.max) / TICKS;
    root.querySelector("[data-game-moments]")?.replaceChildren(...[...moments].map((moment) => {
      const { place, look, kind, turnLink, at } = moment.dataset;
      const mark = Object.assign(document.createElement("a"), { href: moment.href, className: `player-moment is-${kind} robot-${look}`, tabIndex: -1 });
      Object.assign(mark.dataset, { turnLink, at, tip: moment.parentElement?.textContent?.trim().replace(/\s+/g, " ") });
      mark.setAttribute("aria-hidden", "true"); // the list says the same
      mark.style.setProperty("--at", String(Number(place) / turns));
      return mark;
    }));
  }

  // Show a place in the game.
  /** @param {number} turn @param {number} share */
  at(turn, share) {
    const { slider } = this;
    if (!slider) return;
    slider.value = String(Math.round((turn - this.first + share) * TICKS));
    this.#say(turn);
  }

  /** @param {number} turn */
  #say(turn) {
    this.slider?.setAttribute("aria-valuetext", gettext("Turn {number}", { number: turn }));
    this.slider?.style.setProperty("--played", String(Number(this.slider.value) / Number(this.slider.max)));
  }
}
