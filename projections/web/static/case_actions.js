// What a person does about an alert, by a key or a button: the same on a row of the queue and on the alert's page.
import { act, also, get, say } from "./act.js";
import { bind } from "./keys.js";
import { did, subject, undo } from "./undo.js";

const root = document.documentElement.dataset.root;

// The alert whose page this is, on the queue none. Whenever something is done about it the page has it anew.
const one = () => document.querySelector("[data-alert]");

function chosen() {
  return one() ?? document.querySelector('#rows tr[aria-current="true"]');
}

// Gives it back to the queue, without asking anything.
async function release() {
  const from = chosen();
  if (!from) return say("Go to a row first, with j and k.");
  if (!(await act({ action: "release", subject: subject(from) }))) return;
  did("Release", from);
  say("It is back in the queue.", "done");
}

const every = new URLSearchParams(location.search).get("every") === "true"; // then a row is one alert
const QUEUE = "queue"; // what this tab's queue shows, for the alert's pages that follow
if (!one()) kept(() => sessionStorage.setItem(QUEUE, location.search));

function kept(read) {
  try {
    return read();
  } catch {
    return null; // a browser that keeps nothing
  }
}

// An incident is taken whole: all that is found of its round, shoe or account and that nobody has.
async function take() {
  const from = chosen();
  if (!from) return say("Go to a row first, with j and k.");
  const told = await act({ action: "acknowledge", subject: subject(from), whole_incident: !every });
  if (!told) return;
  did("Acknowledge", from);
  const others = told.after?.alerts?.length ?? 0;
  say(others ? `It is yours, all ${others + 1} findings of it.` : "It is yours.", "done");
}

// The next is the first of what the queue shows, by its filters; where none was looked at before, of all there is.
async function next() {
  const search = one() ? kept(() => sessionStorage.getItem(QUEUE)) : location.search;
  const shown = search === null ? null : await get(`/api/queue${search}`);
  if (shown === null && search !== null) return;
  const among = shown && shown.rows.map((row) => `alert:${row.alert.id}`);
  const told = await act({ action: "take_next", among, whole_incident: !search?.includes("every=true") });
  if (told) location.href = `${root}/alerts/${told.subject.replace("alert:", "")}`;
}

// An hour that comes twice, as clocks are put back, is told with its zone.
function clock(at) {
  const format = { hourCycle: "h23", timeZone: document.documentElement.dataset.clock };
  const told = (moment, more) => new Date(moment).toLocaleTimeString([], { ...format, ...more });
  const twice = [-3600000, 3600000].some((hour) => told(at + hour) === told(at));
  return twice ? told(at, { timeZoneName: "short" }) : told(at);
}

function line({ alert }) {
  const item = document.createElement("li");
  const when = alert.at ? clock(alert.at / 1000) : alert.gaming_date;
  item.textContent = `${when} ${alert.table}: ${alert.check.replaceAll("_", " ")}, ${alert.severity}`;
  return item;
}

// What would be one case the server says; it is asked of the person before it is done, and that is done.
async function merge() {
  const from = chosen() ?? document.querySelector("#rows tr.marked");
  if (!from) return say("Go to a row first, with j and k.");
  const marked = [...document.querySelectorAll("#rows tr.marked")].filter((each) => each !== from);
  const others = new URLSearchParams(marked.map((each) => ["other", each.dataset.id]));
  const shown = await merged(from, others);
  if (!shown || document.querySelector("dialog[open]")) return;
  const dialog = document.getElementById("ask-merge");
  dialog.querySelector("[data-merged]").replaceChildren(...shown.map(line));
  dialog.querySelector("[data-many]").textContent = shown.length;
  open(dialog, from, { others: besides(shown) });
}

const merged = (from, others = "") => get(`/api/alerts/${subject(from).replace("alert:", "")}/merging?${others}`);
const besides = (shown) => shown.slice(1).map(({ alert }) => `alert:${alert.id}`);

