// All robots while a film is on the board: health, lives, and registers that open phase by phase. The table comes with the film, and
// so does what each instant changes in it.

export class Grid {
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
  show({ crew, hull }, frame) {
    for (const [name, entry] of this.rows) {
      if (crew[name] && crew[name] !== entry.status) fill(entry.row, crew[name]);
      entry.status = crew[name];
      entry.row.classList.toggle("is-acting", Boolean(frame?.acting?.includes(name)));
    }
    for (const column of this.columns) column.classList.toggle("is-now", column.dataset.column === String(frame?.phase));
    for (const repairs of this.hull) repairs.textContent = hull[repairs.dataset.hull] ?? repairs.dataset.first;
  }

  #all(selector) {
    return [...(this.box?.querySelectorAll(selector) ?? [])];
  }
}

function fill(row, { health, lives, open, locked, state }) {
  const meter = row.querySelector(".meter");
  meter.dataset.left = health;
  meter.querySelector(".meter-left").setAttribute("d", `M0 .5h${health}`);
  meter.querySelector(".meter-value").firstChild.data = health;
  row.querySelector("[data-lives]").textContent = lives ?? "";
  row.dataset.state = state;
  for (const register of row.querySelectorAll("[data-register]")) {
    const number = Number(register.dataset.register);
    register.classList.toggle("is-open", open.includes(number));
    register.classList.toggle("is-locked", locked.includes(number));
  }
}
