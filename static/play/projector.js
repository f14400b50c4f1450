// Plays turns back: play and pause, by instants and by phases, at any speed, from any line of the text, of any turn. What is
// shown is the stage's; the projector says when, and tells so (film:… in site/events.js).

import { emit, listen } from "../site/events.js";
import { need } from "../site/need.js";
import { change, settings } from "../site/settings.js";
import { sound } from "../site/sound.js";
import { gettext, pgettext } from "../site/words.js";
import { filmAt, timing } from "./film.js";
import { Grid } from "./grid.js";
import { Scrubber } from "./scrubber.js";
import { Stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { Transcript } from "./transcript.js";
import { showMine } from "./view.js";

export class Projector {
  /** @type {Part} */ root; // the controls
  /** @type {Scrubber} */ scrubber;
  /** @type {Timeline} */ timeline;
  /** @type {Stage} */ stage;
  /** @type {Film | null} */
  film = null; // what is on the board; null while the board is the page's own
  position = 0; // how many instants of it have been shown
  run = 0; // counts what was started, so that what was started before knows to stop
  playing = false;

  constructor() {
    this.transcript = new Transcript((frame) => this.goTo(frame));
    this.grid = new Grid();
    listen("settings:change", ({ name, value }) => {
      if (name === "speed") this.#find("speed").value = String(value);
    });
    listen("parts:fresh", ({ names }) => {
      if (this.film && names.some((name) => ["board", "log"].includes(name))) this.#restage();
    });
  }

  // Take the controls in hand, also after they were drawn again.
  /** @param {Part} root */
  bind(root) {
    this.root = root;
    this.scrubber = new Scrubber(root, (position) => this.goTo(position));
    this.timeline = new Timeline(root, (turn, share) => this.jump(turn, (film) => Math.round(share * film.end)));
    const clicks = { play: () => this.toggle(), done: () => this.leave(), before: () => this.turnBy(-1), after: () => this.turnBy(1) };
    for (const [name, act] of Object.entries(clicks)) this.#find(name).addEventListener("click", act);
    for (const button of root.querySelectorAll("[data-step]")) button.addEventListener("click", () => this.step(Number(button.dataset.step)));
    for (const button of root.querySelectorAll("[data-phase]")) button.addEventListener("click", () => this.stepPhase(Number(button.dataset.phase)));
    const [speed, turns] = [this.#find("speed"), this.#find("turns")];
    speed.value = String(settings.speed ?? 100);
    speed.addEventListener("change", () => change({ speed: Number(speed.value) }));
    for (let turn = this.first; turn <= this.last; turn += 1) turns.add(new Option(String(turn)));
    turns.addEventListener("change", () => this.jump(Number(turns.value)));
    if (this.film) this.#enter(this.film);
    else this.#tell();
  }

  // One more turn was played, and is the one that the page is about.
  /** @param {number} turn */
  reach(turn) {
    for (let next = this.last + 1; next <= turn; next += 1) this.#find("turns").add(new Option(String(next)));
    this.root.dataset.last = String(turn);
    this.root.dataset.turn = String(turn);
    this.#tell();
  }

  get first() { return Number(this.root.dataset.first); }
  get last() { return Number(this.root.dataset.last); }
  get home() { return Number(this.root.dataset.turn); }
  get turn() { return this.film?.turn ?? this.home; }
  get atHome() { return this.film?.turn === this.home && this.position === this.film.end; }

  /** @param {"films" | "pages"} kind @param {number} turn */
  address(kind, turn) {
    return this.root.dataset[kind].replace("/turns/0/", `/turns/${turn}/`);
  }

  // Bring a turn onto the board, as it is before instant number `position`, or before the one that it finds in the film. Says whether
  // that could be done.
  /** @param {number} turn @param {number | ((film: Film) => number)} [position] */
  async open(turn, position = 0) {
    const mine = ++this.run;
    this.playing = false;
    const film = this.film?.turn === turn ? this.film : await filmAt(this.address("films", turn)).catch(() => null);
    if (mine !== this.run) return false;
    if (!film) {
      this.#say(gettext("Couldn’t load this turn. Try again later."));
      return false;
    }
    this.position = Math.min(typeof position === "function" ? position(film) : position, film.end);
    if (film !== this.film) this.#enter(film);
    this.#show(this.position);
    if (turn < this.last) filmAt(this.address("films", turn + 1)).catch(() => {});
    return true;
  }

  // Play what is on the board to its end; says whether it came to that, and nothing follows.
  async play() {
    const mine = ++this.run;
    this.playing = true;
    const { film } = this;
    if (!film) return false;
    if (this.position === film.end) this.#show(0);
    this.#tell();
    this.#find("announce").textContent = gettext("Playing turn {turn}.", { turn: this.turn });
    while (mine === this.run && this.position < film.end) await this.#forward();
    if (mine !== this.run) return false;
    this.pause();
    return emit("film:watched", { turn: this.turn });
  }

  pause() {
    this.run += 1;
    this.playing = false;
    this.#tell();
  }

  async toggle() {
    if (this.playing) return this.pause();
    if (!this.film && !(await this.open(this.home))) return;
    if ((await this.play()) && this.atHome) this.leave();
  }

  // Show a place of the film, and mark what led to it.
  /** @param {number} position */
  async goTo(position) {
    if (await this.open(this.turn, position)) this.#mark();
  }

  /** @param {number} by */
  async step(by) {
    const at = this.film ? this.position : Number.POSITIVE_INFINITY;
    if (!(await this.open(this.turn, at))) return undefined;
    if (by > 0 && this.film && this.position < this.film.end) return this.#forward();
    this.#show(Math.max(0, this.position + Math.min(by, 0)));
    return this.#mark();
  }

  /** @param {number} way */
  async stepPhase(way) {
    if (!this.film && !(await this.open(this.turn, Number.POSITIVE_INFINITY))) return undefined;
    return this.film && this.goTo(this.film.phaseFrom(this.position, way));
  }

  /** @param {number} by */
  turnBy(by) {
    return this.jump(this.turn + by);
  }

  // Another turn or instant, by the reader's wish: its address is the page's from now on.
  /** @param {number} turn @param {number | ((film: Film) => number)} [position] */
  async jump(turn, position = 0) {
    if (turn < this.first || turn > this.last || !(await this.open(turn, position))) return;
    this.#mark();
    emit("film:jump", { turn });
  }

  // The board is the page's own again. What a film has led to stays, where the page shows the same.
  leave() {
    if (!this.film) return;
    this.pause();
    const { turn } = this.film;
    if (this.atHome) this.stage.sayEnd();
    this.stage.close(this.atHome);
    this.transcript.close();
    this.grid.close();
    this.film = null;
    this.#mode(false);
    this.#tell();
    emit("film:end", { turn });
  }

  async #forward() {
    const mine = this.run;
    const { film } = this;
    const frame = film?.frames[this.position];
    if (!film || !frame) return undefined;
    this.position += 1;
    const state = film.states[this.position];
    const begins = film.frames[this.position - 2]?.phase !== frame.phase;
    const said = this.#tell();
    for (const cue of frame.cues ?? []) sound.play(cue);
    const still = settings.motion === "reduced";
    const { moves, rests } = timing(frame, { begins, said: Boolean(said?.length), speed: settings.speed, still });
    if (still) {
      this.stage.show(state);
      this.stage.mark(frame);
      return sleep(rests);
    }
    await this.stage.play(frame, state, moves);
    if (mine === this.run && this.playing) await sleep(rests);
    return undefined;
  }

  /** @param {Film} film */
  #enter(film) {
    const board = need(document, "[data-board] > svg");
    if (this.stage?.drawing !== board) this.stage = new Stage(board);
    this.transcript.close();
    this.film = film;
    this.stage.open(film);
    this.#mode(true);
    this.transcript.open(film);
    this.grid.open(film);
    this.scrubber.open(film);
    this.#tell();
    emit("film:start", { turn: film.turn });
  }

  // The page's own board or text came again from the server, under a film.
  #restage() {
    if (!this.film) return;
    this.transcript.own = null;
    this.#enter(this.film);
    this.#show(this.position);
  }

  /** @param {number} position */
  #show(position) {
    const scene = this.film?.states[position];
    if (!scene) return;
    this.position = position;
    this.stage.hush();
    this.stage.show(scene);
    this.#tell();
  }

  // What has just happened is marked, where one looks at a standing picture.
  #mark() {
    const frame = this.film?.frames[this.position - 1];
    if (frame) this.stage.mark(frame);
  }

  /** @param {boolean} watching */
  #mode(watching) {
    const { classList } = need(document, "main");
    if (watching && !classList.contains("is-watching")) requestAnimationFrame(() => this.#comeInSight());
    const focus = document.activeElement;
    classList.toggle("is-watching", watching);
    if (watching) document.querySelector("[data-tab-list] [href='#log'][aria-selected=false]")?.click();
    for (const part of document.querySelectorAll("[data-board], [data-log], [data-player]")) part.toggleAttribute("data-in-use", watching);
    if (!watching || focus === document.body || focus?.checkVisibility({ visibilityProperty: true })) return; // it is not lost
    this.root.hidden = false;
    this.#find("play").focus({ preventScroll: true });
  }

  // Board and grid are in sight from the first instant, where they stand above each other and may lie below the buttons.
  #comeInSight() {
    const [board, grid] = [need(document, "[data-board]"), need(document, "[data-grid]")];
    const below = Math.max(board.getBoundingClientRect().bottom, grid.getBoundingClientRect().bottom);
    const covered = matchMedia("(width < 64rem)").matches && below > this.root.getBoundingClientRect().top;
    if (covered || board.getBoundingClientRect().top < 0) board.scrollIntoView();
    else if (grid.getBoundingClientRect().top < 0) grid.scrollIntoView(); // beside a board that stays in sight
    showMine(board); // where the reader has scrolled a large board elsewhere
  }

  // Say what is shown, in the controls and in the text; returns what is said of the instant.
  #tell() {
    const { root, film } = this;
    const least = root.dataset.kind === "game" ? Math.max(this.first, 1) : this.first; // turn 0 only chooses headings
    root.hidden = !film && this.last < least;
    this.#find("play").setAttribute("aria-pressed", String(this.playing));
    this.#find("play-label").textContent = this.playing ? pgettext("playback", "Pause") : gettext("Play turn {turn}", { turn: this.turn });
    this.#find("done").hidden = !film;
    this.#find("turns").value = String(this.turn);
    this.#find("before").disabled = this.turn <= this.first;
    this.#find("after").disabled = this.turn >= this.last;
    root.classList.toggle("is-used", Boolean(film));
    this.scrubber.at(film ? this.position : null);
    this.timeline.at(this.turn, film ? this.position / (film.end || 1) : 1);
    if (!film) return this.#say("");
    if (!this.playing) emit("film:still", { turn: film.turn });
    const at = Math.max(0, this.position - 1);
    const said = this.transcript.at(this.position - 1);
    const frame = film.frames[this.position - 1];
    this.grid.show(film.states[this.position], frame);
    this.#say(film.titleAt(at), [frame?.yours ?? said].flat());
    return said;
  }

  // While it plays a screen reader hears what phase it is, and what happens to the listener; of a step, all that happens in it.
  /** @param {string} title @param {string[]} [sentences] */
  #say(title, sentences = []) {
    const words = [title, sentences.join(" ")].filter(Boolean).join(". ");
    this.#caption(words, title, sentences);
    const { film, position } = this;
    if (!this.playing || !film) return this.announce(words);
    return this.announce(film.frames[position - 1]?.hit ? words : film.titleAt(Math.max(0, position - 1)));
  }

  // The caption has two lines: of more, it has the end, in whole sentences. The text has all.
  /** @param {string} words @param {string} title @param {string[]} sentences */
  #caption(words, title, sentences) {
    const caption = this.#find("caption");
    caption.textContent = words;
    for (let from = 1; from < sentences.length && caption.offsetHeight > 1.1 * Number.parseFloat(getComputedStyle(caption).minHeight); from += 1) {
      caption.textContent = `${title} … ${sentences.slice(from).join(" ")}`;
    }
  }

  // Tell those who listen to the page.
  /** @param {string} words */
  announce(words) {
    const place = this.#find("announce");
    if (place.textContent !== words) place.textContent = words;
  }

  /** @param {string} name */
  #find(name) {
    return need(this.root, `[data-${name}]`);
  }
}

/** @param {number} milliseconds */
function sleep(milliseconds) {
  return new Promise((resolve) => { setTimeout(resolve, milliseconds); });
}
