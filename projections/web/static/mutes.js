// Ends a mute before its time.
import { act } from "./act.js";

document.addEventListener("click", async (event) => {
  const mute = event.target.closest("button[data-mute]")?.dataset.mute;
  if (mute && (await act({ action: "unmute", mute }))) location.reload();
});
