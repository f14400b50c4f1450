// Shows what the site has to tell while none of its pages is open: the browser starts this for each message.

const worker = /** @type {any} */ (self); // whose types are not those of a page

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(worker.registration.showNotification(title, { body, tag, data: { url } }));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.url));
});

/** @param {string} url */
async function show(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((/** @type {{ url: string }} */ page) => page.url.split(/[?#]/)[0] === url.split(/[?#]/)[0]);
  return open ? open.focus() : worker.clients.openWindow(url);
}
