// Small switches: phases, strengths, and other choices of a few.

import { make } from "./dom.js";
import { gettext } from "../site/words.js";

// A switch for each phase; one of them at least stays on.
/** @param {string} phases @param {(phases: string) => void} onchange @param {string} [name] */
export function phaseSwitches(phases, onchange, name = gettext("Phases")) {
  const on = new Set(phases);
  const switches = [..."12345"].map((phase) => make("button", {
    type: "button",
    "aria-pressed": on.has(phase),
    "aria-label": gettext("Phase {phase}", { phase }),
    onclick: () => {
      const next = on.has(phase) ? phases.replace(phase, "") : [...phases, phase].sort().join("");
      if (next) onchange(next);
    },
  }, phase));
  return make("div", { className: "yard-choice" }, make("span", { className: "yard-choice-name", "aria-hidden": "true" }, name), make("div", { className: "yard-switches", role: "group", "aria-label": name }, ...switches));
}

// One of a few.
/** @param {string} name @param {[value: string, label: string][]} choices @param {string} value @param {(value: string) => void} onchange */
export function chooser(name, choices, value, onchange) {
  const buttons = choices.map(([each, label]) => make("button", { type: "button", "aria-pressed": each === value, onclick: () => onchange(each) }, label));
  return make("div", { className: "yard-choice" }, make("span", { className: "yard-choice-name", "aria-hidden": "true" }, name), make("div", { className: "yard-switches", role: "group", "aria-label": name }, ...buttons));
}

// The control of one of a brush's names; null for one that is not chosen.
/** @param {string} name @param {string} value @param {(value: string) => void} onchange */
export function controlFor(name, value, onchange) {
  switch (name) {
    case "phases": return phaseSwitches(value, onchange);
    case "strength": return chooser(gettext("Strength"), ["1", "2", "3"].map((each) => [each, each]), value, onchange);
    case "way": return chooser(gettext("Direction"), [["N", "↑"], ["E", "→"], ["S", "↓"], ["W", "←"]], value, onchange);
    case "repairs": return numberField(gettext("Repairs"), value, onchange);
    default: return null;
  }
}

/** @param {string} name @param {string} value @param {(value: string) => void} onchange */
export function numberField(name, value, onchange) {
  const field = make("input", { type: "number", min: "1", max: "99", value, "aria-label": name });
  field.addEventListener("change", () => {
    const number = Math.round(Number(field.value));
    if (number >= 1 && number <= 9999) onchange(String(number));
  });
  return make("div", { className: "yard-choice" }, make("span", { className: "yard-choice-name", "aria-hidden": "true" }, name), field);
}
