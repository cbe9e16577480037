// Arrow keys go from tile to tile as they lie on the screen; Enter opens one, as any link.
"use strict";
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function centre(tile) {
  const box = tile.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

// The nearest tile that way: what lies aside counts twice, so that a row or column is kept.
function nearestTile(start, [right, down]) {
  const [x, y] = centre(start);
  let [nearest, shortest] = [null, Infinity];
  for (const tile of document.querySelectorAll(".tile")) {
    const [dx, dy] = [centre(tile)[0] - x, centre(tile)[1] - y];
    const distanceAlong = dx * right + dy * down;
    const distance = distanceAlong + 2 * Math.abs(dx * down + dy * right);
    if (distanceAlong > 1 && distance < shortest) [nearest, shortest] = [tile, distance];
  }
  return nearest;
}

document.addEventListener("keydown", (event) => {
  const direction = DIRECTIONS[event.key];
  if (!direction || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("form")) return;
  const current = document.activeElement?.closest?.(".tile");
  const target = current ? nearestTile(current, direction) : document.querySelector(".tile");
  if (!target) return;
  event.preventDefault();
  target.focus();
});
