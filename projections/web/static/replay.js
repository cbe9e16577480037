// Shows the moment of a hand that the line of time is at. Each part of the drawing says at which events it shows; nothing
// is computed here. Without this script the page has the table as it lay at the end, and the events with their times.
import { bind } from "./keys.js";

const STEP_TIME = 1200; // milliseconds at one event where motion is to be reduced, at speed 1
const form = document.querySelector(".replay");
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

function follow() {
  const [player, range, speed] = [".player", "input", "select"].map((each) => form.querySelector(each));
  const [timeElement, eventElement, cameras] = [".now time", ".now .event", ".now .cameras"].map((each) => form.querySelector(each));
  const playButton = form.querySelector("[data-does=play]");
  const rows = [...document.querySelectorAll(".events li")];
  const moments = rows.map((row) => Number(row.dataset.ms));
  const parts = [...form.querySelectorAll("[data-first]")].map((part) => [part, Number(part.dataset.first), Number(part.dataset.last)]);
  let [at, isPlaying, timer, before] = [-1, false, 0, 0];

  // The last event that had happened by a moment; of those of one moment the last.
  const eventAt = (moment) => Math.max(0, moments.findLastIndex((each) => each <= moment));

  function show(next, moves = false) {
    range.setAttribute("aria-valuetext", `${rows[next].querySelector("time").textContent}, ${rows[next].querySelector(".event").textContent}`);
    if (next === at) return;
    for (const [part, first, last] of parts) {
      const isOff = next < first || next > last;
      part.classList.toggle("new", moves && !isOff && part.classList.contains("off"));
      part.classList.toggle("off", isOff);
    }
    rows[at]?.classList.remove("current");
    rows[next].classList.add("current");
    timeElement.textContent = rows[next].querySelector("time").textContent;
    eventElement.textContent = rows[next].querySelector(".event").textContent;
    cameras.replaceChildren(...[...rows[next].querySelectorAll(".camera")].map((each) => {
      const link = each.cloneNode(true);
      link.textContent = `Footage ${each.textContent}`;
      return link;
    }));
    at = next;
  }

  function goTo(next, moves = false) {
    pause();
    const place = Math.min(rows.length - 1, Math.max(0, next));
    range.value = moments[place];
    show(place, moves);
  }

  function pause() {
    isPlaying = false;
    clearTimeout(timer);
    cancelAnimationFrame(timer);
    playButton.textContent = "▶ Play";
  }

  function play() {
    if (isPlaying) return pause();
    if (at === rows.length - 1) goTo(0);
    isPlaying = true;
    playButton.textContent = "❚❚ Pause";
    before = performance.now();
    if (stillness.matches) timer = setTimeout(stepOn, STEP_TIME / Number(speed.value));
    else timer = requestAnimationFrame(moveOn);
  }

  // Where motion is to be reduced nothing glides: one event after another shows, each as long.
  function stepOn() {
    range.value = moments[at + 1];
    show(at + 1);
    if (at === rows.length - 1) pause();
    else timer = setTimeout(stepOn, STEP_TIME / Number(speed.value));
  }

  function moveOn(now) {
    const moment = Number(range.value) + (now - before) * Number(speed.value);
    // The line holds whole milliseconds: what is less is left for the next time.
    range.value = Math.floor(moment);
    before = now - (moment - Math.floor(moment)) / Number(speed.value);
    show(eventAt(Number(range.value)), true);
    if (Number(range.value) >= moments.at(-1)) pause();
    else timer = requestAnimationFrame(moveOn);
  }

  const actions = { first: () => goTo(0), back: () => goTo(at - 1), play, on: () => goTo(at + 1, true), last: () => goTo(rows.length - 1) };
  const keys = { Home: actions.first, ArrowLeft: actions.back, " ": play, ArrowRight: actions.on, End: actions.last };
  // A button, a link or a list has a key to itself.
  const taken = (event) => event.target.closest("button, select") || (event.key === " " && event.target.closest("a, summary"));
  bind(Object.fromEntries(Object.entries(keys).map(([key, act]) => [key, (event) => (taken(event) ? false : void act())])));
  range.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  range.addEventListener("input", () => {
    pause();
    show(eventAt(Number(range.value)));
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", (event) => actions[event.target.closest("[data-does]")?.dataset.does]?.());
  document.addEventListener("click", (event) => {
    const place = event.target.closest?.("a[href^='#event-']")?.getAttribute("href").slice(7);
    if (place === undefined || !rows[place]) return;
    event.preventDefault();
    goTo(Number(place));
  });
  player.hidden = false;
  // At the event that the address names, or where the first finding came to be, or at the end.
  const address = /^#event-(\d+)$/.exec(location.hash) ?? /^#event-(\d+)$/.exec(form.querySelector(".marks a")?.hash);
  goTo(rows[address?.[1]] ? Number(address[1]) : rows.length - 1);
  // The browser itself goes to the event in the list, once everything is there.
  if (location.hash) addEventListener("load", () => requestAnimationFrame(() => form.scrollIntoView()));
}

if (form) follow();
