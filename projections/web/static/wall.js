// The wall: it is fetched again every two seconds, goes round where it has several screens, and says when what it
// shows is old.
import { clockText } from "./time_text.js";

const PACE = 2000; // milliseconds from one fetch to the next
const TURN = 15_000; // milliseconds for which one of several screens stands
const OLD = 10_000; // milliseconds after which what is shown is old
const main = document.getElementById("main");
const notice = document.getElementById("old");
const { root } = document.documentElement.dataset;
let [fetched, turned, isLoggedOut] = [Date.now(), Date.now(), false];

// `d` changes between dark and light, as on every page.
document.addEventListener("keydown", (event) => {
  if (event.key !== "d" || event.ctrlKey || event.altKey || event.metaKey) return;
  const theme = document.documentElement.dataset.theme === "light" ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // then until the page is left
  }
});

function showAge() {
  const age = Date.now() - fetched;
  notice.hidden = !isLoggedOut && age < OLD;
  if (notice.hidden) return;
  const since = clockText(fetched);
  const sentence = `${isLoggedOut ? "Logged out" : "The server does not answer"}: this is the floor of ${since}`;
  if (notice.textContent !== sentence) notice.textContent = sentence;
}

function show(fresh) {
  for (const name of ["page", "pages", "by"]) main.dataset[name] = fresh.dataset[name];
  if (main.innerHTML !== fresh.innerHTML) main.replaceChildren(...fresh.children);
}

async function renew() {
  const isTurn = Date.now() - turned > TURN;
  const page = Number(main.dataset.page) + (isTurn ? 1 : 0);
  try {
    const answer = await fetch(`${root}/wall?by=${main.dataset.by}&page=${page}`, { cache: "no-store", signal: AbortSignal.timeout(OLD) });
    isLoggedOut = answer.redirected || answer.status === 401;
    if (answer.ok && !isLoggedOut) {
      show(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main"));
      fetched = Date.now();
      if (isTurn) turned = fetched;
    }
  } catch {
    // what is shown grows old, and says so
  }
  showAge();
}

setInterval(showAge, 1000);
setInterval(renew, PACE);
