// The page of a daily run: the hand is laid as in a game, and the film of what was laid plays on the board. Without a script the page
// shows and takes the same.

import { showTimes } from "../play/clock.js";
import { letDrag } from "../play/drag.js";
import { Film, timing } from "../play/film.js";
import { TYPED, bindKeyboard } from "../play/keyboard.js";
import { Panel } from "../play/orders.js";
import { Registers } from "../play/registers.js";
import { Scrubber } from "../play/scrubber.js";
import { Stage } from "../play/stage.js";
import { giveTips } from "../play/tips.js";
import { bindCopies } from "../site/clipboard.js";
import { emit } from "../site/events.js";
import { keysOf } from "../site/keys.js";
import { need } from "../site/need.js";
import { change, settings } from "../site/settings.js";
import { sound } from "../site/sound.js";
import { gettext, pgettext } from "../site/words.js";

const PRESSED = "button, a, summary, input"; // what Space is for already

/** @param {Part} form */
function takeProgram(form) {
  const registers = new Registers(form);
  const panel = new Panel(form, registers);
  panel.takeChips();
  letDrag(panel);
  bindKeyboard(panel);
  form.addEventListener("submit", (event) => {
    if (registers.missing) {
      event.preventDefault();
      emit("orders:unfinished", {}, form);
    } else need(form, "[data-run]").classList.add("is-busy");
  });
  addEventListener("pageshow", () => need(form, "[data-run]").classList.remove("is-busy")); // a browser that goes back
}

// The films of all turns so far, one after another. The last one plays when its program was just laid. Buttons and keys are those of a
// game (play/player.js).
class Playback {
  run = 0; // counts the starts, so that an earlier one knows to stop
  playing = false;

  /** @param {FilmDocument[]} documents @param {Part} root */
  constructor(documents, root) {
    this.root = root;
    this.films = documents.map((document) => new Film(document));
    this.stage = new Stage(need(document, "[data-board] > svg"));
    this.turn = this.films.length - 1; // the index of the film that is shown
    this.position = this.film.end; // how many of its instants have been shown
    this.scrubber = new Scrubber(root, (position) => this.goTo(position));
    this.scrubber.open(this.film);
    need(root, "[data-play]").addEventListener("click", () => this.toggle());
    for (const button of root.querySelectorAll("[data-step]")) button.addEventListener("click", () => this.step(Number(button.dataset.step)));
    for (const button of root.querySelectorAll("[data-phase]")) button.addEventListener("click", () => this.stepPhase(Number(button.dataset.phase)));
    const speed = need(root, "[data-speed]");
    speed.value = String(settings.speed ?? 100);
    speed.addEventListener("change", () => change({ speed: Number(speed.value) }));
    document.addEventListener("keydown", (event) => this.#press(event));
    root.hidden = false;
    this.#tell();
  }

  get film() {
    return this.films[this.turn];
  }

  get ended() {
    return this.turn === this.films.length - 1 && this.position === this.film.end;
  }

  toggle() {
    if (this.playing) this.#pause();
    else this.play();
  }

  // Play on to the end of the last film; from the start of the first if all have ended.
  async play() {
    const mine = ++this.run;
    this.playing = true;
    if (this.ended) this.show(0, 0);
    this.#tell();
    while (!this.ended) {
      if (this.position === this.film.end) this.show(this.turn + 1, 0);
      await this.#forward();
      if (mine !== this.run) return;
    }
    this.stage.sayEnd();
    this.#pause();
  }

  /** @param {number} position */
  goTo(position) {
    this.#pause();
    this.show(this.turn, position);
    const frame = this.film.frames[position - 1];
    if (frame) this.stage.mark(frame);
  }

  // One instant on or back, over the borders of turns.
  /** @param {number} way */
  step(way) {
    const there = this.position + way;
    if (this.films[this.turn + way] && (there < 0 || there > this.film.end)) this.#cross(way);
    else this.goTo(Math.min(Math.max(there, 0), this.film.end));
  }

  /** @param {number} way */
  stepPhase(way) {
    const there = this.film.phaseFrom(this.position, way);
    if (there === this.position && this.films[this.turn + way]) this.#cross(way);
    else this.goTo(there);
  }

  /** @param {number} way */
  #cross(way) {
    this.turn += way;
    this.goTo(way > 0 ? 0 : this.film.end);
  }

  // Show a place of a film, at once.
  /** @param {number} turn @param {number} position */
  show(turn, position) {
    this.turn = turn;
    this.position = position;
    if (this.stage.film !== this.film) {
      if (this.stage.film) this.stage.close(false);
      this.stage.open(this.film);
      this.scrubber.open(this.film);
    }
    this.stage.hush();
    this.stage.show(this.film.states[position]);
    this.#tell();
  }

  async #forward() {
    const { film, position, stage } = this;
    const mine = this.run;
    const frame = film.frames[position];
    const begins = film.frames[position - 1]?.phase !== frame.phase;
    const still = settings.motion === "reduced";
    const { moves, rests } = timing(frame, { begins, said: Boolean(frame.yours), speed: settings.speed, still });
    this.position += 1;
    this.#tell();
    for (const cue of frame.cues ?? []) sound.play(cue);
    if (still) {
      stage.show(film.states[position + 1]);
      stage.mark(frame);
    } else await stage.play(frame, film.states[position + 1], moves);
    if (mine === this.run) await new Promise((resolve) => { setTimeout(resolve, rests); });
  }

  #pause() {
    this.run += 1;
    this.playing = false;
    this.#tell();
  }

  // Say which turn and phase it is, and what happens to the reader's robot. While the film plays, the phase is enough for screen readers.
  #tell() {
    const { film, position, root } = this;
    const title = film.titleAt(Math.max(0, position - 1));
    const words = [title, ...(film.frames[position - 1]?.yours ?? [])].join(". ");
    need(root, "[data-caption]").textContent = words;
    const said = this.playing ? title : words;
    const told = need(root, "[data-announce]");
    if (this.stage.film && told.textContent !== said) told.textContent = said;
    const several = this.films.length > 1 && !this.ended;
    const again = this.ended ? pgettext("playback", "Replay") : pgettext("playback", "Play");
    const label = several ? gettext("Play turn {turn}", { turn: film.turn }) : again;
    need(root, "[data-play-label]").textContent = this.playing ? pgettext("playback", "Pause") : label;
    need(root, "[data-play]").setAttribute("aria-pressed", String(this.playing));
    this.scrubber.at(position);
  }

  /** @param {Heard<KeyboardEvent>} event */
  #press(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPED)) return;
    const pressed = keysOf(event);
    if (pressed.includes(" ") && event.target.closest?.(PRESSED)) return;
    /** @type {Record<string, () => unknown>} */
    const keys = {
      " ": () => this.toggle(),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      "[": () => this.stepPhase(-1),
      "]": () => this.stepPhase(1),
    };
    const act = pressed.map((key) => keys[key]).find(Boolean);
    if (!act) return;
    event.preventDefault();
    act();
  }
}

for (const field of document.querySelectorAll("[data-copy]")) bindCopies(field);
for (const form of document.querySelectorAll("form[data-daily]")) takeProgram(form);
showTimes();
giveTips();
const films = JSON.parse(need(document, "#daily-films").textContent ?? "[]");
if (films.length) {
  const playback = new Playback(films, need(document, "[data-player]"));
  for (const log of document.querySelectorAll("[data-daily-log]")) log.removeAttribute("open"); // the film tells it
  if (location.hash === "#film") {
    history.replaceState(null, "", location.pathname + location.search); // once is enough
    playback.show(films.length - 1, 0);
    playback.play();
  }
}
