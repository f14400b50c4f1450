// The palette: all that can be painted, grouped, with search; what is chosen is explained, with its clause, and has its switches.

import { controlFor } from "./controls.js";
import { kindOf } from "./brushes.js";
import { make, svg } from "./dom.js";
import { cellMarkup } from "./picture.js";
import { gettext } from "../site/words.js";

export class PalettePanel {
  /** @type {{ element: PaletteElement, button: Part, group: Part }[]} */ #tiles = [];

  /** @param {ShipEditor} editor @param {Palette} palette @param {Pieces} pieces @param {string} ruleset */
  constructor(editor, palette, pieces, ruleset) {
    this.editor = editor;
    this.palette = palette;
    this.search = make("input", { type: "search", className: "yard-search", placeholder: gettext("Search elements"), "aria-label": gettext("Search elements"), oninput: () => this.#filter() });
    this.search.addEventListener("keydown", (event) => this.#searchKey(event));
    this.rulesets = make("select", { "aria-label": gettext("Show elements by ruleset"), onchange: () => { this.#filter(); this.explain(); } },
      make("option", { value: "" }, gettext("All rulesets")),
      ...palette.rulesets.map(({ key, name }) => make("option", { value: key }, name)));
    this.rulesets.value = ruleset;
    this.explained = make("section", { className: "yard-explained", "aria-label": gettext("Selected element") });
    const groups = palette.groups.map(({ name, elements }) => {
      const group = make("div", { className: "yard-group", role: "group", "aria-label": name }, make("h3", {}, name));
      const tiles = make("div", { className: "yard-tiles" });
      for (const element of elements) {
        const button = make("button", { type: "button", className: "yard-tile", "aria-pressed": "false", title: element.name, onclick: () => editor.take(brushOf(element)) },
          svg(`-1 -1 ${pieces.cell + 2} ${pieces.cell + 2}`, cellMarkup(pieces, exampleOf(element))), make("span", {}, element.name));
        tiles.append(button);
        this.#tiles.push({ element, button, group });
      }
      group.append(tiles);
      return group;
    });
    this.none = make("p", { className: "yard-none", hidden: true }, gettext("No element has this name."));
    this.element = make("section", { className: "yard-palette", "aria-label": gettext("Palette") },
      make("div", { className: "yard-filter" }, this.search, this.rulesets),
      make("div", { className: "yard-groups" }, ...groups, this.none));
    this.#filter();
  }

  // All elements, in the order of the palette.
  get elements() {
    return this.#tiles.map(({ element }) => element);
  }

  // Show what a ruleset knows; all for "".
  /** @param {string} ruleset */
  choose(ruleset) {
    if (ruleset === this.rulesets.value) return;
    this.rulesets.value = ruleset;
    this.#filter();
    this.explain();
  }

  // Mark what is painted with, and say what it is.
  explain() {
    const { brush } = this.editor;
    const chosen = this.#tiles.find(({ element }) => element.token === brush.token);
    for (const { element, button } of this.#tiles) button.setAttribute("aria-pressed", String(element.token === brush.token));
    if (!chosen) return;
    const { element } = chosen;
    const ruleset = this.palette.rulesets.find(({ key }) => key === this.rulesets.value);
    const known = ruleset ? element.known[ruleset.key] : undefined;
    const controls = Object.entries(brush.values).map(([name, value]) => controlFor(name, value, (next) => this.editor.choose(name, next)));
    const by = this.palette.rulesets.filter(({ key }) => key in element.known);
    const where = ruleset ?? by[0];
    const clause = where && element.known[where.key]?.clause;
    this.explained.replaceChildren(
      make("h3", {}, element.name),
      make("p", {}, known?.meaning || element.meaning),
      make("p", { className: "yard-known" },
        ruleset && !known ? gettext("Not in {ruleset}.", { ruleset: ruleset.name }) : by.length === this.palette.rulesets.length ? gettext("In all rulesets.") : gettext("In {rulesets}.", { rulesets: by.map(({ name }) => name).join(", ") }),
        clause && where ? make("a", { href: `${where.address}#${clause}`, target: "_blank", className: "yard-clause", "aria-label": gettext("Clause {clause} of the rulebook", { clause }) }, clause) : null),
      ...controls.filter((control) => control !== null),
    );
  }

  #filter() {
    const asked = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const ruleset = this.rulesets.value;
    for (const { element, button } of this.#tiles) {
      const words = `${element.name} ${element.meaning} ${element.token} ${element.also}`.toLowerCase();
      const fits = asked.length ? asked.every((word) => words.includes(word)) : isKnown(element, ruleset);
      button.hidden = !fits;
      button.classList.toggle("is-unknown", !isKnown(element, ruleset));
    }
    for (const { group } of this.#tiles) group.hidden = !this.#tiles.some((tile) => tile.group === group && !tile.button.hidden);
    this.none.hidden = this.#tiles.some(({ button }) => !button.hidden);
  }

  // Enter takes the first that is found, one that the ruleset knows and by its name if it can be, and leads back to the cells.
  /** @param {KeyboardEvent} event */
  #searchKey(event) {
    const ruleset = this.rulesets.value;
    const shown = this.#tiles.filter(({ button }) => !button.hidden).sort((one, other) => Number(isKnown(other.element, ruleset)) - Number(isKnown(one.element, ruleset)));
    const asked = this.search.value.trim().toLowerCase();
    const found = shown.find(({ element }) => element.name.toLowerCase().includes(asked)) ?? shown[0];
    if (event.key === "Enter" && found) {
      event.preventDefault();
      this.editor.take(brushOf(found.element));
    } else if (event.key !== "Escape") {
      return;
    }
    event.stopPropagation();
    this.search.value = "";
    this.#filter();
    this.editor.grid.moveTo(this.editor.grid.at, true);
  }
}

/** @param {PaletteElement} element @param {string} ruleset "" for all */
const isKnown = ({ known }, ruleset) => !ruleset || ruleset in known;

// A brush for an element, with its first choices.
/** @param {PaletteElement} element @returns {Brush} */
export function brushOf({ name, token, choices }) {
  return { name, token, values: { ...choices, ...(kindOf(token) === "beam" ? { way: "E" } : {}) } };
}

// A cell that shows an element.
/** @param {PaletteElement} element */
function exampleOf({ token, choices }) {
  const values = /** @type {Record<string, string>} */ ({ edge: "N", way: "E", number: "1", seat: "1", ...choices });
  const filled = token.replace(/\{(\w+)\}/g, (_, name) => (name === "phases" && values[name] === "12345" ? "" : values[name] ?? ""));
  const kind = kindOf(token);
  if (kind === "edge") return /^[cpl]/.test(token) ? `.+wN+${filled}` : `.+${filled}`;
  return kind === "checkpoint" || kind === "crusher" ? `.+${filled}` : filled;
}
