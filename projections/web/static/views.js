// Saved views: what the queue shows now is kept under a name, or a view is removed.
import { post, remove } from "./act.js";

const views = document.getElementById("views");

views.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = event.target.elements.name.value.trim();
  if (await post("/api/views", { name, query: location.search.slice(1) })) location.reload();
});
views.addEventListener("click", async (event) => {
  const name = event.target.closest("button[data-view]")?.dataset.view;
  if (name && (await remove(`/api/views/${encodeURIComponent(name)}`))) location.reload();
});
