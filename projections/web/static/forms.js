// Forms by which something is written down: their fields as an action, what was left alone as kept.
import { act, post, say, taken } from "./act.js";

const root = document.documentElement.dataset.root;
const zone = document.querySelector("[data-zone]")?.dataset.zone;
const field = (form) => [...form.querySelectorAll("[name]")];

// Microseconds UTC of a time typed as the property's clocks show it.
function micros(typed) {
  const wall = Date.parse(`${typed}Z`);
  const shown = (at) => {
    const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, hourCycle: "h23", dateStyle: "short", timeStyle: "medium" }).formatToParts(at);
    const told = Object.fromEntries(parts.map((part) => [part.type, part.value]));
    return Date.UTC(told.year, told.month - 1, told.day, told.hour, told.minute, told.second);
  };
  let at = wall - (shown(wall) - wall);
  at -= shown(at) - wall; // where clocks are changed in between
  return at * 1000;
}

// Whole cents of an amount in dollars; no fractions of a number come near it.
function cents(typed) {
  const found = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d\d))?$/.exec(typed);
  if (!found) throw new Error(`${typed} is no amount; write 550.00`);
  return Number(found[1].replaceAll(",", "") + (found[2] ?? "00"));
}

function number(typed) {
  if (!/^-?\d+$/.test(typed)) throw new Error(`${typed} is no whole number`);
  return Number(typed);
}

const names = (typed) => typed.split(",").map((each) => each.trim()).filter(Boolean);
const read = { cents, number, names, time: micros, yes: (typed) => typed === "yes" };

function value(input) {
  const typed = input.value.trim();
  if (!typed) return input.dataset.sort === "names" ? [] : null;
  return (read[input.dataset.sort] ?? String)(typed);
}

function untouched(input) {
  if (input.tagName !== "SELECT") return input.value === input.defaultValue;
  return [...input.options].every((option) => option.selected === option.defaultSelected);
}

function written(form) {
  const action = { action: form.dataset.action };
  if (form.dataset.subject) action.subject = form.dataset.subject;
  if (form.dataset.corrects) action.corrects = form.dataset.corrects;
  for (const input of field(form)) {
    const [part, name] = input.name.split(".");
    if (!name) action[part] = value(input);
    else (action[part] ??= {})[name] = value(input);
  }
  if ("keeps" in form.dataset) {
    action.keep = field(form).filter((input) => input.name.includes(".") && untouched(input)).map((input) => input.name.split(".")[1]);
  }
  return action;
}

async function send(form) {
  if (form.dataset.post) return post(form.dataset.post, Object.fromEntries(field(form).map((input) => [input.name, input.value])));
  return act(written(form));
}

// Gives a file that the server makes to the browser, and shows what was written down about it.
async function take(form) {
  const [page, button] = [location.pathname + location.search, form.querySelector("button")];
  button.disabled = true;
  say("It is being made.", "made");
  const answer = await taken(form.dataset.takes, form);
  button.disabled = false;
  if (!answer) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]*)"/.exec(answer.headers.get("Content-Disposition"))[1];
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  form.reset();
  const fresh = new DOMParser().parseFromString(await (await fetch(page, { cache: "no-store" })).text(), "text/html");
  for (const id of ["facts", "history"]) {
    const next = fresh.getElementById(id);
    if (next) document.getElementById(id).replaceWith(next);
  }
  say(`The bundle was made: ${link.download}`, "done");
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-takes]");
  if (!form) return;
  event.preventDefault();
  take(form);
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-action], form[data-post]");
  if (!form) return;
  event.preventDefault();
  try {
    const told = await send(form);
    if (!told) return;
    if (form.dataset.leads) location.href = `${root}${form.dataset.leads}${told.subject.split(":")[1]}`;
    else {
      history.replaceState(null, "", form.dataset.stays ? root + form.dataset.stays : location.pathname + location.search);
      location.reload();
    }
  } catch (error) {
    say(error.message);
  }
});

// Enter sends a form from a field that chooses too, once something is chosen: a browser would open the list anew.
document.addEventListener("keydown", (event) => {
  const choosing = event.target.closest?.("form[data-action] select, form[data-post] select, form[data-takes] select");
  if (event.key !== "Enter" || !choosing?.value) return;
  event.preventDefault();
  choosing.form.requestSubmit();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
});
