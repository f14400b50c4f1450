// Who takes which elements of a game's page: those that are there, and those that come when a part is drawn again.

import { listen } from "../site/events.js";

/** @param {[string, (element: Part) => void][]} bindings */
export function bind(bindings) {
  /** @param {ParentNode} root */
  const take = (root) => {
    for (const [selector, taker] of bindings) for (const element of root.querySelectorAll(selector)) taker(element);
  };
  take(document);
  listen("parts:fresh", ({ names }) => {
    for (const name of names) {
      const part = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
      if (part) take(part);
    }
  });
}
