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

/** @param {Element | null | undefined} element */
export function rectOf(element) {
  return element?.getBoundingClientRect();
}

// Have an element come from where it, or another one like it, was seen before.
/** @param {Element | null | undefined} element @param {DOMRect | null | undefined} from */
export function fly(element, from) {
  if (!element?.animate || !from?.width || settings.motion === "reduced") return;
  const to = element.getBoundingClientRect();
  const [x, y] = [from.x - to.x, from.y - to.y];
  if (Math.hypot(x, y) < 1) return;
  element.classList.add("is-flying");
  const steps = [{ transform: `translate(${x}px, ${y}px)`, opacity: 1 }, { transform: "none" }];
  const flight = element.animate(steps, { duration: TIME, easing: EASE });
  flight.finished.catch(() => {}).then(() => element.classList.remove("is-flying"));
}
