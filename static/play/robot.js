// A robot on the stage: the server's drawing of it (g.robot > g.stance > g.pose), put into any pose. All its parts are there;
// which of them show follows from its state, by class.

import { CELL, EASE, LETTERS, centre, made, shortest } from "./geometry.js";

const STATES = /** @type {const} */ (["real", "virtual", "chosen", "up", "down", "undecided"]);

export class StagedRobot {
  /** @type {Pose} */ pose; // what it is in now
  /** @type {Element | null} */ shade = null; // its shadow, while it is off the ground
  /** @param {Part} group */
  constructor(group) {
    this.group = group;
    this.stance = /** @type {Part} */ (group.querySelector(".stance") ?? group.firstElementChild);
    this.turning = group.querySelector(".pose"); // the power crystal has none
    this.letter = group.querySelector(".letter");
    this.parts = STATES.map((state) => ({ state, parts: [...group.querySelectorAll(`.when-${state}`)] }));
    this.scars = [...group.querySelectorAll("[data-from]")].map((part) => ({ part, least: Number(part.dataset.from) }));
  }

  // Put it into a pose, at once.
  /** @param {Pose} pose */
  put(pose) {
    if (pose === this.pose) return;
    this.pose = pose;
    show(this.group, pose.at);
    if (!pose.at) return;
    this.#place(pose);
    if (this.turning) this.#dress(pose);
  }

  // Let it be seen to come into a pose; what it is in afterwards, it is in already when this returns, but for one that goes.
  /** @param {Pose} pose @param {number} duration */
  move(pose, duration) {
    const from = this.pose;
    if (!from.at || !pose.at) {
      if (pose.at) this.put(pose);
      if (!pose.at && from.at) return [this.#vanish(duration)];
      return pose.at ? [this.#appear(duration)] : [];
    }
    this.put(pose);
    const moves = [];
    const [dx, dy] = [(from.at[0] - pose.at[0]) * CELL, (from.at[1] - pose.at[1]) * CELL];
    if (dx || dy) moves.push(this.group.animate({ translate: [`${dx}px ${dy}px`, "0 0"] }, { duration, easing: EASE }));
    if (!this.turning) return moves;
    const turn = shortest(((from.heading ?? 0) - (pose.heading ?? 0)) * 90);
    if (turn) moves.push(this.turning.animate({ rotate: [`${turn}deg`, "0deg"] }, { duration, easing: EASE }));
    if (String(from.stance) !== String(pose.stance)) moves.push(this.#shift(from, pose, duration));
    if (pose.damage > from.damage) moves.push(this.stance.animate({ opacity: [1, 0.35, 1] }, { duration }));
    if (pose.damage < from.damage || Boolean(pose.virtual) !== Boolean(from.virtual)) {
      moves.push(this.stance.animate({ opacity: [0.35, 1] }, { duration }));
    }
    return moves;
  }

  // What it makes of what happens to it: a face, by class; and whether it is off the ground, while it drives by its chip.
  /** @param {string} face */
  look(face = "") {
    this.group.setAttribute("data-face", face);
  }

  /** @param {boolean} up */
  lift(up) {
    if (up && this.turning) this.stance.prepend(this.shade ??= made("circle", { class: "robot-shade", r: 11 }));
    else this.shade?.remove();
    this.group.classList.toggle("is-driving", up);
  }

  /** @param {Pose} pose */
  #place({ at, heading, stance }) {
    if (!at) return;
    const [x, y] = centre(at);
    this.group.setAttribute("transform", `translate(${x} ${y})`);
    [this.group.dataset.x, this.group.dataset.y] = [String(at[0]), String(at[1])];
    if (!this.turning) return;
    const [dx, dy, scale, letter] = stance ?? [];
    set(this.stance, "transform", stance && `translate(${dx} ${dy})scale(${scale})`);
    set(this.letter, "transform", stance && letter !== 1 && `scale(${letter})`);
    set(this.turning, "transform", heading && `rotate(${heading * 90})`);
  }

  /** @param {Pose} pose */
  #dress({ heading, damage, virtual, down }) {
    const { group } = this;
    const chosen = heading !== null;
    group.classList.toggle("virtual", Boolean(virtual));
    group.classList.toggle("down", Boolean(down));
    group.dataset.heading = heading === null ? "" : LETTERS.charAt(heading);
    group.dataset.damage = String(damage);
    const holds = { real: !virtual, virtual, chosen, up: chosen && !down, down: chosen && down, undecided: !chosen };
    for (const { state, parts } of this.parts) for (const part of parts) show(part, holds[state]);
    for (const { part, least } of this.scars) show(part, damage >= least);
  }

  /** @param {Pose} pose @param {Pose} pose @param {number} duration */
  #shift({ stance: [dx, dy, scale] = [0, 0, 1] }, { stance: [x, y, size] = [0, 0, 1] }, duration) {
    // What is animated lies outside of where it stands now: undo that, and redo what was.
    const ratio = scale / size;
    const from = { translate: `${dx - x * ratio}px ${dy - y * ratio}px`, scale: ratio };
    return this.stance.animate([from, { translate: "0 0", scale: 1 }], { duration, easing: EASE });
  }

  /** @param {number} duration */
  #vanish(duration) {
    const away = { opacity: [1, 1, 0], scale: [1, 1.12, 0.1], rotate: ["0deg", "-20deg", "400deg"], offset: [0, 0.2, 1] }; // it rears up, and tumbles
    return this.stance.animate(this.turning ? away : { opacity: [1, 0] }, { duration, easing: "ease-in", fill: "forwards" });
  }

  /** @param {number} duration */
  #appear(duration) {
    return this.stance.animate({ opacity: [0, 1], scale: [0.7, 1] }, { duration, easing: "ease-out" });
  }
}

/** @param {Element} element @param {unknown} yes */
const show = (element, yes) => (yes ? element.removeAttribute("display") : element.setAttribute("display", "none"));
/** @param {Element | null} element @param {string} name @param {any} value */
const set = (element, name, value) => (value ? element?.setAttribute(name, value) : element?.removeAttribute(name));
