// What is typed or drawn in a form and not saved yet, kept in this browser as the shipyard keeps drawings (static/shipyard/copies.js).
// The next visit offers it. A copy goes once the server has it: somebody saved something after the form was sent.

import { Copies, storageHere } from "../shipyard/copies.js";
import { make } from "../shipyard/dom.js";
import { dateAndTime, gettext } from "../site/words.js";

export class KeptText {
  /** @param {Part} field @param {DOMStringMap} data the page's: copy, person and lastSaved, the last revision that they saved */
  constructor(field, { copy = "", person = "0", lastSaved = "0" }) {
    this.field = field;
    this.lastSaved = Number(lastSaved);
    this.shown = document.querySelector(".errornote") ? null : field.textContent; // what was refused is not saved
    this.copies = new Copies(copy, { storage: storageHere(), person: Number(person) });
    if (this.shown === null) this.#keep(false);
    field.addEventListener("input", () => this.#keep(false));
    field.form.addEventListener("submit", (event) => {
      if (field.value !== this.shown && !event.submitter?.matches("[name=_preview]")) this.#keep(true);
    });
  }

  /** @param {boolean} sent */
  #keep(sent) {
    if (this.field.value === this.shown) this.copies.drop();
    else this.copies.keep({ text: this.field.value, sent }, this.shown, this.lastSaved);
  }

  // Offer what an earlier visit did not save.
  offer() {
    const place = document.querySelector("[data-kept]");
    for (const copy of this.copies.left()) {
      const { text, sent } = copy.value ?? {};
      if (!text || text === this.field.value || (sent && this.lastSaved > copy.version)) {
        this.copies.drop(copy.key);
        continue;
      }
      const time = dateAndTime(new Date(copy.at));
      /** @param {string} name @param {() => void} deed */
      const button = (name, deed) => make("button", { type: "button", className: "button", onclick: () => { deed(); this.copies.drop(copy.key); one.remove(); } }, name);
      const one = make("p", { className: "retired-note kept-text", role: "status" },
        make("span", {}, gettext("Your last changes weren’t saved ({time}). This browser has a copy.", { time })),
        button(gettext("Restore"), () => this.#bringBack(text)),
        button(gettext("Discard"), () => {}));
      place?.append(one);
      place?.removeAttribute("hidden");
    }
  }

  /** @param {string} text */
  #bringBack(text) {
    this.field.value = text;
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
