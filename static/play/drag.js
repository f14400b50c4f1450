// Chips by mouse, finger and pen: from the hand into a register, from one register to another, out of a register back to the hand.
// What is dropped onto a filled register changes places with what lies there.

import { need } from "../site/need.js";
import { copy } from "./chips.js";

const DRAG_DISTANCE = 6; // pixels before a press is a drag
const DROP_MARGIN = 14; // pixels beside a register that still count as in it

/** @param {Panel} panel */
export function letDrag(panel) {
  const { form, registers } = panel;
  /**
   * @type {{ chip: string, from: Register | null, id: number, start: [number, number], over?: Register | null,
   *   afloat?: { chip: HTMLElement, seen: Element, offset: [number, number] } } | null}
   */
  let drag = null;
  let dragged = false;

  form.addEventListener("pointerdown", (event) => {
    if (drag || event.button || !event.isPrimary) return;
    const found = grabbed(event.target);
    if (found) drag = { ...found, id: event.pointerId, start: [event.clientX, event.clientY] };
  });
  form.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.afloat && Math.hypot(event.clientX - drag.start[0], event.clientY - drag.start[1]) < DRAG_DISTANCE) return;
    if (drag.afloat || lift(event)) float(event);
  });
  form.addEventListener("pointerup", (event) => event.pointerId === drag?.id && drop());
  form.addEventListener("pointercancel", (event) => event.pointerId === drag?.id && letGo());
  form.addEventListener("lostpointercapture", (event) => event.target === form && event.pointerId === drag?.id && setTimeout(letGo));
  form.addEventListener("dragstart", (event) => event.preventDefault());
  form.addEventListener("click", (event) => {
    if (!dragged) return;
    dragged = false;
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drag?.afloat) return;
    event.preventDefault();
    event.stopPropagation();
    letGo();
  }, { capture: true });

  // What a press takes hold of: a chip, and the register in which it lies.
  /** @param {Part} target */
  function grabbed(target) {
    const key = target.closest(".chip-key");
    if (key) {
      const { chip } = /** @type {Part} */ (key.closest("[data-chip]")).dataset;
      return { chip, from: registers.holder(chip) ?? null };
    }
    const register = registers.all.find(({ socket }) => socket === target);
    return register && (register.chip || !register.list) ? { chip: register.chip, from: register } : null;
  }

  /** @param {Heard<PointerEvent>} event */
  function lift(event) {
    if (!drag) return false;
    const focus = /** @type {Part | null} */ (document.activeElement);
    if (form.contains(focus)) focus?.blur(); // a pointer leaves no focus behind
    if (drag.from && !drag.from.list) {
      panel.refuse(drag.from);
      drag = null;
      return false;
    }
    const seen = drag.from?.place.querySelector(".chip") ?? need(/** @type {Part} */ (panel.keys.get(drag.chip)), ".chip");
    const rect = seen.getBoundingClientRect();
    const chip = copy(seen);
    chip.classList.remove("is-chosen");
    chip.classList.add("chip-afloat");
    const offset = /** @type {[number, number]} */ ([Math.min(Math.max(drag.start[0] - rect.x, 0), rect.width), Math.min(Math.max(drag.start[1] - rect.y, 0), rect.height)]);
    drag.afloat = { chip, seen, offset };
    document.body.append(chip);
    seen.classList.add("is-lifted");
    form.classList.add("is-dragging");
    form.setPointerCapture(event.pointerId);
    return true;
  }

  /** @param {MouseEvent} event */
  function float({ clientX, clientY }) {
    const { afloat } = drag ?? {};
    if (!drag || !afloat) return;
    const [x, y] = [clientX - afloat.offset[0], clientY - afloat.offset[1]];
    afloat.chip.style.transform = `translate(${x}px, ${y}px) scale(1.06)`;
    drag.over = registers.all.find(({ place }) => holds(place.getBoundingClientRect(), clientX, clientY)) ?? null;
    for (const { place } of registers.all) place.classList.toggle("is-over", place === drag.over?.place);
  }

  function drop() {
    const { chip, from, over, afloat } = drag ?? {};
    if (!chip || !afloat) {
      drag = null;
      return;
    }
    const rect = afloat.chip.getBoundingClientRect();
    letGo();
    dragged = true;
    setTimeout(() => { dragged = false; });
    if (over && over !== from) panel.put(chip, over, rect);
    else if (!over && from) panel.take(from, rect);
  }

  function letGo() {
    if (!drag) return;
    drag.afloat?.chip.remove();
    drag.afloat?.seen.classList.remove("is-lifted");
    for (const { place } of registers.all) place.classList.remove("is-over");
    form.classList.remove("is-dragging");
    drag = null;
  }
}

/** @param {DOMRect} rect @param {number} x @param {number} y */
function holds({ left, top, right, bottom }, x, y) {
  return x > left - DROP_MARGIN / 2 && x < right + DROP_MARGIN / 2 && y > top - DROP_MARGIN && y < bottom + DROP_MARGIN;
}
