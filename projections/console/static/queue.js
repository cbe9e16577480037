// The queue: rows come, change and go by themselves, in their order; the server says which. The row that a
// person is at, and what is marked, stay.
import { bind } from "./keys.js";

const PAGE = 100; // rows of a page
const here = document.getElementById("queue");
const first = new URLSearchParams(location.search).get("page") === null;
const marked = new Set();
let at = null;

const body = () => document.getElementById("rows");
const rows = () => [...body().children];
const row = (id) => document.getElementById(`a-${id}`);

function go(to) {
  if (!to) return;
  at = to.dataset.id;
  shown();
  to.focus({ preventScroll: true });
  to.scrollIntoView({ block: "nearest" });
}

// What the person is at and what is marked are the page's own; the server's rows do not have them.
function shown() {
  const now = Date.now();
  for (const each of rows()) {
    if (each.dataset.id === at) each.setAttribute("aria-current", "true");
    else each.removeAttribute("aria-current");
    each.classList.toggle("marked", marked.has(each.dataset.id));
    const due = each.querySelector("time[datetime]");
    each.classList.toggle("late", due !== null && Date.parse(due.dateTime) < now);
  }
  here.querySelector("table").hidden = !rows().length;
  here.querySelector(".none").hidden = rows().length > 0;
}

function order(each) {
  const [weight, gravity, time, id] = each.dataset.order.split(" ");
  return [Number(weight), Number(gravity), Number(time), id];
}

function before(one, other) {
  const [mine, theirs] = [order(one), order(other)];
  const differs = mine.findIndex((part, place) => part !== theirs[place]);
  return differs >= 0 && mine[differs] < theirs[differs];
}

function came({ id, row: html }) {
  const parsed = document.createElement("tbody");
  parsed.innerHTML = html;
  const fresh = parsed.firstElementChild;
  const old = row(id);
  if (old) {
    const focused = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (focused) fresh.focus({ preventScroll: true });
  } else {
    const next = rows().find((each) => before(fresh, each)) ?? null;
    if (!first || (next === null && rows().length >= PAGE)) return;
    fresh.classList.add("come");
    body().insertBefore(fresh, next);
    if (rows().length > PAGE) body().lastElementChild.remove();
  }
}

function gone({ id }) {
  const old = row(id);
  if (!old) return;
  const [focused, next] = [old.contains(document.activeElement), old.nextElementSibling ?? old.previousElementSibling];
  marked.delete(id);
  old.remove();
  if (focused) go(next);
}

function counted(counts) {
  for (const tab of document.querySelectorAll(".queues a[data-queue]")) {
    tab.querySelector("b").textContent = counts[tab.dataset.queue].toLocaleString("en-US");
  }
}

document.addEventListener("told", ({ detail: { event, told } }) => {
  const says = { alert: came, gone, counts: counted }[event];
  if (!says) return;
  const top = row(at)?.getBoundingClientRect().top;
  says(told);
  shown();
  // Whatever comes or goes above it, the row that a person is at stays where it is on the screen.
  const moved = row(at)?.getBoundingClientRect().top - top;
  if (moved && top > 0 && top < innerHeight) scrollBy({ top: moved, behavior: "instant" });
});
document.addEventListener("renewed", shown);
document.addEventListener("focusin", (event) => {
  const to = event.target.closest("#rows tr");
  if (to && to.dataset.id !== at) {
    at = to.dataset.id;
    shown();
  }
});
setInterval(shown, 10_000);

function step(by) {
  const all = rows();
  const now = all.indexOf(row(at));
  go(all[Math.max(0, Math.min(all.length - 1, now < 0 ? 0 : now + by))]);
}

function mark() {
  if (!row(at)) return;
  if (!marked.delete(at)) marked.add(at);
  shown();
}

function open() {
  if (document.activeElement.matches("a, button, summary") || !row(at)) return false;
  location.href = row(at).querySelector("a").href;
}

const tab = (number) => () => document.querySelectorAll(".queues a")[number].click();

bind({
  j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
  Home: () => go(rows()[0]), End: () => go(rows().at(-1)), Enter: open, x: mark,
  1: tab(0), 2: tab(1), 3: tab(2),
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
