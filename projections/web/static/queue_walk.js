// The way from one incident of a queue to the next, on the pages of alerts: by j and k, and by itself after one was
// settled. The queue is the one that this tab showed last, by its filters; else that in which the alert stands.
import { get, root, showMessage } from "./act.js";
import { load, save, take } from "./browser_storage.js";

const QUEUE = "queue";
const FLASH = "flash"; // what is said on the page to come

// Stores the queue that is walked: the query of its address, and the alerts of its rows in their order.
export const walkQueue = (search, ids) => save("session", QUEUE, { search, ids });

// Returns the query of the queue that was shown last; null where none was.
export const queueSearch = () => load("session", QUEUE)?.search ?? null;

// Returns the row that the address of a queue's page names, or where it has gone the one after it; `row` finds one.
export function rowOfAddress(row) {
  const id = /^#a-(.+)$/.exec(location.hash)?.[1];
  if (!id) return null;
  const ids = load("session", QUEUE)?.ids ?? [];
  const after = ids.indexOf(id) < 0 ? [] : ids.slice(ids.indexOf(id));
  return [id, ...after].map(row).find(Boolean) ?? null;
}

const pageAlert = () => document.querySelector("[data-alert]");

function shownQueue() {
  return load("session", QUEUE) ?? { search: `?queue=${pageAlert().dataset.queue}`, ids: [] };
}

// Returns the row before or after the page's incident. One that has left the queue since is followed by what stood
// beside it as the queue was seen last.
async function findNeighbour(offset) {
  const { search, ids } = shownQueue();
  const found = await get(`/api/queue${search}`);
  if (!found) return null;
  const { alert: id, about } = pageAlert().dataset;
  const isHere = ({ alert, case: { alerts } }) => alert.id === id || alerts.includes(id);
  const at = [isHere, ({ alert }) => alert.about === about].map((is) => found.rows.findIndex(is)).find((place) => place >= 0);
  const fresh = found.rows.map(({ alert }) => alert.id);
  save("session", QUEUE, { search, ids: at === undefined ? ids : fresh });
  if (at !== undefined) return { id: fresh[at + offset] };
  const before = ids.indexOf(id);
  const beside = before < 0 ? fresh : offset > 0 ? ids.slice(before + 1) : ids.slice(0, before).reverse();
  return { id: beside.find((each) => fresh.includes(each)) };
}

const goTo = (id) => (location.href = `${root}/alerts/${encodeURIComponent(id)}`);

export async function walk(offset) {
  const neighbour = await findNeighbour(offset);
  if (neighbour?.id) goTo(neighbour.id);
  else if (neighbour) showMessage(offset > 0 ? "That was the last in the queue; Escape returns to it." : "That is the first in the queue; Escape returns to it.");
}

// Leads to the queue, where the row of the page's alert is the current one.
export function backToQueue() {
  location.href = `${root}/${shownQueue().search}#a-${pageAlert().dataset.alert}`;
}

// Leads to one of the queues, by the filters of the one that was shown last.
export function goToQueue(name) {
  const query = new URLSearchParams(queueSearch() ?? "");
  for (const page of ["queue", "page"]) query.delete(page);
  location.href = `${root}/?${new URLSearchParams([["queue", name], ...query])}`;
}

// Leads to the incident after the page's, which was just settled, or to the queue if it was the last; false in a tab
// that showed none. The page to come says `sentence`, and can undo what `undoable` is.
export async function advance(sentence, undoable) {
  if (queueSearch() === null) return false;
  const neighbour = await findNeighbour(1);
  if (!neighbour) return false;
  save("session", FLASH, { sentence, undoable });
  if (neighbour.id) goTo(neighbour.id);
  else backToQueue();
  return true;
}

// Returns what the page before left to this one: what was done there last.
export const takeFlash = () => take("session", FLASH);
