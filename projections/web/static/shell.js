// What every page has: `g` goes to a table, round or time, `d` changes between dark and light; its foot is free.
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

// Where the rooms are wider than the screen, as on a telephone, the one that this is shows.
const room = document.querySelector(".rooms [aria-current]");
const rooms = room?.parentElement;
if (rooms) rooms.scrollLeft = room.offsetLeft - rooms.offsetLeft - (rooms.clientWidth - room.offsetWidth) / 2;

// The page ends above what is said or heard at the foot of the window, however many lines that has.
const bands = document.querySelector(".bands");
new ResizeObserver(() => document.documentElement.style.setProperty("--bands", `${bands.offsetHeight}px`)).observe(bands);
