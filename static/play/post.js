// Sends a form by a script to an address that takes it from the browser as well, and asks for the answer in JSON.

const PATIENCE = 15000; // milliseconds until no answer counts as none

// Says { ok, status, body }; null where the server cannot be reached, or does not answer. `body` is null where it is not JSON.
/** @param {Part} form @param {string} address @param {RequestInit & { more?: Record<string, string> }} [given] */
export async function post(form, address, { more = {}, ...options } = {}) {
  const body = new FormData(/** @type {any} */ (form));
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  return ask(address, { method: "POST", body, ...options });
}

/** @param {string | URL} address @param {RequestInit} [options] @returns {Promise<Answer | null>} */
export async function ask(address, options = {}) {
  const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(options.signal ? [options.signal] : [])]);
  const headers = { Accept: "application/json" };
  const answer = await fetch(address, { ...options, headers, signal }).catch(() => null);
  if (!answer) return null;
  return { ok: answer.ok, status: answer.status, body: await answer.json().catch(() => null) };
}
