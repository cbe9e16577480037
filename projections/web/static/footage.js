// Says in the header of how many disputes the footage is to be preserved now; where it is of none, nothing.
const due = document.getElementById("footage");
const asking = setInterval(ask, 60_000);

async function ask() {
  try {
    const answer = await fetch(`${document.documentElement.dataset.root}/api/disputes/due`, { cache: "no-store" });
    if (answer.status === 401) clearInterval(asking); // nobody is logged in any more
    if (answer.ok) said((await answer.json()).length);
  } catch {
    // the server is away; live.js says so
  }
}

function said(disputes) {
  due.textContent = `Footage due: ${disputes}`;
  due.hidden = disputes === 0;
}

ask();
