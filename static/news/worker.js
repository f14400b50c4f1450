// Shows what the site has to tell while none of its pages is open: the browser starts this for each message.

const worker = /** @type {any} */ (self); // whose types are not those of a page

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, tag, url, actions = [], reminder } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body, tag, actions, data: { url, reminder } }));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  const { notification, action } = event;
  notification.close();
  event.waitUntil(action === "remind" ? remind(notification) : show(notification.data.url));
});

// Ask the site for a reminder, and show when it comes, or why it does not come. If that fails, open the page of the reminder.
/** @param {{ title: string, tag: string, data: { url: string, reminder: string } }} notification */
async function remind({ title, tag, data }) {
  try {
    const answer = await fetch(data.reminder, { method: "POST", headers: { Accept: "application/json" }, credentials: "omit" });
    const { says } = await answer.json();
    if (!says) throw new Error(String(answer.status));
    await worker.registration.showNotification(title, { body: says, tag, silent: true, data });
  } catch {
    await worker.clients.openWindow(data.reminder);
  }
}

/** @param {string} url */
async function show(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((/** @type {{ url: string }} */ page) => pageOf(page.url) === pageOf(url));
  return open ? open.focus() : worker.clients.openWindow(url);
}

// The page that an address leads to: that of a game's move to the game.
/** @param {string} url */
function pageOf(url) {
  return url.split(/[?#]/)[0].replace(/\/move\/$/, "/");
}
