// The palette, on every page: what is typed is looked for as it is typed, and opened by Enter. The rooms are in it too.
// The page of results, for who types without scripts or wants them all, is walked by j and k.
import { get, root } from "./act.js";
import { bind } from "./keys.js";

const PAUSE = 120; // milliseconds after a key, in which another one may come
const dialog = document.getElementById("palette");
const [field, list, status] = ["input", "ul", "[role=status]"].map((part) => dialog.querySelector(part));
let options = []; // what is listed: a path and how it is called
let [active, timer, asked] = [0, 0, 0];
let [listedText, opensFirst] = ["", false]; // for which text the list is; whether Enter was pressed before it came

function roomsNamed(text) {
  const links = [...document.querySelectorAll(".main-pages a")];
  const found = links.filter((link) => link.textContent.trim().toLowerCase().startsWith(text.toLowerCase()));
  return found.map((link) => ({ path: link.getAttribute("href"), called: link.textContent.trim(), details: "room" }));
}

function hitOption({ kind, called, path, but, verdict, sums }) {
  return { path: root + path, called, verdict, but, details: [but ? `${kind}: ${but}` : kind, sums].filter(Boolean).join(" · ") };
}

function optionElement({ called, details, verdict }, place) {
  const [element, small] = [document.createElement("li"), document.createElement("small")];
  [element.id, element.role, element.textContent] = [`palette-${place}`, "option", called];
  if (verdict) {
    const mark = document.createElement("span");
    [mark.className, mark.textContent] = [`verdict ${verdict}`, verdict];
    element.append(" ", mark);
  }
  small.textContent = details;
  element.append(small);
  element.addEventListener("click", () => openOption(options[place]));
  return element;
}

function show(found, text) {
  [options, active, listedText] = [found, 0, text];
  list.replaceChildren(...options.map(optionElement));
  field.setAttribute("aria-expanded", String(options.length > 0));
  status.textContent = options.length ? `${options.length} found` : text ? `Nothing found for ${text}` : "";
  moveTo(0);
  if (!opensFirst || !dialog.open || text !== field.value.trim()) return; // a part of what was typed, asked for before the rest came
  opensFirst = false;
  if (options.length && !options[0].but) openOption(options[0]);
}

function moveTo(place) {
  if (!options.length) return [field, list].forEach((part) => part.removeAttribute("aria-activedescendant"));
  active = Math.max(0, Math.min(options.length - 1, place));
  [...list.children].forEach((each, at) => each.setAttribute("aria-selected", String(at === active)));
  for (const part of [field, list]) part.setAttribute("aria-activedescendant", `palette-${active}`);
  list.children[active].scrollIntoView({ block: "nearest" });
}

const openOption = ({ path }) => (location.href = path);

async function look() {
  const [text, number] = [field.value.trim(), ++asked];
  const rooms = roomsNamed(text);
  if (!text) return show(rooms, text);
  const found = await get(`/api/find?${new URLSearchParams({ q: text })}`);
  if (found && number === asked) show([...found.hits.map(hitOption), ...rooms], text);
}

function open() {
  if (document.querySelector("dialog[open]")) return;
  [field.value, opensFirst] = [document.getElementById("find").value, false];
  dialog.showModal();
  field.select();
  look();
}

field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(look, PAUSE);
});

// In the box the arrows walk, for letters are typed there; beside it j and k do too.
const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };
dialog.addEventListener("keydown", (event) => {
  const isInBox = event.target === field;
  if (event.key in STEPS && !(isInBox && event.key.length === 1)) {
    event.preventDefault();
    moveTo(active + STEPS[event.key]);
  }
  if (event.key !== "Enter") return;
  event.preventDefault();
  if (listedText === field.value.trim()) {
    if (options[active]) openOption(options[active]);
  } else opensFirst = true; // as soon as it is found
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "k") return;
  event.preventDefault();
  if (dialog.open) dialog.close();
  else open();
});
document.getElementById("find").addEventListener("click", open);

const results = () => [...document.querySelectorAll(".hits a")];

function moveResult(step) {
  const all = results();
  if (!all.length) return false;
  const at = all.indexOf(document.activeElement);
  all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + step))].focus();
}

bind({ "/": open, j: () => moveResult(1), k: () => moveResult(-1) });
