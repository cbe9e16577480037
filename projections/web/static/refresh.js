// Replaces the page by the one that was fetched anew, but for what a person is at.
const PARTS = "main, .incident, .picture, #queue, .findings, .findings tbody, .pit, .tiles"; // of which each child is renewed by itself

const PAUSE = 50; // milliseconds

// Resolves once no form is being sent. A form that was accepted loads the page anew: whoever saw what it changed before
// that, and typed into the next form, would lose it.
async function formSent() {
  while (document.querySelector("form[data-sending]")) await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

// Renews what <main> shows, and leaves the focus where it is.
export async function renewMain(freshPage) {
  await formSent();
  const link = document.activeElement?.closest?.("main a")?.getAttribute("href");
  const focusedId = document.activeElement?.id;
  mergePage(document.querySelector("main"), freshPage.querySelector("main"));
  document.dispatchEvent(new Event("renewed"));
  if (focusedId && document.activeElement?.id !== focusedId) document.getElementById(focusedId)?.focus({ preventScroll: true });
  if (link) document.querySelector(`main a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
}

// An element that says the same stays the one it is, and with it focus, selection and scroll position. A form stays too
// while a person is in it, but only in its own place.
function mergePage(now, next) {
  if (now?.tagName === "DETAILS") next.open = now.open;
  const isKept = now?.tagName === "FORM" && ("kept" in next.dataset || now.contains(document.activeElement));
  if (!now || isKept || now.isEqualNode(next)) return now ?? next;
  if (now.tagName !== next.tagName || !now.matches(PARTS)) return next;
  const presentByName = new Map(namedChildren(now));
  const children = namedChildren(next).map(([name, child]) => mergePage(presentByName.get(name), child));
  [...now.children].filter((child) => !children.includes(child)).forEach((child) => child.remove());
  children.forEach((child, at) => now.children[at] === child || now.insertBefore(child, now.children[at]));
  return now;
}

// An element's children, each by its id, or by which of its sort it is: one that comes before it makes it no other.
function namedChildren(element) {
  const counts = {};
  return [...element.children].map((child) => {
    const sort = `${child.tagName} ${child.getAttribute("action") ?? ""}`;
    counts[sort] = (counts[sort] ?? 0) + 1;
    return [child.id || `${sort} ${counts[sort]}`, child];
  });
}
