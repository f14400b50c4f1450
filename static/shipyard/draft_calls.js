// What the page of a draft asks the server: docs/api.md, "The shipyard".

import { LARGEST } from "./board.js";
import { sentenceCase } from "./cell_words.js";
import { gettext } from "../site/words.js";

const PATIENCE = 15000; // milliseconds until no answer counts as none
const SMALL = 30000; // bytes that a browser goes on sending when the page is closed

export class DraftCalls {
  /** @param {{ draft: string, drafts: string, check: string, outlook: string, token: string }} given addresses, and the form's token */
  constructor({ draft, drafts, check, outlook, token }) {
    this.addresses = { draft, drafts, check, outlook };
    this.token = token;
  }

  /** @param {Drawn} value @param {number} version @returns {Promise<SaveAnswer | null>} */
  async put(value, version) {
    const answer = await this.#ask("PUT", this.addresses.draft, value, { "If-Match": `"${version}"` });
    if (!answer) return null;
    const { status, body } = answer;
    const draft = status === 200 ? savedFrom(body) : status === 412 && body?.draft ? savedFrom(body.draft) : null;
    return { status, draft, detail: status === 413 ? gettext("The ship is too large. The maximum is {most} × {most} cells.", { most: LARGEST }) : detailOf(body), wait: answer.wait };
  }

  // The draft as it is now; null where that is not known.
  async get() {
    const answer = await this.#ask("GET", this.addresses.draft);
    return answer?.status === 200 ? savedFrom(answer.body) : null;
  }

  // What is wrong with a drawing, and which rulesets it suits; null where that is not known.
  /** @param {Drawn} value @param {AbortSignal} signal @returns {Promise<{ problems: ShipProblem[], suits: string[] } | null>} */
  async check(value, signal) {
    const answer = await this.#ask("POST", this.addresses.check, value, {}, signal);
    return answer?.status === 200 ? answer.body : null;
  }

  // What a drawing is like before any flight.
  /** @param {Drawn} value */
  outlook(value) {
    return this.#ask("POST", this.addresses.outlook, value);
  }

  // Begin another draft; its number, or why there is none.
  /** @param {Drawn} value @returns {Promise<{ id?: number, detail?: string }>} */
  async create(value) {
    const answer = await this.#ask("POST", this.addresses.drafts, value);
    return answer?.status === 201 ? { id: answer.body.id } : { detail: detailOf(answer?.body) };
  }

  // Logging in again, in another window, makes the form's token an old one: the page has the one that counts now.
  /** @param {string} method @param {string} address @param {Drawn} [value] @param {Record<string, string>} [more] @param {AbortSignal} [signal] */
  async #ask(method, address, value, more = {}, signal) {
    let answer = await this.#send(method, address, value, more, signal);
    // Twice: the answer to a request from before the login may exchange the token once more.
    for (let renewals = 0; renewals < 2 && answer?.status === 403 && (await this.#renewToken()); renewals++) {
      answer = await this.#send(method, address, value, more, signal);
    }
    return answer;
  }

  // Whether there is another token. All forms of the page get it.
  async #renewToken() {
    try {
      const answer = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE), cache: "no-store" });
      if (!answer.ok || answer.redirected) return false; // to the page on which one logs in
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const token = page.querySelector("[name=csrfmiddlewaretoken]")?.getAttribute("value");
      if (!token) return false;
      this.token = token;
      for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
      return true;
    } catch {
      return false;
    }
  }

  /** @param {string} method @param {string} address @param {Drawn} [value] @param {Record<string, string>} [more] @param {AbortSignal} [signal] */
  async #send(method, address, value, more = {}, signal) {
    const body = value && JSON.stringify(value);
    const headers = { Accept: "application/json", ...(body ? { "Content-Type": "application/json", "X-CSRFToken": this.token } : {}), ...more };
    const keepalive = method === "PUT" && new TextEncoder().encode(body).length < SMALL;
    const until = AbortSignal.any([AbortSignal.timeout(PATIENCE), ...(signal ? [signal] : [])]);
    try {
      const answer = await fetch(address, { method, body: body ?? null, headers, keepalive, signal: until, cache: "no-store" });
      return { status: answer.status, wait: Number(answer.headers.get("Retry-After")) || 0, body: await answer.json().catch(() => null) };
    } catch {
      return null;
    }
  }
}

/** @param {any} body @returns {SavedDraft} */
const savedFrom = ({ version, document, ruleset, players, problems }) => ({ version, value: { document, ruleset, players }, problems });

/** @param {any} body */
const detailOf = (body) => [body?.detail, ...(body?.problems ?? []).slice(0, 1).map((/** @type {any} */ problem) => sentenceCase(problem.detail).replace(/[^.!?]$/, "$&."))].filter(Boolean).join(" ");
