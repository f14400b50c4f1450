// Puts the reader's theme on <html> before the page is drawn, as on the site's own pages: they are where it is set.
(({ theme }) => {
  if (theme !== "auto") document.documentElement.dataset.theme = theme;
})(/** @type {HTMLElement} */ (document.currentScript).dataset);
