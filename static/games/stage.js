// The board while a turn is shown: of the drawing on the page, those layers that a turn changes are the film's. What is to be
// seen at any place in the film, the server has worked out; here it is put there, at once or over an instant.

import { bump, playEffects, showEffects } from "./effects.js";
import { EASE, draw, parsed } from "./geometry.js";
import { StagedRobot } from "./robot.js";

const LAYERS = ["links", "checkpoints", "crystal", "robots"]; // in the order in which they lie above each other

export class Stage {
  // `drawing` is the <svg> of the board on the page.
  constructor(drawing) {
    this.drawing = drawing;
    this.own = null; // what was there before the film
    this.bays = [...drawing.querySelectorAll(".bay")].map((bay) => ({
      place: `${bay.dataset.x},${bay.dataset.y}`,
      leaves: [...bay.querySelectorAll(".leaf")].map((leaf) => ({ leaf, open: leaf.getAttribute("transform") })),
      shut: false,
    }));
  }

  // Lay a film's layers in place of the page's own.
  open(film) {
    const board = parsed(film.board);
    const layers = Object.fromEntries(LAYERS.map((name) => [name, board.querySelector(`:scope > .${name}`)]));
    this.#borrow(board.querySelector("defs"));
    this.robots = new Map();
    for (const group of layers.robots.children) this.robots.set(group.dataset.robot, new StagedRobot(group));
    const stone = Object.keys(film.states[0].poses).find((name) => film.states[0].poses[name].crystal);
    if (stone && layers.crystal) this.robots.set(stone, new StagedRobot(layers.crystal));
    this.checkpoints = new Map([...layers.checkpoints.children].map((each) => [each.dataset.number, { first: each, now: each }]));
    this.links = layers.links;
    this.firstLinks = layers.links;
    this.film = film;
    this.layers = layers;
    this.state = null;
    this.show(film.states[0]);
    this.#lay(layers);
    this.#say(film.words[0]);
  }

  // Take the film's layers away; `keep` leaves on the board what they show.
  close(keep) {
    this.settle();
    this.effects?.remove();
    this.effects = null;
    this.drawing.classList.remove("is-film");
    for (const { group } of this.robots?.values() ?? []) group.classList.remove("is-acting");
    if (!keep && this.own) this.#lay(this.own, true);
    if (!keep) this.#shut([], 0);
    this.own = null;
  }

  // Show one state of the film, at once.
  show(state) {
    this.settle();
    this.#setting(state, 0);
    for (const [name, robot] of this.robots) robot.put(state.poses[name]);
    this.#order();
    this.state = state;
  }

  // Show an instant that leads to a state; resolves when it is over, or when something else is shown.
  async play(frame, state, duration) {
    this.settle();
    const moves = [];
    for (const { robot, heading } of frame.bumps ?? []) {
      const group = this.robots.get(robot)?.group;
      if (group && !frame.poses?.[robot]) moves.push(bump(group, heading, duration));
    }
    for (const name of Object.keys(frame.poses ?? {})) moves.push(...(this.robots.get(name)?.move(state.poses[name], duration) ?? []));
    moves.push(...this.#setting(state, duration), ...playEffects(this.effects, this.drawing, frame, duration));
    this.moves = moves;
    this.state = state;
    if (duration) await Promise.all(moves.map((move) => move.finished)).catch(() => {});
    if (this.moves === moves) this.show(state);
  }

  // Mark what an instant was about, where nothing moves.
  mark(frame) {
    const acting = new Set([...(frame.acting ?? []), ...Object.keys(frame.poses ?? {})]);
    for (const [name, { group }] of this.robots) group.classList.toggle("is-acting", acting.has(name));
    showEffects(this.effects, frame);
  }

  // End what is on the move.
  settle() {
    for (const move of this.moves ?? []) move.cancel();
    this.moves = null;
    this.effects?.replaceChildren();
    for (const { group } of this.robots?.values() ?? []) group.classList.remove("is-acting");
  }

  // The board in words, for those who do not see it: as it is at the end.
  sayEnd() {
    this.#say(this.film.words[1]);
  }

  #lay(layers, back = false) {
    const own = {};
    let before = this.drawing.querySelector(":scope > .floors") ?? this.drawing.querySelector(":scope > .ground");
    for (const name of LAYERS) {
      const there = this.drawing.querySelector(`:scope > .${name}`);
      own[name] = there;
      const layer = layers[name];
      if (there && layer) there.replaceWith(layer);
      else if (there) there.remove();
      else if (layer && name === "crystal") this.drawing.querySelector(":scope > .robots").before(layer);
      else if (layer) before.after(layer);
      before = layer ?? before;
    }
    if (back) return;
    this.own ??= own;
    this.effects?.remove();
    this.effects = draw(this.drawing, "g", { class: "effects", "aria-hidden": "true" });
    this.drawing.classList.add("is-film");
  }

  // What stands around the robots: doors, checkpoints, known transporter links.
  #setting(state, duration) {
    if (state === this.state) return [];
    for (const [number, point] of this.checkpoints) {
      const markup = state.checkpoints[number];
      if (markup === point.markup) continue;
      const drawn = markup ? parsed(markup) : point.first;
      point.now.replaceWith(drawn);
      Object.assign(point, { now: drawn, markup });
    }
    if (state.links !== (this.state?.links ?? null)) this.#link(state.links);
    return this.#shut(state.doors, duration);
  }

  #link(markup) {
    const layer = markup === null ? this.firstLinks : markup && parsed(markup);
    if (this.links) this.links.remove();
    this.links = layer || null;
    if (layer) this.layers.checkpoints.before(layer);
  }

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

  // Who stands further south lies above, as in the server's drawing: where it matters is in a shared cell.
  #order() {
    const rank = ({ dataset: { x, y, seat }, classList }) => ((Number(y) * 1000 + Number(x)) * 2 + classList.contains("virtual")) * 1000 + Number(seat);
    const groups = [...this.robots.values()].filter(({ turning }) => turning).map(({ group }) => group);
    const ordered = groups.sort((one, other) => rank(one) - rank(other));
    if (ordered.some((group, index) => this.layers.robots.children[index] !== group)) this.layers.robots.append(...ordered);
  }

  #borrow(definitions) {
    const own = this.drawing.querySelector("defs");
    const there = new Set([...own.children].map(({ id }) => id));
    own.append(...[...definitions.children].filter(({ id }) => !there.has(id)));
  }

  #say(words) {
    const description = this.drawing.querySelector(":scope > desc");
    if (description) description.textContent = words;
  }
}
