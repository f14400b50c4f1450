// Elements of the page, made in one line each.

/** @typedef {Record<string, unknown>} Attributes "on…" hears an event, "data-…" and "aria-…" are as in HTML, the rest are properties */

/** @param {string} tag @param {Attributes} [attributes] @param {(Node | string | null)[]} children @returns {Part} */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (/^(?:data|aria)-|^role$|^for$/.test(name)) element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  element.append(...children.filter((child) => child !== null));
  return /** @type {Part} */ (/** @type {unknown} */ (element));
}

// A drawing from its markup.
/** @param {string} viewBox @param {string} markup @returns {SVGSVGElement} */
export function svg(viewBox, markup) {
  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("viewBox", viewBox);
  drawing.setAttribute("aria-hidden", "true");
  drawing.innerHTML = markup;
  return drawing;
}

const ICONS = /** @type {Record<string, string>} */ ({
  select: "M4 8V4h4M12 4h4M20 4v4M20 12v4M20 20h-4M12 20H8M4 20v-4M4 12v0",
  draw: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
  fill: "M5 13l8-8 7 7-7 7a2 2 0 0 1-3 0l-5-5a1 1 0 0 1 0-1zM5 12h14M21 17c1 2 1 3 0 4-1-1-1-2 0-4z",
  erase: "M8 20l-4-4a2 2 0 0 1 0-2L14 4l6 6-10 10zM9 9l6 6M8 20h12",
  undo: "M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-3",
  redo: "M15 5l5 5-5 5M20 10H10a5 5 0 0 0 0 10h3",
  cut: "M6 4l11 13M18 4L7 17M7 17a2.5 2.5 0 1 1-3 0M17 17a2.5 2.5 0 1 0 3 0",
  copy: "M8 8h12v12H8zM16 8V4H4v12h4",
  paste: "M9 4h6v4H9zM9 5H5v16h14V5h-4M9 13h6M9 17h6",
  right: "M20 4v6h-6M20 10a8 8 0 1 0 0 6",
  left: "M4 4v6h6M4 10a8 8 0 1 1 0 6",
  sides: "M12 3v18M9 7l-6 10h6zM15 7l6 10h-6z",
  ends: "M3 12h18M7 9L17 3v6zM7 15l10 6v-6z",
  clear: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  crop: "M7 2v15h15M2 7h15v15",
  smaller: "M5 12h14",
  larger: "M5 12h14M12 5v14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
});

/** @param {string} name */
export const icon = (name) => svg("0 0 24 24", `<path d="${ICONS[name] ?? ""}"/>`);

// A button with a picture: its name is what it says to those who do not see it, and what it shows to a pointer.
/** @param {string} picture @param {string} name @param {(event: Event) => void} onclick @param {Attributes} [more] */
export const iconButton = (picture, name, onclick, more = {}) => make("button", { type: "button", className: "yard-icon", title: name, "aria-label": name, onclick, ...more }, icon(picture));
