// What a person does about alerts, by a key or a button: to the alert of the page, to a row of the queue, or to all the
// rows that are marked.
import { act, actSeveral, appendMessage, get, showMessage } from "./act.js";
import { load, save } from "./browser_storage.js";
import { checkName } from "./check_names.js";
import { bind } from "./keys.js";
import { advance, queueSearch, takeFlash, walkQueue } from "./queue_walk.js";
import { clockText, dateText } from "./time_text.js";
import { describeTarget, lastAction, recordAction, restoreAction, subject, undo } from "./undo.js";

const root = document.documentElement.dataset.root;
const ADVANCE = "advance"; // whether who settled an alert on its page goes on to the next incident
const MAX_LISTED = 6; // marked rows that a dialog names
const WAITS = ["closing", "reopening"]; // states in which a case waits for a second person
const WAITING = "?queue=for_me&state=second+person";
const NO_SECOND = "A second person must be a supervisor or the director.";
const NO_ROW = "Go to a row first, with j and k.";
const showsEachRepeat = new URLSearchParams(location.search).get("every") === "true"; // then a row is one alert

// The alert whose page this is, on the queue none. Whenever something is done about it the page has it anew.
const pageAlert = () => document.querySelector("[data-alert]");
const markedRows = () => [...document.querySelectorAll("#rows tr.marked")];

function currentAlert() {
  return pageAlert() ?? document.querySelector('#rows tr[aria-current="true"]');
}

// What a key is about: every row that is marked, or else the one that the person is at.
function targets() {
  const marked = markedRows();
  return marked.length ? marked : [currentAlert()].filter(Boolean);
}

// Marked rows are named and answered one by one, even if it is one row, which may be another than the person is at.
const isBulk = (elements) => elements.length > 1 || elements[0].classList.contains("marked");

// ── Several rows at once ──

const unmark = (rows) => document.dispatchEvent(new CustomEvent("unmark", { detail: rows.map(({ dataset }) => dataset.id) }));

function listItems(elements, text) {
  return elements.map((element) => {
    const item = document.createElement("li");
    item.textContent = text(element);
    return item;
  });
}

// Does an action to each of several rows, and says to which it was done and which were refused, and why. What was done
// is unmarked; what was refused stays marked.
async function doToSeveral(what, elements, actions, whole = false) {
  const results = await actSeveral(actions, whole);
  if (!results) return false;
  const [done, refused, merged] = [[], [], []];
  results.forEach(({ error, merged: isMerged }, place) => {
    (error ? refused : done).push({ element: elements[place], error, isWaiting: WAITS.includes(results[place].after?.state) });
    if (isMerged) merged.push(elements[place]);
  });
  const rows = done.map(({ element }) => element);
  if (merged.length) recordAction("Merge", ...merged);
  if (rows.length) recordAction(what, ...rows);
  unmark(rows);
  document.querySelector("dialog[open]")?.close();
  if (refused.length) showResults(what, done, refused);
  else {
    const waiting = done.filter(({ isWaiting }) => isWaiting).length;
    const all = rows.length > 1 ? `all ${rows.length} marked incidents` : describeTarget(rows[0]);
    showMessage(`${what}: done to ${all}${waiting ? `, of which ${waiting} now wait for a second person` : ""}. u takes it back.`, "done");
  }
  return true;
}

function showResults(what, done, refused) {
  const dialog = document.getElementById("results");
  dialog.querySelector("h2").textContent = `${what}: done to ${done.length} of ${done.length + refused.length}`;
  const [refusedList, doneList] = dialog.querySelectorAll("ul");
  refusedList.replaceChildren(...listItems(refused, ({ element, error }) => `${describeTarget(element)}: ${error}`));
  doneList.replaceChildren(...listItems(done, ({ element, isWaiting }) => describeTarget(element) + (isWaiting ? ", waits for a second person" : "")));
  dialog.querySelector("[data-done]").hidden = !done.length;
  dialog.showModal();
}

document.querySelector("#results button").addEventListener("click", () => document.getElementById("results").close());

// ── What needs no dialog ──

// Releases the alert to the queue.
async function release() {
  const elements = targets();
  if (!elements.length) return showMessage(NO_ROW);
  if (isBulk(elements)) return doToSeveral("Release", elements, elements.map((each) => ({ action: "release", subject: subject(each) })));
  if (!(await act({ action: "release", subject: subject(elements[0]) }))) return;
  recordAction("Release", elements[0]);
  showMessage("Returned to the queue.", "done");
}

