// Puts the reader's choice of day or night on the page before it is drawn; no choice: as the system is set.
// Loaded in <head>, not deferred, so that nothing flashes.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("theme");
  } catch {
    // storage is switched off: the system's setting counts
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
