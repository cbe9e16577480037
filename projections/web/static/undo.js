// What was done on this page, one after the other, so that it can be taken back from the last, wherever one is by then.
import { act, actSeveral, showMessage } from "./act.js";
import { checkName } from "./check_names.js";

const recorded = [];
let isLastMeant = false; // since the last of it nothing else was pressed, so that it is what is meant
let isBusy = false;

export const subject = (element) => `alert:${element.dataset.alert ?? element.dataset.id}`;
export const describeTarget = ({ dataset }) => `${checkName(dataset.check)} at ${dataset.called}`;

// Records an action on a row, on the alert of the page, or on several rows at once.
export function recordAction(what, ...elements) {
  const to = elements.length === 1 ? describeTarget(elements[0]) : `${elements.length} incidents`;
  recorded.push({ subjects: elements.map(subject), what, to });
  isLastMeant = true;
}

// What was recorded last leaves with the page that comes after it, and is what is meant there first.
export const lastAction = () => recorded.at(-1);

export function restoreAction(entry) {
  if (!entry) return;
  recorded.push(entry);
  isLastMeant = true;
}

function onOtherInput(event) {
  if (event.key !== "u" && !document.querySelector("dialog[open]")) isLastMeant = false;
}

document.addEventListener("keydown", onOtherInput, true);
document.addEventListener("pointerdown", onOtherInput, true);

function describe(each, refused) {
  if (!each.what) return "Undone.";
  const next = recorded.at(-1);
  const again = next && each.subjects.every((one) => next.subjects.includes(one)) ? ` u again: ${next.what}.` : "";
  return `Undone: ${each.what} (${each.to})${refused ? `, except ${refused}` : ""}.${again}`;
}

// Returns of how many an action could not be taken back; null if of none, and the page says why.
async function takeBack({ subjects }) {
  if (subjects.length === 1) return (await act({ action: "undo", subject: subjects[0] })) && 0;
  const results = await actSeveral(subjects.map((each) => ({ action: "undo", subject: each })));
  const refused = results?.filter(({ error }) => error) ?? [];
  if (results && refused.length === results.length) showMessage(refused[0].error);
  return results && refused.length < results.length ? refused.length : null;
}

// Undoes the last action of all, or the last one on the current alert; if that fails, the last of all.
export async function undo(element) {
  if (isBusy) return;
  const last = recorded.at(-1);
  const own = element && subject(element);
  const localEntry = own && (recorded.findLast(({ subjects }) => subjects.includes(own)) ?? { subjects: [own] });
  const candidates = (isLastMeant && last ? [last] : [localEntry, last]).filter(Boolean);
  if (!candidates.length) return showMessage("Go to a row first, with j and k.");
  isBusy = true;
  for (const each of new Set(candidates)) {
    const refused = await takeBack(each);
    if (refused === null) continue;
    if (recorded.includes(each)) recorded.splice(recorded.indexOf(each), 1);
    isLastMeant = true;
    const isOfPage = element?.dataset.alert && each.subjects.includes(own);
    showMessage(isOfPage ? "Undone." : describe(each, refused), "done");
    break;
  }
  isBusy = false;
}