// An incident is taken whole: all that is found of its round, shoe or account and that nobody has.
async function take() {
  const elements = targets();
  if (!elements.length) return showMessage(NO_ROW);
  const actions = elements.map((each) => ({ action: "acknowledge", subject: subject(each), whole_incident: !showsEachRepeat }));
  if (isBulk(elements)) return doToSeveral("Acknowledge", elements, actions);
  const result = await act(actions[0]);
  if (!result) return;
  recordAction("Acknowledge", elements[0]);
  const others = result.after?.alerts?.length ?? 0;
  showMessage(others ? `It is yours, with all ${others + 1} findings.` : "It is yours.", "done");
}

// The next is the first of what the queue shows, by its filters; where none was looked at before, of all there is. What
// waits for the night is old: it is asked about first.
async function next() {
  const search = pageAlert() ? queueSearch() : location.search;
  const page = search === null ? null : await get(`/api/queue${search}`);
  if (page === null && search !== null) return;
  const among = page && page.rows.map((row) => `alert:${row.alert.id}`);
  const request = { action: "take_next", among, whole_incident: !search?.includes("every=true") };
  const first = page?.rows.find(({ case: { state }, silenced }) => (state ?? "new") === "new" && !silenced);
  const dialog = document.getElementById("ask-next");
  if (page?.queue !== "nightly" || !first) return takeNext(request);
  dialog.querySelector("[data-next]").textContent = describeItem(first);
  dialog.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    takeNext(request);
  };
  showMessage("");
  dialog.showModal();
}

async function takeNext(request) {
  const result = await act(request);
  if (result) location.href = `${root}/alerts/${result.subject.replace("alert:", "")}`;
}

document.querySelector("#ask-next [data-close]").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("ask-next").close();
});

// Opens what waits for this person's agreement: the row or alert that they are at, if it does, else the first of all.
async function agree() {
  const elements = targets();
  if (elements.length > 1 || elements.some(({ dataset }) => dataset.asked)) return openActionDialog("agree", { agrees: true });
  if (!document.getElementById("ask-agree")) return showMessage(NO_SECOND);
  const page = await get(`/api/queue${WAITING}`);
  if (!page) return;
  if (!page.rows.length) return showMessage("Nothing is waiting for your approval.");
  location.href = `${root}/alerts/${page.rows[0].alert.id}?ask=agree`;
}

// An hour that comes twice, as clocks are put back, is told with its zone.
function formatTime(at) {
  const isAmbiguous = [-3600000, 3600000].some((hour) => clockText(at + hour) === clockText(at));
  return isAmbiguous ? clockText(at, { timeZoneName: "short" }) : clockText(at);
}

function describeItem({ alert }) {
  const when = alert.at ? formatTime(alert.at / 1000) : dateText(alert.gaming_date);
  return `${when} ${alert.table}: ${checkName(alert.check)}, ${alert.severity}`;
}

// The server lists what would be one case; the dialog shows it, and merges exactly that.
async function merge() {
  const element = currentAlert() ?? markedRows()[0];
  if (!element) return showMessage(NO_ROW);
  const marked = markedRows().filter((each) => each !== element);
  const others = new URLSearchParams(marked.map((each) => ["other", each.dataset.id]));
  const alerts = await fetchMerged(element, others);
  if (!alerts || document.querySelector("dialog[open]")) return;
  const dialog = document.getElementById("ask-merge");
  dialog.querySelector("[data-merged]").replaceChildren(...listItems(alerts, describeItem));
  dialog.querySelector("[data-many]").textContent = alerts.length;
  openDialog(dialog, [element], { others: otherSubjects(alerts) });
}

const fetchMerged = (element, others = "") => get(`/api/alerts/${subject(element).replace("alert:", "")}/merging?${others}`);
const otherSubjects = (alerts) => alerts.slice(1).map(({ alert }) => `alert:${alert.id}`);

// The others of an alert's round, which its page lists, become one case with it; a page that did it does not do it again.
async function mergeRound() {
  const part = document.getElementById("whole");
  const others = [...(part?.querySelectorAll("[data-other]") ?? [])].map((each) => `alert:${each.dataset.other}`);
  if (!others.length) return showMessage("No other finding of its round is open.");
  if (part.hidden) return;
  part.hidden = true;
  if (await act({ action: "merge", subject: subject(pageAlert()), others })) {
    recordAction("Merge", pageAlert());
    showMessage("They are one case now.", "done");
  } else part.hidden = false;
}

