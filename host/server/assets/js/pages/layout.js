// Where the nodes of a graph go: they push each other away, edges pull, the middle holds. Pure and the same every
// time; a step costs the square of the number of nodes, which the caller bounds.

const FIRST_HEAT = 1;
const COOLING = 0.985;
const COLD = 0.02;

/** `ids` in order; `edges: [{from, to, relation}]`, of which those between known nodes count. */
export function layout(ids, edges) {
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const links = edges
    .map((edge) => [indexOf.get(edge.from), indexOf.get(edge.to), edge.relation])
    .filter(([from, to]) => from !== undefined && to !== undefined && from !== to);
  const count = ids.length;
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  const moveX = new Float64Array(count);
  const moveY = new Float64Array(count);
  // A sunflower's spiral: spread out, and the same every time.
  for (let index = 0; index < count; index += 1) {
    const angle = index * 2.399963;
    const distance = 22 * Math.sqrt(index + 0.5);
    x[index] = Math.cos(angle) * distance;
    y[index] = Math.sin(angle) * distance;
  }
  let heat = count > 1 ? FIRST_HEAT : 0;

  function step() {
    moveX.fill(0);
    moveY.fill(0);
    for (let one = 0; one < count; one += 1) {
      for (let other = one + 1; other < count; other += 1) {
        const dx = x[one] - x[other];
        const dy = y[one] - y[other];
        const square = Math.max(16, dx * dx + dy * dy);
        const push = 1_100 / square;
        const distance = Math.sqrt(square);
        moveX[one] += (dx / distance) * push;
        moveY[one] += (dy / distance) * push;
        moveX[other] -= (dx / distance) * push;
        moveY[other] -= (dy / distance) * push;
      }
    }
    for (const [from, to] of links) {
      const dx = x[to] - x[from];
      const dy = y[to] - y[from];
      const distance = Math.max(1, Math.hypot(dx, dy));
      const pull = (distance - 55) * 0.06;
      moveX[from] += (dx / distance) * pull;
      moveY[from] += (dy / distance) * pull;
      moveX[to] -= (dx / distance) * pull;
      moveY[to] -= (dy / distance) * pull;
    }
    for (let index = 0; index < count; index += 1) {
      moveX[index] -= x[index] * 0.012;
      moveY[index] -= y[index] * 0.012;
      const length = Math.hypot(moveX[index], moveY[index]);
      const most = 24 * heat;
      const share = length > most ? most / length : 1;
      x[index] += moveX[index] * share;
      y[index] += moveY[index] * share;
    }
    heat *= COOLING;
    if (heat < COLD) heat = 0;
  }

  function bounds() {
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (let index = 0; index < count; index += 1) {
      box.left = Math.min(box.left, x[index]);
      box.right = Math.max(box.right, x[index]);
      box.top = Math.min(box.top, y[index]);
      box.bottom = Math.max(box.bottom, y[index]);
    }
    return box;
  }

  function nearest(atX, atY, within) {
    let best = -1;
    let bestSquare = within * within;
    for (let index = 0; index < count; index += 1) {
      const square = (x[index] - atX) ** 2 + (y[index] - atY) ** 2;
      if (square < bestSquare) {
        best = index;
        bestSquare = square;
      }
    }
    return best;
  }

  return { x, y, links, step, bounds, nearest, heat: () => heat };
}
