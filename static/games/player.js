// Plays a turn back: play and pause, step by step, at any speed, from any line of the text. It begins with the server's
// drawing of the turn's start, and ends with the server's drawing of its end.

import { Stage } from "./stage.js";

const INSTANT = 230; // milliseconds that something takes to happen
const PAUSE = 70; // between two instants
const READING = 420; // while a phase is announced, or something is said that moves nothing
const CUT = 700; // an instant where nothing shall move

export function playBack(player) {
  const view = document.querySelector("[data-board]");
  const film = JSON.parse(document.getElementById("film").textContent);
  const before = document.querySelector("[data-before]").content.querySelector("svg");
  const after = view.querySelector("svg");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const find = (name) => player.querySelector(`[data-${name}]`);
  const [button, slider, speed, caption] = ["play", "position", "speed", "caption"].map(find);
  const lines = new Map([...document.querySelectorAll("[data-frame]")].map((line) => [Number(line.dataset.frame), line]));
  const label = find("play-label").textContent;
  const end = film.frames.length;
  let position = end; // how many frames have been shown
  let poses = film.start;
  let stage = null;
  let run = 0; // counts what was started, so that what was started before knows to stop

  player.hidden = false;
  document.querySelector(".log")?.classList.add("is-live-log");
  button.addEventListener("click", () => (playing() ? stop() : play()));
  slider.addEventListener("input", () => { stop(); seek(Number(slider.value)); });
  for (const step of player.querySelectorAll("[data-step]")) {
    step.addEventListener("click", () => { stop(); seek(Math.min(end, Math.max(0, position + Number(step.dataset.step)))); });
  }
  for (const [frame, line] of lines) {
    line.addEventListener("click", () => { stop(); seek(frame + 1); player.scrollIntoView({ block: "nearest" }); });
  }
  if (location.hash === "#play") {
    history.replaceState(null, "", location.pathname + location.search); // once is enough
    play();
  }

  function playing() {
    return button.getAttribute("aria-pressed") === "true";
  }

  async function play() {
    const mine = ++run;
    button.setAttribute("aria-pressed", "true");
    find("play-label").textContent = "Pause";
    if (position === end) seek(0);
    while (mine === run && position < end) await forward(() => mine === run);
    if (mine === run) stop();
  }

  function stop() {
    run += 1;
    button.setAttribute("aria-pressed", "false");
    find("play-label").textContent = label;
  }

  async function forward(goesOn) {
    const frame = film.frames[position];
    const pace = 1 / Number(speed.value);
    tell(position);
    if (still.matches) {
      stage.settle(frame);
      for (const [name, pose] of Object.entries(frame.poses ?? {})) stage.put(name, pose);
      stage.mark(frame);
      await sleep(CUT * pace);
    } else {
      await stage.play(frame, poses, INSTANT * pace);
      const quiet = !frame.poses && !frame.shots && !frame.bumps;
      await sleep((quiet ? READING : PAUSE) * pace);
    }
    if (!goesOn()) return;
    poses = { ...poses, ...frame.poses };
    position += 1;
    slider.value = position;
    if (position === end) {
      finish();
      tell(-1);
    }
  }

  function seek(to) {
    player.classList.add("is-used");
    position = to;
    slider.value = to;
    if (to === end) {
      finish();
      return tell(end - 1);
    }
    stage = new Stage(before, after, film.start);
    poses = film.start;
    for (const frame of film.frames.slice(0, to)) {
      poses = { ...poses, ...frame.poses };
      stage.settle(frame);
    }
    for (const [name, pose] of Object.entries(poses)) stage.put(name, pose);
    view.querySelector("svg").replaceWith(stage.drawing);
    tell(to - 1);
  }

  function finish() {
    view.querySelector("svg").replaceWith(after);
  }

  function tell(frame) {
    for (const line of lines.values()) line.classList.remove("is-now");
    const line = lines.get(frame);
    line?.classList.add("is-now");
    const phase = film.frames[frame]?.phase;
    const part = phase === undefined ? "" : { 0: "", 6: "End of the turn. " }[phase] ?? `Phase ${phase}. `;
    caption.textContent = part + (line ? [...line.children].map((sentence) => sentence.textContent).join(" ") : "");
  }
}

function sleep(milliseconds) {
  return new Promise((resolve) => { setTimeout(resolve, milliseconds); });
}
