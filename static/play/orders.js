// The orders' form with a script: its registers become sockets, the chips of the hand become keys. A chip goes into the first free
// register, or into the one chosen, by a click, a key, or by dragging; a click takes it back. Locked registers refuse and say why.

import { listen } from "../site/events.js";
import { need } from "../site/need.js";
import { sound } from "../site/sound.js";
import { gettext, listed, ngettext } from "../site/words.js";
import { copy, fly } from "./chips.js";
import { keepDraft } from "./draft.js";
import { letDrag } from "./drag.js";
import { showGhost } from "./ghost.js";
import { askHeading } from "./facing.js";
import { bindKeyboard, nameKeys } from "./keyboard.js";
import { contents, Registers } from "./registers.js";
import { sendOrders } from "./submit.js";

const DOUBLE = 350; // milliseconds in which two clicks on the same thing are one
const FULL = gettext("All registers are full. Take a chip back, or drag one chip onto another.");

/** @param {Part} form */
export function takeOrders(form) {
  const registers = new Registers(form);
  const panel = new Panel(form, registers);
  if (need(form, "fieldset").disabled) return;
  if (registers.all.length) {
    panel.takeChips();
    letDrag(panel);
    bindKeyboard(panel);
  }
  askHeading(form, registers);
  sendOrders(form, registers);
  keepDraft(form, registers);
  showGhost(form, registers);
}

/** @param {Part} place @param {string} mark */
function flash(place, mark) {
  place.classList.remove(mark);
  void place.offsetWidth; // so that the mark begins again
  place.classList.add(mark);
}

export class Panel {
  /** @type {Register | null} */ target = null; // the register that the next chip goes into
  /** @type {Map<string, HTMLElement & { disabled: boolean }>} */ keys = new Map(); // the chips of the hand
  /** @type {Map<string, Register | null>} */ where = new Map(); // the register in which each chip was last shown
  /** @type {[chip: string, from: DOMRect] | null} */ dropped = null;
  /** @type {{ thing: unknown, at: number } | undefined} */ pressed;
  live = false;
  warned = "";

  /** @param {Part} form @param {Registers} registers */
  constructor(form, registers) {
    this.form = form;
    this.registers = registers;
    form.classList.add("is-live");
    // What counts, as the form has it; null while a draft lies in it.
    this.counted = "submitted" in form.dataset && !form.dataset.draftSaved ? contents(form) : null;
    for (const item of form.querySelectorAll("[data-chip]")) this.#makeKey(item);
    for (const register of registers.all) this.#makeSocket(register);
    this.show();
  }

