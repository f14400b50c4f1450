// Events that modules send each other, on the document or on a form: types/events.d.ts lists them, and what each carries.

/**
 * Answers whether no listener has prevented what is done by default.
 * @template {keyof Events} Name
 * @param {Name} name @param {Events[Name]} detail @param {EventTarget} [target]
 */
export function emit(name, detail, target = document) {
  return target.dispatchEvent(new CustomEvent(name, { detail, cancelable: true }));
}

/**
 * @template {keyof Events} Name
 * @param {Name} name @param {(detail: Events[Name], event: Event) => unknown} listener @param {EventTarget} [target]
 */
export function listen(name, listener, target = document) {
  target.addEventListener(name, (event) => listener(/** @type {CustomEvent} */ (event).detail, event));
}
