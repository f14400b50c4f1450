// All robots while a film is on the board: health, lives, and registers that open phase by phase. The table comes with the film, and
// so does what each instant changes in it.

import { need } from "../site/need.js";

export class Grid {
  /** @type {Part | null} */ box;
  /** @type {Map<string, { row: Part, status: Status | null }>} */ rows = new Map();
  /** @type {Part[]} */ columns = [];
  /** @type {Part[]} */ hull = [];

  /** @param {Film} film */
  open(film) {
    this.box = document.querySelector("[data-grid]");
    const table = new DOMParser().parseFromString(film.grid ?? "", "text/html");
    this.box?.replaceChildren(...document.importNode(table.body, true).childNodes);
    this.rows = new Map(this.#all("[data-row]").map((row) => [row.dataset.row, { row, status: null }]));
    this.columns = this.#all("[data-column]");
    this.hull = this.#all("[data-hull]");
  }

  close() {
    this.box?.replaceChildren();
  }

  // Show a state of the film; `frame` is the instant that led to it, if any.
  /** @param {Scene} scene @param {Frame | undefined} frame */
  show({ crew, hull }, frame) {
    for (const [name, entry] of this.rows) {
      const status = crew[name] ?? null;
      if (status && status !== entry.status) fill(entry.row, status);
      entry.status = status;
      entry.row.classList.toggle("is-acting", Boolean(frame?.acting?.includes(name)));
    }
    for (const column of this.columns) column.classList.toggle("is-now", column.dataset.column === String(frame?.phase));
    for (const repairs of this.hull) repairs.textContent = String(hull[repairs.dataset.hull] ?? repairs.dataset.first);
  }

  /** @param {string} selector */
  #all(selector) {
    return [...(this.box?.querySelectorAll(selector) ?? [])];
  }
}

/** @param {Part} row @param {Status} status */
function fill(row, { health, lives, open, locked, state }) {
  const meter = need(row, ".meter");
  meter.dataset.left = String(health);
  need(meter, ".meter-left").setAttribute("d", `M0 .5h${health}`);
  /** @type {Text} */ (need(meter, ".meter-value").firstChild).data = String(health);
  need(row, "[data-lives]").textContent = String(lives ?? "");
  row.dataset.state = state;
  for (const register of row.querySelectorAll("[data-register]")) {
    const number = Number(register.dataset.register);
    register.classList.toggle("is-open", open.includes(number));
    register.classList.toggle("is-locked", locked.includes(number));
  }
}
