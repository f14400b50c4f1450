// The puzzle against scripts: solves it while the person fills in the form (ALTCHA, a proof of work by PBKDF2).
//
// [data-challenge] with the puzzle as JSON, in a form, with a field `solution` and [data-challenge-said], whose
// data-challenge-wait is what to say if this browser can't solve it. form[data-send-when-solved] is sent at once.

import { need } from "./need.js";
import { gettext } from "./words.js";

const PREFIX_BITS = 4; // bits in a hexadecimal digit

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** @param {Uint8Array} all */
function hex(all) {
  return Array.from(all, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The key that belongs to a counter.
 * @param {any} parameters @param {number} counter
 */
async function keyOf(parameters, counter) {
  const nonce = bytes(parameters.nonce);
  const password = new Uint8Array(nonce.length + 4);
  password.set(nonce);
  new DataView(password.buffer).setUint32(nonce.length, counter);
  const material = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  const way = { name: "PBKDF2", hash: "SHA-256", salt: bytes(parameters.salt), iterations: parameters.cost };
  return hex(new Uint8Array(await crypto.subtle.deriveBits(way, material, parameters.keyLength * 2 * PREFIX_BITS)));
}

/**
 * The answer to a puzzle, as the server reads it.
 * @param {any} challenge
 */
export async function solve(challenge) {
  for (let counter = 0; ; counter += 1) {
    const derivedKey = await keyOf(challenge.parameters, counter);
    if (derivedKey.startsWith(challenge.parameters.keyPrefix)) {
      return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    }
  }
}

/** @param {Part} part */
async function answer(part) {
  const form = /** @type {any} */ (part.closest("form"));
  const said = need(part, "[data-challenge-said]");
  const field = /** @type {any} */ (need(part, "[name=solution]"));
  const { challenge = "", challengeWait = "" } = part.dataset;
  let waits = false;
  const send = () => {
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    form.submit();
  };
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    if (field.value || said.textContent === challengeWait) return;
    event.preventDefault();
    waits = true;
    said.textContent = gettext("One moment. Your browser proves that you are no script.");
  });
  try {
    if (!globalThis.crypto?.subtle) throw new Error("This browser has no cryptography");
    field.value = await solve(JSON.parse(challenge));
    if (waits || form.hasAttribute("data-send-when-solved")) send();
  } catch {
    said.textContent = challengeWait;
  }
}

if (globalThis.document) {
  for (const part of document.querySelectorAll("[data-challenge]")) answer(/** @type {Part} */ (part));
}
