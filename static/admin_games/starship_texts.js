// Name, builder and story of a starship as fields of their own, over the text of its document.

import { make } from "../shipyard/dom.js";
import { gettext } from "../site/words.js";

const LONGEST = { name: 80, builder: 80, description: 2000 }; // characters: rules/notation.py

export class StarshipTexts {
  /** @param {(key: string, text: string) => void} change called with what a person has typed */
  constructor(change) {
    /** @param {keyof typeof LONGEST} key @param {string} tag */
    const field = (key, tag) => make(tag, { maxLength: LONGEST[key], oninput: (/** @type {Event} */ { target }) => change(key, /** @type {Part} */ (target).value) });
    this.fields = /** @type {Record<string, Part>} */ ({ name: field("name", "input"), builder: field("builder", "input"), description: field("description", "textarea") });
    const names = /** @type {Record<string, string>} */ ({ name: gettext("Name"), builder: gettext("Builder"), description: gettext("Story") });
    for (const key of ["name", "builder"]) this.fields[key]?.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); }); // which would send the form
    this.element = make("div", { className: "starship-texts" }, ...Object.entries(this.fields).map(([key, each]) => make("label", {}, make("span", {}, names[key] ?? key), each)));
  }

  /** @param {StarshipDocument} document */
  show(document) {
    for (const [key, field] of Object.entries(this.fields)) {
      const text = String(document[key] ?? "");
      if (field.value !== text) field.value = text;
    }
  }
}
