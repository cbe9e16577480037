// What every page has: `g` goes to a table, round or time, `d` changes between dark and light; its foot is free.
import { bind } from "./keys.js";

export { isTyping } from "./keys.js";

const searchField = document.getElementById("find"); // only for who may see what is found

searchField?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") searchField.blur();
});

function toggleTheme() {
  const theme = document.documentElement.dataset.theme === "light" ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // then until the page is left
  }
}

document.getElementById("theme").addEventListener("click", toggleTheme);
bind({
  d: toggleTheme,
  g: () => {
    if (!searchField) return false;
    searchField.focus();
    searchField.select();
  },
});

// Where the rooms are wider than the screen, as on a telephone, the one that this is shows.
const currentLink = document.querySelector(".main-pages [aria-current]");
const navigation = currentLink?.parentElement;
if (navigation) navigation.scrollLeft = currentLink.offsetLeft - navigation.offsetLeft - (navigation.clientWidth - currentLink.offsetWidth) / 2;

// The page ends above what is said or heard at the foot of the window, however many lines that has.
const bands = document.querySelector(".bands");
new ResizeObserver(() => document.documentElement.style.setProperty("--bands", `${bands.offsetHeight}px`)).observe(bands);
