// The queue: rows come, change and go by themselves, in their order; the server says which. The row that a
// person is at, and what is marked, stay.
import { bind } from "./keys.js";
import { rowOfAddress, walkQueue } from "./queue_walk.js";

const PAGE = 100; // rows of a page
const queueElement = document.getElementById("queue");
const isFirstPage = new URLSearchParams(location.search).get("page") === null;
const NEW_TIME = 2000; // milliseconds for which a row shows that it has just come
const markedIds = new Set();
const newRows = []; // rows that have just come, and until when each shows it
const pendingUpdates = new Map(); // what was said of each row, and of how many there are, since the browser drew last
let [currentId, lastMarkedId] = [null, null];

const body = () => document.getElementById("rows");
const rows = () => [...body().children];
const row = (id) => document.getElementById(`a-${id}`);

function focusRow(target) {
  if (!target) return;
  setCurrent(target);
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
}

// What the person is at and what is marked are the page's own; the server's rows do not have them.
function applyState(each) {
  if (each.dataset.id === currentId) each.setAttribute("aria-current", "true");
  else each.removeAttribute("aria-current");
  each.classList.toggle("marked", markedIds.has(each.dataset.id));
}

function setCurrent(target) {
  const previous = row(currentId);
  currentId = target.dataset.id;
  if (previous) applyState(previous);
  applyState(target);
}

function toggleEmpty() {
  const isEmpty = body().firstElementChild === null;
  queueElement.querySelector("table").hidden = isEmpty;
  queueElement.querySelector(".none").hidden = !isEmpty;
}

function updateRows() {
  rows().forEach(applyState);
  toggleEmpty();
  updateTimes();
}

// What the clock alone changes: what is due by now, and what came a while ago and is as all other rows.
function updateTimes() {
  if (document.hidden) return;
  const now = Date.now();
  for (const due of body().querySelectorAll("tr:not(.late) time[datetime]")) {
    if (Date.parse(due.dateTime) < now) due.closest("tr").classList.add("late");
  }
  while (newRows.length && newRows[0].until < now) newRows.shift().row.classList.remove("come");
}

function order(each) {
  const parts = each.dataset.order.split(" ");
  return parts.map((part, place) => (place === parts.length - 1 || Number.isNaN(Number(part)) ? part : Number(part)));
}

function isBefore(one, other) {
  const [mine, theirs] = [order(one), order(other)];
  const index = mine.findIndex((part, place) => part !== theirs[place]);
  return index >= 0 && mine[index] < theirs[index];
}

// The first row that a row belongs before: the rows lie in order, so that few of them are looked at.
function findFollowing(fresh) {
  const all = body().children;
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBefore(fresh, all[middle])) to = middle;
    else from = middle + 1;
  }
  return all[from] ?? null;
}

function placeRow({ id, row: html }) {
  const parsed = document.createElement("tbody");
  parsed.innerHTML = html;
  const fresh = parsed.firstElementChild;
  applyState(fresh);
  const old = row(id);
  if (old) {
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (hadFocus) fresh.focus({ preventScroll: true });
  } else {
    const next = findFollowing(fresh);
    const isFull = body().children.length >= PAGE;
    if (!isFirstPage || (next === null && isFull)) return;
    fresh.classList.add("come");
    newRows.push({ row: fresh, until: Date.now() + NEW_TIME });
    body().insertBefore(fresh, next);
    if (isFull) removeRow(body().lastElementChild.dataset);
  }
}

// Who was at a row that goes is at the one that takes its place, also while a dialog about it is open.
function removeRow({ id }) {
  const old = row(id);
  if (!old) return;
  const [hadFocus, next] = [old.contains(document.activeElement), old.nextElementSibling ?? old.previousElementSibling];
  mark([id], false);
  old.remove();
  if (hadFocus) focusRow(next);
  else if (id === currentId && next) setCurrent(next);
}

function showOverdue(part, count, text) {
  [part.textContent, part.hidden] = [text(count.toLocaleString("en-US")), !count];
}

function showCounts(counts) {
  for (const tab of document.querySelectorAll(".queues a[data-queue]")) {
    const [number, text] = [tab.querySelector("b"), counts[tab.dataset.queue].toLocaleString("en-US")];
    if (number.textContent !== text) number.textContent = text;
    showOverdue(tab.querySelector(".overdue"), counts.overdue[tab.dataset.queue], (count) => `${count} overdue`);
  }
  for (const part of queueElement.querySelectorAll("[data-open]")) part.textContent = counts[part.dataset.open].toLocaleString("en-US");
  for (const part of queueElement.querySelectorAll("[data-late]")) {
    showOverdue(part, counts.overdue[part.dataset.late], (count) => `, ${count} overdue: review them`);
  }
}

