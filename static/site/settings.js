// What the reader has set, and the way to change it. The values come with the page, in data-settings of <html>: those of
// the person who is logged in, from the server; for a stranger the first ones, and what this browser has kept since.
//
//   settings.aid .speed .motion ("full" | "reduced") .theme .cell_size .sound .volume .effects_volume .music .music_volume
//   .chat_filter
//   change({ speed: 200 })      shows it at once and keeps it: for a person on the server, so on every device
// What cannot be sent is held in this browser and tried again, also by the next page: nothing is lost off line.

import { emit } from "./events.js";
import { gettext } from "./words.js";

const page = JSON.parse(document.documentElement.dataset.settings ?? "{}");
const key = page.person ? `settings:${page.person}` : "settings";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const FIRST_RETRY = 2000; // milliseconds until it is tried again, at first
const LAST_RETRY = 60000; // and at last

// What this browser holds: all that a stranger chose, and what of a person's the server has not got yet.
const held = {
  /** @type {Record<string, any> | null} */
  values: null, // in place of the storage, where that is switched off
  read() {
    if (this.values) return this.values;
    try {
      return JSON.parse(localStorage.getItem(key) ?? "{}");
    } catch {
      return {};
    }
  },
  /** @param {Record<string, any>} values */
  write(values) {
    try {
      if (Object.keys(values).length) localStorage.setItem(key, JSON.stringify(values));
      else localStorage.removeItem(key);
    } catch {
      this.values = values;
    }
  },
};

// As they were chosen: `motion` and `theme` may be "auto" here.
/** @type {Settings} */
export const chosen = { ...page.values, ...held.read() };

/** @param {string} name @returns {name is keyof Settings} */
export const isSetting = (name) => name in chosen;

// As they hold: `motion` is what comes of the choice and of what the system asks for.
export const settings = /** @type {Settings} */ ({});
for (const name of Object.keys(chosen).filter(isSetting)) {
  Object.defineProperty(settings, name, { enumerable: true, get: () => (name === "motion" ? motion() : chosen[name]) });
}

const others = "BroadcastChannel" in window ? new BroadcastChannel(key) : null;
let sending = false;
let wait = FIRST_RETRY;
let again = 0;

/** @param {Record<string, any>} values */
export function change(values) {
  take(values);
  held.write({ ...held.read(), ...values });
  others?.postMessage(values);
  if (page.person) send();
  else emit("settings:kept", { state: "kept", says: gettext("Saved in this browser.") });
}

function motion() {
  if (chosen.motion === "full" || chosen.motion === "reduced") return chosen.motion;
  return still.matches ? "reduced" : "full";
}

/** @param {Record<string, any>} values */
function take(values) {
  for (const [name, value] of Object.entries(values)) {
    if (!isSetting(name) || chosen[name] === value) continue;
    Object.assign(chosen, { [name]: value });
    announce(name);
  }
}

/** @param {keyof Settings} name */
function announce(name) {
  emit("settings:change", { name, value: settings[name], chosen: chosen[name] });
}

async function send() {
  const parcel = held.read();
  clearTimeout(again);
  if (sending || !Object.keys(parcel).length) return;
  sending = true;
  const answer = await post(parcel);
  sending = false;
  if (answer?.ok || answer?.status === 400) {
    const rest = held.read();
    for (const name of Object.keys(parcel)) if (rest[name] === parcel[name]) delete rest[name];
    held.write(rest);
    wait = FIRST_RETRY;
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) refuse(said, rest);
    else if (!Object.keys(rest).length) emit("settings:kept", { state: "kept", says: gettext("Saved for all your devices.") });
    send();
  } else if (answer && answer.status < 500 && answer.status !== 429) {
    emit("settings:kept", { state: "unsent", says: gettext("Saved in this browser only, because you are logged out. Log in to save it in your account.") });
  } else {
    emit("settings:kept", { state: "unsent", says: gettext("You are offline. Saved in this browser until you are back online.") });
    again = setTimeout(send, wait);
    wait = Math.min(2 * wait, LAST_RETRY);
  }
}

/** @param {Partial<Settings>} parcel */
function post(parcel) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const headers = { "Content-Type": "application/json", Accept: "application/json", "X-CSRFToken": token };
  return fetch(page.address, { method: "POST", headers, body: JSON.stringify(parcel), keepalive: true }).catch(() => null);
}

/** @param {{ detail?: string, settings: Partial<Settings> }} given @param {Partial<Settings>} rest */
function refuse({ detail, settings: values }, rest) {
  take({ ...values, ...rest });
  emit("settings:kept", { state: "refused", says: detail ?? gettext("This setting was refused. Reload the page and try again.") });
}

// As the server has them now: the page may have been away, kept by the browser for the way back.
async function freshen() {
  const answer = await fetch(page.address, { headers: { Accept: "application/json" } }).catch(() => null);
  if (answer?.ok) take({ ...(await answer.json()).settings, ...held.read() });
}

others?.addEventListener("message", ({ data }) => take(data));
still.addEventListener("change", () => chosen.motion === "auto" && announce("motion"));
addEventListener("pageshow", (event) => {
  if (event.persisted) page.person ? freshen() : take(held.read());
});
if (page.person) {
  addEventListener("online", send);
  send();
}
