// Forms by which something is written down: their fields as an action, what was left alone as kept.
import { act, post, showMessage, requestFile, sendFile } from "./act.js";

const root = document.documentElement.dataset.root;
const zone = document.querySelector("[data-zone]")?.dataset.zone;
const namedFields = (form) => [...form.querySelectorAll("[name]")];
const FORMS = "form[data-action], form[data-post], form[data-takes], form[data-uploads]";
const MEGABYTE = 1_000_000;
let sentForm = null;

// ── What is wrong with a field stands at the field, until something else is typed there ──

function showFieldError(input, sentence) {
  clearFieldError(input);
  const error = Object.assign(document.createElement("small"), { className: "error", id: `error-${input.form.id}-${input.name}`, textContent: sentence });
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", error.id);
  input.after(error);
}

function clearFieldError(input) {
  if (!input.hasAttribute("aria-invalid")) return;
  document.getElementById(input.getAttribute("aria-describedby"))?.remove();
  for (const each of ["aria-invalid", "aria-describedby"]) input.removeAttribute(each);
}

// Shows what is wrong, as pairs of a field and a sentence, and goes to the first field; returns whether anything is.
function showFieldErrors(errors) {
  errors.forEach(([input, sentence]) => showFieldError(input, sentence));
  errors[0]?.[0].focus();
  return errors.length > 0;
}

// What is wrong with a field before it is sent: what the browser finds, or what its sort is read by; empty if nothing.
function fieldError(input) {
  if (!input.validity.valid) return input.validationMessage;
  try {
    value(input);
    return "";
  } catch (error) {
    return error.message;
  }
}

// Returns whether a form may be sent; if not, each field says why.
function begin(form) {
  sentForm = form;
  namedFields(form).forEach(clearFieldError);
  showMessage("");
  return !showFieldErrors(namedFields(form).map((input) => [input, fieldError(input)]).filter(([, sentence]) => sentence));
}

document.addEventListener("input", (event) => clearFieldError(event.target));
document.querySelectorAll(FORMS).forEach((form) => (form.noValidate = true)); // the page shows it, and not a bubble that goes

// Of a list the server says which one it is about: its field has them all.
document.addEventListener("refused", (event) => {
  const { error, field } = event.detail;
  const input = field && sentForm && namedFields(sentForm).find((each) => each.name === field.replace(/\[.*$/, ""));
  if (!input || input.type === "hidden") return;
  event.preventDefault();
  showFieldErrors([[input, error.startsWith(`${field}: `) ? error.slice(field.length + 2) : error]]);
});

// Microseconds UTC of a time typed as the property's clocks show it.
function micros(text) {
  const asUtc = Date.parse(`${text}Z`);
  const wallTime = (time) => {
    const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, hourCycle: "h23", dateStyle: "short", timeStyle: "medium" }).formatToParts(time);
    const fields = Object.fromEntries(parts.map((part) => [part.type, part.value]));
    return Date.UTC(fields.year, fields.month - 1, fields.day, fields.hour, fields.minute, fields.second);
  };
  let time = asUtc - (wallTime(asUtc) - asUtc);
  time -= wallTime(time) - asUtc; // where clocks are changed in between
  return time * 1000;
}

// Whole cents of an amount in dollars; no fractions of a number come near it.
function cents(text) {
  const match = /^\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d\d))?$/.exec(text);
  if (!match) throw new Error("Enter an amount, such as 550.00");
  return Number(match[1].replaceAll(",", "") + (match[2] ?? "00"));
}

function number(text) {
  if (!/^-?\d+$/.test(text)) throw new Error("Enter a whole number");
  return Number(text);
}

const names = (text) => text.split(",").map((each) => each.trim()).filter(Boolean);
const parsers = { cents, number, names, time: micros, yes: (text) => text === "yes" };

function value(input) {
  const text = input.value.trim();
  if (!text) return input.dataset.sort === "names" ? [] : null;
  return (parsers[input.dataset.sort] ?? String)(text);
}

