// What every page has: `g` goes to a table, round or time, `d` changes between dark and light.
import { bind } from "./keys.js";

export { typing } from "./keys.js";

const find = document.getElementById("find"); // only for who may see what is found

find?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") find.blur();
});

function turn() {
  const theme = document.documentElement.dataset.theme === "light" ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // then until the page is left
  }
}

document.getElementById("theme").addEventListener("click", turn);
bind({
  d: turn,
  g: () => {
    if (!find) return false;
    find.focus();
    find.select();
  },
});
