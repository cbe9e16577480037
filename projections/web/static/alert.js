// The page of an alert: by keys to the next incident of the queue, to the one before, and back to the queue.
import { bind } from "./keys.js";
import { backToQueue, goToQueue, walk } from "./queue_walk.js";

// Who is at what rang dismisses that.
function leave() {
  if (document.activeElement.closest("#ringing")) return false;
  backToQueue();
}

bind({
  j: () => walk(1), k: () => walk(-1), Escape: leave,
  1: () => goToQueue("act_now"), 2: () => goToQueue("this_shift"), 3: () => goToQueue("nightly"), 4: () => goToQueue("for_me"),
});
