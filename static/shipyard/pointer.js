// Mouse, pen and fingers over the cells. One finger paints, two move and zoom the board, and a long press picks what is under it.

import { edgeAt } from "./strokes.js";

const LONG = 450; // milliseconds
const STRAY = 8; // pixels that a finger may move before it paints
const WHEEL = 40; // of a wheel or trackpad, to the next size

/** @param {ShipEditor} editor */
export function followPointers(editor) {
  const { grid: { element: surface }, view, painter } = editor;
  /** @type {Map<number, { clientX: number, clientY: number }>} */
  const fingers = new Map();
  /** @type {{ event: PointerEvent, timer: number } | null} */
  let pressed = null; // a finger that has not painted yet
  /** @type {{ x: number, y: number, apart: number, size: number } | null} */
  let pinch = null;
  let turned = 0;

  surface.addEventListener("contextmenu", (event) => event.preventDefault());
  surface.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") return touch(event);
    if (event.button > 2 || event.button === 1) return;
    event.preventDefault();
    surface.setPointerCapture(event.pointerId);
    editor.focus(view.placeOf(event));
    if (event.altKey) return editor.pick(view.placeOf(event));
    painter.begin(view.placeOf(event), { erases: event.button === 2 });
  });
  surface.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return drag(event);
    const places = placesOf(event); // before anything is written, which would have the browser lay out the page again
    hover(/** @type {Cell} */ (places.at(-1)));
    follow(places);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
    surface.addEventListener(name, (event) => {
      if (event.pointerType === "touch") return lift(event, name === "pointercancel");
      if (name === "pointerup") painter.end();
      else painter.cancel();
    });
  }
  surface.addEventListener("pointerleave", () => editor.hover(null));
  view.element.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < WHEEL) return;
    view.zoom(-turned, event);
    turned = 0;
  }, { passive: false });

  // All places that the pointer has been at since the last event.
  /** @param {PointerEvent} event */
  function placesOf(event) {
    const all = event.getCoalescedEvents?.() ?? [];
    return view.placesOf(all.length ? all : [event]);
  }

  /** @param {Cell[]} places */
  function follow(places) {
    for (const place of places) painter.moveTo(place);
  }

  /** @param {Cell} place */
  function hover(place) {
    editor.hover({ x: Math.floor(place[0]), y: Math.floor(place[1]), edge: edgeAt(...place, { always: editor.paintsEdges }) });
  }

  /** @param {PointerEvent} event */
  function touch(event) {
    event.preventDefault();
    surface.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) {
      pressed = { event, timer: setTimeout(() => pick(event), LONG) };
      return;
    }
    settle();
    painter.cancel();
    pinch = spread();
  }

  /** @param {PointerEvent} event */
  function drag(event) {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (pinch) {
      const now = spread();
      view.scrollBy(pinch.x - now.x, pinch.y - now.y);
      if (pinch.apart) view.resize(pinch.size * (now.apart / pinch.apart), { clientX: now.x, clientY: now.y });
      pinch = { ...pinch, x: now.x, y: now.y };
      return;
    }
    if (pressed) {
      const { event: first } = pressed;
      if (Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) < STRAY) return;
      settle();
      editor.focus(view.placeOf(first));
      painter.begin(view.placeOf(first));
    }
    follow(placesOf(event));
  }

  /** @param {PointerEvent} event @param {boolean} cancelled */
  function lift(event, cancelled) {
    fingers.delete(event.pointerId);
    if (pinch) {
      if (!fingers.size) pinch = null;
      return;
    }
    const first = pressed;
    settle();
    if (cancelled) return painter.cancel();
    if (first) {
      editor.focus(view.placeOf(first.event));
      painter.begin(view.placeOf(first.event));
    }
    painter.end();
  }

  function settle() {
    clearTimeout(pressed?.timer);
    pressed = null;
  }

  /** @param {PointerEvent} event */
  function pick(event) {
    pressed = null;
    editor.focus(view.placeOf(event));
    editor.pick(view.placeOf(event));
    navigator.vibrate?.(15);
  }

  // Where fingers are, and how far apart.
  function spread() {
    const [one, other] = [...fingers.values()];
    const [x0, y0, x1, y1] = [one?.clientX ?? 0, one?.clientY ?? 0, other?.clientX ?? 0, other?.clientY ?? 0];
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, apart: Math.hypot(x1 - x0, y1 - y0), size: view.size };
  }
}
