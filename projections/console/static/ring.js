// What is to be heard: a soft chime of two tones, how many wait in the title, and a band that stays until a key.
import { bind } from "./keys.js";

const sound = document.getElementById("sound");
const heard = document.getElementById("heard");
const icon = document.querySelector('link[rel="icon"]');
const title = document.title.replace(/^\(\d+\) /, "");
const TONES = [[660, 0], [880, 0.18]]; // hertz, seconds from the beginning
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
  sound.textContent = off ? "Sound off (q)" : silent ? "Sound after a key" : "Sound on (q)";
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
  if (event !== "ring") return;
  heard.querySelector("a").href = `${document.documentElement.dataset.root}/alerts/${told.id}`;
  heard.querySelector("a").textContent = `${told.table}: ${told.check.replaceAll("_", " ")}`;
  [heard.hidden, heard.className] = [false, told.severity];
  chime();
});

for (const gesture of ["keydown", "pointerdown"]) {
  document.addEventListener(gesture, (event) => {
    wake();
    if (!heard.contains(event.target)) heard.hidden = true;
  });
}

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
bind({ q: turn });
said();
