// Chips by mouse, finger and pen: from the hand into a register, from one register to another, out of a register back to the hand.
// What is dropped onto a filled register changes places with what lies there.

import { copy, rectOf } from "./chips.js";

const STRAY = 6; // pixels before a press is a drag
const NEAR = 14; // pixels beside a register that still count as in it

export function letDrag(panel) {
  const { form, registers } = panel;
  let drag = null;
  let dragged = false;

  form.addEventListener("pointerdown", (event) => {
    if (drag || event.button || !event.isPrimary) return;
    const found = grabbed(event.target);
    if (found) drag = { ...found, id: event.pointerId, start: [event.clientX, event.clientY], handle: event.target };
  });
  form.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    if (!drag.afloat && Math.hypot(event.clientX - drag.start[0], event.clientY - drag.start[1]) < STRAY) return;
    if (!drag.afloat && !lift(event)) return;
    float(event);
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
  function grabbed(target) {
    const key = target.closest(".chip-key");
    if (key) {
      const { chip } = key.closest("[data-chip]").dataset;
      return { chip, from: registers.holder(chip) ?? null };
    }
    const register = registers.all.find(({ socket }) => socket === target);
    return register && (register.chip || !register.list) ? { chip: register.chip, from: register } : null;
  }

  function lift(event) {
    if (form.contains(document.activeElement)) document.activeElement.blur(); // a pointer leaves no focus behind
    if (drag.from && !drag.from.list) {
      panel.refuse(drag.from);
      drag = null;
      return false;
    }
    const seen = drag.from?.place.querySelector(".chip") ?? panel.keys.get(drag.chip).querySelector(".chip");
    const rect = rectOf(seen);
    drag.afloat = copy(seen);
    drag.afloat.classList.remove("is-chosen");
    drag.afloat.classList.add("chip-afloat");
    drag.offset = [Math.min(Math.max(drag.start[0] - rect.x, 0), rect.width), Math.min(Math.max(drag.start[1] - rect.y, 0), rect.height)];
    document.body.append(drag.afloat);
    drag.seen = seen;
    seen.classList.add("is-lifted");
    form.classList.add("is-dragging");
    form.setPointerCapture(event.pointerId);
    return true;
  }

  function float({ clientX, clientY }) {
    const [x, y] = [clientX - drag.offset[0], clientY - drag.offset[1]];
    drag.afloat.style.transform = `translate(${x}px, ${y}px) scale(1.06)`;
    drag.over = registers.all.find(({ place }) => holds(rectOf(place), clientX, clientY)) ?? null;
    for (const { place } of registers.all) place.classList.toggle("is-over", place === drag.over?.place);
  }

  function drop() {
    const { chip, from, over, afloat } = drag;
    if (!afloat) {
      drag = null;
      return;
    }
    const rect = rectOf(afloat);
    letGo();
    dragged = true;
    setTimeout(() => { dragged = false; });
    if (over && over !== from) panel.put(chip, over, rect);
    else if (!over && from) panel.take(from, rect);
  }

  function letGo() {
    if (!drag) return;
    drag.afloat?.remove();
    drag.seen?.classList.remove("is-lifted");
    for (const { place } of registers.all) place.classList.remove("is-over");
    form.classList.remove("is-dragging");
    drag = null;
  }
}

function holds({ left, top, right, bottom }, x, y) {
  return x > left - NEAR / 2 && x < right + NEAR / 2 && y > top - NEAR && y < bottom + NEAR;
}
