// Asks once what is to be kept where two windows changed the same, showing both.

import { wordsOf } from "./cell_words.js";
import { make, svg } from "./dom.js";
import { cellMarkup } from "./picture.js";
import { gettext, ngettext, pgettext } from "../site/words.js";

const SHOWN = 8; // differences

export class ClashDialog {
  #settle = (/** @type {"mine" | "theirs" | null} */ _side) => {};

  /** @param {{ pieces: Pieces, palette: Palette, keepBoth: () => Promise<string> }} given `keepBoth` says why it cannot be, or "" */
  constructor({ pieces, palette, keepBoth }) {
    this.pieces = pieces;
    this.palette = palette;
    this.head = make("h2", { className: "side-title", id: "clash-title" }, gettext("Changed in two places"));
    this.told = make("p", {});
    this.lines = make("tbody", {});
    this.more = make("p", { className: "quiet small" });
    this.said = make("p", { className: "ship-clash-said", role: "alert" });
    const both = make("button", { type: "button", className: "button button-quiet", onclick: () => this.#both(keepBoth) }, gettext("Keep both"));
    this.element = make("dialog", { className: "ship-clash", "aria-labelledby": "clash-title", onclose: () => this.#settle(null) },
      this.head, this.told,
      make("table", {}, make("thead", {}, make("tr", {}, ...[gettext("Where"), gettext("This window"), gettext("Other window or device")].map((name) => make("th", {}, name)))), this.lines),
      this.more,
      make("div", { className: "ship-clash-deeds" },
        make("button", { type: "button", className: "button", onclick: () => this.#choose("mine") }, gettext("Keep this window’s changes")),
        make("button", { type: "button", className: "button button-quiet", onclick: () => this.#choose("theirs") }, gettext("Use the other changes")), both),
      make("p", { className: "quiet small" }, gettext("“Keep both” saves this window’s ship as a new draft, and this draft gets the other changes. Changes that don’t conflict are always kept.")),
      this.said);
    document.body.append(this.element);
  }

  // Which of two sides counts where they clash; null if the person does not say.
  /** @param {Merger} found @param {string} sentence @returns {Promise<"mine" | "theirs" | null>} */
  ask({ clashes }, sentence) {
    this.told.textContent = sentence;
    this.lines.replaceChildren(...clashes.slice(0, SHOWN).map((clash) => this.#line(clash)));
    const left = Math.max(0, clashes.length - SHOWN);
    this.more.textContent = left ? ngettext("And {number} more.", "And {number} more.", left) : "";
    this.said.textContent = "";
    if (!this.element.open) this.element.showModal();
    return new Promise((settle) => { this.#settle = settle; });
  }

  /** @param {"mine" | "theirs"} side */
  #choose(side) {
    this.#settle(side);
    this.element.close();
  }

  /** @param {() => Promise<string>} keepBoth */
  async #both(keepBoth) {
    this.said.textContent = await keepBoth();
    if (!this.said.textContent) this.#choose("theirs");
  }

  /** @param {Clash} clash */
  #line(clash) {
    const { key, x = 0, y = 0, mine, theirs } = clash;
    const names = /** @type {Record<string, string>} */ ({
      cell: gettext("Column {column}, row {row}", { column: x + 1, row: y + 1 }),
      size: gettext("Size and all cells"),
      name: gettext("Name"),
      description: gettext("Story"),
      ruleset: gettext("Ruleset"),
      players: pgettext("number", "Players"),
    });
    const shown = (/** @type {string} */ text) => (key === "cell" ? this.#cell(text) : [make("span", {}, this.#words(key, text))]);
    return make("tr", {}, make("th", {}, names[key] ?? key), make("td", {}, ...shown(mine)), make("td", {}, ...shown(theirs)));
  }

  /** @param {string} key @param {string} text */
  #words(key, text) {
    if (key !== "ruleset") return text || gettext("(empty)");
    return this.palette.rulesets.find((ruleset) => ruleset.key === text)?.name ?? gettext("any ruleset");
  }

  /** @param {string} token */
  #cell(token) {
    const { cell } = this.pieces;
    const words = wordsOf({ width: 1, height: 1, cells: [token] }, 0, 0, this.palette.words);
    return [svg(`-1 -1 ${cell + 2} ${cell + 2}`, cellMarkup(this.pieces, token)), make("span", {}, words)];
  }
}
