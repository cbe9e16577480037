// Shows what is pushed to this browser, and opens its page: it runs also while no page of the console is open.
self.addEventListener("push", (event) => {
  const message = event.data?.json() ?? {};
  const shown = self.registration.showNotification(message.title ?? "discardrack", {
    body: message.body ?? "",
    tag: message.tag, // another message on one alert takes the place of the first
    renotify: Boolean(message.tag),
    requireInteraction: Boolean(message.stays),
    data: { path: message.path },
  });
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.path ?? "/", self.location.origin);
  if (url.origin === self.location.origin) event.waitUntil(self.clients.openWindow(url.href));
});
