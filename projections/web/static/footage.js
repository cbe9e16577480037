// Shows in the header of how many disputes the footage is to be preserved now; nothing if of none.
const badge = document.getElementById("footage");
const timer = setInterval(fetchDue, 60_000);

async function fetchDue() {
  try {
    const answer = await fetch(`${document.documentElement.dataset.root}/api/disputes/due`, { cache: "no-store" });
    if (answer.status === 401) clearInterval(timer); // nobody is logged in any more
    if (answer.ok) showDue((await answer.json()).length);
  } catch {
    // the server is away; live.js says so
  }
}

function showDue(disputes) {
  badge.textContent = `Footage due: ${disputes}`;
  badge.hidden = disputes === 0;
}

fetchDue();
