// The settings of a game: whenever something changes, the server says again what is set, and which starships suit. A board that is
// put together is drawn again, and a click on a cell fills in the fields of a checkpoint.

import { whenSearched, words } from "./find.js";

const CELL = 32; // user units of the drawing

for (const form of document.querySelectorAll("[data-create]")) keepSaying(form);
for (const part of document.querySelectorAll("[data-assembly]")) assemble(part);

/** @param {Part} form */
function keepSaying(form) {
  let asked = 0; // counts what was asked for, so that only the newest answer is shown
  form.addEventListener("change", ({ target }) => {
    if (!target.closest("[data-assembly], [data-find]")) ask();
  });
  whenSearched(ask);

  async function ask() {
    const mine = ++asked;
    const given = new FormData(/** @type {any} */ (form));
    given.append("show", "1");
    given.append("find", words());
    const answer = await fetch(form.action, { method: "POST", body: given }).catch(() => null);
    if (mine !== asked || !answer?.ok) return; // without a connection the form can still be sent
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of form.querySelectorAll("[data-part]")) {
      const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (fresh && !part.contains(document.activeElement)) part.replaceWith(document.importNode(fresh, true));
    }
  }
}

/** @param {Part} part */
function assemble(part) {
  const form = part.closest("form");
  let asked = 0; // counts what was asked for, so that only the newest answer is shown
  show();
  part.addEventListener("change", () => refresh());
  whenSearched(() => refresh());
  part.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-refresh]");
    if (button) {
      event.preventDefault();
      return refresh(button);
    }
    const drawing = event.target.closest(".assembly-drawing svg");
    if (drawing) mark(cellAt(drawing, event));
  });

  /** @param {Part} [button] the one that was pressed, if any */
  async function refresh(button) {
    const mine = ++asked;
    const given = new FormData(/** @type {any} */ (form), button);
    if (!button) given.append("show", "1");
    given.append("find", words());
    part.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(part.dataset.assembly, { method: "POST", body: given });
      if (mine !== asked || !answer.ok) return;
      const focus = document.activeElement?.id;
      part.innerHTML = await answer.text();
      show();
      if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
    } catch {
      // no connection just now: the form can still be sent
    } finally {
      if (mine === asked) part.removeAttribute("aria-busy");
    }
  }

  // The fields' order is that of the checkpoints: what is taken away makes room for those after it.
  /** @param {Cell | null} cell */
  function mark(cell) {
    if (!cell) return;
    const marks = [...part.querySelectorAll(".mark")].map((item) => [...item.querySelectorAll("input")]);
    const there = marks.find(([column, row]) => column.value === String(cell[0]) && row.value === String(cell[1]));
    const free = marks.find(([column, row]) => !column.value && !row.value);
    const [column, row] = there ?? free ?? [];
    if (!column) return;
    column.value = there ? "" : String(cell[0]);
    row.value = there ? "" : String(cell[1]);
    refresh();
  }

  /** @param {Part} drawing @param {MouseEvent} event @returns {Cell | null} */
  function cellAt(drawing, { clientX, clientY }) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(drawing.getScreenCTM()?.inverse());
    const [column, row] = [point.x, point.y].map((units) => Math.floor(units / CELL) + 1);
    const { columns, rows } = /** @type {Part} */ (drawing.closest("[data-columns]")).dataset;
    return column >= 1 && row >= 1 && column <= Number(columns) && row <= Number(rows) ? [column, row] : null;
  }

  function show() {
    for (const hint of part.querySelectorAll("[data-scripted]")) hint.hidden = false;
    part.classList.add("is-live");
  }
}
