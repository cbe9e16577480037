// Keeps a page up to date: when the server says that something was stored, the page is fetched again and
// what changed in <main> is replaced. Without this script a reload does the same.
"use strict";

const QUIET = 500; // milliseconds from one replacement to the next, so that a busy floor can be read
const said = document.getElementById("live");
let [lost, due, again, fetching] = [null, 0, false, false];

function replace(fresh) {
  const main = document.querySelector("main");
  const link = document.activeElement?.closest?.("main a")?.getAttribute("href");
  const [now, next] = [[...main.children], [...fresh.children]];
  if (now.length !== next.length) {
    main.replaceChildren(...next);
  } else now.forEach((part, at) => {
    const choosing = part.tagName === "FORM" && part.contains(document.activeElement);
    if (!choosing && !part.isEqualNode(next[at])) part.replaceWith(next[at]);
  });
  if (link && !main.contains(document.activeElement)) {
    main.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
  }
}

async function refresh() {
  fetching = true;
  again = false;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.ok) replace(document.adoptNode(fresh.querySelector("main")));
  } catch {
    again = true; // the stream tells when the connection is back
  }
  fetching = false;
  due = Date.now() + QUIET;
  if (again && lost === null) setTimeout(refresh, QUIET);
}

function news() {
  if (!fetching && !again) setTimeout(refresh, Math.max(0, due - Date.now()));
  again = true;
}

function listen() {
  const stream = new EventSource("/stream");
  stream.addEventListener("hello", () => {
    [said.textContent, lost, again] = ["Live", null, false];
    news();
  });
  stream.addEventListener("stored", news);
  stream.addEventListener("error", () => {
    lost ??= new Date().toLocaleTimeString([], { hour12: false });
    said.textContent = `Connection lost since ${lost}; the page shows what was known then`;
    // A browser connects again by itself, but not after an answer that is no stream, as a proxy may give.
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  });
}

listen();
