// Tells the server that the reader is there: by a key, a tap, a wheel, or a page that they open or come back to. A page that is merely
// open says nothing, so that mail about the game goes out again some minutes after the last sign.

import { ask } from "./ask.js";

const SIGN_INTERVAL = 30 * 1000; // milliseconds between two signs

/** @param {Part} stream */
export function giveSigns(stream) {
  let last = -Infinity;
  const sign = () => {
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
    if (!token || document.hidden || Date.now() - last < SIGN_INTERVAL) return; // pages of people who are not logged in have no token
    last = Date.now();
    ask(stream.dataset.pulse, { method: "POST", body: new URLSearchParams({ csrfmiddlewaretoken: token }) });
  };
  for (const kind of ["keydown", "pointerdown", "wheel"]) addEventListener(kind, sign, { capture: true, passive: true });
  document.addEventListener("visibilitychange", sign);
  sign();
}
