// The queue: rows come, change and go by themselves, in their order; the server says which. The row that a
// person is at, and what is marked, stay.
import { bind } from "./keys.js";

const PAGE = 100; // rows of a page
const here = document.getElementById("queue");
const first = new URLSearchParams(location.search).get("page") === null;
const NEW = 2000; // milliseconds for which a row shows that it has just come
const marked = new Set();
const came = []; // rows that have just come, and until when each shows it
const waiting = new Map(); // what was said of each row, and of how many there are, since the browser drew last
let at = null;

const body = () => document.getElementById("rows");
const rows = () => [...body().children];
const row = (id) => document.getElementById(`a-${id}`);

function go(to) {
  if (!to) return;
  moved(to);
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
}

// What the person is at and what is marked are the page's own; the server's rows do not have them.
function dress(each) {
  if (each.dataset.id === at) each.setAttribute("aria-current", "true");
  else each.removeAttribute("aria-current");
  each.classList.toggle("marked", marked.has(each.dataset.id));
}

function moved(to) {
  const left = row(at);
  at = to.dataset.id;
  if (left) dress(left);
  dress(to);
}

function emptied() {
  const none = body().firstElementChild === null;
  here.querySelector("table").hidden = none;
  here.querySelector(".none").hidden = !none;
}

function shown() {
  rows().forEach(dress);
  emptied();
  beat();
}

// What the clock alone changes: what is due by now, and what came a while ago and is as all other rows.
function beat() {
  if (document.hidden) return;
  const now = Date.now();
  for (const due of body().querySelectorAll("tr:not(.late) time[datetime]")) {
    if (Date.parse(due.dateTime) < now) due.closest("tr").classList.add("late");
  }
  while (came.length && came[0].until < now) came.shift().row.classList.remove("come");
}

function order(each) {
  const [id, ...numbers] = each.dataset.order.split(" ").reverse();
  return [...numbers.reverse().map(Number), id];
}

function before(one, other) {
  const [mine, theirs] = [order(one), order(other)];
  const differs = mine.findIndex((part, place) => part !== theirs[place]);
  return differs >= 0 && mine[differs] < theirs[differs];
}

// The first row that a row belongs before: the rows lie in order, so that few of them are looked at.
function following(fresh) {
  const all = body().children;
  let [from, to] = [0, all.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (before(fresh, all[middle])) to = middle;
    else from = middle + 1;
  }
  return all[from] ?? null;
}

function come({ id, row: html }) {
  const parsed = document.createElement("tbody");
  parsed.innerHTML = html;
  const fresh = parsed.firstElementChild;
  dress(fresh);
  const old = row(id);
  if (old) {
    const focused = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (focused) fresh.focus({ preventScroll: true });
  } else {
    const next = following(fresh);
    const full = body().children.length >= PAGE;
    if (!first || (next === null && full)) return;
    fresh.classList.add("come");
    came.push({ row: fresh, until: Date.now() + NEW });
    body().insertBefore(fresh, next);
    if (full) gone(body().lastElementChild.dataset);
  }
}

// Who was at a row that goes is at the one that takes its place, also while a dialog about it is open.
function gone({ id }) {
  const old = row(id);
  if (!old) return;
  const [focused, next] = [old.contains(document.activeElement), old.nextElementSibling ?? old.previousElementSibling];
  marked.delete(id);
  old.remove();
  if (focused) go(next);
  else if (id === at && next) moved(next);
}

function late(part, count, says) {
  [part.textContent, part.hidden] = [says(count.toLocaleString("en-US")), !count];
}

function counted(counts) {
  for (const tab of document.querySelectorAll(".queues a[data-queue]")) {
    const [number, says] = [tab.querySelector("b"), counts[tab.dataset.queue].toLocaleString("en-US")];
    if (number.textContent !== says) number.textContent = says;
    late(tab.querySelector(".overdue"), counts.overdue[tab.dataset.queue], (count) => `${count} overdue`);
  }
  for (const open of here.querySelectorAll("[data-open]")) open.textContent = counts[open.dataset.open].toLocaleString("en-US");
  for (const part of here.querySelectorAll("[data-late]")) {
    late(part, counts.overdue[part.dataset.late], (count) => `, ${count} overdue: review them`);
  }
}

const SAYS = { alert: come, gone, counts: counted };

// The browser lays the page out once for all that came since it drew last; a page that nobody sees waits with it.
document.addEventListener("told", ({ detail: { event, told } }) => {
  if (!SAYS[event]) return;
  if (!waiting.size) requestAnimationFrame(changed);
  waiting.delete(told.id); // what is said of it now comes after what was said of others
  waiting.set(told.id, () => SAYS[event](told));
});

function changed() {
  const top = row(at)?.getBoundingClientRect().top;
  waiting.forEach((say) => say());
  waiting.clear();
  emptied();
  // Whatever comes or goes above it, the row that a person is at stays where it is on the screen.
  const by = row(at)?.getBoundingClientRect().top - top;
  if (by && top > 0 && top < innerHeight) scrollBy({ top: by, behavior: "instant" });
}

document.addEventListener("renewed", () => {
  waiting.clear(); // the page that was fetched has it
  shown();
});
document.addEventListener("focusin", (event) => {
  const to = event.target.closest("#rows tr");
  if (to && to.dataset.id !== at) moved(to);
});
document.addEventListener("visibilitychange", beat);
setInterval(beat, 1000);

function step(by) {
  const all = rows();
  const now = all.indexOf(row(at));
  go(all[Math.max(0, Math.min(all.length - 1, now < 0 ? 0 : now + by))]);
}

function mark() {
  if (!row(at)) return;
  if (!marked.delete(at)) marked.add(at);
  dress(row(at));
}

function open() {
  if (document.activeElement.matches("a, button, summary") || !row(at)) return false;
  location.href = row(at).querySelector("a").href;
}

const tab = (number) => () => document.querySelectorAll(".queues a[data-queue]")[number]?.click();

bind({
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  Home: () => go(rows()[0]), End: () => go(rows().at(-1)), Enter: open, x: mark,
  1: tab(0), 2: tab(1), 3: tab(2), 4: tab(3),
  f: () => {
    document.getElementById("narrow").open = true;
    document.querySelector("#narrow select").focus();
  },
  v: () => {
    document.getElementById("views").open = true;
    document.querySelector("#views a, #views input").focus();
  },
});
shown();
