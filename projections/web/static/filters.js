// Filters of the queue by a few keys: what is typed chooses among the lists, Enter applies it; what is left open is no
// part of the address.
import { showMessage } from "./act.js";

const form = document.querySelector("#narrow form");
const typed = document.getElementById("narrow-typed");
const plain = (text) => text.toLowerCase().replace(/[\s_-]+/g, "");
const FLAGS = { mine: "mine", everyfinding: "every" };

function choices() {
  const options = [...form.querySelectorAll("select option")].filter(({ value }) => value);
  return options.map((option) => ({ words: option.textContent.trim(), choose: () => (option.selected = true) }));
}

function flags() {
  return Object.entries(FLAGS).map(([words, name]) => ({ words, choose: () => (form.elements[name].checked = true) }));
}

// Chooses what begins with the most of the words that were typed, then with the rest; returns the word that nothing does.
function choose(words) {
  if (!words.length) return null;
  const all = [...choices(), ...flags()];
  for (let many = words.length; many > 0; many -= 1) {
    const sought = plain(words.slice(0, many).join(""));
    const found = all.find((each) => plain(each.words) === sought) ?? all.find((each) => plain(each.words).startsWith(sought));
    if (!found) continue;
    found.choose();
    return choose(words.slice(many));
  }
  return words[0];
}

typed.closest("label").hidden = false;
typed.addEventListener("focus", () => {
  document.getElementById("narrow-words").replaceChildren(...choices().map(({ words }) => new Option(words)));
});
form.addEventListener("submit", (event) => {
  const unknown = choose(typed.value.split(/[\s,]+/).filter(Boolean));
  if (unknown === null) return;
  event.preventDefault();
  showMessage(`No filter begins with ${unknown}; see the lists beside.`);
});
form.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  form.closest("details").open = false;
  document.activeElement.blur();
});
form.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
});
