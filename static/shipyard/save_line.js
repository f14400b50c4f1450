// One line that says how saving stands, with a button where a person can do something about it.

import { make } from "./dom.js";
import { gettext } from "../site/words.js";

export class SaveLine {
  /** @type {SaverState} */ #state = { name: "saved" };

  /** @param {{ retry: () => void, keep: () => void }} given what its buttons do */
  constructor({ retry, keep }) {
    this.deeds = /** @type {Record<string, [string, () => void]>} */ ({
      waiting: [gettext("Try again"), retry],
      refused: [gettext("Try again"), retry],
      asks: [gettext("Choose"), retry],
      gone: [gettext("Save as a new draft"), keep],
      out: [gettext("Log in"), () => location.assign(location.href)],
    });
    this.text = make("span", {});
    this.button = make("button", { type: "button", className: "yard-text-button", hidden: true, onclick: () => this.deeds[this.#state.name]?.[1]() });
    this.element = make("p", { className: "ship-saving", "aria-live": "off" }, this.text, this.button);
    this.isCopied = true;
    this.show({ name: "saved" });
    setInterval(() => { if (this.#state.name === "waiting") this.#say(); }, 1000);
  }

  /** @param {SaverState} state */
  show(state) {
    if (state.name === "met") return;
    this.#state = state;
    const deed = this.deeds[state.name];
    this.element.setAttribute("aria-live", deed ? "polite" : "off"); // what goes well is not read aloud every few seconds
    this.element.classList.toggle("is-trouble", deed !== undefined);
    this.button.hidden = !deed;
    this.button.textContent = deed?.[0] ?? "";
    this.#say();
  }

  #say() {
    const said = this.#words(this.#state);
    if (this.text.textContent !== said) this.text.textContent = said;
  }

  /** @param {SaverState} state */
  #words({ name, detail = "", until = 0 }) {
    if (name === "saved") return gettext("Saved");
    if (name === "saving") return gettext("Saving …");
    if (name === "refused") return gettext("Not saved: {problem}", { problem: detail });
    if (name === "asks") return gettext("Not saved: this ship was also changed in another window or on another device.");
    if (name === "gone") return gettext("Not saved: this draft was deleted.");
    if (name === "out") return gettext("Not saved: you are logged out. This browser keeps your changes.");
    if (name !== "waiting") return gettext("Not saved yet");
    if (!this.isCopied) return gettext("Not saved: there is no connection. Keep this page open.");
    if (!navigator.onLine) return gettext("You are offline. This browser keeps your changes.");
    const seconds = Math.max(1, Math.ceil((until - Date.now()) / 1000));
    return gettext("Not saved: the server isn’t responding. Trying again in {seconds} s.", { seconds });
  }
}
