// The programming aid: while chips are laid, the board shows where one's robot stands at the end of each phase if no other robot gets
// in the way. What is drawn comes from the server, and so does what is said of it: a program that destroys the robot, or that is not
// allowed, is said beside Run.

import { emit, listen } from "../site/events.js";
import { need } from "../site/need.js";
import { change, settings } from "../site/settings.js";
import { parsed } from "./geometry.js";
import { reasons } from "./notice.js";
import { sendTurn } from "./order_calls.js";
import { contents } from "./registers.js";

const PAUSE = 120; // milliseconds without a change before the server is asked
const CACHE_SIZE = 200; // answers that are remembered

const answers = new Map(); // by turn and contents
/** @type {{ markup: string, layer: Element } | null} */
let shown = null; // the drawing on the board
/** @type {Part | null} */
let current = null; // the form on the page

/** @param {Part} form @param {Registers} registers */
export function showGhost(form, registers) {
  const box = form.querySelector("[data-aid]"); // games without the aid have none
  erase();
  current = null;
  if (!box) return;
  current = form;
  let timer = 0;
  /** @type {AbortController | null} */
  let asked = null; // the question that is under way
  const tick = need(box, "input");
  box.hidden = false;
  tick.checked = settings.aid;
  tick.addEventListener("change", (event) => {
    event.stopPropagation(); // it is no order
    change({ aid: tick.checked });
  });
  listen("orders:change", () => {
    clearTimeout(timer);
    timer = setTimeout(look, answers.has(question()) ? 0 : PAUSE);
  }, form);
  listen("settings:change", ({ name, value }) => {
    if (name !== "aid" || current !== form) return;
    tick.checked = value;
    look();
  });
  look();

  function isLaid() {
    return [...new URLSearchParams(contents(form))].some(([name, chip]) => name.startsWith("register-") && chip);
  }

  function question() {
    return `${form.dataset.api}/${form.dataset.turn}?${contents(form)}`;
  }

  async function look() {
    if (current !== form || !form.isConnected) return;
    asked?.abort();
    if (!settings.aid || !isLaid()) return show(null); // without chips there is nothing to show
    const wanted = question();
    let answer = answers.get(wanted);
    if (!answer) {
      asked = new AbortController();
      const { signal } = asked;
      const said = await sendTurn(form, "preview", "POST", {}, { signal });
      if (signal.aborted || current !== form || wanted !== question()) return;
      const problems = said?.status === 422 ? said.body.problems : [];
      answer = said?.ok ? said.body : { drawing: "", problems, warning: reasons(problems).join(" ") };
      if (said?.ok || said?.status === 422) remember(wanted, answer);
    }
    show(answer);
  }

  /** @param {any} answer */
  function show(answer) {
    draw(answer?.drawing ?? "");
    need(form, "[data-foreseen]").textContent = answer?.summary ?? "";
    form.dataset.warning = answer?.warning ?? "";
    if (form.dataset.refused === undefined) registers.mark(answer?.problems ?? []);
    emit("orders:foreseen", {}, form);
  }
}

/** @param {string} question @param {any} answer */
function remember(question, answer) {
  answers.set(question, answer);
  if (answers.size > CACHE_SIZE) answers.delete(answers.keys().next().value);
}

/** @param {string} markup */
function draw(markup) {
  erase();
  const board = document.querySelector("[data-board] > svg");
  if (!board || !markup) return;
  shown = { markup, layer: board.appendChild(parsed(markup)) };
}

function erase() {
  shown?.layer.remove();
  shown = null;
  document.querySelector("[data-board] > svg > .outlook")?.remove();
}

// A board that was drawn again has no ghosts yet; a panel that is gone needs none.
listen("parts:fresh", () => {
  if (!current?.isConnected) erase();
  else if (shown && !shown.layer.isConnected) draw(shown.markup);
});
