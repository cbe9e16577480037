// The queue: rows come, change and go by themselves; one key takes, closes, opens. The server decides all.
import { act, say } from "./act.js";
import { typing } from "./shell.js";

const root = document.documentElement.dataset.root;
const here = () => document.getElementById("queue");
const rows = () => [...document.querySelectorAll("#rows tr")];
const current = () => document.activeElement?.closest?.("#rows tr") ?? document.querySelector("#rows tr.at");

function go(row) {
  if (!row) return;
  document.querySelectorAll("#rows tr.at").forEach((each) => each.classList.remove("at"));
  row.classList.add("at");
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = rows();
  const at = all.indexOf(current());
  go(all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))]);
}

async function acknowledge(row) {
  if (row && (await act({ action: "acknowledge", subject: `alert:${row.dataset.id}` }))) say("It is yours.", "done");
}

async function takeNext() {
  const told = await act({ action: "take_next" });
  if (told) location.href = `${root}/alerts/${told.subject.replace("alert:", "")}`;
}

document.addEventListener("keydown", (event) => {
  if (typing(event)) return;
  const keys = {
    j: () => step(1), ArrowDown: () => step(1), k: () => step(-1), ArrowUp: () => step(-1),
    Home: () => go(rows()[0]), End: () => go(rows().at(-1)),
    Enter: () => { if (current() && document.activeElement.tagName !== "A") location.href = current().querySelector("a").href; },
    a: () => acknowledge(current()), n: takeNext,
  };
  if (!keys[event.key]) return;
  if (event.key !== "Enter" || document.activeElement.tagName !== "A") event.preventDefault();
  keys[event.key]();
});
