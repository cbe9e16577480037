// The one way in which a page acts: an action as JSON to the server, its answer or its refusal shown.
export const root = document.documentElement.dataset.root;
export const csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";
const place = () => document.querySelector("dialog[open] .said") ?? document.getElementById("said");
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

async function send(method, path, body) {
  let answer;
  try {
    answer = await fetch(root + path, {
      method,
      headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
      body: body && JSON.stringify(body),
    });
  } catch {
    say("The server cannot be reached; nothing was done.");
    return null;
  }
  const told = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  if (answer.ok) return told;
  say(answer.status === 401 ? "Nobody is logged in any more; log in again." : told.error);
  return null;
}

export const get = (path) => send("GET", path);
export const post = (path, body) => send("POST", path, body);
export const remove = (path) => send("DELETE", path);

// Gives how the subject stands after the action, or null where it was refused (and the page says why).
export async function act(action) {
  const told = await post("/api/actions", { id: id(), ...action });
  if (told) say("");
  return told;
}
