// What is to be heard: a soft chime of two tones, how many wait in the title, and a band of what rang, in which
// each alert stays until somebody has it, or the person opens or dismisses it, in whatever tab of this browser.
import { checkName } from "./check_names.js";
import { bind } from "./keys.js";

const sound = document.getElementById("sound");
const band = document.getElementById("ringing");
const list = band.querySelector("ul");
const icon = document.querySelector('link[rel="icon"]');
const title = document.title.replace(/^\(\d+\) /, "");
const TONES = [[660, 0], [880, 0.18]]; // hertz, seconds from the beginning
const SEVERITIES = ["critical", "high", "medium", "data"];
const MAX_STORED = 50; // alerts that rang, the newest first
const MAX_SHOWN = 4; // of them in the band; of the others it says how many
const SAME_RING = 60_000; // milliseconds in which another tab may say of the same ring
const CHECK_PAUSE = 1000; // milliseconds at least from one look at what still stands to the next
const alertsById = new Map(); // what is told of each alert that rang
let rungInMemory = []; // what rang, where the browser keeps nothing
const openAlertId = document.querySelector("[data-alert]")?.dataset.alert;
let [checkTimer, focusBefore] = [0, null]; // a look that is to come; what had the focus before the band
let [audio, isHeard, toneCount] = [null, false, 0]; // whether the browser lets the page be heard; tones yet to end
let isOff = storedSound() === "off";

function storedSound() {
  try {
    return localStorage.getItem("sound");
  } catch {
    return null; // a browser that keeps nothing rings
  }
}

// Browsers let a page be heard only after a person has done something on it.
function unlockAudio() {
  if (isHeard) return;
  audio ??= new AudioContext();
  audio.resume().then(() => {
    isHeard = true;
    restAudio();
    showSoundState();
  });
  showSoundState();
}

// A page that plays nothing would keep the sound card awake all night, and a part of the processor.
function restAudio() {
  if (toneCount === 0) audio.suspend();
}

function showSoundState() {
  const isSilent = !isHeard;
  sound.title = isSilent && !isOff ? "Browsers allow sound only after a key press or a click on the page" : "";
  sound.textContent = isOff ? "Sound off (q)" : isSilent ? "No sound yet" : "Sound on (q)";
}

async function chime() {
  if (isOff || !isHeard) return;
  toneCount += TONES.length;
  await audio.resume();
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
    tone.onended = () => {
      toneCount -= 1;
      restAudio();
    };
  }
}

document.addEventListener("stream", ({ detail: { event, data } }) => {
  if (event === "counts") {
    document.title = data.act_now ? `(${data.act_now}) ${title}` : title;
    const iconPath = data.act_now ? icon.dataset.now : icon.dataset.calm;
    if (icon.getAttribute("href") !== iconPath) icon.href = iconPath; // a browser fetches what it is given anew
  }
  if (event === "rate") {
    const rate = document.getElementById("rate");
    if (rate) [rate.textContent, rate.className] = [data.text, data.over ? "rate over" : "rate"];
  }
  if (event === "acted" && rungAlerts().length) scheduleCheck();
  if (event === "ring") ring(data);
  if (event === "again") ringAgain(data);
  if (event === "overdue") {
    for (const link of document.querySelectorAll("[data-overdue-all]")) {
      [link.textContent, link.hidden] = [`${data.rows.toLocaleString("en-US")} overdue`, !data.rows];
    }
  }
});

function rungAlerts() {
  try {
    return JSON.parse(localStorage.getItem("rung") ?? "[]");
  } catch {
    return rungInMemory;
  }
}

function storeRung(alerts) {
  rungInMemory = alerts.slice(0, MAX_STORED);
  try {
    localStorage.setItem("rung", JSON.stringify(rungInMemory));
  } catch {
    // then until the page is left
  }
  showBand();
}

const alertName = ({ table, check }) => `${table}: ${checkName(check)}`;

// Only what is critical interrupts what a screen reader says.
function announce(alert, sentence) {
  document.getElementById(alert.severity === "critical" ? "ringing-critical" : "ringing-other").textContent = sentence;
  chime();
}

function ring(alert) {
  const others = rungAlerts().filter(({ id }) => id !== alert.id);
  const previous = rungAlerts().find(({ id }) => id === alert.id);
  alertsById.set(alert.id, alert);
  if (!previous || previous.at < Date.now() - SAME_RING) storeRung([{ id: alert.id, at: Date.now(), away: alert.id === openAlertId }, ...others]);
  else showBand();
  announce(alert, `Act now, ${alert.severity}: ${alertName(alert)}${alert.why ? `, ${alert.why}` : ""}`);
  scheduleCheck();
}