// ── Dialogs ──

async function loadPeople(select) {
  select.replaceChildren();
  const answer = await fetch(`${root}/api/people`, { cache: "no-store" });
  const names = answer.ok ? await answer.json() : [];
  select.replaceChildren(...names.map((name) => new Option(name, name)));
}

function openDialog(dialog, elements, fields) {
  dialog.querySelector("form").reset();
  dialog.request = { action: dialog.dataset.action, ...fields, elements };
  dialog.bulk = null;
  showMessage("");
  dialog.showModal();
  dialog.querySelector("input:enabled, select, textarea, form button").focus();
  restoreDraft(dialog);
}

// Opens the dialog for what an action needs besides.
async function openActionDialog(name, fields = {}) {
  const elements = targets();
  const [element] = elements;
  if (!element) return showMessage(NO_ROW);
  const dialog = document.getElementById(`ask-${name}`);
  if (!dialog) return showMessage(NO_SECOND);
  const { another } = dialog.dataset; // who looks, where the one who asked may not be the one who answers
  if (!isBulk(elements)) {
    if (another && !element.dataset.asked) return showMessage("It is not waiting for a second person.");
    if (another && another === element.dataset.asked) return showMessage("You asked for it yourself; the second person must be someone else.");
    if (name === "snooze" && "critical" in element.dataset) return showMessage("It is critical; critical alerts are never snoozed.");
  }
  for (const part of dialog.querySelectorAll("[data-finding]")) part.textContent = describeAll(elements, part.dataset.finding);
  const money = dialog.querySelector("[data-money]");
  const sums = elements.map(({ dataset }) => dataset.sums).filter(Boolean).join("; ");
  if (money) [money.textContent, money.hidden] = [sums, !sums];
  const second = dialog.querySelector("[data-second]");
  if (second) second.hidden = !elements.some(({ dataset }) => "critical" in dataset);
  if (name === "tag") showTags(dialog, elements);
  if (name === "mute" && !limitMutes(dialog, elements)) return;
  openDialog(dialog, elements, fields);
  offerAdvance(dialog);
  if (isBulk(elements)) listMarked(dialog, elements);
  else if (dialog.dataset.all) offerRepeats(dialog, element);
  if (name === "assign") await loadPeople(dialog.querySelector("select"));
}

