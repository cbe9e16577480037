import { showMessage } from "./act.js";

// Every key of the console stands here, with what it does: `?` shows those that a person's rights let work, and no
// script binds another.
const KEYS = [
  ["everywhere", "/", "find a hand, a check, a seat, an alert; Ctrl K or Cmd K does so too"],
  ["everywhere", "q", "sound off and on, for this browser"],
  ["everywhere", "d", "dark or light"],
  ["everywhere", "L", "write a new line of the log"],
  ["everywhere", "?", "show the keys"],
  ["everywhere", "Escape", "close what is open"],
  ["go to", "g", "to a room, by the letter that follows"],
  ["go to", "g a", "act now"],
  ["go to", "g s", "this shift"],
  ["go to", "g n", "nightly"],
  ["go to", "g m", "what waits for me"],
  ["go to", "g f", "the floor"],
  ["go to", "g i", "findings"],
  ["go to", "g d", "disputes"],
  ["go to", "g l", "the log"],
  ["go to", "g c", "coupons"],
  ["go to", "g r", "reports"],
  ["go to", "g h", "health"],
  ["go to", "g w", "access log"],
  ["go to", "g e", "embargoes"],
  ["go to", "g u", "accounts of users"],
  ["go to", "g o", "what is over its due time"],
  ["go to", "g x", "what is muted"],
  ["go to", "g p", "my password, and out"],
  ["what was found", "j", "next"],
  ["what was found", "k", "the one before"],
  ["what rang", "b", "to it, at the foot of the page"],
  ["what rang", "Escape", "dismiss it, when nothing else is open"],
  ["the queue", "j", "next row"],
  ["the queue", "ArrowDown", "next row"],
  ["the queue", "k", "row before"],
  ["the queue", "ArrowUp", "row before"],
  ["the queue", "Home", "first row"],
  ["the queue", "End", "last row"],
  ["the queue", "Enter", "open the row"],
  ["the queue", "1", "act now"],
  ["the queue", "2", "this shift"],
  ["the queue", "3", "nightly"],
  ["the queue", "4", "what waits for me"],
  ["the queue", "f", "to the filters"],
  ["the queue", "v", "to the saved views"],
  ["marks, on which every key acts", "x", "mark the row, or unmark it"],
  ["marks, on which every key acts", "X", "mark all rows from the one marked last to here"],
  ["marks, on which every key acts", "Escape", "unmark all"],
  ["an alert or a row", "a", "acknowledge: it is mine"],
  ["an alert or a row", "n", "take the next unassigned one"],
  ["an alert or a row", "c", "close: 1 corrected, 2 confirmed, 3 explained, 4 false, and the reason; or 5 to 9, a reason of before; Enter, the last"],
  ["an alert or a row", "u", "undo what I did last; elsewhere, what I did last to it"],
  ["an alert or a row", "w", "write a note"],
  ["an alert or a row", "t", "tag, or take a tag away"],
  ["an alert or a row", "e", "escalate"],
  ["an alert or a row", "m", "mute the check, the table or both"],
  ["an alert or a row", "z", "snooze"],
  ["an alert or a row", "M", "merge what is marked, or all else of its round, into one case"],
  ["an alert or a row", "r", "return to the queue"],
  ["an alert or a row", "s", "assign to someone"],
  ["an alert or a row", "o", "reopen"],
  ["an alert or a row", "y", "second person: agree; where one is at no row, to the first that waits for it"],
  ["an alert or a row", "N", "second person: do not agree"],
  ["an alert or a row", "l", "look again at what was closed"],
  ["an alert", "j", "next incident of the queue"],
  ["an alert", "k", "incident before"],
  ["an alert", "Escape", "back to the queue"],
  ["an alert", "1", "act now"],
  ["an alert", "2", "this shift"],
  ["an alert", "3", "nightly"],
  ["an alert", "4", "what waits for me"],
  ["an alert", "h", "merge the others of its round (the hand) into its case"],
  ["an alert or a round", "D", "open a dispute of it"],
  ["an alert or a round", "U", "show names, with a reason"],
  ["the floor", "arrow keys", "from tile to tile"],
  ["a table's rounds", "0 to 9", "read a round out"],
  ["a hand's replay", " ", "play or pause"],
  ["a hand's replay", "ArrowRight", "one event on"],
  ["a hand's replay", "ArrowLeft", "one event back"],
  ["a hand's replay", "Home", "first event"],
  ["a hand's replay", "End", "last event"],
];