// The others of an alert's round, which its page lists, become one case with it; a page that did it does not do it again.
async function whole() {
  const part = document.getElementById("whole");
  const others = [...(part?.querySelectorAll("[data-other]") ?? [])].map((each) => `alert:${each.dataset.other}`);
  if (!others.length) return say("An alert's page lists what else of its round is open; here it lists nothing.");
  if (part.hidden) return;
  part.hidden = true;
  if (await act({ action: "merge", subject: subject(one()), others })) {
    did("Merge", one());
    say("They are one case now.", "done");
  } else part.hidden = false;
}

async function people(select) {
  select.replaceChildren();
  const answer = await fetch(`${root}/api/people`, { cache: "no-store" });
  const names = answer.ok ? await answer.json() : [];
  select.replaceChildren(...names.map((name) => new Option(name, name)));
}

function open(dialog, from, fields) {
  dialog.querySelector("form").reset();
  dialog.asked = { action: dialog.dataset.action, ...fields, from };
  dialog.several = null;
  say("");
  dialog.showModal();
  dialog.querySelector("input:enabled, select, textarea, form button").focus();
}

// Asks in a dialog for what an action needs besides.
async function ask(name, fields = {}) {
  const from = chosen();
  if (!from) return say("Go to a row first, with j and k.");
  const dialog = document.getElementById(`ask-${name}`);
  if (!dialog) return say("A second person must be a supervisor or the director.");
  const { another } = dialog.dataset; // who looks, where the one who asked may not be the one who answers
  if (another && !from.dataset.asked) return say("Nothing of it waits for a second person.");
  if (another && another === from.dataset.asked) return say("You asked for it yourself; the second person must be another one.");
  for (const part of dialog.querySelectorAll("[data-told]")) {
    part.textContent = (from.dataset[part.dataset.told] ?? "").replaceAll("_", " ");
  }
  const money = dialog.querySelector("[data-money]");
  if (money) [money.textContent, money.hidden] = [from.dataset.sums, !from.dataset.sums];
  if (name === "snooze" && "grave" in from.dataset) return say("It is grave; what is grave is never put off.");
  if (name === "tag") tagged(dialog, from);
  if (name === "mute") muting(dialog, from.dataset.severity === "grave");
  open(dialog, from, fields);
  if (dialog.dataset.all) several(dialog, from);
  if (name === "assign") await people(dialog.querySelector("select"));
}

// Tells to how many it is done where the row stands for several. Those that are no case yet become one first, which
// are as many as the server says, whatever the filters leave of them.
function several(dialog, from) {
  const [part, row] = [dialog.querySelector("[data-several]"), Number(from.dataset.many)];
  part.hidden = !(row > 1);
  if (part.hidden) return;
  const apart = "apart" in from.dataset;
  const told = { others: null, joined: false };
  const count = (many) => {
    told.many = many < row ? `${many} of its ${row}` : `all ${many}`;
    part.textContent = `${dialog.dataset.all} ${told.many}${apart ? ", as one case" : ""}.`;
  };
  dialog.several = told;
  count(row);
  if (!apart) return;
  told.others = merged(from).then((shown) => {
    if (shown) count(shown.length);
    return shown && besides(shown);
  });
}

// Makes one case of what a dialog is about, once; false where that cannot be, and the page says why.
async function joined({ several, asked: { from } }) {
  if (!several?.others || several.joined) return true;
  const others = await several.others;
  if (!others) return false;
  several.joined = Boolean(await act({ action: "merge", subject: subject(from), others }));
  if (several.joined) did("Merge", from);
  return several.joined;
}

function outcome({ several, dataset }, told) {
  const waits = ["closing", "reopening"].includes(told.after?.state);
  if (!several) return (waits && dataset.waits) || dataset.done;
  return `${several.many.replace("all", "All")} ${(waits && dataset.allWait) || dataset.allDone}`;
}

// The tags that it has, each a button that takes it away.
function tagged(dialog, from) {
  const words = [...from.querySelectorAll(".tag")].map((tag) => tag.textContent);
  const place = dialog.querySelector("[data-tags]");
  place.hidden = !words.length;
  place.replaceChildren(...words.map((word) => {
    const button = document.createElement("button");
    [button.type, button.dataset.off] = ["button", word];
    button.textContent = `Take ${word} away`;
    return button;
  }));
}