const HANDLERS = { alert: placeRow, gone: removeRow, counts: showCounts };

// The browser lays the page out once for all that came since it drew last; a page that nobody sees waits with it.
document.addEventListener("stream", ({ detail: { event, data } }) => {
  if (!HANDLERS[event]) return;
  if (!pendingUpdates.size) requestAnimationFrame(applyUpdates);
  pendingUpdates.delete(data.id); // what is said of it now comes after what was said of others
  pendingUpdates.set(data.id, () => HANDLERS[event](data));
});

function applyUpdates() {
  const top = row(currentId)?.getBoundingClientRect().top;
  pendingUpdates.forEach((update) => update());
  pendingUpdates.clear();
  toggleEmpty();
  // Whatever comes or goes above it, the row that a person is at stays where it is on the screen.
  const shift = row(currentId)?.getBoundingClientRect().top - top;
  if (shift && top > 0 && top < innerHeight) scrollBy({ top: shift, behavior: "instant" });
}

document.addEventListener("renewed", () => {
  pendingUpdates.clear(); // the page that was fetched has it
  updateRows();
});
document.addEventListener("focusin", (event) => {
  const to = event.target.closest("#rows tr");
  if (to && to.dataset.id !== currentId) setCurrent(to);
});
document.addEventListener("visibilitychange", updateTimes);
setInterval(updateTimes, 1000);

function moveBy(offset) {
  const all = rows();
  const index = all.indexOf(row(currentId));
  focusRow(all[Math.max(0, Math.min(all.length - 1, index < 0 ? 0 : index + offset))]);
}

const markedElement = document.getElementById("marked"); // only for who may do something

function showMarked() {
  if (markedElement) [markedElement.querySelector("b").textContent, markedElement.hidden] = [markedIds.size, !markedIds.size];
}

function mark(ids, isMarked = true) {
  for (const id of ids) {
    if (isMarked) markedIds.add(id);
    else markedIds.delete(id);
    if (row(id)) applyState(row(id));
  }
  showMarked();
}

function toggleMark() {
  if (!row(currentId) || !markedElement) return;
  mark([currentId], !markedIds.has(currentId));
  lastMarkedId = currentId;
}

// Marks every row from the one that was marked last, or from the first, to the one that the person is at.
function markRange() {
  if (!row(currentId) || !markedElement) return;
  const ids = rows().map((each) => each.dataset.id);
  const [from, to] = [Math.max(0, ids.indexOf(lastMarkedId)), ids.indexOf(currentId)];
  mark(ids.slice(Math.min(from, to), Math.max(from, to) + 1));
  lastMarkedId = currentId;
}

function unmarkAll() {
  if (!markedIds.size || document.activeElement.closest("#ringing")) return false;
  mark([...markedIds], false);
}

document.addEventListener("unmark", ({ detail: ids }) => mark(ids, false));

function openRow() {
  if (document.activeElement.matches("a, button, summary") || !row(currentId)) return false;
  history.replaceState(null, "", `#a-${currentId}`); // who comes back is at it again
  location.href = row(currentId).querySelector("a").href;
}

const tab = (number) => () => document.querySelectorAll(".queues a[data-queue]")[number]?.click();

bind({
  j: () => moveBy(1), ArrowDown: () => moveBy(1), k: () => moveBy(-1), ArrowUp: () => moveBy(-1),
  Home: () => focusRow(rows()[0]), End: () => focusRow(rows().at(-1)), Enter: openRow,
  x: toggleMark, X: markRange, Escape: unmarkAll,
  1: tab(0), 2: tab(1), 3: tab(2), 4: tab(3),
  f: () => {
    document.getElementById("narrow").open = true;
    document.getElementById("narrow-typed").focus();
  },
  v: () => {
    document.getElementById("views").open = true;
    document.querySelector("#views a, #views input").focus();
  },
});
updateRows();
const returnedTo = rowOfAddress(row);
if (returnedTo) focusRow(returnedTo);
addEventListener("pagehide", () => walkQueue(location.search, rows().map((each) => each.dataset.id)));
