// The player for other sites: one turn, played from the page's own document. It stores nothing and asks no server.

import { Film, timing } from "../play/film.js";
import { Scrubber } from "../play/scrubber.js";
import { Stage } from "../play/stage.js";
import { keysOf } from "../site/keys.js";
import { need } from "../site/need.js";
import { pgettext } from "../site/words.js";

const SPEED = 100;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const root = need(document, "[data-embed]");
const film = new Film(JSON.parse(need(document, "#film").textContent ?? ""));
const stage = new Stage(need(root, "[data-board] > svg"));
const button = need(root, "[data-play]");
const caption = need(root, "[data-caption]");
const lines = [...root.querySelectorAll("[data-frame]")];
const scrubber = new Scrubber(root, (place) => goTo(place));
let position = film.end; // how many instants have been shown
let run = 0; // counts the starts, so that an earlier one knows to stop
let playing = false;

async function play() {
  const mine = ++run;
  playing = true;
  if (position === film.end) show(0);
  tell();
  while (position < film.end) {
    await forward();
    if (mine !== run) return;
  }
  pause();
}

function pause() {
  run += 1;
  playing = false;
  tell();
}

/** @param {number} place */
function goTo(place) {
  pause();
  show(Math.max(0, Math.min(place, film.end)));
  const frame = film.frames[position - 1];
  if (frame) stage.mark(frame);
}

async function forward() {
  const mine = run;
  const frame = film.frames[position];
  const begins = film.frames[position - 1]?.phase !== frame.phase;
  position += 1;
  const said = tell();
  const { moves, rests } = timing(frame, { begins, said, speed: SPEED, still: still.matches });
  if (still.matches) {
    stage.show(film.states[position]);
    stage.mark(frame);
  } else {
    await stage.play(frame, film.states[position], moves);
  }
  if (mine === run) await new Promise((resolve) => { setTimeout(resolve, rests); });
}

/** @param {number} place */
function show(place) {
  if (!stage.film) stage.open(film);
  position = place;
  stage.hush();
  stage.show(film.states[place]);
  tell();
}

// Says what has just happened. While the film runs, the phase is enough for screen readers.
function tell() {
  const frame = film.frames[position - 1];
  const line = lines.find((each) => each.dataset.frame === String(position - 1));
  for (const each of lines) each.classList.toggle("is-now", each === line);
  const words = [frame && film.titleAt(position - 1), line?.textContent].filter(Boolean).join(". ");
  caption.setAttribute("aria-live", playing ? "off" : "polite");
  caption.textContent = position === film.end ? film.titleAt(position - 1) : words;
  button.setAttribute("aria-pressed", String(playing));
  need(button, "[data-play-label]").textContent = playing ? pgettext("playback", "Pause") : pgettext("playback", "Play");
  scrubber.at(position);
  return Boolean(line);
}

// The keys are those of the game's page.
const KEYS = /** @type {Record<string, () => unknown>} */ ({
  " ": () => (playing ? pause() : play()),
  ",": () => goTo(position - 1),
  ".": () => goTo(position + 1),
  "[": () => goTo(film.phaseFrom(position, -1)),
  "]": () => goTo(film.phaseFrom(position, 1)),
});

/** @param {Heard<KeyboardEvent>} event */
function press(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " " && event.target.closest("a, summary, button, input")) return;
  const act = keysOf(event).map((key) => KEYS[key]).find(Boolean);
  if (!act) return;
  event.preventDefault();
  act();
}

scrubber.open(film);
tell();
need(root, "[data-player]").hidden = false;
button.addEventListener("click", () => (playing ? pause() : play()));
for (const step of root.querySelectorAll("[data-step]")) step.addEventListener("click", () => goTo(position + Number(step.dataset.step)));
document.addEventListener("keydown", press);
