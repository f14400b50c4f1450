// A turn as the server tells it: instants, and what the board shows before and after each. Nothing is worked out here but
// the sum of what instants change, once for each film, so that any place in it is at hand at once.

import { gettext, locale } from "../site/words.js";

const CACHE_SIZE = 12; // films that are remembered
// Milliseconds at full speed.
const MOVE = 230; // what a robot takes to come into another pose
const SHOT = 320; // a shot
const FALL = 800; // a robot that is destroyed
const WIN = 1800; // the winner is cheered
const PAUSE = 50; // between two instants
const READING = 450; // while a phase is announced, or something is said that moves nothing
const HIT = 500; // more, after each hit on the reader's own robot
const CUT = 700; // an instant where nothing moves, by the reader's wish

const films = new Map(); // address -> promise of a film

export class Film {
  /** @type {number} */ turn;
  /** @type {string} */ board;
  /** @type {[string, string]} */ words;
  /** @type {string} */ log;
  /** @type {string} */ grid;
  /** @type {Scene[]} */ states; // before the first instant, and after each
  /** @type {{ phase: number, at: number }[]} */ phases = []; // where phases begin

  /** @param {FilmDocument} document */
  constructor({ turn, film, board, words, log, grid }) {
    Object.assign(this, { turn, words, log, board, grid });
    this.frames = film.frames;
    this.states = [{ poses: film.start, doors: [], checkpoints: {}, links: null, crew: film.crew ?? {}, hull: {}, faces: {}, lit: false }];
    for (const frame of this.frames) this.states.push(after(/** @type {Scene} */ (this.states.at(-1)), frame));
    for (const [at, { phase }] of this.frames.entries()) {
      if (this.phases.at(-1)?.phase !== phase) this.phases.push({ phase, at });
    }
  }

  get end() {
    return this.frames.length;
  }

  // Where the next phase begins, or the one before.
  /** @param {number} position @param {number} way */
  phaseFrom(position, way) {
    const begins = [...this.phases.map(({ at }) => at), this.end];
    return way > 0 ? begins.find((at) => at > position) ?? this.end : begins.findLast((at) => at < position) ?? 0;
  }

  // An instant as addresses name it, by its phase and its step in it, and the place after it: "3.2". Doors that open have no step.
  /** @param {number} position */
  nameOf(position) {
    const steps = this.#steps().filter(([at]) => at < position);
    return steps.at(-1)?.[1] ?? "0";
  }

  // The place that an address names; of a phase alone its begin. What there is not leads to what is next to it.
  /** @param {string} name */
  positionOf(name) {
    const [phase, step = 1] = name.split(".").map(Number);
    const before = this.#steps().findLast(([, other]) => {
      const [its, at] = other.split(".").map(Number);
      return its < phase || (its === phase && at <= step);
    });
    return before ? before[0] + 1 : 0;
  }

  /** @returns {[number, string][]} */
  #steps() {
    let [phase, step] = [-1, 0];
    return [...this.frames.entries()].filter(([, frame]) => !isDoor(frame)).map(([at, frame]) => {
      step = frame.phase === phase ? step + 1 : 1;
      ({ phase } = frame);
      return [at, `${phase}.${step}`];
    });
  }

  // What a phase is called; that of an instant.
  /** @param {number} index */
  titleAt(index) {
    const phase = this.frames[index]?.phase;
    if (phase === undefined) return "";
    if (phase === 0) return this.turn === 0 ? gettext("Headings") : gettext("Before phase 1");
    return phase === 6 ? gettext("End of the turn") : gettext("Phase {number}", { number: phase });
  }
}

// Whether launch bays open, and nothing else happens: the log has no event for it.
/** @param {Frame} frame */
function isDoor({ phase, doors, ...rest }) {
  return doors?.length === 0 && !Object.keys(rest).length;
}

/** @param {Scene} before @param {Frame} frame */
function after(before, frame) {
  const next = { ...before };
  for (const kind of /** @type {const} */ (["poses", "checkpoints", "crew", "hull", "faces"])) {
    if (frame[kind]) Object.assign(next, { [kind]: { ...before[kind], ...frame[kind] } });
  }
  if (frame.marks?.some(({ kind }) => kind === "goal")) next.lit = true; // until the turn is over
  if (frame.doors) next.doors = frame.doors;
  if (frame.links !== undefined) next.links = frame.links;
  return next;
}

// How long an instant moves, and how long the film rests after it: whether it begins a phase, and something is said of it.
/** @param {Frame} frame @param {{ begins: boolean, said: boolean, speed: number, still: boolean }} how */
export function timing(frame, { begins, said, speed, still }) {
  const pace = 100 / (speed || 100);
  const hit = frame.hit ? HIT : 0;
  if (still) return { moves: 0, rests: (CUT + hit) * pace };
  const moves = lasting(frame);
  const rests = begins || (!moves && said) ? READING : moves ? PAUSE : 0;
  return { moves: moves * pace, rests: (rests + hit) * pace };
}

/** @param {Frame} frame */
function lasting(frame) {
  const marked = (/** @type {string} */ kind) => frame.marks?.some((mark) => mark.kind === kind);
  if (marked("win")) return WIN;
  if (marked("destroyed")) return FALL;
  if (frame.shots) return SHOT;
  return frame.poses || frame.bumps || frame.doors || frame.marks ? MOVE : 0;
}

// The film at an address; a played turn never changes, so it is fetched once. Fails where there is none.
/** @param {string} address */
export function filmAt(address) {
  let film = films.get(address);
  if (film) return film;
  film = fetchFilm(address);
  films.set(address, film);
  film.catch(() => films.delete(address));
  if (films.size > CACHE_SIZE) films.delete(films.keys().next().value);
  return film;
}

/** @param {string} address */
async function fetchFilm(address) {
  const headers = { Accept: "application/json", "Accept-Language": locale() }; // the browser caches it by language
  const answer = await fetch(address, { headers });
  if (!answer.ok) throw new Error(`no film: ${answer.status}`);
  return new Film(await answer.json());
}
