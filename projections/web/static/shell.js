// What every page has: `g` and a letter go to a room, `L` and `D` write something down, `d` changes between dark and
// light; its foot is free.
import { root } from "./act.js";
import { awaitSecondKey, bind } from "./keys.js";

export { isTyping } from "./keys.js";

const goTo = (path) => () => (location.href = root + path);

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

// A line of the log is about the table of the page, or of the row that one is at.
function newLogLine() {
  if (!document.getElementById("keys").dataset.rights.split(" ").includes("log")) return false;
  const table = document.querySelector('[data-alert], #rows tr[aria-current="true"]')?.dataset.table;
  location.href = `${root}/log${table ? `?new=${encodeURIComponent(table)}` : ""}#entry-form`;
}

// A dispute is of the hand of the page, or of the row that one is at.
function newDispute() {
  const link = document.querySelector('main a[href*="/disputes/new?"]');
  const id = document.querySelector('#rows tr[aria-current="true"]')?.dataset.id;
  if (link) location.href = link.href;
  else if (id && document.getElementById("footage")) location.href = `${root}/disputes/new?alert=${encodeURIComponent(id)}`;
  else return false;
}

bind({
  d: toggleTheme, L: newLogLine, D: newDispute, g: () => awaitSecondKey("g"),
  "g a": goTo("/"), "g s": goTo("/?queue=this_shift"), "g n": goTo("/?queue=nightly"), "g m": goTo("/?queue=for_me"),
  "g f": goTo("/floor"), "g i": goTo("/findings"), "g d": goTo("/disputes"), "g l": goTo("/log"), "g c": goTo("/coupons"),
  "g r": goTo("/reports"), "g h": goTo("/health"), "g w": goTo("/audit"), "g e": goTo("/embargoes"),
  "g u": goTo("/accounts"), "g o": goTo("/breaches"), "g x": goTo("/muted"), "g p": goTo("/password"),
});

// Where the rooms are wider than the screen, as on a telephone, the one that this is shows.
const currentLink = document.querySelector(".main-pages [aria-current]");
const navigation = currentLink?.parentElement;
if (navigation) navigation.scrollLeft = currentLink.offsetLeft - navigation.offsetLeft - (navigation.clientWidth - currentLink.offsetWidth) / 2;

// The page ends above what is said or heard at the foot of the window, however many lines that has.
const bands = document.querySelector(".bands");
new ResizeObserver(() => document.documentElement.style.setProperty("--bands", `${bands.offsetHeight}px`)).observe(bands);