// Queries soon which of what rang is still open, and until when somebody must have taken it.
function scheduleCheck() {
  checkTimer ||= setTimeout(checkRung, CHECK_PAUSE);
}

async function checkRung() {
  checkTimer = 0;
  const checkedIds = rungAlerts().map(({ id }) => id);
  if (!checkedIds.length) return;
  const path = `/api/rung?${new URLSearchParams(checkedIds.map((id) => ["alert", id]))}`;
  const answer = await fetch(document.documentElement.dataset.root + path, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return; // it is as was known then
  const openAlerts = await answer.json();
  for (const alert of openAlerts) alertsById.set(alert.id, alert);
  storeRung(rungAlerts().filter(({ id }) => !checkedIds.includes(id) || openAlerts.some((alert) => alert.id === id)));
}

// What was due and nobody has is heard again, as often as the room says, also in a browser in which it did not ring
// or was dismissed.
function ringAgain(alerts) {
  for (const alert of alerts) alertsById.set(alert.id, alert);
  const ids = new Set(alerts.map(({ id }) => id));
  const others = rungAlerts().filter(({ id }) => !ids.has(id));
  storeRung([...alerts.map(({ id }) => ({ id, at: Date.now(), away: id === openAlertId })), ...others]);
  const more = alerts.length > 1 ? `, and ${alerts.length - 1} more` : "";
  announce(alerts[0], `Overdue, unassigned: ${alertName(alerts[0])}${more}`);
  scheduleCheck();
}

const isOverdue = ({ due }) => due !== null && due / 1000 < Date.now();

function alertItem(alert) {
  const [part, link, close] = ["li", "a", "button"].map((name) => document.createElement(name));
  [part.className, part.dataset.id] = [alert.severity, alert.id];
  link.href = `${document.documentElement.dataset.root}/alerts/${alert.id}`;
  link.textContent = alertName(alert);
  const details = document.createElement("small");
  details.textContent = [alert.severity, alert.why, isOverdue(alert) && "overdue, unassigned"].filter(Boolean).join(", ");
  details.classList.toggle("overdue", isOverdue(alert));
  [close.type, close.textContent] = ["button", "×"];
  close.setAttribute("aria-label", `Dismiss ${alertName(alert)}`);
  part.append(link, details, close);
  return part;
}

// The most severe first, among these the newest.
function showBand() {
  const visibleAlerts = rungAlerts().filter(({ id, away }) => !away && alertsById.has(id)).map(({ id }) => alertsById.get(id));
  visibleAlerts.sort((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
  const items = visibleAlerts.slice(0, MAX_SHOWN).map(alertItem);
  if (items.map((each) => each.outerHTML).join("") !== list.innerHTML) {
    const focusedId = list.contains(document.activeElement) && document.activeElement.closest("li").dataset.id;
    list.replaceChildren(...items);
    if (focusedId) (items.find((each) => each.dataset.id === focusedId) ?? items[0])?.querySelector("a").focus();
    if (focusedId && !items.length) focusBefore?.focus();
  }
  band.querySelector("b").textContent = visibleAlerts.length > 1 ? `Act now: ${visibleAlerts.length}` : "Act now";
  const more = band.querySelector(".more");
  [more.textContent, more.hidden] = [`and ${visibleAlerts.length - MAX_SHOWN} more`, visibleAlerts.length <= MAX_SHOWN];
  [band.hidden, band.className] = [!visibleAlerts.length, visibleAlerts[0]?.severity ?? ""];
}

function dismiss(dismissedId) {
  storeRung(rungAlerts().map((each) => (each.id === dismissedId ? { ...each, away: true } : each)));
}

// Escape dismisses the one that a person is at, or the first of them.
function dismissCurrent() {
  const current = document.activeElement.closest("#ringing li") ?? list.firstElementChild;
  if (!current) return false;
  dismiss(current.dataset.id);
}

function focusBand() {
  const first = list.querySelector("a");
  if (!first) return false;
  if (!band.contains(document.activeElement)) focusBefore = document.activeElement;
  first.focus();
}

list.addEventListener("click", ({ target }) => target.matches("button") && dismiss(target.closest("li").dataset.id));
addEventListener("storage", ({ key }) => {
  if (key !== "rung") return;
  showBand();
  scheduleCheck();
});
for (const gesture of ["keydown", "pointerdown"]) document.addEventListener(gesture, unlockAudio);

function toggleSound() {
  isOff = !isOff;
  try {
    localStorage.setItem("sound", isOff ? "off" : "on");
  } catch {
    // then until the page is left
  }
  showSoundState();
}

sound.addEventListener("click", toggleSound);
bind({
  q: toggleSound,
  b: focusBand,
  Escape: dismissCurrent,
});
showSoundState();
if (rungAlerts().some(({ id }) => id === openAlertId)) dismiss(openAlertId);
checkRung();
