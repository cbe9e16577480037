// What was done on this page, one after the other, so that it can be taken back from the last, wherever one is by then.
import { act, showMessage } from "./act.js";

const recorded = [];
let isLastMeant = false; // since the last of it nothing else was pressed, so that it is what is meant
let isBusy = false;

export const subject = (element) => `alert:${element.dataset.alert ?? element.dataset.id}`;

// Records an action on a row or on the alert of the page.
export function recordAction(what, element) {
  recorded.push({ subject: subject(element), what, to: `${element.dataset.check.replaceAll("_", " ")} at ${element.dataset.called}` });
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

function describe(each) {
  if (!each.what) return "It is as it was.";
  const next = recorded.at(-1);
  return `Taken back: ${each.what} (${each.to}).${next?.subject === each.subject ? ` u again: ${next.what}.` : ""}`;
}

// Undoes the last action of all, or the last one on the current alert; if that fails, the last of all.
export async function undo(element) {
  if (isBusy) return;
  const last = recorded.at(-1);
  const localEntry = element && (recorded.findLast((each) => each.subject === subject(element)) ?? { subject: subject(element) });
  const candidates = (isLastMeant && last ? [last] : [localEntry, last]).filter(Boolean);
  if (!candidates.length) return showMessage("Go to a row first, with j and k.");
  isBusy = true;
  for (const each of new Set(candidates)) {
    if (!(await act({ action: "undo", subject: each.subject }))) continue;
    if (recorded.includes(each)) recorded.splice(recorded.indexOf(each), 1);
    isLastMeant = true;
    const isOfPage = element?.dataset.alert && each.subject === subject(element);
    showMessage(isOfPage ? "It is as it was." : describe(each), "done");
    break;
  }
  isBusy = false;
}
