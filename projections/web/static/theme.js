// Before anything is painted: the theme that this browser was set to, else the one that its system prefers.
"use strict";
const systemTheme = matchMedia("(prefers-color-scheme: light)");

function chosenTheme() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // a browser that keeps nothing has its system's
  }
}

function setTheme() {
  document.documentElement.dataset.theme = chosenTheme() ?? (systemTheme.matches ? "light" : "dark");
}

setTheme();
systemTheme.addEventListener("change", setTheme);
