// What is to be heard: a soft chime of two tones, how many wait in the title, and a band of what rang, in which
// each alert stays until somebody has it, or the person opens or dismisses it, in whatever tab of this browser.
import { bind } from "./keys.js";

const sound = document.getElementById("sound");
const band = document.getElementById("heard");
const list = band.querySelector("ul");
const icon = document.querySelector('link[rel="icon"]');
const title = document.title.replace(/^\(\d+\) /, "");
const TONES = [[660, 0], [880, 0.18]]; // hertz, seconds from the beginning
const GRAVITY = ["grave", "money", "procedure", "data"];
const KEPT = 50; // alerts that rang, the newest first
const SHOWN = 4; // of them in the band; of the others it says how many
const SAME = 60_000; // milliseconds in which another tab may say of the same ring
const PACE = 1000; // milliseconds at least from one look at what still stands to the next
const known = new Map(); // what is told of each alert that rang
let here = []; // what rang, where the browser keeps nothing
const opened = document.querySelector("[data-alert]")?.dataset.alert;
let [looking, before] = [0, null]; // a look that is to come; what had the focus before the band
let audio = null;
let off = kept() === "off";

function kept() {
  try {
    return localStorage.getItem("sound");
  } catch {
    return null; // a browser that keeps nothing rings
  }
}

// Browsers let a page be heard only after a person has done something on it.
function wake() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume().then(said);
  said();
}

function said() {
  const silent = audio?.state !== "running";
  sound.title = silent && !off ? "A browser lets a page be heard only after a key or a click on it" : "";
  sound.textContent = off ? "Sound off (q)" : silent ? "No sound yet" : "Sound on (q)";
}

function chime() {
  if (off || audio?.state !== "running") return;
  for (const [hertz, after] of TONES) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const begin = audio.currentTime + after;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(0.15, begin + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.6);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.6);
  }
}

document.addEventListener("told", ({ detail: { event, told } }) => {
  if (event === "counts") {
    document.title = told.act_now ? `(${told.act_now}) ${title}` : title;
    const shown = told.act_now ? icon.dataset.now : icon.dataset.calm;
    if (icon.getAttribute("href") !== shown) icon.href = shown; // a browser fetches what it is given anew
  }
  if (event === "rate") {
    const rate = document.getElementById("rate");
    if (rate) [rate.textContent, rate.className] = [told.says, told.over ? "rate over" : "rate"];
  }
  if (event === "acted" && rung().length) look();
  if (event === "ring") ring(told);
  if (event === "again") again(told);
  if (event === "overdue") {
    for (const link of document.querySelectorAll("[data-overdue-all]")) {
      [link.textContent, link.hidden] = [`${told.rows.toLocaleString("en-US")} overdue`, !told.rows];
    }
  }
});

function rung() {
  try {
    return JSON.parse(localStorage.getItem("rung") ?? "[]");
  } catch {
    return here;
  }
}

function keep(alerts) {
  here = alerts.slice(0, KEPT);
  try {
    localStorage.setItem("rung", JSON.stringify(here));
  } catch {
    // then until the page is left
  }
  shown();
}

const names = ({ table, check }) => `${table}: ${check.replaceAll("_", " ")}`;

// Only what is grave interrupts what a screen reader says.
function announced(alert, sentence) {
  document.getElementById(alert.severity === "grave" ? "heard-grave" : "heard-other").textContent = sentence;
  chime();
}

function ring(alert) {
  const others = rung().filter(({ id }) => id !== alert.id);
  const last = rung().find(({ id }) => id === alert.id);
  known.set(alert.id, alert);
  if (!last || last.at < Date.now() - SAME) keep([{ id: alert.id, at: Date.now(), away: alert.id === opened }, ...others]);
  else shown();
  announced(alert, `Act now, ${alert.severity}: ${names(alert)}${alert.why ? `, ${alert.why}` : ""}`);
  look();
}

// Asks soon which of what rang still stands, and until when somebody must have taken it.
function look() {
  looking ||= setTimeout(looked, PACE);
}

