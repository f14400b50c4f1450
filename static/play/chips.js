// Chips as they are seen: their copies, and how they get from one place to another: quickly, eased, and not at all for those who
// want it still.

import { settings } from "../site/settings.js";

const TIME = 150; // milliseconds
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

/** @param {Element} chip */
export function copy(chip) {
  const copied = chip.cloneNode(true);
  copied.classList.remove("is-flying", "is-lifted");
  copied.setAttribute("aria-hidden", "true");
  return copied;
}

// Have elements come from where they, or others like them, were seen before. All are measured before any is moved.
/** @param {[element: Element | null | undefined, from: DOMRect | null | undefined][]} flights */
export function fly(flights) {
  if (settings.motion === "reduced") return;
  const measured = flights.map(([element, from]) => /** @type {const} */ ([element, from, element?.getBoundingClientRect()]));
  for (const [element, from, to] of measured) {
    if (!element?.animate || !from?.width || !to) continue;
    const [x, y] = [from.x - to.x, from.y - to.y];
    if (Math.hypot(x, y) < 1) continue;
    element.classList.add("is-flying");
    const steps = [{ transform: `translate(${x}px, ${y}px)`, opacity: 1 }, { transform: "none" }];
    const flight = element.animate(steps, { duration: TIME, easing: EASE });
    flight.finished.catch(() => {}).then(() => element.classList.remove("is-flying"));
  }
}
