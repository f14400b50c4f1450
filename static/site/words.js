// What scripts say: whole sentences, from the page's translation (static/languages) where it has one.

/** @typedef {Record<string, string | number>} Values */

// A sentence with its {names} filled in.
/** @param {string} sentence @param {Values} [values] */
export function gettext(sentence, values = {}) {
  return translated(sentence, sentence, values);
}

// The same for a word with several meanings, of which the context names one.
/** @param {string} context @param {string} sentence @param {Values} [values] */
export function pgettext(context, sentence, values = {}) {
  return translated(`${context}\x04${sentence}`, sentence, values);
}

/** @param {string} key @param {string} sentence @param {Values} values */
function translated(key, sentence, values) {
  const said = globalThis.django?.catalog?.[key];
  return filled(typeof said === "string" ? said : sentence, values);
}

// The same for a number of things, which is put in for {number}.
/** @param {string} one @param {string} many @param {number} number @param {Values} [values] */
export function ngettext(one, many, number, values = {}) {
  const { catalog, pluralidx } = globalThis.django ?? {};
  const said = catalog?.[one]?.[pluralidx?.(number) ?? 0] ?? (number === 1 ? one : many);
  return filled(said, { number, ...values });
}

// Names in a sentence: "Bob", "Bob and Carol", "Bob, Carol and Dave".
/** @param {(string | number)[]} names */
export function listed(names) {
  return new Intl.ListFormat(locale()).format(names.map(String));
}

// Hours and minutes, in the reader's time zone or another.
/** @param {Date} time @param {string} [timeZone] */
export function clockTime(time, timeZone) {
  return time.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", ...(timeZone && { timeZone }) });
}

// A day with its year and time.
/** @param {Date} time */
export function dateAndTime(time) {
  return time.toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

// A near day, with its weekday, and its time, as games/wording.py writes it.
/** @param {Date} time */
export function dayAndTime(time) {
  return time.toLocaleString(locale(), { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

// The language of dates, times, numbers and lists.
export function locale() {
  const language = globalThis.document?.documentElement.lang || "en";
  return language === "en" ? "en-GB" : language;
}

/** @param {string} sentence @param {Values} values */
function filled(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
