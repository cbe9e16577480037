// Arrow keys go from tile to tile as they lie on the screen; Enter opens one, as any link.
"use strict";
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(tile) {
  const box = tile.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

// The nearest tile that way: what lies aside counts twice, so that a row or column is kept.
function next(from, [right, down]) {
  const [x, y] = middle(from);
  let [best, least] = [null, Infinity];
  for (const tile of document.querySelectorAll(".tile")) {
    const [dx, dy] = [middle(tile)[0] - x, middle(tile)[1] - y];
    const ahead = dx * right + dy * down;
    const far = ahead + 2 * Math.abs(dx * down + dy * right);
    if (ahead > 1 && far < least) [best, least] = [tile, far];
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  if (!way || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("form")) return;
  const at = document.activeElement?.closest?.(".tile");
  const to = at ? next(at, way) : document.querySelector(".tile");
  if (!to) return;
  event.preventDefault();
  to.focus();
});
