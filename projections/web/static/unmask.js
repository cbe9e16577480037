// Names on the page of a record: asked for with a reason, shown for ten minutes, and how long they still are.
import { post } from "./act.js";
import { bind } from "./keys.js";

const dialog = document.getElementById("unmasking");

function openDialog() {
  if (document.getElementById("names")) return false;
  dialog.querySelector("form").reset();
  dialog.showModal();
  dialog.querySelector("input").focus();
}

dialog.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const reason = dialog.querySelector("input").value.trim();
  if (reason && (await post("/api/unmask", { subject: dialog.dataset.subject, reason }))) location.reload();
});
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
document.addEventListener("click", (event) => event.target.closest("#unmask") && openDialog());
bind({ U: openDialog });

function showTimeLeft() {
  const names = document.getElementById("names");
  if (!names) return;
  const seconds = Math.ceil((Date.parse(names.dataset.until) - Date.now()) / 1000);
  const minutes = Math.ceil(seconds / 60);
  names.querySelector("span").textContent = minutes > 1 ? `, ${minutes} minutes more` : `, ${Math.max(0, seconds)} s more`;
  if (seconds <= 0) location.reload();
}

showTimeLeft();
setInterval(showTimeLeft, 1000);
document.addEventListener("renewed", showTimeLeft);
