// Which keys of a shortcut were pressed, on any keyboard: first the character that was typed, then the key that has the place of a Latin
// letter, a digit or a sign on a US keyboard, for layouts that type something else there. So Ctrl+Z is the key that says Z, also where
// it lies at the place of Y; on a Cyrillic layout it is the key at the place of Z, and digits need no Shift on a French one.

const SIGNS = /** @type {Record<string, string>} */ ({ Comma: ",", Period: ".", BracketLeft: "[", BracketRight: "]" });

/** @param {KeyboardEvent} event @returns {string[]} */
export function keysOf({ key = "", code = "", shiftKey }) {
  const typed = key.length === 1 ? key.toLowerCase() : key;
  if (typed.length > 1 && typed !== "Dead") return [typed];
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const [, digit] = /^Digit([0-9])$/.exec(code) ?? [];
  const placed = letter ? /^\p{L}$/u.test(typed) && !/\p{Script=Latin}/u.test(typed) && letter.toLowerCase() : !shiftKey && (digit ?? SIGNS[code]);
  return placed && placed !== typed ? [typed, placed] : [typed];
}
