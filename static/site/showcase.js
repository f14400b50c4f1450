// The film on the front page: it plays once it is in view, silently, and can be paused and played again. Readers who want nothing
// to move keep the drawing of its best moment, and may play it as pictures.

import { Film, timing } from "../play/film.js";
import { Stage } from "../play/stage.js";
import { need } from "./need.js";
import { settings } from "./settings.js";
import { pgettext } from "./words.js";

const SPEED = 135; // the film takes six seconds
const STILL_SPEED = 200; // of pictures without motion
const SEEN = 0.6; // the share of the board in view from which the film plays

const root = need(document, "[data-showcase]");
const board = need(root, "svg");
const button = need(root, "[data-showcase-play]");
const registers = [...root.querySelectorAll(".register")];
const film = new Film({ ...JSON.parse(need(document, "#showcase-film").textContent ?? ""), board: board.outerHTML });
const stage = new Stage(board);
let position = 0; // how many instants have been shown
let run = 0; // counts the starts, so that an earlier one knows to stop
let playing = false;

async function play() {
  const mine = ++run;
  playing = true;
  if (position === 0 || position === film.end) begin();
  tell();
  while (position < film.end) {
    await forward();
    if (mine !== run) return;
  }
  pause();
}

function begin() {
  for (const way of board.querySelectorAll(":scope > .way")) way.remove();
  if (!stage.film) stage.open(film);
  position = 0;
  stage.show(film.states[0]);
}

async function forward() {
  const frame = film.frames[position];
  const state = film.states[position + 1];
  const begins = film.frames[position - 1]?.phase !== frame.phase;
  const still = settings.motion === "reduced";
  const { moves, rests } = timing(frame, { begins, said: false, speed: still ? STILL_SPEED : SPEED, still });
  position += 1;
  for (const [index, register] of registers.entries()) register.classList.toggle("is-running", index === frame.phase - 1);
  if (still) {
    stage.show(state);
    stage.mark(frame);
  } else {
    await stage.play(frame, state, moves);
  }
  await new Promise((resolve) => { setTimeout(resolve, rests); });
}

function pause() {
  run += 1;
  playing = false;
  tell();
}

function tell() {
  const again = position === film.end ? pgettext("playback", "Replay") : pgettext("playback", "Play");
  button.textContent = playing ? pgettext("playback", "Pause") : again;
}

tell();
button.hidden = false;
button.addEventListener("click", () => (playing ? pause() : play()));
if (settings.motion !== "reduced") {
  const watcher = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    watcher.disconnect();
    if (position === 0 && !playing) play();
  }, { threshold: SEEN });
  watcher.observe(board);
}
