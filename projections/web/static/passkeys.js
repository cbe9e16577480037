// Passkeys: one is made on the page of one's own account, and proved at a login. The forms beside them work without.
import { csrf, root } from "./act.js";

const refusedElement = document.getElementById("passkey-refused");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const withIds = (credentials = []) => credentials.map((each) => ({ ...each, id: bytes(each.id) }));

async function post(path, body) {
  const answer = await fetch(root + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
    body: JSON.stringify(body ?? {}),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.error);
  return result;
}

// What the server takes of a credential; the names are those of Web Authentication.
function written(credential, names) {
  const response = Object.fromEntries(names.map((name) => [name, text(credential.response[name])]));
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response, clientExtensionResults: {} };
}

async function make() {
  const options = await post("/account/passkey/begin");
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: withIds(options.excludeCredentials),
  };
  const credential = await navigator.credentials.create({ publicKey });
  const label = document.getElementById("passkey-label").value;
  const { codes } = await post("/account/passkey", { label, response: written(credential, ["clientDataJSON", "attestationObject"]) });
  if (!codes.length) return location.reload();
  const codesElement = document.getElementById("recovery-codes");
  codesElement.querySelector("code").textContent = codes.join("\n");
  codesElement.hidden = false;
  codesElement.scrollIntoView();
}

async function prove({ next }) {
  const options = await post("/login/second/passkey/begin");
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: withIds(options.allowCredentials) };
  const credential = await navigator.credentials.get({ publicKey });
  const response = written(credential, ["clientDataJSON", "authenticatorData", "signature"]);
  const { to } = await post("/login/second/passkey", { next, response });
  location.href = to;
}

const WORK = { make, prove };

for (const element of document.querySelectorAll("[data-passkeys]")) element.hidden = !window.PublicKeyCredential;
document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-passkey]");
  if (!button) return;
  [button.disabled, refusedElement.hidden] = [true, true];
  try {
    await WORK[button.dataset.passkey](button.dataset);
  } catch (error) {
    // A browser says that a person cancelled, or that no key was there, in the same words.
    refusedElement.textContent = error.name === "NotAllowedError" ? "No passkey was used." : error.message;
    refusedElement.hidden = false;
  }
  button.disabled = false;
});
