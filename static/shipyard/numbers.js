// Coordinates as the server writes them.

// As short as can be, to a hundredth: 3, .5, -.25.
/** @param {number} value */
export function short(value) {
  const text = String(Math.round(value * 100) / 100);
  return text === "-0" ? "0" : text.replace(/^(-?)0\./, "$1.");
}
