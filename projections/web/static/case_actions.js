// What a person does about an alert, by a key or a button: the same on a row of the queue and on the alert's page.
import { act, appendMessage, get, showMessage } from "./act.js";
import { load, save } from "./browser_storage.js";
import { bind } from "./keys.js";
import { advance, queueSearch, takeFlash } from "./queue_walk.js";
import { lastAction, recordAction, restoreAction, subject, undo } from "./undo.js";

const root = document.documentElement.dataset.root;
const ADVANCE = "advance"; // whether who settled an alert on its page goes on to the next incident

// The alert whose page this is, on the queue none. Whenever something is done about it the page has it anew.
const pageAlert = () => document.querySelector("[data-alert]");

function currentAlert() {
  return pageAlert() ?? document.querySelector('#rows tr[aria-current="true"]');
}

// Releases the alert to the queue, without a dialog.
async function release() {
  const element = currentAlert();
  if (!element) return showMessage("Go to a row first, with j and k.");
  if (!(await act({ action: "release", subject: subject(element) }))) return;
  recordAction("Release", element);
  showMessage("It is back in the queue.", "done");
}

const showsEachRepeat = new URLSearchParams(location.search).get("every") === "true"; // then a row is one alert

// An incident is taken whole: all that is found of its round, shoe or account and that nobody has.
async function take() {
  const element = currentAlert();
  if (!element) return showMessage("Go to a row first, with j and k.");
  const result = await act({ action: "acknowledge", subject: subject(element), whole_incident: !showsEachRepeat });
  if (!result) return;
  recordAction("Acknowledge", element);
  const others = result.after?.alerts?.length ?? 0;
  showMessage(others ? `It is yours, all ${others + 1} findings of it.` : "It is yours.", "done");
}

// The next is the first of what the queue shows, by its filters; where none was looked at before, of all there is.
async function next() {
  const search = pageAlert() ? queueSearch() : location.search;
  const alerts = search === null ? null : await get(`/api/queue${search}`);
  if (alerts === null && search !== null) return;
  const alertIds = alerts && alerts.rows.map((row) => `alert:${row.alert.id}`);
  const result = await act({ action: "take_next", among: alertIds, whole_incident: !search?.includes("every=true") });
  if (result) location.href = `${root}/alerts/${result.subject.replace("alert:", "")}`;
}

// An hour that comes twice, as clocks are put back, is told with its zone.
function formatTime(at) {
  const format = { hourCycle: "h23", timeZone: document.documentElement.dataset.clock };
  const timeText = (moment, options) => new Date(moment).toLocaleTimeString([], { ...format, ...options });
  const isAmbiguous = [-3600000, 3600000].some((hour) => timeText(at + hour) === timeText(at));
  return isAmbiguous ? timeText(at, { timeZoneName: "short" }) : timeText(at);
}

function alertItem({ alert }) {
  const item = document.createElement("li");
  const when = alert.at ? formatTime(alert.at / 1000) : alert.gaming_date;
  item.textContent = `${when} ${alert.table}: ${alert.check.replaceAll("_", " ")}, ${alert.severity}`;
  return item;
}

// The server lists what would be one case; the dialog shows it, and merges exactly that.
async function merge() {
  const element = currentAlert() ?? document.querySelector("#rows tr.marked");
  if (!element) return showMessage("Go to a row first, with j and k.");
  const marked = [...document.querySelectorAll("#rows tr.marked")].filter((each) => each !== element);
  const others = new URLSearchParams(marked.map((each) => ["other", each.dataset.id]));
  const alerts = await fetchMerged(element, others);
  if (!alerts || document.querySelector("dialog[open]")) return;
  const dialog = document.getElementById("ask-merge");
  dialog.querySelector("[data-merged]").replaceChildren(...alerts.map(alertItem));
  dialog.querySelector("[data-many]").textContent = alerts.length;
  openDialog(dialog, element, { others: otherSubjects(alerts) });
}

const fetchMerged = (element, others = "") => get(`/api/alerts/${subject(element).replace("alert:", "")}/merging?${others}`);
const otherSubjects = (alerts) => alerts.slice(1).map(({ alert }) => `alert:${alert.id}`);