// The right that a key needs, by the key, or else by its place; others are everybody's.
const NEEDS = {
  "/": "see", q: "queue", "what was found": "see", L: "log", D: "dispute",
  "g m": "work", "g h": "health", "g w": "audit", "g e": ["embargo", "lift"], "g u": "accounts",
  "g a": "queue", "g s": "queue", "g n": "queue", "g f": "queue", "g i": "see", "g d": "see", "g l": "read_log", "g c": "see",
  "g r": "see", "g o": "see", "g x": "queue",
  "what rang": "queue", "the queue": "queue", "the floor": "queue", "a table's rounds": "see", "a hand's replay": "see",
  "an alert": "queue", 4: "work", h: "work", "marks, on which every key acts": "work", "an alert or a row": "work",
  y: "second", N: "second", "an alert or a round": "unmask",
};

const knownKeys = new Set(KEYS.map(([, key]) => key));
const actionsByKey = new Map();
const SECOND_KEY_TIME = 3000; // milliseconds in which a second key belongs to the first
let isWarned = false;
let [firstKey, firstKeyTimer] = [null, 0];

// A dialog that has just closed keeps the focus until the browser draws again: what is pressed is not meant for it.
export function isTyping(event) {
  const field = event.target.closest?.("input, textarea, select, [contenteditable]");
  return (field && !field.closest("dialog:not([open])")) || event.ctrlKey || event.metaKey || event.altKey;
}

// The intended key: with Caps Lock on a letter comes as the other one, which may do something else. Where
// only one of the two does anything it is that one; null where nobody can tell.
function intendedKey(event) {
  const { key } = event;
  if (!/^[a-z]$/i.test(key) || !event.getModifierState("CapsLock")) return key;
  const other = key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase();
  if (knownKeys.has(key) && knownKeys.has(other)) return actionsByKey.has(key) || actionsByKey.has(other) ? null : key;
  return knownKeys.has(key) ? key : other;
}

// Binds actions to keys on this page. An action that returns false leaves the key to what was bound to it before, and in
// the end to the browser.
export function bind(actions) {
  for (const [key, action] of Object.entries(actions)) {
    if (!knownKeys.has(key)) throw new Error(`the key ${key} is not in the list`);
    actionsByKey.set(key, [action, ...(actionsByKey.get(key) ?? [])]);
  }
}

// Waits for the second key of those that begin with this one, and says which there are.
export function awaitSecondKey(key) {
  const seconds = permittedKeys().filter(([, each]) => each.startsWith(`${key} `));
  showMessage(`${key}, then: ${seconds.map(([, each, description]) => `${each.slice(2)} ${description}`).join(" · ")}`, "done");
  firstKey = key;
  clearTimeout(firstKeyTimer);
  firstKeyTimer = setTimeout(endSecondKey, SECOND_KEY_TIME);
}

function endSecondKey() {
  firstKey = null;
  clearTimeout(firstKeyTimer);
  showMessage("");
}

const runKey = (key, event) => actionsByKey.get(key)?.some((action) => action(event) !== false) && event.preventDefault();

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || document.querySelector("dialog[open]")) return;
  if (firstKey && /^.$/.test(event.key)) {
    const pair = `${firstKey} ${event.key.toLowerCase()}`;
    endSecondKey();
    event.preventDefault();
    return permittedKeys().some(([, key]) => key === pair) ? runKey(pair, event) : showMessage(`${pair} leads nowhere; ? shows the keys.`);
  }
  if (firstKey && event.key === "Escape") return endSecondKey();
  const key = intendedKey(event);
  if (isWarned) showMessage("");
  isWarned = key === null;
  if (isWarned) return showMessage(`Caps Lock is on: ${event.key.toLowerCase()} and ${event.key.toUpperCase()} do different things.`);
  runKey(key, event);
});

// The keys that the person's rights let work.
function permittedKeys() {
  const rights = document.getElementById("keys").dataset.rights.split(" ");
  const isPermitted = (needed) => needed === undefined || [needed].flat().some((right) => rights.includes(right));
  return KEYS.filter(([place, key]) => isPermitted(NEEDS[key] ?? NEEDS[place]));
}

function showKeys() {
  const dialog = document.getElementById("keys");
  const keys = permittedKeys();
  const places = [...new Set(keys.map(([place]) => place))];
  dialog.querySelector("div").replaceChildren(...places.map((place) => {
    const list = document.createElement("dl");
    const heading = document.createElement("h3");
    heading.textContent = place;
    list.append(...keys.filter((each) => each[0] === place).map(([, key, description]) => {
      const pair = document.createElement("div");
      const [term, definition] = [document.createElement("dt"), document.createElement("dd")];
      [term.textContent, definition.textContent] = [key === " " ? "Space" : key, description];
      pair.append(term, definition);
      return pair;
    }));
    const part = document.createElement("section");
    part.append(heading, list);
    return part;
  }));
  dialog.showModal();
  dialog.scrollTop = 0; // to the button, which has the focus, the browser scrolls
}

document.querySelector("#keys button").addEventListener("click", () => document.getElementById("keys").close());
bind({ "?": showKeys });
