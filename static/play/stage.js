// The board while a turn is shown: of the drawing on the page, those layers that a turn changes are the film's. What is to be
// seen at any place in the film, the server has worked out; here it is put there, at once or over an instant.

import { need } from "../site/need.js";
import { bump, fadeTrail, floatLabels, playEffects, showEffects } from "./effects.js";
import { EASE, draw, parsed } from "./geometry.js";
import { StagedRobot } from "./robot.js";

const LAYERS = /** @type {const} */ (["links", "checkpoints", "crystal", "robots"]); // in the order in which they lie above each other

const LABEL = 600; // milliseconds that a label is read after its instant, at least
const LANDING = 400; // until a robot comes down that does not drive on

/** @typedef {Record<typeof LAYERS[number], Part | null>} Layers */

export class Stage {
  /** @type {Map<string, StagedRobot>} */ robots = new Map();
  /** @type {Map<string, { first: Element, now: Element, markup?: string }>} */ checkpoints = new Map();
  /** @type {Layers | null} */ own = null; // what was there before the film
  /** @type {Layers} */ layers; // the film's
  /** @type {Element | null} */ links = null;
  /** @type {Scene | null} */ state = null;
  /** @type {Animation[] | null} */ moves = null;
  landing = 0; // the timer after which a robot in the air comes down
  /** @type {Element} */ effects; // what is seen for an instant, while a film is on the board
  /** @type {Element} */ labels; // what is read there for longer
  /** @type {Film} */ film;

  // `drawing` is the <svg> of the board on the page.
  /** @param {Part} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    this.bays = [...drawing.querySelectorAll(".bay")].map((bay) => ({
      place: `${bay.dataset.x},${bay.dataset.y}`,
      leaves: [...bay.querySelectorAll(".leaf")].map((leaf) => ({ leaf, open: leaf.getAttribute("transform") ?? "" })),
      shut: false,
    }));
  }

  // Lay a film's layers in place of the page's own.
  /** @param {Film} film */
  open(film) {
    const board = parsed(film.board);
    const [links, checkpoints, crystal, robots] = LAYERS.map((name) => board.querySelector(`:scope > .${name}`));
    this.layers = { links, checkpoints, crystal, robots };
    this.#borrow(need(board, "defs"));
    this.robots = new Map();
    for (const group of parts(robots)) this.robots.set(group.dataset.robot, new StagedRobot(group));
    const stone = Object.keys(film.states[0].poses).find((name) => film.states[0].poses[name].crystal);
    if (stone && crystal) this.robots.set(stone, new StagedRobot(crystal));
    this.checkpoints = new Map(parts(checkpoints).map((each) => [each.dataset.number, { first: each, now: each }]));
    this.links = links;
    this.film = film;
    this.state = null;
    this.show(film.states[0]);
    this.#lay(this.layers);
    this.#say(film.words[0]);
  }

  // Take the film's layers away; `keep` leaves on the board what they show.
  /** @param {boolean} keep */
  close(keep) {
    this.settle();
    this.effects?.remove();
    this.labels?.remove();
    this.drawing.classList.remove("is-film");
    for (const { group } of this.robots.values()) group.classList.remove("is-acting");
    this.#lift();
    this.#faces({});
    if (!keep && this.own) this.#lay(this.own, true);
    if (!keep) this.#shut([], 0);
    this.own = null;
  }

  // Show one state of the film, at once.
  /** @param {Scene} state */
  show(state) {
    this.settle();
    this.#setting(state, 0);
    this.#faces(state.faces);
    for (const [name, robot] of this.robots) robot.put(state.poses[name]);
    this.#order();
    this.state = state;
  }

  // Show an instant that leads to a state; resolves when it is over, or when something else is shown.
  /** @param {Frame} frame @param {Scene} state @param {number} duration */
  async play(frame, state, duration) {
    this.settle();
    this.#lift(duration ? frame.driving : "");
    this.#faces(state.faces);
    const moves = [];
    for (const { robot, heading } of frame.bumps ?? []) {
      const group = this.robots.get(robot)?.group;
      if (group && !frame.poses?.[robot]) moves.push(bump(group, heading, duration));
    }
    for (const name of Object.keys(frame.poses ?? {})) moves.push(...(this.robots.get(name)?.move(state.poses[name], duration) ?? []));
    moves.push(...this.#setting(state, duration), ...playEffects(this.effects, this.drawing, frame, duration));
    if (duration) {
      for (const name of Object.keys(frame.poses ?? {})) fadeTrail(this.labels, this.state?.poses[name]?.at, state.poses[name].at, duration * 6);
      floatLabels(this.labels, frame, Math.max(duration * 3, duration + LABEL));
    }
    this.moves = moves;
    this.state = state;
    if (duration) await Promise.all(moves.map((move) => move.finished)).catch(() => {});
    if (this.moves !== moves) return;
    this.show(state);
    this.landing = setTimeout(() => this.#lift(), LANDING);
  }

  // Another place of the film is shown: what was still read is over.
  hush() {
    this.labels?.replaceChildren();
    this.#lift();
  }

  // Mark what an instant was about, where nothing moves.
  /** @param {Frame} frame */
  mark(frame) {
    const acting = new Set([...(frame.acting ?? []), ...Object.keys(frame.poses ?? {})]);
    for (const [name, { group }] of this.robots) group.classList.toggle("is-acting", acting.has(name));
    showEffects(this.effects, frame);
  }

  // The robot that drives by its chip is off the ground, from cell to cell, until something else happens, or nothing.
  #lift(name = "") {
    clearTimeout(this.landing);
    for (const [each, robot] of this.robots) robot.lift(each === name);
  }

  /** @param {Scene["faces"]} faces */
  #faces(faces) {
    for (const [name, robot] of this.robots) robot.look(faces[name]);
  }