// The others of an alert's round, which its page lists, become one case with it; a page that did it does not do it again.
async function mergeRound() {
  const part = document.getElementById("whole");
  const others = [...(part?.querySelectorAll("[data-other]") ?? [])].map((each) => `alert:${each.dataset.other}`);
  if (!others.length) return showMessage("An alert's page lists what else of its round is open; here it lists nothing.");
  if (part.hidden) return;
  part.hidden = true;
  if (await act({ action: "merge", subject: subject(pageAlert()), others })) {
    recordAction("Merge", pageAlert());
    showMessage("They are one case now.", "done");
  } else part.hidden = false;
}

async function loadPeople(select) {
  select.replaceChildren();
  const answer = await fetch(`${root}/api/people`, { cache: "no-store" });
  const names = answer.ok ? await answer.json() : [];
  select.replaceChildren(...names.map((name) => new Option(name, name)));
}

function openDialog(dialog, element, fields) {
  dialog.querySelector("form").reset();
  dialog.request = { action: dialog.dataset.action, ...fields, element };
  dialog.bulk = null;
  showMessage("");
  dialog.showModal();
  dialog.querySelector("input:enabled, select, textarea, form button").focus();
}

// Opens the dialog for what an action needs besides.
async function openActionDialog(name, fields = {}) {
  const element = currentAlert();
  if (!element) return showMessage("Go to a row first, with j and k.");
  const dialog = document.getElementById(`ask-${name}`);
  if (!dialog) return showMessage("A second person must be a supervisor or the director.");
  const { another } = dialog.dataset; // who looks, where the one who asked may not be the one who answers
  if (another && !element.dataset.asked) return showMessage("Nothing of it waits for a second person.");
  if (another && another === element.dataset.asked) return showMessage("You asked for it yourself; the second person must be another one.");
  for (const part of dialog.querySelectorAll("[data-told]")) {
    part.textContent = (element.dataset[part.dataset.told] ?? "").replaceAll("_", " ");
  }
  const money = dialog.querySelector("[data-money]");
  if (money) [money.textContent, money.hidden] = [element.dataset.sums, !element.dataset.sums];
  if (name === "snooze" && "grave" in element.dataset) return showMessage("It is grave; what is grave is never put off.");
  if (name === "tag") showTags(dialog, element);
  if (name === "mute") limitMutes(dialog, element.dataset.severity === "grave");
  openDialog(dialog, element, fields);
  offerAdvance(dialog);
  if (dialog.dataset.all) offerRepeats(dialog, element);
  if (name === "assign") await loadPeople(dialog.querySelector("select"));
}

// What settles an alert on its page leads on from it, unless the person says otherwise; this browser keeps the choice.
function offerAdvance(dialog) {
  const choice = dialog.querySelector("[data-advance]");
  if (!choice) return;
  choice.closest("label").hidden = !pageAlert() || queueSearch() === null;
  choice.checked = load("local", ADVANCE) !== false;
  choice.onchange = () => save("local", ADVANCE, choice.checked);
}

const mayAdvance = (dialog) => pageAlert() && dialog.querySelector("[data-advance]")?.checked;

// Shows to how many the action applies if the row stands for several. Those that are no case yet become one first, which
// are as many as the server says, whatever the filters leave of them.
function offerRepeats(dialog, element) {
  const [part, row] = [dialog.querySelector("[data-several]"), Number(element.dataset.many)];
  part.hidden = !(row > 1);
  if (part.hidden) return;
  const isApart = "apart" in element.dataset;
  const bulk = { others: null, joined: false };
  const count = (many) => {
    bulk.many = many < row ? `${many} of its ${row}` : `all ${many}`;
    part.textContent = `${dialog.dataset.all} ${bulk.many}${isApart ? ", as one case" : ""}.`;
  };
  dialog.bulk = bulk;
  count(row);
  if (!isApart) return;
  bulk.others = fetchMerged(element).then((alerts) => {
    if (alerts) count(alerts.length);
    return alerts && otherSubjects(alerts);
  });
}

// Merges what a dialog is about into one case, once; false if that fails, and the page says why.
async function mergeFirst({ bulk, request: { element } }) {
  if (!bulk?.others || bulk.joined) return true;
  const others = await bulk.others;
  if (!others) return false;
  bulk.joined = Boolean(await act({ action: "merge", subject: subject(element), others }));
  if (bulk.joined) recordAction("Merge", element);
  return bulk.joined;
}

function outcomeMessage({ bulk, dataset }, result) {
  const isWaiting = ["closing", "reopening"].includes(result.after?.state);
  if (!bulk) return (isWaiting && dataset.waits) || dataset.done;
  return `${bulk.many.replace("all", "All")} ${(isWaiting && dataset.allWait) || dataset.allDone}`;
}

