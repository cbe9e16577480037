// Keeps a page up to date: when the server says that something was stored, the page is fetched again, and in
// <main> what says something else now is replaced. Without this script a reload does the same.
import { root, showMessage } from "./act.js";
import { renewMain } from "./refresh.js";
import { listen } from "./shared_stream.js";
import { clockText } from "./time_text.js";

// Milliseconds from one fetch to the next, where a page does not say another pace; a slow server is asked less.
const MIN_PAUSE = 50;
const MAX_FETCH_TIME = 3000;
const pacedElement = document.querySelector("[data-pace]");
const CHOICES_TIME = 30_000; // milliseconds for which the filters' choices stay as they are: they cost most
const ANSWER_LIMIT = 10_000; // milliseconds without a word from the server, after which the page says so
const statusElement = document.getElementById("live"); // only for who may see what happens on the floor
// The queue is told of each row by itself; every other page is fetched anew when something has happened.
const queueElement = document.getElementById("queue");
// What answers a form is said once, a password or why it was refused; fetched again the page would not say it. So it
// stays as it is, and only whether anybody is still logged in is asked, of a page that everybody has.
const isAnswer = document.documentElement.dataset.answers !== undefined;
const page = isAnswer ? `${root}/password` : location.href;
const PAGE_EVENTS = ["alert", "gone", "counts", "overdue", "again", "ring", "rate"];
const pendingEvents = [];
let [lostSince, nextFetch, choicesUntil, fetchAgain, isFetching, isLoggedOut] = [null, 0, Date.now() + CHOICES_TIME, false, false, false];
let endStream = null;
// Which version of what there is the page shows, and how the server marked it when it was fetched.
let [pageTag, pageVersion] = [null, document.documentElement.dataset.version];

async function refresh() {
  [isFetching, fetchAgain] = [true, false];
  const startTime = Date.now();
  const headers = document.querySelector("main form") && startTime < choicesUntil ? { "X-Choices": "kept" } : {};
  // The queue's rows are told of one by one: what it shows may no longer be what was fetched.
  if (pageTag && !queueElement) headers["If-None-Match"] = pageTag;
  try {
    const answer = await fetch(page, { cache: "no-store", headers });
    const text = await answer.text(); // also of a 304: a browser that nobody asks for it gives the connection up
    if (!statusElement) showMessage("");
    if (answer.redirected || answer.status === 401) return stop();
    if (answer.ok && !isAnswer) {
      const freshPage = new DOMParser().parseFromString(text, "text/html");
      [pageTag, pageVersion] = [answer.headers.get("ETag"), freshPage.documentElement.dataset.version];
      await renewMain(freshPage);
      if (!headers["X-Choices"]) choicesUntil = startTime + CHOICES_TIME;
    }
  } catch {
    fetchAgain = true; // the stream tells when the connection is back
    if (!statusElement) showMessage("The server cannot be reached; the page shows what was known before.");
  }
  while (pendingEvents.length) dispatch(...pendingEvents.shift());
  const fetchTime = Math.min(Date.now() - startTime, MAX_FETCH_TIME);
  [isFetching, nextFetch] = [false, Date.now() + Math.max(pacedElement?.dataset.pace ?? MIN_PAUSE, 3 * fetchTime)];
  if (fetchAgain && lostSince === null) setTimeout(refresh, nextFetch - Date.now());
}

// The session has ended: what the page shows stays, and nothing new comes.
function stop() {
  if (isLoggedOut) return;
  isLoggedOut = true;
  endStream();
  const notice = document.getElementById("logged-out");
  const address = location.pathname.slice(root.length) + location.search;
  notice.querySelector("a").href = `${root}/login?next=${encodeURIComponent(address)}`;
  notice.hidden = false;
  if (statusElement) statusElement.textContent = "";
}

function scheduleRefresh() {
  if (isAnswer) return;
  if (!isFetching && !fetchAgain) setTimeout(refresh, Math.max(0, nextFetch - Date.now()));
  fetchAgain = true;
}

function showFollowing(data) {
  const [following, { text: sentence }] = [document.querySelector("#follows span"), JSON.parse(data)];
  if (following.textContent !== sentence) following.textContent = sentence;
}

// The page is fetched again unless it was made after all that the server tells of.
function catchUp(data) {
  showFollowing(data);
  if (JSON.parse(data).version !== pageVersion) scheduleRefresh();
}

// What is not as it ought to be stands out in the header, on every page.
function showStatus(text, isGood = false) {
  statusElement.textContent = text;
  statusElement.classList.toggle("quiet", isGood);
}

function dispatch(event, data) {
  document.dispatchEvent(new CustomEvent("stream", { detail: { event, data } }));
}

// Whether anybody is still logged in the page itself tells, as it is fetched.
async function isLoggedIn() {
  if (!isFetching) await refresh();
  return !isLoggedOut;
}

const HANDLERS = {
  hello: (data) => {
    [lostSince, fetchAgain] = [null, false];
    showStatus("Live", true);
    catchUp(data);
  },
  // The server may be there, and hear nothing of the floor.
  floor: (data) => {
    const { followed: isFollowed, text: sentence } = JSON.parse(data);
    showStatus(isFollowed ? "Live" : sentence, isFollowed);
  },
  lost: () => {
    lostSince ??= clockText(Date.now());
    showStatus(`Connection lost since ${lostSince}; the page shows what was known then`);
  },
  crowded: () => {
    showStatus("Not live: four other queues or filters are, in tabs of this browser; close one of them");
  },
  reload: () => isAnswer || location.reload(),
  out: stop,
};
// The queue is not fetched anew, so that its foot is told too how the floor is followed.
HANDLERS.stored = queueElement ? showFollowing : catchUp;
HANDLERS.acted = () => {
  dispatch("acted", {});
  if (!queueElement) scheduleRefresh();
};
if (pacedElement?.dataset.tables !== undefined) HANDLERS.tables = scheduleRefresh;
if (queueElement) HANDLERS.tables = showFollowing;

function handleEvent(event, data) {
  if (isLoggedOut) return;
  if (!PAGE_EVENTS.includes(event)) HANDLERS[event]?.(data);
  // What is being fetched may be older than this.
  else if (isFetching) pendingEvents.push([event, JSON.parse(data)]);
  else dispatch(event, JSON.parse(data));
}

// To who may not see what happens nothing is told: the page is asked for at its own pace, for as long as it is looked at.
function pollPage() {
  const timer = setInterval(() => document.hidden || scheduleRefresh(), pacedElement.dataset.pace);
  return () => clearInterval(timer);
}

// Not before every script of the page is there to be told.
addEventListener("DOMContentLoaded", () => {
  if (!statusElement) return (endStream = pollPage());
  endStream = listen(`/stream${queueElement ? location.search : ""}`, handleEvent, isLoggedIn);
  setTimeout(() => isLoggedOut || statusElement.textContent || showStatus("Not live yet: the server has not answered"), ANSWER_LIMIT);
});
