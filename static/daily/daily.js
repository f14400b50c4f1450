// The page of a daily run: the hand is laid as in a game, and the film of what was laid plays on the board. Without a script the page
// shows and takes the same.

import { showTimes } from "../play/clock.js";
import { letDrag } from "../play/drag.js";
import { Film, timing } from "../play/film.js";
import { TYPED, bindKeyboard } from "../play/keyboard.js";
import { Panel } from "../play/orders.js";
import { Registers } from "../play/registers.js";
import { Stage } from "../play/stage.js";
import { giveTips } from "../play/tips.js";
import { bindCopies } from "../site/clipboard.js";
import { emit } from "../site/events.js";
import { need } from "../site/need.js";
import { settings } from "../site/settings.js";
import { sound } from "../site/sound.js";
import { pgettext } from "../site/words.js";

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

// The films of all turns so far, one after another. The last one plays when its program was just laid.
class Playback {
  /** @type {number} */ turn; // the index of the film that is shown
  position = 0; // how many of its instants have been shown
  run = 0; // counts the starts, so that an earlier one knows to stop
  playing = false;

  /** @param {FilmDocument[]} documents @param {Part} board */
  constructor(documents, board) {
    this.films = documents.map((document) => new Film(document));
    this.stage = new Stage(board);
    this.button = need(document, "[data-film-play]");
    this.turn = this.films.length;
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.toggle());
    document.addEventListener("keydown", (event) => this.#press(event));
    this.#tell();
  }

  get film() {
    return this.films[this.turn];
  }

  get ended() {
    return !this.film || (this.turn === this.films.length - 1 && this.position === this.film.end);
  }

  toggle() {
    if (this.playing) this.#pause();
    else this.play(this.ended ? 0 : undefined);
  }

  // Play on, or from the start of a turn.
  /** @param {number} [from] */
  async play(from) {
    this.run += 1;
    const mine = this.run;
    this.playing = true;
    if (from !== undefined) this.#open(from);
    this.#tell();
    while (!this.ended) {
      if (this.position === this.film.end) this.#open(this.turn + 1);
      await this.#forward();
      if (mine !== this.run) return;
    }
    this.stage.sayEnd();
    this.#pause();
  }

  /** @param {number} way */
  step(way) {
    this.#pause();
    if (this.turn === this.films.length) {
      this.#open(this.films.length - 1);
      this.position = this.film.end;
    }
    this.position = Math.min(Math.max(this.position + way, 0), this.film.end);
    this.#show();
  }

  /** @param {number} turn */
  #open(turn) {
    if (this.stage.film) this.stage.close(false);
    this.turn = turn;
    this.position = 0;
    this.stage.open(this.film);
    this.stage.show(this.film.states[0]);
  }

  async #forward() {
    const { film, position, stage } = this;
    const frame = film.frames[position];
    const begins = film.frames[position - 1]?.phase !== frame.phase;
    const still = settings.motion === "reduced";
    const { moves, rests } = timing(frame, { begins, said: Boolean(frame.yours), speed: settings.speed, still });
    this.position += 1;
    this.#caption();
    for (const cue of frame.cues ?? []) sound.play(cue);
    if (still) {
      stage.show(film.states[this.position]);
      stage.mark(frame);
    } else await stage.play(frame, film.states[this.position], moves);
    await new Promise((resolve) => { setTimeout(resolve, rests); });
  }

  #show() {
    this.stage.hush();
    this.stage.show(this.film.states[this.position]);
    this.#caption();
    this.#tell();
  }

  #pause() {
    this.run += 1;
    this.playing = false;
    this.#tell();
  }

  // What phase it is, and what happens to the reader's robot.
  #caption() {
    const { film, position } = this;
    const title = film.titleAt(Math.max(0, position - 1));
    const said = film.frames[position - 1]?.yours ?? [];
    need(document, "[data-film-caption]").textContent = [title, ...said].join(". ");
    const told = need(document, "[data-film-said]");
    if (told.textContent !== title) told.textContent = title;
  }

  #tell() {
    const again = this.ended ? pgettext("playback", "Replay") : pgettext("playback", "Play");
    this.button.textContent = this.playing ? pgettext("playback", "Pause") : again;
  }

  /** @param {Heard<KeyboardEvent>} event */
  #press(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest?.(TYPED)) return;
    if (key === " " && !target.closest?.(PRESSED)) this.toggle();
    else if (key === "," || key === ".") this.step(key === "," ? -1 : 1);
    else return;
    event.preventDefault();
  }
}

for (const field of document.querySelectorAll("[data-copy]")) bindCopies(field);
for (const form of document.querySelectorAll("form[data-daily]")) takeProgram(form);
showTimes();
giveTips();
const films = JSON.parse(need(document, "#daily-films").textContent ?? "[]");
if (films.length) {
  const playback = new Playback(films, need(document, "[data-board] > svg"));
  for (const log of document.querySelectorAll("[data-daily-log]")) log.removeAttribute("open"); // the film tells it
  if (location.hash === "#film") {
    history.replaceState(null, "", location.pathname + location.search);
    playback.play(films.length - 1);
  }
}
