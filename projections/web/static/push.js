// Subscribes this browser to what climbs to its person, where the browser grants it, or ends that.
import { post, showMessage } from "./act.js";

const isPossible = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
const element = () => document.getElementById("push");

// The key as the browser takes it: bytes of base64url.
function bytes(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64.padEnd(Math.ceil(base64.length / 4) * 4, "=")), (each) => each.charCodeAt(0));
}

async function registration() {
  return (await navigator.serviceWorker.getRegistration(element().dataset.worker)) ?? null;
}

async function show() {
  const status = element().querySelector("[role=status]");
  const [on, off] = [element().querySelector("[data-subscribe]"), element().querySelector("[data-unsubscribe]")];
  if (!isPossible) {
    status.textContent = window.isSecureContext ? "This browser cannot show notifications." : "Notifications need https, or a browser on the machine itself.";
    return;
  }
  const subscription = await (await registration())?.pushManager.getSubscription();
  [on.hidden, off.hidden] = [Boolean(subscription), !subscription];
  status.textContent = Notification.permission === "denied" ? "This browser blocks notifications from this site; allow them in its settings." : subscription ? "This device gets notifications." : "";
}

// A browser subscribes by a worker that is at work, which a new one is only after a moment.
function whenActive(worker) {
  return new Promise((resolve) => {
    const check = () => worker.state === "activated" && resolve();
    worker.addEventListener("statechange", check);
    check();
  });
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") return show();
  const { key, worker } = element().dataset;
  const ready = await navigator.serviceWorker.register(worker);
  await whenActive(ready.installing ?? ready.waiting ?? ready.active);
  const subscription = await ready.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = subscription.toJSON();
  if (await post("/api/notifications/browsers", { endpoint, keys })) location.reload();
  else await subscription.unsubscribe();
}

async function unsubscribe() {
  const subscription = await (await registration())?.pushManager.getSubscription();
  const digest = subscription && new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(subscription.endpoint)));
  await subscription?.unsubscribe();
  const name = digest && [...digest].map((each) => each.toString(16).padStart(2, "0")).join("").slice(0, 32);
  const form = document.querySelector(`tr[data-browser="${name}"] form`);
  if (form) form.requestSubmit();
  else await show();
}

document.addEventListener("click", (event) => {
  const work = event.target.closest("[data-subscribe]") ? subscribe : event.target.closest("[data-unsubscribe]") ? unsubscribe : null;
  work?.().catch((error) => showMessage(`This browser could not be subscribed: ${error.message}`));
});
document.addEventListener("renewed", show);
show();
