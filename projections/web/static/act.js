// The one way in which a page acts: an action as JSON to the server, its answer or its refusal shown.
export const root = document.documentElement.dataset.root;
export const csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";
const place = () => document.querySelector("dialog[open] .said") ?? document.querySelector("form:target .said") ?? document.getElementById("said");
let fading = 0;

export function id() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Says a sentence to the person; what was refused stays until the next one.
export function say(sentence, kind = "refused") {
  clearTimeout(fading);
  const here = place();
  [here.textContent, here.hidden] = [sentence, !sentence];
  here.classList.toggle("done", kind === "done");
  if (kind === "done") fading = setTimeout(() => say(""), 6000);
}

// Says a further sentence behind the one that stands there.
export function also(sentence) {
  place().textContent += ` ${sentence}`;
}

// Gives the server's answer, or null where it refused or there is none (and the page says why).
async function answered(method, path, body, type = "application/json") {
  let answer;
  try {
    answer = await fetch(root + path, { method, headers: { "Content-Type": type, "X-CSRF-Token": csrf }, body });
  } catch {
    say("The server cannot be reached; nothing was done.");
    return null;
  }
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  say(answer.status === 401 ? "Nobody is logged in any more; log in again." : told.error);
  return null;
}

async function send(method, path, body) {
  const answer = await answered(method, path, body && JSON.stringify(body));
  return answer && answer.json().catch(() => ({}));
}

export const get = (path) => send("GET", path);
export const post = (path, body) => send("POST", path, body);
export const taken = (path, form) => answered("POST", path, String(new URLSearchParams(new FormData(form))), "application/x-www-form-urlencoded");
export const remove = (path) => send("DELETE", path);

// Gives how the subject stands after the action, or null where it was refused (and the page says why).
export async function act(action) {
  const told = await post("/api/actions", { id: id(), ...action });
  if (told) say("");
  return told;
}
