// Shows what the site has to tell while none of its pages is open: the browser starts this for each message.

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data.url));
});

async function show(url) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = pages.find((page) => page.url.split(/[?#]/)[0] === url.split(/[?#]/)[0]);
  return open ? open.focus() : self.clients.openWindow(url);
}
