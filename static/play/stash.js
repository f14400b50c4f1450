// What is laid and not yet known to the server, kept by this window for the turn and the hand it is of: so that nothing is lost when
// the page is drawn again, the connection breaks, or another window was first.

import { personKey } from "../site/person.js";

const storage = (() => {
  try {
    sessionStorage.getItem("");
    return sessionStorage;
  } catch {
    /** @type {any} */
    const held = Object.create({ // where storage is switched off: as long as the page is there
      getItem: (/** @type {string} */ key) => held[key] ?? null,
      setItem: (/** @type {string} */ key, /** @type {string} */ value) => { held[key] = value; },
      removeItem: (/** @type {string} */ key) => { delete held[key]; },
    });
    return /** @type {Storage} */ (held);
  }
})();

/** @param {string} game */
const keysOf = (game) => Object.keys(storage).filter((name) => name.startsWith(personKey(`laid:${game}:`)));

/** @param {Part} element */
function keyOf({ dataset: { game, turn, version } }) {
  return personKey(`laid:${game}:${turn}:${version.split("-").at(-1)}`); // the version ends with the mark of the hand
}

// `laid` is { contents, names, given }: the form's contents, the chips in words, and the mark of the orders that counted then.
/** @param {Part} form @param {Laid} laid */
export function stash(form, laid) {
  storage.setItem(keyOf(form), JSON.stringify(laid));
}

/** @param {Part} form @returns {Laid | null} */
export function stashed(form) {
  return JSON.parse(storage.getItem(keyOf(form)) ?? "null");
}

/** @param {Part} form */
export function unstash(form) {
  storage.removeItem(keyOf(form));
}

// What was laid in a game for anything but what its panel now asks for; it is told once. `form` is null where there is none.
/** @param {string} game @param {Part | null} form @returns {(Laid & { turn: string })[]} */
export function leftOver(game, form) {
  const left = keysOf(game).filter((key) => !form || key !== keyOf(form));
  const found = left.map((key) => ({ turn: key.split(":").at(-2) ?? "", ...JSON.parse(storage.getItem(key) ?? "{}") }));
  for (const key of left) storage.removeItem(key);
  return found;
}