// The tags that it has, each a button that takes it away.
function showTags(dialog, element) {
  const tags = [...element.querySelectorAll(".tag")].map((tag) => tag.textContent);
  const place = dialog.querySelector("[data-tags]");
  place.hidden = !tags.length;
  place.replaceChildren(...tags.map((word) => {
    const button = document.createElement("button");
    [button.type, button.dataset.off] = ["button", word];
    button.textContent = `Take ${word} away`;
    return button;
  }));
}

// Of what is grave the check is not muted: it is not offered, and where nothing is left, nor is the button.
function limitMutes(dialog, grave) {
  dialog.querySelector("[data-grave]").hidden = !grave;
  const choices = [...dialog.querySelectorAll('[name="what"]')];
  for (const choice of choices) choice.disabled = grave && choice.value !== "table";
  dialog.querySelector("form button").disabled = choices.every((choice) => choice.disabled);
}

function readForm(form) {
  const result = {};
  for (const [name, value] of new FormData(form)) {
    const type = form.elements[name].type;
    if (type === "hidden") continue; // what the form needs where no script sends it
    result[name] = type === "number" ? Number(value) : name === "agrees" ? value === "yes" : value.trim();
  }
  return result;
}

const MUTE_FIELDS = { check: ["check"], table: ["table"], both: ["check", "table"] };

function buildAction(dialog, form) {
  const { element, ...action } = dialog.request;
  const result = { ...action, ...readForm(form) };
  if (result.action !== "mute") return { ...result, subject: subject(element) };
  const { what, ...mute } = result;
  for (const name of MUTE_FIELDS[what]) mute[name] = element.dataset[name];
  return mute;
}

for (const dialog of document.querySelectorAll("dialog[data-action]")) {
  const form = dialog.querySelector("form");
  let isSending = false; // Enter pressed twice says it once
  const submitAction = async (action, done) => {
    if (isSending) return;
    isSending = true;
    const isReady = await mergeFirst(dialog);
    const result = isReady && (await act(action));
    isSending = false;
    if (isReady && !result && dialog.bulk?.joined) appendMessage("They are one case now; u takes that back.");
    if (!result) return;
    dialog.close();
    if (action.subject) recordAction(dialog.querySelector("h2").textContent, dialog.request.element);
    const sentence = done ?? outcomeMessage(dialog, result);
    showMessage(sentence, "done");
    if (mayAdvance(dialog)) await advance(`${lastAction().what} (${lastAction().to}): ${sentence} u takes it back.`, lastAction());
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submitAction(buildAction(dialog, form));
  });
  dialog.addEventListener("close", () => {
    if (document.activeElement.closest("#ringing")) return; // a key has gone there since
    (document.getElementById(`a-${dialog.request.element.dataset.id}`) ?? currentAlert())?.focus();
  });
  dialog.open = false; // one that was asked for without scripts
  dialog.addEventListener("click", (event) => {
    const { target } = event;
    if (target.matches("[data-close]")) {
      event.preventDefault();
      dialog.close();
    }
    const word = target.dataset.off;
    if (word) submitAction({ action: "tag", subject: subject(dialog.request.element), word, off: true }, "The tag is taken away.");
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

// What was settled on the page before is said on this one, and taken back from here.
const flash = takeFlash();
if (flash) {
  restoreAction(flash.undoable);
  showMessage(flash.sentence, "done");
}

const ACTIONS = {
  a: take,
  n: next,
  c: () => openActionDialog("close"),
  u: (event) => event?.repeat || undo(currentAlert()),
  w: () => openActionDialog("note"),
  t: () => openActionDialog("tag"),
  e: () => openActionDialog("escalate"),
  m: () => openActionDialog("mute"),
  z: () => openActionDialog("snooze"),
  M: merge,
  h: mergeRound,
  r: release,
  s: () => openActionDialog("assign"),
  o: () => openActionDialog("reopen"),
  y: () => openActionDialog("agree", { agrees: true }),
  N: () => openActionDialog("disagree", { agrees: false }),
  l: () => openActionDialog("review"),
};
bind(ACTIONS);
document.addEventListener("click", (event) => {
  const key = event.target.closest("button[data-key]")?.dataset.key;
  if (!key) return;
  event.preventDefault(); // without scripts the button sends a form
  ACTIONS[key]();
});
