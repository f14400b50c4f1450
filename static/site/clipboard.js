// A field with something to be copied, and its button.

import { need } from "./need.js";
import { gettext } from "./words.js";

/** @param {Part} field */
export function bindCopies(field) {
  const button = need(field, "[data-copy-button]");
  const text = need(field, "input");
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.value);
    button.textContent = gettext("Copied");
  });
  text.addEventListener("focus", () => text.select());
}
