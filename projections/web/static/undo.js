// What was done on this page, one after the other, so that it can be taken back from the last, wherever one is by then.
import { act, say } from "./act.js";

const done = [];
let still = false; // since the last of it nothing else was pressed, so that it is what is meant
let asking = false;

export const subject = (from) => `alert:${from.dataset.alert ?? from.dataset.id}`;

// Remembers what was done to a row or to the alert of the page.
export function did(what, from) {
  done.push({ subject: subject(from), what, to: `${from.dataset.check.replaceAll("_", " ")} at ${from.dataset.called}` });
  still = true;
}

function other(event) {
  if (event.key !== "u" && !document.querySelector("dialog[open]")) still = false;
}

document.addEventListener("keydown", other, true);
document.addEventListener("pointerdown", other, true);

function says(each) {
  if (!each.what) return "It is as it was.";
  const next = done.at(-1);
  return `Taken back: ${each.what} (${each.to}).${next?.subject === each.subject ? ` u again: ${next.what}.` : ""}`;
}

// Takes back the last of all, or what was done last to where one is, and where that cannot be, the last of all.
export async function undo(from) {
  if (asking) return;
  const last = done.at(-1);
  const here = from && (done.findLast((each) => each.subject === subject(from)) ?? { subject: subject(from) });
  const wanted = (still && last ? [last] : [here, last]).filter(Boolean);
  if (!wanted.length) return say("Go to a row first, with j and k.");
  asking = true;
  for (const each of new Set(wanted)) {
    if (!(await act({ action: "undo", subject: each.subject }))) continue;
    if (done.includes(each)) done.splice(done.indexOf(each), 1);
    still = true;
    say(from?.dataset.alert ? "It is as it was." : says(each), "done");
    break;
  }
  asking = false;
}
