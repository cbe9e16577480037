// One stream for all tabs of a browser that want the same one. A browser keeps six connections to a host: with a
// stream in each of six tabs a seventh would not even load. One tab listens and passes on what it hears; when it
// is gone, or does not answer, another listens.
import { csrf, root } from "./act.js";

const STREAMS = 4; // of a browser at once; the other connections are for pages
const PATIENCE = 1000; // milliseconds for which a tab waits for one of these before it says so
const ASKED = 10_000; // milliseconds from one question whether who listens is there to the next
const AGAIN = 2000; // milliseconds, after an answer that is no stream, as a proxy may give
const EVENTS = ["hello", "floor", "alert", "gone", "counts", "overdue", "again", "ring", "rate", "reload", "stored", "acted", "tables"];
const BEGINS = ["hello", "lost", "crowded"]; // how it stands with the stream: what was said before is past
const STANDS = [...BEGINS, "floor", "counts", "overdue", "rate"]; // what a tab that comes later is told

const forever = () => new Promise(() => {});

// Holds one of the few streams that a browser may have, until `freed`.
function held(freed) {
  const enough = new AbortController();
  return new Promise((got) => {
    for (let each = 0; each < STREAMS; each++) {
      const hold = () => {
        if (enough.signal.aborted) return null;
        enough.abort();
        got();
        return freed;
      };
      navigator.locks.request(`stream ${each}`, { signal: enough.signal }, hold).catch(() => {}); // one is enough
    }
  });
}

// Hears a stream: `heard` gets each event's name and data, and "lost" or "crowded" where there is none for now.
// A stream that was refused is asked for again for as long as `wanted` says so. Gives how to end it for all tabs.
export function listen(path, heard, wanted) {
  let source = null;

  function open(tell) {
    source = new EventSource(root + path);
    for (const event of EVENTS) source.addEventListener(event, ({ data }) => tell(event, data));
    source.addEventListener("error", () => {
      tell("lost", "");
      // A browser connects again by itself, but not after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) {
        const refused = source;
        setTimeout(async () => source === refused && (await wanted()) && source === refused && open(tell), AGAIN);
      }
    });
  }

  // A browser shares nothing over plain HTTP from another machine.
  if (!navigator.locks) {
    open(heard);
    return () => source.close();
  }

  // Tabs of one session: to another person other things are told. The name of a lock may not begin with "-".
  const name = `tabs ${csrf} ${path}`;
  const channel = new BroadcastChannel(name);
  const stands = new Map();
  let [leads, begun, unanswered] = [null, false, 0]; // it leads for as long as this is not yet given back

  function tell(event, data) {
    if (BEGINS.includes(event)) stands.clear();
    if (STANDS.includes(event)) stands.set(event, data);
    channel.postMessage({ event, data });
    heard(event, data);
  }

  async function lead(given) {
    leads = given;
    const crowded = setTimeout(() => leads === given && tell("crowded", ""), PATIENCE);
    await held(given);
    clearTimeout(crowded);
    if (leads === given) open(tell);
  }

  // Where the browser refuses a lock, nothing is shared: to ask again at once would be to ask for ever.
  function alone() {
    leads = forever;
    open(heard);
  }

  function follow(how = {}) {
    let give;
    const given = new Promise((done) => (give = done));
    const leading = () => {
      lead(given);
      return forever();
    };
    navigator.locks.request(name, how, leading).catch(() => {
      if (!leads) return alone();
      source?.close(); // another tab took it over, as this one did not answer
      [source, leads, unanswered] = [null, null, 0];
      give();
      follow();
    });
  }

  channel.addEventListener("message", ({ data: { event, data } }) => {
    unanswered = 0;
    if (event === "asked") {
      if (leads) channel.postMessage({ event: "stands", data: [...stands] });
    } else if (event !== "stands") {
      begun ||= BEGINS.includes(event);
      heard(event, data);
    } else if (!begun) {
      begun = data.length > 0;
      for (const each of data) heard(...each);
    }
  });

  function ask() {
    if (leads || document.hidden) return;
    if (unanswered < 2) channel.postMessage({ event: "asked" });
    else follow({ steal: true });
    unanswered += 1;
  }

  follow();
  ask();
  setInterval(ask, ASKED);
  return () => {
    source?.close();
    source = null;
    channel.postMessage({ event: "out" });
  };
}
