// Before anything is painted: the theme that this browser was set to.
"use strict";
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing has the dark one.
}