  // From now on chips can be moved.
  takeChips() {
    const { form, registers } = this;
    this.live = true;
    nameKeys(this);
    for (const [chip, key] of this.keys) {
      key.disabled = false;
      key.addEventListener("click", (event) => {
        if (!this.#twice(key, event)) this.toggle(chip);
        if (event.detail) key.blur(); // a pointer leaves no focus behind: Enter is for Run
      });
    }
    for (const register of registers.all) {
      register.socket.disabled = false;
      register.socket.addEventListener("click", (event) => {
        if (!this.#twice(register, event)) this.press(register);
        if (event.detail && !this.target) register.socket.blur();
      });
    }
    const clear = need(form, "[data-clear]");
    clear.addEventListener("click", () => this.clear());
    listen("orders:change", () => this.show(), form);
    listen("orders:foreseen", () => this.warn(), form);
    listen("orders:refused", () => this.#hint(), form);
    listen("orders:unfinished", () => this.ask(), form);
    addEventListener("pageshow", () => form.isConnected && this.show()); // a browser that goes back fills in lists after this
    this.show();
  }

  // The second click of a double one is not meant as another.
  /** @param {unknown} thing @param {UIEvent} given */
  #twice(thing, { detail, timeStamp }) {
    const again = detail > 0 && thing === this.pressed?.thing && timeStamp - (this.pressed?.at ?? 0) < DOUBLE;
    this.pressed = { thing, at: timeStamp };
    return again;
  }

  // Run was pressed too early: what is missing is shown, and nothing is lost.
  ask() {
    const empty = this.registers.open.filter(({ chip }) => !chip);
    const registers = listed(empty.map(({ number }) => number));
    this.say(ngettext("First fill register {registers}.", "First fill registers {registers}.", empty.length, { registers }));
    for (const { place } of empty) flash(place, "is-wanted");
  }

  /** @param {string} chip @param {Register | null} [into] */
  toggle(chip, into = null) {
    const holder = this.registers.holder(chip);
    if (holder && (!into || into === holder)) return this.take(holder);
    const register = into ?? this.target ?? this.registers.free;
    if (!register) return this.say(FULL);
    if (!register.list) return this.refuse(register);
    return this.put(chip, register);
  }

  /** @param {string} chip @param {Register} register @param {DOMRect | null} [from] */
  put(chip, register, from = null) {
    if (!register.list) return this.refuse(register);
    this.target = null;
    this.dropped = from && [chip, from];
    this.registers.put(chip, register);
    sound.play("chip");
    const chipName = this.registers.names.get(chip) ?? "";
    this.announce(`${gettext("{chip}, now in register {number}.", { chip: chipName, number: register.number })} ${this.#missing()}`);
    return true;
  }

  /** @param {Register} register @param {DOMRect | null} [from] */
  take(register, from = null) {
    const { chip } = register;
    this.dropped = from && [chip, from];
    this.registers.take(register);
    sound.play("chip");
    this.announce(`${gettext("Register {number} is empty.", { number: register.number })} ${this.#missing()}`);
  }

  clear() {
    this.target = null;
    this.registers.clear();
    this.announce(gettext("All registers are empty."));
  }

  // A socket was pressed: it gives its chip back, or waits for the next one.
  /** @param {Register} register */
  press(register) {
    if (!register.list) return this.refuse(register);
    if (register.chip) return this.take(register);
    this.target = this.target === register ? null : register;
    this.show();
    this.announce(this.target ? gettext("The next chip goes into register {number}.", { number: register.number }) : "");
    return undefined;
  }

  /** @param {Register} register */
  refuse(register) {
    const { list, number } = register;
    this.say(list ? "" : gettext("Register {number} is locked by damage: it repeats its chip.", { number }));
    flash(register.place, "is-refusing");
  }

  /** @param {string} text */
  say(text) {
    const hint = this.form.querySelector("[data-hint]");
    if (hint) hint.textContent = text;
    hint?.classList.remove("is-repeated");
    this.announce(text);
  }

  // For those who do not see it.
  /** @param {string} text */
  announce(text) {
    const told = this.form.querySelector("[data-told]");
    if (told) told.textContent = text;
  }

  show() {
    const moved = [...this.keys.keys()].filter((chip) => this.where.has(chip) && this.where.get(chip) !== this.#holder(chip));
    const before = moved.map((chip) => this.#from(chip));
    for (const register of this.registers.all) this.#showRegister(register);
    for (const [chip, key] of this.keys) {
      const used = Boolean(this.registers.holder(chip));
      key.classList.toggle("is-chosen", used);
      if (this.live) key.setAttribute("aria-pressed", String(used));
    }
    if (this.live) this.#hint();
    fly(moved.map((chip, index) => [this.#shown(chip), before[index]]));
    for (const chip of this.keys.keys()) this.where.set(chip, this.#holder(chip));
    this.dropped = null;
  }

  // What the server foresees is fatal: it is said beside Run.
  warn() {
    const { warning } = this.form.dataset;
    if (warning === this.warned) return; // what was said meanwhile stays
    if (warning) this.announce(warning);
    this.warned = warning;
    this.#hint();
  }

  #hint() {
    const hint = this.form.querySelector("[data-hint]");
    if (!hint) return;
    const { warning = "", refused } = this.form.dataset;
    const counts = this.#counts();
    need(this.form, "[data-clear]").hidden = counts;
    const counting = this.form.closest(".panel")?.querySelector("[data-counting]");
    if (counting) counting.hidden = counts;
    hint.classList.toggle("is-repeated", counts && !warning && refused === undefined);
    hint.classList.toggle("is-fatal", refused !== undefined || Boolean(warning));
    if (refused !== undefined) hint.textContent = gettext("Not submitted");
    else hint.textContent = warning && !this.registers.missing && !counts ? warning : [this.#missing(), warning].filter(Boolean).join(". ");
  }

  // Whether what lies here is what was submitted.
  #counts() {
    return this.counted !== null && contents(this.form) === this.counted;
  }

  #missing() {
    const { missing } = this.registers;
    if (this.#counts()) return gettext("Your program is submitted");
    if (missing) return ngettext("{number} register to fill", "{number} registers to fill", missing);
    return "submitted" in this.form.dataset ? gettext("Changes not submitted") : gettext("Ready to run");
  }

  /** @param {Part} item */
  #makeKey(item) {
    const key = document.createElement("button");
    key.type = "button";
    key.className = "chip-key";
    key.disabled = true;
    key.append(...item.childNodes);
    item.append(key);
    this.keys.set(item.dataset.chip, key);
  }

  /** @param {Register} register */
  #makeSocket(register) {
    const socket = document.createElement("button");
    socket.type = "button";
    socket.className = "register-socket";
    socket.disabled = true;
    register.place.append(socket);
    register.socket = /** @type {any} */ (socket);
    if (register.list) register.list.tabIndex = -1;
  }

  /** @param {Register} register */
  #showRegister(register) {
    const { place, list, socket, number, chip } = register;
    if (!list) {
      const held = place.querySelector(".chip .unseen")?.textContent.split(",")[0].trim();
      socket.setAttribute("aria-label", held
        ? gettext("Register {number}: {chip}, locked by damage, repeats its chip.", { number, chip: held })
        : gettext("Register {number}: locked by damage, repeats its chip.", { number }));
      return;
    }
    if (place.dataset.holds !== chip) {
      place.querySelector(".chip")?.remove();
      const shown = chip && this.keys.get(chip)?.querySelector(".chip");
      if (shown) socket.before(copy(shown));
      place.dataset.holds = chip;
    }
    place.classList.toggle("is-empty", !chip);
    place.classList.toggle("is-target", register === this.target);
    const held = this.registers.names.get(chip);
    socket.setAttribute("aria-label", held
      ? gettext("Register {number}: {chip}. Take it back.", { number, chip: held })
      : gettext("Register {number}: empty. Put the next chip here.", { number }));
  }

  // Where each chip is seen: in its register, else in the hand.
  /** @param {string} chip */
  #shown(chip) {
    const holder = this.registers.holder(chip);
    return holder ? holder.place.querySelector(".chip") : this.keys.get(chip)?.querySelector(".chip");
  }

  /** @param {string} chip */
  #holder(chip) {
    return this.registers.holder(chip) ?? null;
  }

  // Where a chip was seen before: dropped by the pointer, else in its register or in the hand.
  /** @param {string} chip */
  #from(chip) {
    if (this.dropped?.[0] === chip) return this.dropped[1];
    const held = this.where.get(chip)?.place.querySelector(".chip");
    return (held ?? this.keys.get(chip)?.querySelector(".chip"))?.getBoundingClientRect();
  }
}
