// The programming aid: while chips are laid, the board shows where one's robot stands at the end of each phase if no other robot gets
// in the way. What is drawn comes from the server, and so does what is said of it: a program that destroys the robot is said beside Run.

import { change, settings } from "../site/settings.js";
import { post } from "./post.js";
import { contents } from "./registers.js";

const PAUSE = 120; // milliseconds without a change before the server is asked
const KEPT = 200; // answers that are remembered

const answers = new Map(); // by address and contents
let shown = null; // the drawing on the board
let current = null; // the form on the page

export function showGhost(form) {
  const address = form.dataset.previewUrl;
  const box = form.querySelector("[data-aid]");
  erase();
  current = null;
  if (!address || !box) return;
  current = form;
  let timer = 0;
  let asked = null; // the question that is under way
  const tick = box.querySelector("input");
  box.hidden = false;
  tick.checked = settings.aid;
  tick.addEventListener("change", (event) => {
    event.stopPropagation(); // it is no order
    change({ aid: tick.checked });
  });
  form.addEventListener("orders:change", () => {
    clearTimeout(timer);
    timer = setTimeout(look, answers.has(question()) ? 0 : PAUSE);
  });
  document.addEventListener("settings:change", ({ detail }) => {
    if (detail.name !== "aid" || current !== form) return;
    tick.checked = detail.value;
    look();
  });
  look();

  function question() {
    return `${address}?${contents(form)}`;
  }

  async function look() {
    if (current !== form || !form.isConnected) return;
    asked?.abort();
    if (!settings.aid) return show(null);
    const wanted = question();
    let answer = answers.get(wanted);
    if (!answer) {
      asked = new AbortController();
      const { signal } = asked;
      const said = await post(form, address, { signal });
      if (signal.aborted || current !== form || wanted !== question()) return;
      answer = said?.ok ? said.body : { drawing: "", said: whyNot(said) };
      if (said?.ok || said?.status === 422) remember(wanted, answer);
    }
    show(answer);
  }

  function show(answer) {
    draw(answer?.drawing ?? "");
    form.querySelector("[data-foreseen]").textContent = answer?.said ?? "";
    form.dataset.warning = answer?.warning ?? "";
    form.dispatchEvent(new CustomEvent("orders:foreseen"));
  }
}

function whyNot(answer) {
  return answer?.status === 422 ? answer.body.problems.map(({ detail }) => detail).join(" ") : "";
}

function remember(question, answer) {
  answers.set(question, answer);
  if (answers.size > KEPT) answers.delete(answers.keys().next().value);
}

function draw(markup) {
  erase();
  const board = document.querySelector("[data-board] > svg");
  if (!board || !markup) return;
  const source = `<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`;
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement.firstElementChild;
  shown = { markup, layer: board.appendChild(document.importNode(parsed, true)) };
}

function erase() {
  shown?.layer.remove();
  shown = null;
  document.querySelector("[data-board] > svg > .outlook")?.remove();
}

// A board that was drawn anew has no ghosts yet; a panel that is gone needs none.
document.addEventListener("parts:fresh", () => {
  if (!current?.isConnected) erase();
  else if (shown && !shown.layer.isConnected) draw(shown.markup);
});
