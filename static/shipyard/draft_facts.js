// What the page of a draft says beside the drawing: whether it can be flown, its name, its size, what it is for.

import { clockTime, gettext, listed, ngettext } from "../site/words.js";

/** @param {{ key: string, name: string }[]} rulesets */
export function followFacts(rulesets) {
  const title = document.querySelector(".page-head h1");
  const form = document.querySelector("[data-fly-form]");
  const grounded = document.querySelector("[data-grounded]");
  const facts = Object.fromEntries([...document.querySelectorAll("[data-fact]")].map((fact) => [fact.dataset.fact, fact]));
  const nameOf = (/** @type {string} */ key) => rulesets.find((ruleset) => ruleset.key === key)?.name;

  /** @param {string} name @param {string} text */
  function say(name, text) {
    const fact = facts[name];
    if (fact && fact.textContent !== text) fact.textContent = text;
  }

  return {
    // What is drawn.
    /** @param {Drawn} value */
    show({ document: { rows, ...texts }, ruleset, players }) {
      const name = String(texts["name"] || gettext("Unnamed ship"));
      if (title && title.textContent !== name) title.textContent = name;
      const width = Math.max(1, ...rows.map((row) => row.split(/\s+/).filter(Boolean).length));
      say("size", `${width} × ${rows.length}`);
      say("for", gettext("{ruleset}, {players}", { ruleset: nameOf(ruleset) ?? gettext("any ruleset"), players: ngettext("{number} player", "{number} players", players) }));
      say("rules", nameOf(ruleset) ? gettext("Uses the rules of {ruleset}. Test flights don’t affect records.", { ruleset: nameOf(ruleset) ?? "" }) : gettext("Uses the first suitable ruleset. Test flights don’t affect records."));
    },

    // What was found in it.
    /** @param {ShipProblem[]} problems @param {string[]} suits @param {string} ruleset */
    judge(problems, suits, ruleset) {
      const errors = problems.some(({ severity }) => severity === "error");
      const flies = !errors && Boolean(ruleset || suits.length);
      form?.toggleAttribute("hidden", !flies);
      grounded?.toggleAttribute("hidden", flies);
      if (grounded) {
        grounded.textContent = errors
          ? gettext("To fly this ship, fix the errors below.")
          : gettext("No ruleset supports all its elements. Choose a ruleset to see which ones don’t fit.");
      }
      say("suits", suits.length ? listed(suits.map((key) => nameOf(key) ?? key)) : gettext("no ruleset yet"));
    },

    /** @param {number} version */
    saved(version) {
      say("saved", gettext("version {number}, {time}", { number: version, time: clockTime(new Date()) }));
    },
  };
}
