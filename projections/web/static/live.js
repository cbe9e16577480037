// Keeps a page up to date: when the server says that something was stored, the page is fetched again, and in
// <main> what says something else now is replaced. Without this script a reload does the same.
import { root, say } from "./act.js";
import { renewed } from "./refresh.js";
import { listen } from "./shared_stream.js";

// Milliseconds at least from one fetch to the next, where a page does not say another pace; a server that is
// slow is asked less; no slower than this, for the machine may have slept while it waited for an answer.
const QUIET = 50;
const SLOW = 3000;
const paced = document.querySelector("[data-pace]");
const CHOICES = 30_000; // milliseconds for which the filters' choices stay as they are: they cost most
const SILENT = 10_000; // milliseconds without a word from the server, after which the page says so
const said = document.getElementById("live"); // only for who may see what happens on the floor
// The queue is told of each row by itself; every other page is fetched anew when something has happened.
const queue = document.getElementById("queue");
// What answers a form is said once, a password or why it was refused; fetched again the page would not say it. So it
// stays as it is, and only whether anybody is still logged in is asked, of a page that everybody has.
const answers = document.documentElement.dataset.answers !== undefined;
const page = answers ? `${root}/password` : location.href;
const TOLD = ["alert", "gone", "counts", "overdue", "again", "ring", "rate"];
const waiting = [];
let [lost, due, choices, again, fetching, loggedOut] = [null, 0, 0, false, false, false];
let end = null;

async function refresh() {
  [fetching, again] = [true, false];
  const begun = Date.now();
  const headers = document.querySelector("main form") && begun < choices ? { "X-Choices": "kept" } : {};
  try {
    const answer = await fetch(page, { cache: "no-store", headers });
    if (!said) say("");
    if (answer.redirected || answer.status === 401) return stopped();
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const link = document.activeElement?.closest?.("main a")?.getAttribute("href");
    const at = document.activeElement?.id;
    if (answer.ok && !answers) {
      renewed(document.querySelector("main"), fresh.querySelector("main"));
      document.dispatchEvent(new Event("renewed"));
    }
    if (at && document.activeElement?.id !== at) document.getElementById(at)?.focus({ preventScroll: true });
    if (link) document.querySelector(`main a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
    if (!headers["X-Choices"]) choices = begun + CHOICES;
  } catch {
    again = true; // the stream tells when the connection is back
    if (!said) say("The server cannot be reached; the page shows what was known before.");
  }
  while (waiting.length) tell(...waiting.shift());
  const took = Math.min(Date.now() - begun, SLOW);
  [fetching, due] = [false, Date.now() + Math.max(paced?.dataset.pace ?? QUIET, 3 * took)];
  if (again && lost === null) setTimeout(refresh, due - Date.now());
}

// The session has ended: what the page shows stays, and nothing new comes.
function stopped() {
  if (loggedOut) return;
  loggedOut = true;
  end();
  const out = document.getElementById("out");
  const here = location.pathname.slice(root.length) + location.search;
  out.querySelector("a").href = `${root}/login?next=${encodeURIComponent(here)}`;
  out.hidden = false;
  if (said) said.textContent = "";
}

function news() {
  if (answers) return;
  if (!fetching && !again) setTimeout(refresh, Math.max(0, due - Date.now()));
  again = true;
}

function follows(data) {
  document.querySelector("#follows span").textContent = JSON.parse(data).says;
}

// What is not as it ought to be stands out in the header, on every page.
function stands(text, well = false) {
  said.textContent = text;
  said.classList.toggle("quiet", well);
}

function tell(event, told) {
  document.dispatchEvent(new CustomEvent("told", { detail: { event, told } }));
}

// Whether anybody is still logged in the page itself tells, as it is fetched.
async function wanted() {
  if (!fetching) await refresh();
  return !loggedOut;
}

const HEARD = {
  hello: () => {
    [lost, again] = [null, false];
    stands("Live", true);
    news();
  },
  // The server may be there, and hear nothing of the floor.
  floor: (data) => {
    const { followed, says } = JSON.parse(data);
    stands(followed ? "Live" : says, followed);
  },
  lost: () => {
    lost ??= new Date().toLocaleTimeString([], { hour12: false, timeZone: document.documentElement.dataset.clock });
    stands(`Connection lost since ${lost}; the page shows what was known then`);
  },
  crowded: () => {
    stands("Not live: four other queues or filters are, in tabs of this browser; close one of them");
  },
  reload: () => answers || location.reload(),
  out: stopped,
};
// The queue is not fetched anew, so that its foot is told too how the floor is followed.
HEARD.stored = queue ? follows : news;
HEARD.acted = () => {
  tell("acted", {});
  if (!queue) news();
};
if (paced?.dataset.tables !== undefined) HEARD.tables = news;
if (queue) HEARD.tables = follows;

function hear(event, data) {
  if (loggedOut) return;
  if (!TOLD.includes(event)) HEARD[event]?.(data);
  // What is being fetched may be older than this.
  else if (fetching) waiting.push([event, JSON.parse(data)]);
  else tell(event, JSON.parse(data));
}

// To who may not see what happens nothing is told: the page is asked for at its own pace, for as long as it is looked at.
function asked() {
  const asking = setInterval(() => document.hidden || news(), paced.dataset.pace);
  return () => clearInterval(asking);
}

// Not before every script of the page is there to be told.
addEventListener("DOMContentLoaded", () => {
  if (!said) return (end = asked());
  end = listen(`/stream${queue ? location.search : ""}`, hear, wanted);
  setTimeout(() => loggedOut || said.textContent || stands("Not live yet: the server has not answered"), SILENT);
});
