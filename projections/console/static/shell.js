// What every page has: `g` goes to a table, round or time, `?` shows the keys, and the theme can be changed.
const find = document.getElementById("find");

export function typing(event) {
  return event.target.closest?.("input, textarea, select, [contenteditable]") || event.ctrlKey || event.metaKey || event.altKey;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target === find) find.blur();
  if (typing(event) || event.key !== "g") return;
  event.preventDefault();
  find.focus();
  find.select();
});
