// What an orders' form sends to the API: docs/api.md.

import { gettext } from "../site/words.js";
import { ask } from "./ask.js";
import { PAUSE, contents } from "./registers.js";

const LOGGED_OUT = gettext("You were logged out. Log in again, in this window or another.");

// Sends what a form orders, or takes a draft back. `body` of the answer is null where the page is too old to be heard.
/** @param {Part} form @param {"orders" | "draft" | "preview"} name @param {"POST" | "PUT" | "DELETE"} method @param {Partial<OrdersDocument>} [more] @param {RequestInit} [options] */
export async function sendTurn(form, name, method, more = {}, options = {}) {
  const { api, turn } = form.dataset;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
  const body = method === "DELETE" ? null : JSON.stringify({ ...ordersIn(form), ...more });
  const answer = await ask(`${api}/turns/${turn}/${name}`, { ...options, method, headers, body });
  if (answer?.status === 401) answer.body = { ...answer.body, detail: LOGGED_OUT };
  if (answer?.body?.error === "permission-denied") answer.body = null; // the page's token is an old one
  return answer;
}

// What a form orders. Whether that is allowed is for the server to say.
/** @param {Part} form @returns {OrdersDocument} */
export function ordersIn(form) {
  const fields = new URLSearchParams(contents(form));
  const registers = [...form.querySelectorAll("[data-register]")].map((place) => place.querySelector("select")?.value);
  const [phases, freed] = [fields.getAll("phase"), fields.getAll("unlock")];
  const [heading, place] = [fields.get("heading"), fields.get("place")];
  return {
    ...(registers.length && { registers: registers.map((chip) => (chip === PAUSE ? chip : Number(chip) || null)) }),
    ...(fields.has("engaged") ? { equipment: true } : phases.length && { equipment: phases.map(Number) }),
    ...(heading && { heading }),
    ...(place && { place: place.split(",").map(Number) }),
    ...(freed.length && { unlock: freed.map(Number) }),
    ...(fields.has("power_down") && { power_down: true }),
    ...(fields.has("stay_down") && { stay_down: true }),
    ...(form.dataset.screen && { screen: Number(form.dataset.screen) }), // of several players at one screen, whose hand this is
  };
}
