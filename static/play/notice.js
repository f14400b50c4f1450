// Says at the panel what has to be known of orders that were not taken: where its own place for it is, else above what is there.

/** @param {Part} root @param {string | string[]} text @param {...[name: string, act: () => unknown]} buttons */
export function notice(root, text, ...buttons) {
  const place = root.querySelector("[data-notice]") ?? made(root);
  const lines = [text].flat().map((said) => Object.assign(document.createElement("p"), { textContent: said }));
  const row = document.createElement("div");
  row.className = "cluster";
  for (const [name, act] of buttons) row.append(button(name, act));
  place.replaceChildren(...lines, ...(buttons.length ? [row] : []));
  place.hidden = false;
}

// Each reason why orders are refused, once.
/** @param {OrdersProblem[]} problems */
export function reasons(problems) {
  return [...new Set(problems.map(({ detail }) => detail))];
}

/** @param {Part} root */
export function hush(root) {
  const place = root.querySelector("[data-notice]");
  if (!place) return;
  place.hidden = true;
  place.replaceChildren();
}

/** @param {Part} root */
function made(root) {
  const place = document.createElement("div");
  place.className = "orders-notice";
  place.dataset.notice = "";
  place.setAttribute("role", "alert");
  root.prepend(place);
  return place;
}

/** @param {string} name @param {() => unknown} act */
function button(name, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button button-quiet button-small";
  made.textContent = name;
  made.addEventListener("click", act);
  return made;
}
