// The text of a turn, in step with its film: the line of the instant that is shown is marked, and kept in sight within the
// box of the text. What comes later is quiet, and what was never shown yet is hidden. A click on a line leads there.

import { settings } from "../site/settings.js";

/** @typedef {{ line: Part, frame: number }} Line */

export class Transcript {
  /** @type {Part | null} */ box = null;
  /** @type {Line[]} */ lines = [];
  /** @type {Line[]} */ parts = [];
  /** @type {number[] | null} */ places = null;
  /** @type {{ turn: string, contents: ChildNode[] } | null} */ own = null; // the page's text
  /** @type {Part | null} */ now = null;
  furthest = -1; // the last instant that was shown
  height = 0;

  // `chosen` is called with the place to which a click on a line leads: where its instant is over.
  /** @param {(position: number) => void} chosen */
  constructor(chosen) {
    document.addEventListener("click", (event) => {
      const line = event.target.closest("[data-log] [data-frame]");
      if (line) chosen(Number(line.dataset.frame) + 1);
    });
    addEventListener("resize", () => { this.places = null; });
  }

  // Show the text of a film in place of the page's own.
  /** @param {Film} film */
  open(film) {
    this.box = document.querySelector("[data-log]");
    this.places = null;
    this.furthest = -1;
    this.lines = [];
    this.parts = [];
    if (!this.box) return; // before the first turn there is none
    if (this.box.dataset.log !== String(film.turn)) {
      const text = new DOMParser().parseFromString(film.log, "text/html");
      this.own ??= { turn: this.box.dataset.log, contents: [...this.box.childNodes] };
      this.box.replaceChildren(...document.importNode(text.body, true).childNodes);
      this.#name(film.turn);
    }
    this.box.classList.add("is-live-log");
    this.box.tabIndex = 0; // it scrolls by itself, so it must scroll by keys
    this.box.scrollTop = 0;
    this.lines = [...this.box.querySelectorAll("[data-frame]")].map((line) => ({ line, frame: Number(line.dataset.frame) }));
    this.parts = [...this.box.querySelectorAll("[data-from]")].map((line) => ({ line, frame: Number(line.dataset.from) }));
  }

  // Put the page's own text back.
  close() {
    if (this.own && this.box?.isConnected) {
      this.box.replaceChildren(...this.own.contents);
      this.#name(this.own.turn);
    }
    this.own = null;
    this.box?.removeAttribute("tabindex");
    this.now?.classList.remove("is-now");
    this.now = null;
    for (const { line } of [...this.lines, ...this.parts]) line.classList.remove("is-later", "is-ahead");
  }

  // Mark what is said of an instant, or else the last that was said before it; returns what is said of the instant itself.
  /** @param {number} index @returns {string[]} */
  at(index) {
    if (!this.box) return [];
    this.furthest = Math.max(this.furthest, index);
    for (const { line, frame } of [...this.lines, ...this.parts]) {
      line.classList.toggle("is-later", frame > index);
      line.classList.toggle("is-ahead", frame > this.furthest);
    }
    const entry = this.lines.findLast((each) => each.frame <= index);
    if (entry?.line !== this.now) {
      this.now?.classList.remove("is-now");
      this.now?.removeAttribute("aria-current");
      this.now = entry?.line ?? null;
      this.now?.classList.add("is-now");
      this.now?.setAttribute("aria-current", "true");
      this.#follow(entry ? this.lines.indexOf(entry) : -1);
    }
    return entry?.frame === index ? [...entry.line.children].map((sentence) => sentence.textContent) : [];
  }

  /** @param {number | string} turn */
  #name(turn) {
    const name = document.querySelector("[data-log-turn]");
    if (name) name.textContent = String(turn);
    if (this.box) this.box.dataset.log = String(turn);
  }

  // Where lines are is measured once for a film, not while it runs.
  /** @param {number} index */
  #follow(index) {
    if (!this.box) return;
    if (!this.places) {
      const top = this.box.getBoundingClientRect().top - this.box.scrollTop;
      this.places = this.lines.map(({ line }) => line.getBoundingClientRect().top - top);
      this.height = this.box.clientHeight;
    }
    this.box.scrollTo({ top: (this.places[index] ?? 0) - this.height * 0.4, behavior: settings.motion === "full" ? "smooth" : "auto" });
  }
}
