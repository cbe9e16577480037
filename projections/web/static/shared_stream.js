// One stream for all tabs of a browser that want the same one. A browser keeps six connections to a host: with a
// stream in each of six tabs a seventh would not even load. One tab listens and passes on what it hears; when it
// is gone, or does not answer, another listens.
import { csrf, root } from "./act.js";

const STREAMS = 4; // of a browser at once; the other connections are for pages
const LOCK_WAIT = 1000; // milliseconds for which a tab waits for one of these before it says so
const ASK_INTERVAL = 10_000; // milliseconds from one question whether who listens is there to the next
const RETRY_PAUSE = 2000; // milliseconds, after an answer that is no stream, as a proxy may give
const EVENTS = ["hello", "floor", "alert", "gone", "counts", "overdue", "again", "ring", "rate", "reload", "stored", "acted", "tables"];
const FIRST_EVENTS = ["hello", "lost", "crowded"]; // how it stands with the stream: what was said before is past
const STATE_EVENTS = [...FIRST_EVENTS, "floor", "counts", "overdue", "rate"]; // what a tab that comes later is told

const forever = () => new Promise(() => {});

// Holds one of the few streams that a browser may have, until `released` is resolved.
function holdStream(released) {
  const controller = new AbortController();
  return new Promise((resolve) => {
    for (let each = 0; each < STREAMS; each++) {
      const hold = () => {
        if (controller.signal.aborted) return null;
        controller.abort();
        resolve();
        return released;
      };
      navigator.locks.request(`stream ${each}`, { signal: controller.signal }, hold).catch(() => {}); // one is enough
    }
  });
}

// Listens to a stream: `onEvent` gets each event's name and data, and "lost" or "crowded" if there is none now.
// A stream that was refused is asked for again for as long as `isWanted` says so. Returns a function that ends it for all tabs.
export function listen(path, onEvent, isWanted) {
  let source = null;

  function open(publish) {
    source = new EventSource(root + path);
    for (const event of EVENTS) source.addEventListener(event, ({ data }) => publish(event, data));
    source.addEventListener("error", () => {
      publish("lost", "");
      // A browser connects again by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) {
        const closedSource = source;
        setTimeout(async () => source === closedSource && (await isWanted()) && source === closedSource && open(publish), RETRY_PAUSE);
      }
    });
  }

  // A browser shares nothing over plain HTTP from another machine.
  if (!navigator.locks) {
    open(onEvent);
    return () => source.close();
  }

  // Tabs of one session: to another person other things are told. The name of a lock may not begin with "-".
  const name = `tabs ${csrf} ${path}`;
  const channel = new BroadcastChannel(name);
  const lastEvents = new Map();
  let [leaderPromise, hasBegun, unanswered] = [null, false, 0]; // it leads for as long as this is not yet given back

  function publish(event, data) {
    if (FIRST_EVENTS.includes(event)) lastEvents.clear();
    if (STATE_EVENTS.includes(event)) lastEvents.set(event, data);
    if (event === "stored" && lastEvents.has("hello")) lastEvents.set("hello", data); // so far a tab that comes later is
    channel.postMessage({ event, data });
    onEvent(event, data);
  }

  async function lead(handedBack) {
    leaderPromise = handedBack;
    const crowdedTimer = setTimeout(() => leaderPromise === handedBack && publish("crowded", ""), LOCK_WAIT);
    await holdStream(handedBack);
    clearTimeout(crowdedTimer);
    if (leaderPromise === handedBack) open(publish);
  }

  // Where the browser refuses a lock, nothing is shared: to ask again at once would be to ask for ever.
  function listenAlone() {
    leaderPromise = forever;
    open(onEvent);
  }

  function follow(options = {}) {
    let handBack;
    const handedBack = new Promise((resolve) => (handBack = resolve));
    const onLock = () => {
      lead(handedBack);
      return forever();
    };
    navigator.locks.request(name, options, onLock).catch(() => {
      if (!leaderPromise) return listenAlone();
      source?.close(); // another tab took it over, as this one did not answer
      [source, leaderPromise, unanswered] = [null, null, 0];
      handBack();
      follow();
    });
  }

  channel.addEventListener("message", ({ data: { event, data } }) => {
    unanswered = 0;
    if (event === "asked") {
      if (leaderPromise) channel.postMessage({ event: "stands", data: [...lastEvents] });
    } else if (event !== "stands") {
      hasBegun ||= FIRST_EVENTS.includes(event);
      onEvent(event, data);
    } else if (!hasBegun) {
      hasBegun = data.length > 0;
      for (const each of data) onEvent(...each);
    }
  });

  function askLeader() {
    if (leaderPromise || document.hidden) return;
    if (unanswered < 2) channel.postMessage({ event: "asked" });
    else follow({ steal: true });
    unanswered += 1;
  }

  follow();
  askLeader();
  setInterval(askLeader, ASK_INTERVAL);
  return () => {
    source?.close();
    source = null;
    channel.postMessage({ event: "out" });
  };
}
