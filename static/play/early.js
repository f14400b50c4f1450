// What a reader does before the modules of a game's page have come is not lost: it is held here, and done again once they are there.
// Links, buttons and fields need no module. Loaded in <head>, not deferred.
(() => {
  /** @type {Event[]} */
  const held = [];
  /** @param {Event} event */
  const hold = (event) => {
    const native = event.type === "click" && /** @type {Element} */ (event.target).closest("a, button, input, select, textarea, label, summary");
    if (!native) held.push(event);
  };
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, hold);
  document.addEventListener("page:ready", () => {
    for (const kind of ["click", "keydown"]) document.removeEventListener(kind, hold);
    for (const event of held) event.target?.dispatchEvent(event);
  }, { once: true });
})();
