// Asks the server for answers in JSON.

const TIMEOUT = 15000; // milliseconds until no answer counts as none

// Says { ok, status, body }; null where the server cannot be reached, or does not answer. `body` is null where it is not JSON.
/** @param {string | URL} address @param {RequestInit} [options] @returns {Promise<Answer | null>} */
export async function ask(address, options = {}) {
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), ...(options.signal ? [options.signal] : [])]);
  const headers = { Accept: "application/json", ...options.headers };
  const answer = await fetch(address, { ...options, headers, signal }).catch(() => null);
  if (!answer) return null;
  return { ok: answer.ok, status: answer.status, body: await answer.json().catch(() => null) };
}
