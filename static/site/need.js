// What a page must have; an error says what is missing.
/** @param {ParentNode} root @param {string} selector */
export function need(root, selector) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`This page has no ${selector}`);
  return found;
}