function describeAll(elements, name) {
  const words = name === "check" ? checkName : (value) => value.replaceAll("_", " ");
  const values = [...new Set(elements.map(({ dataset }) => words(dataset[name] ?? "")))];
  return values.length > 3 ? `${values.slice(0, 3).join(", ")} and ${values.length - 3} more` : values.join(", ");
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

// Shows which marked rows an action is done to.
function listMarked(dialog, elements) {
  const part = dialog.querySelector("[data-several]");
  if (!part) return;
  const findings = elements.reduce((sum, { dataset }) => sum + Number(dataset.many), 0);
  const named = elements.slice(0, MAX_LISTED).map(describeTarget);
  if (elements.length > MAX_LISTED) named.push(`${elements.length - MAX_LISTED} more`);
  const all = dialog.dataset.all ?? dialog.querySelector("h2").textContent;
  const many = elements.length > 1 ? `${elements.length} marked incidents, ${findings} findings in all` : "the marked incident";
  part.textContent = `${all} ${many}: ${named.join("; ")}.`;
  part.hidden = false;
}

// Shows to how many the action applies if the row stands for several. Those that are no case yet become one first, which
// are as many as the server says, whatever the filters leave of them.
function offerRepeats(dialog, element) {
  const [part, row] = [dialog.querySelector("[data-several]"), Number(element.dataset.many)];
  part.hidden = !(row > 1);
  if (part.hidden) return;
  const isSeparate = "separate" in element.dataset;
  const bulk = { others: null, joined: false };
  const count = (many) => {
    bulk.many = many < row ? `${many} of its ${row}` : `all ${many}`;
    part.textContent = `${dialog.dataset.all} ${bulk.many}${isSeparate ? ", as one case" : ""}.`;
  };
  dialog.bulk = bulk;
  count(row);
  if (!isSeparate) return;
  bulk.others = fetchMerged(element).then((alerts) => {
    if (alerts) count(alerts.length);
    return alerts && otherSubjects(alerts);
  });
}

// Merges what a dialog is about into one case, once; false if that fails, and the page says why.
async function mergeFirst({ bulk, request: { elements } }) {
  if (!bulk?.others || bulk.joined) return true;
  const others = await bulk.others;
  if (!others) return false;
  bulk.joined = Boolean(await act({ action: "merge", subject: subject(elements[0]), others }));
  if (bulk.joined) recordAction("Merge", elements[0]);
  return bulk.joined;
}

function outcomeMessage({ bulk, dataset }, result) {
  const isWaiting = WAITS.includes(result.after?.state);
  if (!bulk) return (isWaiting && dataset.waits) || dataset.done;
  return `${bulk.many.replace("all", "All")} ${(isWaiting && dataset.allWait) || dataset.allDone}`;
}

// The tags that it has, each a button that takes it away.
function showTags(dialog, elements) {
  const tags = isBulk(elements) ? [] : [...elements[0].querySelectorAll(".tag")].map((tag) => tag.textContent);
  const place = dialog.querySelector("[data-tags]");
  place.hidden = !tags.length;
  place.replaceChildren(...tags.map((word) => {
    const button = document.createElement("button");
    [button.type, button.dataset.off] = ["button", word];
    button.textContent = `Remove ${word}`;
    return button;
  }));
}

// Of what is critical the check is not muted; false if nothing is left to be muted, and the page says why.
function limitMutes(dialog, elements) {
  const isCritical = elements.some(({ dataset }) => dataset.severity === "critical");
  const why = dialog.querySelector("[data-critical]");
  why.hidden = !isCritical;
  const choices = [...dialog.querySelectorAll('[name="what"]')];
  for (const choice of choices) choice.disabled = isCritical && choice.value !== "table";
  const isLeft = choices.some((choice) => !choice.disabled);
  if (!isLeft) showMessage(`${why.textContent.trim()} A supervisor can mute its table.`);
  return isLeft;
}

// ── Drafts: what was typed into a dialog that was closed without sending it ──

const draftKey = ({ id, request }) => `draft ${id} ${request.elements.map(subject).join(" ")}`;
const draftFields = (dialog) => [...dialog.querySelectorAll("textarea, input[name=word], input[name=minutes], input[type=radio]")];

function saveDraft(dialog) {
  const isTyped = draftFields(dialog).some((field) => field.matches("textarea, [name=word]") && field.value.trim());
  if (!isTyped) return save("session", draftKey(dialog), null);
  save("session", draftKey(dialog), draftFields(dialog).map((field) => (field.type === "radio" ? field.checked : field.value)));
  showMessage("What you typed is kept in this tab: the same key brings it back.", "done");
}

function restoreDraft(dialog) {
  const values = load("session", draftKey(dialog));
  if (!values) return;
  draftFields(dialog).forEach((field, place) => {
    field[field.type === "radio" ? "checked" : "value"] = values[place];
  });
  showMessage("This is what you typed before.", "done");
}

// ── What a dialog sends ──

function readForm(form) {
  const result = {};
  for (const [name, value] of new FormData(form)) {
    const { type, required } = form.elements[name];
    if (type === "hidden") continue; // what the form needs where no script sends it
    if (type === "textarea" && !required && !value.trim()) continue;
    result[name] = type === "number" ? Number(value) : name === "agrees" ? value === "yes" : value.trim();
  }
  return result;
}

const MUTE_FIELDS = { check: ["check"], table: ["table"], both: ["check", "table"] };

// Returns the actions that a dialog asks for, with the row of each; of mutes only those that differ.
function buildActions({ request: { elements, ...request } }, form) {
  const { what, ...action } = { ...request, ...readForm(form) };
  if (action.action !== "mute") return elements.map((element) => ({ element, action: { ...action, subject: subject(element) } }));
  const different = new Map(elements.map((element) => {
    const mute = Object.fromEntries(MUTE_FIELDS[what].map((name) => [name, element.dataset[name]]));
    return [JSON.stringify(mute), { element, action: { ...action, ...mute } }];
  }));
  return [...different.values()];
}

// The reasons that are offered: what was used last comes first.
function rememberReason({ outcome, reason }) {
  const list = document.querySelector("#ask-close [data-reasons]");
  const items = [...list.children];
  const isSame = ({ dataset }) => dataset.outcome === outcome && dataset.reason === reason;
  const item = items.find((each) => isSame(each.querySelector("button"))) ?? items.at(-1);
  if (!item) return;
  const button = item.querySelector("button");
  [button.dataset.outcome, button.dataset.reason, button.dataset.recent] = [outcome, reason, ""];
  button.querySelector("span").textContent = `${outcome}: ${reason}`;
  list.prepend(item);
  [...list.children].forEach((each, place) => (each.querySelector("kbd").textContent = place + 5));
}

for (const dialog of document.querySelectorAll("dialog[data-action]")) {
  const form = dialog.querySelector("form");
  const title = dialog.querySelector("h2").textContent;
  let isSending = false; // Enter pressed twice says it once
  const sendOne = async (action, done) => {
    const isReady = await mergeFirst(dialog);
    const result = isReady && (await act(action));
    if (isReady && !result && dialog.bulk?.joined) appendMessage("They are one case now; u undoes that.");
    if (!result) return false;
    dialog.request.isDone = true;
    dialog.close();
    const [element] = dialog.request.elements;
    if (action.subject) recordAction(title, element);
    const sentence = done ?? outcomeMessage(dialog, result);
    showMessage(sentence, "done");
    if (mayAdvance(dialog)) await advance(`${title} (${describeTarget(element)}): ${sentence} u takes it back.`, lastAction());
    return true;
  };
  const sendSeveral = async (pairs) => {
    const isWhole = "all" in dialog.dataset && !showsEachRepeat;
    dialog.request.isDone = await doToSeveral(title, pairs.map(({ element }) => element), pairs.map(({ action }) => action), isWhole);
  };
  const send = async (pairs, done) => {
    if (isSending) return;
    isSending = true;
    try {
      if (isBulk(dialog.request.elements) && dialog.id !== "ask-merge") await sendSeveral(pairs);
      else await sendOne(pairs[0].action, done);
      if (dialog.request.isDone) {
        save("session", draftKey(dialog), null);
        if (dialog.dataset.action === "close") rememberReason(pairs[0].action);
      }
    } finally {
      isSending = false;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(buildActions(dialog, form));
  });
  dialog.addEventListener("close", () => {
    if (!dialog.request.isDone) saveDraft(dialog);
    if (document.activeElement.closest("#ringing, dialog[open]")) return; // a key has gone there since
    (document.getElementById(`a-${dialog.request.elements[0].dataset.id}`) ?? currentAlert())?.focus();
  });
  dialog.open = false; // one that was asked for without scripts
  dialog.addEventListener("click", (event) => {
    const { target } = event;
    if (target.matches("[data-close]")) {
      event.preventDefault();
      dialog.close();
    }
    const word = target.dataset.off;
    if (word) send([{ action: { action: "tag", subject: subject(dialog.request.elements[0]), word, off: true } }], "The tag is removed.");
    const offered = target.closest("[data-reason]")?.dataset;
    if (!offered) return;
    form.elements.outcome.value = offered.outcome;
    form.elements.reason.value = offered.reason;
    form.requestSubmit();
  });
  dialog.addEventListener("keydown", (event) => {
    if (!dialog.open) return;
    const isTyped = event.target.matches("textarea, select, [type=number], [name=word]");
    const radios = [...dialog.querySelectorAll('input[type="radio"]')];
    const choice = radios[Number(event.key) - 1];
    if (choice && !isTyped) {
      event.preventDefault();
      if (choice.disabled) return showMessage(dialog.querySelector("[data-critical]").textContent.trim());
      choice.checked = true;
      dialog.querySelector("textarea")?.focus();
    }
    const offered = [...dialog.querySelectorAll("[data-reason]")];
    const reason = offered[Number(event.key) - 5];
    if (reason && !isTyped) {
      event.preventDefault();
      reason.click();
    }
    if (event.key !== "Enter" || event.shiftKey || !event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    // Enter at once is the reason that was used last.
    const isUntouched = offered[0] && "recent" in offered[0].dataset && !radios.some(({ checked }) => checked) && !form.elements.reason.value;
    if (isUntouched) offered[0].click();
    else form.querySelector("button:not([type])").click();
  });
}

for (const part of document.querySelectorAll("[data-reasons], [data-reasons-note]")) part.hidden = false; // for scripts alone

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
  y: agree,
  N: () => openActionDialog("disagree", { agrees: false }),
  l: () => openActionDialog("review"),
};
bind(ACTIONS);
if (new URLSearchParams(location.search).get("ask") === "agree") {
  history.replaceState(null, "", location.pathname);
  walkQueue(WAITING, []); // the queue that led here stored its own as it was left
  openActionDialog("agree", { agrees: true });
}
document.addEventListener("click", (event) => {
  const key = event.target.closest("button[data-key]")?.dataset.key;
  if (!key) return;
  event.preventDefault(); // without scripts the button sends a form
  ACTIONS[key]();
});