async function looked() {
  looking = 0;
  const asked = rung().map(({ id }) => id);
  if (!asked.length) return;
  const path = `/api/rung?${new URLSearchParams(asked.map((id) => ["alert", id]))}`;
  const answer = await fetch(document.documentElement.dataset.root + path, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return; // it is as was known then
  const stands = await answer.json();
  for (const alert of stands) known.set(alert.id, alert);
  keep(rung().filter(({ id }) => !asked.includes(id) || stands.some((alert) => alert.id === id)));
}

// What was due and nobody has is heard again, as often as the room says, also in a browser in which it did not ring
// or was dismissed.
function again(alerts) {
  for (const alert of alerts) known.set(alert.id, alert);
  const ids = new Set(alerts.map(({ id }) => id));
  const others = rung().filter(({ id }) => !ids.has(id));
  keep([...alerts.map(({ id }) => ({ id, at: Date.now(), away: id === opened })), ...others]);
  const more = alerts.length > 1 ? `, and ${alerts.length - 1} more` : "";
  announced(alerts[0], `Overdue, nobody has it: ${names(alerts[0])}${more}`);
  look();
}

const late = ({ due }) => due !== null && due / 1000 < Date.now();

function item(alert) {
  const [part, link, close] = ["li", "a", "button"].map((name) => document.createElement(name));
  [part.className, part.dataset.id] = [alert.severity, alert.id];
  link.href = `${document.documentElement.dataset.root}/alerts/${alert.id}`;
  link.textContent = names(alert);
  const says = document.createElement("small");
  says.textContent = [alert.severity, alert.why, late(alert) && "overdue: nobody has it"].filter(Boolean).join(", ");
  says.classList.toggle("overdue", late(alert));
  [close.type, close.textContent] = ["button", "×"];
  close.setAttribute("aria-label", `Dismiss ${names(alert)}`);
  part.append(link, says, close);
  return part;
}

// The gravest first, among these the newest.
function shown() {
  const stand = rung().filter(({ id, away }) => !away && known.has(id)).map(({ id }) => known.get(id));
  stand.sort((one, other) => GRAVITY.indexOf(one.severity) - GRAVITY.indexOf(other.severity));
  const items = stand.slice(0, SHOWN).map(item);
  if (items.map((each) => each.outerHTML).join("") !== list.innerHTML) {
    const at = list.contains(document.activeElement) && document.activeElement.closest("li").dataset.id;
    list.replaceChildren(...items);
    if (at) (items.find((each) => each.dataset.id === at) ?? items[0])?.querySelector("a").focus();
    if (at && !items.length) before?.focus();
  }
  band.querySelector("b").textContent = stand.length > 1 ? `Act now: ${stand.length}` : "Act now";
  const more = band.querySelector(".more");
  [more.textContent, more.hidden] = [`and ${stand.length - SHOWN} more`, stand.length <= SHOWN];
  [band.hidden, band.className] = [!stand.length, stand[0]?.severity ?? ""];
}

function dismiss(gone) {
  keep(rung().map((each) => (each.id === gone ? { ...each, away: true } : each)));
}

// Escape dismisses the one that a person is at, or the first of them.
function escape() {
  const at = document.activeElement.closest("#heard li") ?? list.firstElementChild;
  if (!at) return false;
  dismiss(at.dataset.id);
}

function enter() {
  const first = list.querySelector("a");
  if (!first) return false;
  if (!band.contains(document.activeElement)) before = document.activeElement;
  first.focus();
}

list.addEventListener("click", ({ target }) => target.matches("button") && dismiss(target.closest("li").dataset.id));
addEventListener("storage", ({ key }) => {
  if (key !== "rung") return;
  shown();
  look();
});
for (const gesture of ["keydown", "pointerdown"]) document.addEventListener(gesture, wake);

function turn() {
  off = !off;
  try {
    localStorage.setItem("sound", off ? "off" : "on");
  } catch {
    // then until the page is left
  }
  said();
}

sound.addEventListener("click", turn);
bind({
  q: turn,
  b: enter,
  Escape: escape,
});
said();
if (rung().some(({ id }) => id === opened)) dismiss(opened);
looked();
