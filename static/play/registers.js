// What lies in the registers of an orders' form. The form's lists stay what it sends; whatever changes in it, by a script or by
// hand, is told as `orders:change` on the form.

import { emit } from "../site/events.js";

export const PAUSE = "P";

export class Registers {
  /** @param {Part} form */
  constructor(form) {
    this.form = form;
    /** @type {Register[]} */
    this.all = [...form.querySelectorAll("[data-register]")].map((place) => ({
      place,
      number: Number(place.dataset.register),
      list: place.querySelector("select"), // none where the register is locked
      socket: place, // until the panel has made one
      get chip() {
        return this.list?.value ?? "";
      },
    }));
    this.open = this.all.filter(isOpen);
    this.names = new Map([...form.querySelectorAll("[data-chip]")].map(({ dataset: { chip, name } }) => [chip, name]));
    form.addEventListener("change", () => this.#tell());
    form.addEventListener("reset", () => setTimeout(() => this.#tell()));
  }

  get free() {
    return this.open.find(({ chip }) => !chip);
  }

  get missing() {
    return this.open.filter(({ chip }) => !chip).length;
  }

  /** @param {string} chip */
  holder(chip) {
    return this.open.find((register) => register.chip === chip);
  }

  // Lay a chip into a register. What lies there goes to where the chip was: into that register, or back to the hand.
  /** @param {string} chip @param {Register} register */
  put(chip, register) {
    const from = this.holder(chip);
    if (from === register || !register.list) return;
    if (from) this.#set(from, register.chip);
    this.#set(register, chip);
    this.#tell();
  }

  /** @param {Register} register */
  take(register) {
    this.#set(register, "");
    this.#tell();
  }

  clear() {
    for (const register of this.open) this.#set(register, "");
    this.#tell();
  }

  // Fill the form in as it was sent or kept once: `entries` are its names and values.
  /** @param {Iterable<[string, FormDataEntryValue]>} entries */
  fill(entries) {
    const values = [...entries];
    const fields = this.form.elements;
    for (const field of fields) {
      if (field.type === "checkbox" || field.type === "radio") {
        if (field.name) field.checked = values.some(([name, value]) => name === field.name && value === field.value);
      } else if (field.localName === "select") {
        field.value = values.find(([name]) => name === field.name)?.[1] ?? "";
        if (field.selectedIndex < 0) field.value = "";
      }
    }
    this.#tell();
  }

  // Mark the registers that refused orders are about, and no others.
  /** @param {OrdersProblem[]} problems */
  mark(problems) {
    for (const { place, list, socket, number } of this.all) {
      const wrong = problems.some(({ register }) => register === number);
      place.classList.toggle("is-wrong", wrong);
      for (const [part, name, value] of /** @type {const} */ ([[list, "aria-invalid", "true"], [socket, "aria-describedby", "orders-notice"]])) {
        if (wrong) part?.setAttribute(name, value);
        else part?.removeAttribute(name);
      }
    }
  }

  /** @param {Register} register @param {string} chip */
  #set(register, chip) {
    if (register.list) register.list.value = chip;
  }

  // Orders that have changed are not those that were refused.
  #tell() {
    this.mark([]);
    this.form.removeAttribute("data-refused");
    emit("orders:change", {}, this.form);
  }
}

// What a form orders, as a text: equal texts are equal orders.
/** @param {Part} form */
export function contents(form) {
  const fields = [...new FormData(/** @type {any} */ (form))].filter(([name]) => !["csrfmiddlewaretoken", "instead_of", "despite", "screen"].includes(name));
  return new URLSearchParams(/** @type {[string, string][]} */ (fields)).toString();
}

/** @param {Register} register @returns {register is OpenRegister} */
const isOpen = (register) => register.list !== null;
