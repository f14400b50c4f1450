// Asks the browser to show notifications, and tells the site how to reach it. Says why where that is not possible.

import { need } from "../site/need.js";
import { gettext } from "../site/words.js";

/** @param {Part} form */
export async function bindPush(form) {
  const button = need(form, "button");
  /** @param {string} text */
  const say = (text) => {
    need(form, "[data-push-said]").textContent = text;
  };
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    say(gettext("This browser can’t show notifications while the site is closed."));
    return;
  }
  say("");
  const known = await subscription();
  if (known && fits(known, form.dataset.push)) {
    const device = document.querySelector(`[data-device="${CSS.escape(known.endpoint)}"]`);
    if (device) {
      need(device, "[data-device-here]").hidden = false;
      return;
    }
  }
  button.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    say("");
    try {
      if ((await Notification.requestPermission()) !== "granted") {
        say(gettext("This browser blocks notifications from this site. Allow them in the browser’s settings for this site."));
        return;
      }
      fill(form, await subscribe(form.dataset.push));
      form.submit();
    } catch {
      say(gettext("Couldn’t turn on notifications: the browser’s push service didn’t answer. Try again later."));
    } finally {
      button.disabled = false;
    }
  });
}

async function subscription() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker?.pushManager.getSubscription();
}

/** @param {string} key */
async function subscribe(key) {
  await navigator.serviceWorker.register("/worker.js");
  const worker = await navigator.serviceWorker.ready;
  const before = await worker.pushManager.getSubscription();
  if (before && !fits(before, key)) await before.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

// Whether a subscription was made for the key that the site has now.
/** @param {PushSubscription} subscription @param {string} key */
function fits({ options }, key) {
  return encoded(options.applicationServerKey) === key;
}

/** @param {Part} form @param {PushSubscription} subscribed */
function fill(form, subscribed) {
  form.elements.endpoint.value = subscribed.endpoint;
  for (const name of /** @type {const} */ (["p256dh", "auth"])) form.elements[name].value = encoded(subscribed.getKey(name));
}

/** @param {ArrayBuffer | null} bytes */
function encoded(bytes) {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? []));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
