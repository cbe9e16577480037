// One key a round: its sentence is shown large and read out, and Enter opens it.
import { isTyping } from "./shell.js";

// Before <main>, so that what is being read out stays when the list below it is brought up to date.
const sentenceElement = document.createElement("p");
sentenceElement.className = "telephone read-aloud";
sentenceElement.setAttribute("role", "status");
document.querySelector("main").before(sentenceElement);

document.addEventListener("keydown", (event) => {
  if (isTyping(event) || !/^[0-9]$/.test(event.key)) return;
  const round = document.querySelector(`.rounds [data-key="${event.key}"]`);
  if (!round) return;
  event.preventDefault();
  sentenceElement.textContent = round.querySelector(".description").textContent;
  round.querySelector("a").focus({ preventScroll: true });
  round.scrollIntoView({ block: "nearest" });
});