// Of what is grave the check is not muted: it is not offered, and where nothing is left, nor is the button.
function muting(dialog, grave) {
  dialog.querySelector("[data-grave]").hidden = !grave;
  const choices = [...dialog.querySelectorAll('[name="what"]')];
  for (const choice of choices) choice.disabled = grave && choice.value !== "table";
  dialog.querySelector("form button").disabled = choices.every((choice) => choice.disabled);
}

function read(form) {
  const told = {};
  for (const [name, value] of new FormData(form)) {
    const type = form.elements[name].type;
    if (type === "hidden") continue; // what the form needs where no script sends it
    told[name] = type === "number" ? Number(value) : name === "agrees" ? value === "yes" : value.trim();
  }
  return told;
}

const MUTED = { check: ["check"], table: ["table"], both: ["check", "table"] };

function asked(dialog, form) {
  const { from, ...action } = dialog.asked;
  const told = { ...action, ...read(form) };
  if (told.action !== "mute") return { ...told, subject: subject(from) };
  const { what, ...mute } = told;
  for (const name of MUTED[what]) mute[name] = from.dataset[name];
  return mute;
}

for (const dialog of document.querySelectorAll("dialog[data-action]")) {
  const form = dialog.querySelector("form");
  let sent = false; // Enter pressed twice says it once
  const does = async (action, done) => {
    if (sent) return;
    sent = true;
    const ready = await joined(dialog);
    const told = ready && (await act(action));
    sent = false;
    if (ready && !told && dialog.several?.joined) also("They are one case now; u takes that back.");
    if (!told) return;
    dialog.close();
    if (action.subject) did(dialog.querySelector("h2").textContent, dialog.asked.from);
    say(done ?? outcome(dialog, told), "done");
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    does(asked(dialog, form));
  });
  dialog.addEventListener("close", () => {
    if (document.activeElement.closest("#heard")) return; // a key has gone there since
    (document.getElementById(`a-${dialog.asked.from.dataset.id}`) ?? chosen())?.focus();
  });
  dialog.open = false; // one that was asked for without scripts
  dialog.addEventListener("click", (event) => {
    const { target } = event;
    if (target.matches("[data-close]")) {
      event.preventDefault();
      dialog.close();
    }
    const word = target.dataset.off;
    if (word) does({ action: "tag", subject: subject(dialog.asked.from), word, off: true }, "The tag is taken away.");
  });
  dialog.addEventListener("keydown", (event) => {
    if (!dialog.open) return;
    const choice = dialog.querySelectorAll('input[type="radio"]')[Number(event.key) - 1];
    if (choice?.disabled === false && !event.target.matches("textarea, select, [type=number]")) {
      event.preventDefault();
      choice.checked = true;
      dialog.querySelector("textarea")?.focus();
    }
    if (event.key === "Enter" && !event.shiftKey && event.target.matches("input, textarea, select")) {
      event.preventDefault();
      form.querySelector("button:not([type])").click(); // which does nothing where it is disabled
    }
  });
}

const DO = {
  a: take,
  n: next,
  c: () => ask("close"),
  u: (event) => event?.repeat || undo(chosen()),
  w: () => ask("note"),
  t: () => ask("tag"),
  e: () => ask("escalate"),
  m: () => ask("mute"),
  z: () => ask("snooze"),
  M: merge,
  h: whole,
  r: release,
  s: () => ask("assign"),
  o: () => ask("reopen"),
  y: () => ask("agree", { agrees: true }),
  N: () => ask("disagree", { agrees: false }),
  l: () => ask("review"),
};
bind(DO);
document.addEventListener("click", (event) => {
  const key = event.target.closest("button[data-key]")?.dataset.key;
  if (!key) return;
  event.preventDefault(); // without scripts the button sends a form
  DO[key]();
});
