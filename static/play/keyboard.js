// The panel by keyboard: 1 to 9 lay the chips of the hand, P the pause; Backspace takes the last one back, Delete all of them,
// Enter runs. Arrow keys go along registers and hand, which are one stop of Tab each; a chip laid while a register has the focus
// goes there. Which key lays which chip is shown only to those who use keys: else the numbers look like moves.

import { PAUSE } from "./registers.js";
import { keysOf } from "../site/keys.js";

export const TYPED = "input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit]), textarea, select, [contenteditable]";
export const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const CONTROLS = `${FIELDS}, input, button, a[href], summary, dialog, [role=tab], [role=button], [role=application]`;

/** @type {Panel} */
let panel; // the one that is on the page

/** @param {Panel} shown */
export function bindKeyboard(shown) {
  if (!panel) {
    document.addEventListener("keydown", (event) => panel.form.isConnected && press(event));
    document.addEventListener("pointerdown", () => showKeys(false));
  }
  panel = shown;
  for (const row of rows()) rove(row, row.at(0));
  shown.form.addEventListener("focusin", ({ target }) => {
    const row = rows().find((each) => each.includes(target));
    if (row) rove(row, target);
    if (row && target.matches(":focus-visible")) showKeys(true);
  });
}

/** @param {boolean} shown */
function showKeys(shown) {
  document.documentElement.classList.toggle("by-keys", shown);
}

// Say on each chip by which key it is laid.
/** @param {Panel} given */
export function nameKeys({ keys }) {
  let count = 0;
  for (const [chip, key] of keys) {
    const shortcut = chip === PAUSE ? PAUSE : String(++count);
    key.setAttribute("aria-keyshortcuts", shortcut);
    const hint = document.createElement("span");
    hint.className = "key-hint";
    hint.textContent = shortcut;
    hint.setAttribute("aria-hidden", "true");
    key.after(hint);
  }
}

/** @param {Heard<KeyboardEvent>} event */
function press(event) {
  const { target } = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (target.closest?.(FIELDS) || document.querySelector("dialog[open]")) return;
  if (!keysOf(event).some((key) => act(key, target, event.repeat))) return;
  event.preventDefault();
  showKeys(true);
}

// A key that is held lays its chip once, and runs once.
/** @param {string} key @param {Part} target @param {boolean} held */
function act(key, target, held) {
  const chip = chipOf(key);
  if (chip) return held || lay(chip, target);
  switch (key) {
    case "Backspace":
      return takeBack(target);
    case "Delete":
      panel.clear();
      return true;
    case "Enter":
      if (target.closest?.(CONTROLS)) return false;
      if (held) return true;
      panel.form.requestSubmit(panel.form.querySelector("[data-run]"));
      return true;
    default:
      return walk(key, target);
  }
}

/** @param {string} key */
function chipOf(key) {
  if (key.toUpperCase() === PAUSE) return panel.keys.has(PAUSE) ? PAUSE : null;
  return /^[1-9]$/.test(key) ? [...panel.keys.keys()].filter((chip) => chip !== PAUSE)[Number(key) - 1] : null;
}

/** @param {string} chip @param {Part} target */
function lay(chip, target) {
  const register = registerOf(target);
  panel.toggle(chip, register);
  if (register) panel.registers.free?.socket.focus();
  return true;
}

/** @param {Part} target */
function takeBack(target) {
  const register = registerOf(target);
  const last = register?.chip ? register : panel.registers.open.findLast(({ chip }) => chip);
  if (last) panel.take(last);
  return true;
}

// Arrow keys, in a row or from nowhere.
/** @param {string} key @param {Part} target */
function walk(key, target) {
  const [sockets, chips] = rows();
  const row = [sockets, chips].find((each) => each.includes(target));
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!row) {
    if (!step || !target.matches("body, #panel-title")) return false;
    sockets?.at(step > 0 ? 0 : -1)?.focus();
    return true;
  }
  const here = row.indexOf(target);
  const to = {
    ArrowLeft: row[here - 1],
    ArrowRight: row[here + 1],
    Home: row[0],
    End: row.at(-1),
    ArrowDown: row === sockets ? chips[0] : null,
    ArrowUp: row === chips ? sockets[0] : null,
  }[key];
  to?.focus();
  return to !== undefined;
}

function rows() {
  return [panel.registers.all.map(({ socket }) => socket), [...panel.keys.values()]].filter((row) => row.length);
}

/** @param {HTMLElement[]} row @param {HTMLElement | undefined} stop */
function rove(row, stop) {
  for (const each of row) each.tabIndex = each === stop ? 0 : -1;
}

/** @param {Part} target */
function registerOf(target) {
  return panel.registers.all.find(({ socket }) => socket === target) ?? null;
}
