// The one way in which a page acts: an action as JSON to the server, its answer or its refusal shown.
export const root = document.documentElement.dataset.root;
export const csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";
const messageElement = () => document.querySelector("dialog[open] .message") ?? document.querySelector("form:target .message") ?? document.querySelector("form.shown .message") ?? document.getElementById("message");
let fadeTimer = 0;

export function id() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Shows a message; a refusal stays until the next one.
export function showMessage(sentence, kind = "refused") {
  clearTimeout(fadeTimer);
  const element = messageElement();
  [element.textContent, element.hidden] = [sentence, !sentence];
  element.classList.toggle("done", kind === "done");
  if (kind === "done") fadeTimer = setTimeout(() => showMessage(""), 6000);
}

// Appends a sentence to the message that is shown.
export function appendMessage(sentence) {
  messageElement().textContent += ` ${sentence}`;
}

// Shows why the server refused: at the field that it is about, where a form has that, or else as a message.
function showRefusal(refusal) {
  if (document.dispatchEvent(new CustomEvent("refused", { detail: refusal, cancelable: true }))) showMessage(refusal.error);
}

// Returns the server's answer, or null if it refused or there is none (and the page says why).
async function request(method, path, body, type = "application/json") {
  let answer;
  try {
    // A file's form says itself what it is.
    answer = await fetch(root + path, { method, headers: { ...(type && { "Content-Type": type }), "X-CSRF-Token": csrf }, body });
  } catch {
    showMessage("The server cannot be reached; nothing was done.");
    return null;
  }
  if (answer.ok) return answer;
  const result = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  showRefusal(answer.status === 401 ? { error: "You are logged out; log in again." } : result);
  return null;
}

async function send(method, path, body) {
  const answer = await request(method, path, body && JSON.stringify(body));
  return answer && answer.json().catch(() => ({}));
}

export const get = (path) => send("GET", path);
export const post = (path, body) => send("POST", path, body);
export const requestFile = (path, form) => request("POST", path, String(new URLSearchParams(new FormData(form))), "application/x-www-form-urlencoded");
export const sendFile = (path, form) => request("POST", path, new FormData(form), null);
export const remove = (path) => send("DELETE", path);

// Returns the subject after the action, or null if it was refused (and the page says why).
export async function act(action) {
  const result = await post("/api/actions", { id: id(), ...action });
  if (result) showMessage("");
  return result;
}

// Returns what came of each of several actions; null if the server could not be asked (and the page says why). With
// `whole` each is done to all of its row.
export async function actSeveral(actions, whole = false) {
  const sent = actions.map((action) => ({ id: id(), ...action }));
  const results = await post("/api/actions/several", { actions: sent, whole_incidents: whole });
  if (results) showMessage("");
  return results;
}
