// Puts what the reader has set on <html> before the page is drawn, so that nothing flashes: data-theme, data-motion and
// data-cell, for the style sheets. The server has done so for who is logged in; here comes what this browser holds.
// Loaded in <head>, not deferred. No attribute: as the system is set, and boards as they fit.
(() => {
  const root = document.documentElement;
  const page = JSON.parse(root.dataset.settings ?? "{}");
  const names = { theme: "theme", motion: "motion", cell_size: "cell" };

  /** @param {Record<string, any>} values */
  function show(values) {
    for (const [name, attribute] of Object.entries(names)) {
      const value = values[name];
      if (value === undefined) continue;
      if (value === "auto" || value === "fit") delete root.dataset[attribute];
      else root.dataset[attribute] = value;
    }
    for (const meta of document.querySelectorAll("meta[data-light]")) {
      const { theme } = root.dataset;
      if (theme) meta.media = theme === meta.dataset.light ? "all" : "not all";
      else meta.media = `(prefers-color-scheme: ${meta.dataset.light})`;
    }
  }

  let held = {};
  try {
    const own = page.person ? `settings:${page.person}` : "settings";
    if (page.fresh && localStorage.getItem("settings")) { // a new account takes along what its person set as a stranger
      localStorage[own] ??= localStorage.getItem("settings");
      localStorage.removeItem("settings");
    }
    held = JSON.parse(localStorage.getItem(own) ?? "{}");
  } catch {
    // storage is switched off: what the page brought counts
  }
  show(held);
  document.addEventListener("settings:change", (event) => {
    const { name, chosen } = /** @type {CustomEvent<Events["settings:change"]>} */ (event).detail;
    show({ [name]: chosen });
  });
})();