  // End what is on the move.
  settle() {
    for (const move of this.moves ?? []) move.cancel();
    this.moves = null;
    this.effects?.replaceChildren();
    for (const { group } of this.robots.values()) group.classList.remove("is-acting");
  }

  // The board in words, for those who do not see it: as it is at the end.
  sayEnd() {
    this.#say(this.film.words[1]);
  }

  /** @param {Layers} layers @param {boolean} [back] */
  #lay(layers, back = false) {
    const own = /** @type {Layers} */ ({});
    let before = this.drawing.querySelector(":scope > .floors") ?? this.drawing.querySelector(":scope > .ground");
    for (const name of LAYERS) {
      const there = this.drawing.querySelector(`:scope > .${name}`);
      own[name] = there;
      const layer = layers[name];
      if (there && layer) there.replaceWith(layer);
      else if (there) there.remove();
      else if (layer && name === "crystal") need(this.drawing, ":scope > .robots").before(layer);
      else if (layer) before?.after(layer);
      before = layer ?? before;
    }
    if (back) return;
    this.own ??= own;
    this.effects?.remove();
    this.labels?.remove();
    this.effects = draw(this.drawing, "g", { class: "effects", "aria-hidden": "true" });
    this.labels = draw(this.drawing, "g", { class: "effects", "aria-hidden": "true" });
    this.drawing.classList.add("is-film");
  }

  // What stands around the robots: doors, checkpoints, known transporter links.
  /** @param {Scene} state @param {number} duration */
  #setting(state, duration) {
    if (state === this.state) return [];
    for (const [number, point] of this.checkpoints) {
      const markup = state.checkpoints[number];
      if (markup === point.markup) continue;
      const drawn = markup ? parsed(markup) : point.first;
      point.now.replaceWith(drawn);
      Object.assign(point, { now: drawn, markup });
    }
    this.layers.checkpoints?.classList.toggle("is-lit", state.lit);
    if (state.links !== (this.state?.links ?? null)) this.#link(state.links);
    return this.#shut(state.doors, duration);
  }

  /** @param {string | null} markup */
  #link(markup) {
    const layer = markup === null ? this.layers.links : markup && parsed(markup);
    if (this.links) this.links.remove();
    this.links = layer || null;
    if (layer) this.layers.checkpoints?.before(layer);
  }

  /** @param {Cell[]} places @param {number} duration */
  #shut(places, duration) {
    const closed = new Set(places.map(String));
    const moves = [];
    for (const bay of this.bays) {
      const shut = closed.has(bay.place);
      if (shut === bay.shut) continue;
      bay.shut = shut;
      for (const { leaf, open } of bay.leaves) {
        const way = Number.parseFloat(open.slice(open.indexOf("(") + 1));
        leaf.setAttribute("transform", shut ? "translate(0)" : open);
        if (duration) moves.push(leaf.animate({ translate: [`${shut ? way : -way}px 0`, "0 0"] }, { duration, easing: EASE }));
      }
    }
    return moves;
  }

  // Who stands further south lies above, as in the server's drawing. In a shared cell, the robot of full size lies on top: one's own.
  #order() {
    /** @param {StagedRobot} robot */
    const rank = ({ group: { dataset: { x, y, seat } }, pose: { stance, virtual } }) => ((Number(y) * 1000 + Number(x)) * 4 + (stance ? 0 : 2) + Number(virtual ?? 0)) * 1000 + Number(seat);
    const ordered = [...this.robots.values()].filter(({ turning }) => turning).sort((one, other) => rank(one) - rank(other)).map(({ group }) => group);
    const { robots } = this.layers;
    if (ordered.some((group, index) => robots?.children[index] !== group)) robots?.append(...ordered);
  }

  /** @param {Element} definitions */
  #borrow(definitions) {
    const own = need(this.drawing, "defs");
    const there = new Set([...own.children].map(({ id }) => id));
    own.append(...[...definitions.children].filter(({ id }) => !there.has(id)));
  }

  /** @param {string} words */
  #say(words) {
    const description = this.drawing.querySelector(":scope > desc");
    if (description) description.textContent = words;
  }
}

/** @param {Element | null | undefined} layer */
const parts = (layer) => /** @type {Part[]} */ ([...(layer?.children ?? [])]);