function isUnchanged(input) {
  if (input.tagName !== "SELECT") return input.value === input.defaultValue;
  return [...input.options].every((option) => option.selected === option.defaultSelected);
}

function buildAction(form) {
  const action = { action: form.dataset.action };
  if (form.dataset.subject) action.subject = form.dataset.subject;
  if (form.dataset.corrects) action.corrects = form.dataset.corrects;
  for (const input of namedFields(form)) {
    const [part, name] = input.name.split(".");
    if (!name) action[part] = value(input);
    else (action[part] ??= {})[name] = value(input);
  }
  if ("keeps" in form.dataset) {
    action.keep = namedFields(form).filter((input) => input.name.includes(".") && isUnchanged(input)).map((input) => input.name.split(".")[1]);
  }
  return action;
}

async function send(form) {
  if (form.dataset.post) return post(form.dataset.post, Object.fromEntries(namedFields(form).map((input) => [input.name, input.value])));
  return act(buildAction(form));
}

// Sends the file that a form has chosen, unless it is larger than the server takes.
async function upload(form) {
  const [input, button] = [form.querySelector("[type=file]"), form.querySelector("button")];
  const most = Number(form.dataset.most);
  if (input.files[0].size > most * MEGABYTE) return void showFieldErrors([[input, `The file is larger than ${most} MB, the limit here.`]]);
  button.disabled = true;
  form.dataset.sending = "";
  showMessage("Sending the file.", "made");
  const answer = await sendFile(form.dataset.uploads, form);
  button.disabled = false;
  if (!answer) return void delete form.dataset.sending;
  location.hash = "attachments";
  location.reload();
}

// Downloads a file that the server makes, and shows what was written down about it.
async function downloadFile(form) {
  const [page, button] = [location.pathname + location.search, form.querySelector("button")];
  button.disabled = true;
  showMessage("Making the bundle.", "made");
  const answer = await requestFile(form.dataset.takes, form);
  button.disabled = false;
  if (!answer) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]*)"/.exec(answer.headers.get("Content-Disposition"))[1];
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  form.reset();
  const freshPage = new DOMParser().parseFromString(await (await fetch(page, { cache: "no-store" })).text(), "text/html");
  for (const id of ["facts", "history"]) {
    const next = freshPage.getElementById(id);
    if (next) document.getElementById(id).replaceWith(next);
  }
  showMessage(`The bundle was made: ${link.download}`, "done");
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-takes]");
  if (!form) return;
  event.preventDefault();
  if (begin(form)) downloadFile(form);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-uploads]");
  if (!form) return;
  event.preventDefault();
  if (begin(form)) upload(form);
});

document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form[data-action], form[data-post]");
  if (!form) return;
  event.preventDefault();
  if (!begin(form)) return;
  form.dataset.sending = "";
  const result = await send(form);
  if (!result) return void delete form.dataset.sending;
  if (form.dataset.leads) location.href = `${root}${form.dataset.leads}${result.subject.split(":")[1]}`;
  else {
    history.replaceState(null, "", form.dataset.stays ? root + form.dataset.stays : location.pathname + location.search);
    location.reload();
  }
});

// A form that its address names begins at what must be filled in.
function focusForm() {
  const form = document.querySelector("form.part:target");
  const fields = form ? namedFields(form) : [];
  (fields.find((each) => each.required && !each.value) ?? fields[0])?.focus();
}
for (const event of ["load", "hashchange"]) addEventListener(event, focusForm); // not before it is shown

// Ctrl or Cmd with Enter sends a form from wherever one types.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.target.closest?.("form[data-action], form[data-post]")?.requestSubmit();
});

// Enter sends a form from a field that chooses too, once something is chosen: a browser would open the list anew.
document.addEventListener("keydown", (event) => {
  const select = event.target.closest?.("form[data-action] select, form[data-post] select, form[data-takes] select");
  if (event.key !== "Enter" || !select?.value) return;
  event.preventDefault();
  select.form.requestSubmit();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
});
