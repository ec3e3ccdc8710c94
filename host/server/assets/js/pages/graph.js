// Graph: memories and how they hang together, drawn on a canvas, and the same as a list for the keyboard.

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { go, link, memoryLink } from "../router.js";
import { scoped } from "../state.js";
import { dictionary, plural, visible, words } from "../text.js";
import { button, empty, failure, loading, typeBadge } from "../widgets.js";
import { layout } from "./layout.js";

const MOST_NODES = 300;
const LIST_SHOWN = 300;
const RADIUS = 5;

export function page(main) {
  const abort = new AbortController();
  const { signal } = abort;
  let view;
  main.append(loading());
  async function refresh() {
    try {
      const graph = await get("/api/graph", scoped({ limit: MOST_NODES }), { signal });
      if (signal.aborted) return;
      view?.stop();
      replace(main);
      if (graph.nodes.length === 0)
        replace(main, empty("Nothing to draw", "Memories show here with their relations. Press Sync to get some."));
      else view = show(main, graph);
    } catch (error) {
      if (!signal.aborted && error.name !== "AbortError") replace(main, failure(error, refresh));
    }
  }
  refresh();
  return {
    leave: () => {
      abort.abort();
      view?.stop();
    },
    keys: { j: () => view?.step(1), k: () => view?.step(-1) },
  };
}

function show(main, { nodes, edges, truncated }) {
  const degree = new Map(nodes.map((node) => [node.id, 0]));
  for (const edge of edges) for (const end of [edge.from, edge.to]) degree.set(end, (degree.get(end) ?? 0) + 1);
  const field = layout(
    nodes.map((node) => node.id),
    edges,
  );
  const canvas = h("canvas", {
    class: "graph-canvas",
    role: "img",
    "aria-label": `${plural(nodes.length, "memory", "memories")} and ${plural(edges.length, "relation")}; the list beside it has the same`,
  });
  const label = h("div", { class: "graph-label", hidden: true });
  const stage = h(
    "div",
    { class: "graph-stage" },
    canvas,
    label,
    legend(),
    h(
      "div",
      { class: "graph-tools" },
      button("+", () => zoom(1.25), { look: "small", title: "Closer" }),
      button("−", () => zoom(0.8), { look: "small", title: "Farther" }),
      button("Fit", fit, { look: "small" }),
    ),
  );
  const rows = nodes
    .map((node, index) => ({ node, index }))
    .sort((left, right) => degree.get(right.node.id) - degree.get(left.node.id));
  const list = h(
    "ul",
    { class: "plain graph-list" },
    rows.slice(0, LIST_SHOWN).map(({ node, index }) =>
      h(
        "li",
        null,
        h(
          "a",
          {
            href: memoryLink(node.id),
            class: "card-link",
            data: { index },
            on: {
              focus: () => choose(index),
              pointerenter: () => choose(index),
              blur: () => choose(-1),
              pointerleave: () => choose(-1),
            },
          },
          typeBadge(node),
          h("span", null, node.title || node.id),
          h("span", { class: "muted push small" }, plural(degree.get(node.id), "relation")),
        ),
      ),
    ),
  );
  main.append(
    h(
      "div",
      { class: "graph" },
      stage,
      h(
        "section",
        { class: "graph-side", "aria-label": "The same as a list" },
        h("h2", null, "Memories", h("span", { class: "count" }, String(nodes.length))),
        truncated &&
          h(
            "p",
            { class: "muted small" },
            `Only ${plural(nodes.length, "memory", "memories")} are drawn. `,
            h("a", { href: link("memories") }, "See all"),
          ),
        list,
      ),
    ),
  );

  const context = canvas.getContext("2d");
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let chosen = -1;
  let scale = 1;
  let left = 0;
  let top = 0;
  let isMoved = false;
  let frame;
  let colours = palette();
  const neighbours = new Map();
  field.links.forEach(([a, b]) => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ])
      neighbours.set(one, (neighbours.get(one) ?? new Set()).add(other));
  });

  function fit() {
    const { width, height } = stage.getBoundingClientRect();
    const box = field.bounds();
    scale = Math.min(
      2.2,
      (width - 60) / Math.max(1, box.right - box.left),
      (height - 60) / Math.max(1, box.bottom - box.top),
    );
    left = width / 2 - ((box.left + box.right) / 2) * scale;
    top = height / 2 - ((box.top + box.bottom) / 2) * scale;
    isMoved = false;
    draw();
  }

  function zoom(by, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
    const next = Math.min(6, Math.max(0.15, scale * by));
    left = x - ((x - left) / scale) * next;
    top = y - ((y - top) / scale) * next;
    scale = next;
    isMoved = true;
    draw();
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = stage.getBoundingClientRect();
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const at = (index) => [field.x[index] * scale + left, field.y[index] * scale + top];
    const near = chosen >= 0 ? (neighbours.get(chosen) ?? new Set()) : undefined;
    field.links.forEach(([a, b, relation]) => {
      const isNear = near && (a === chosen || b === chosen);
      context.globalAlpha = near ? (isNear ? 1 : 0.15) : 0.6;
      context.strokeStyle = isNear ? colours.accent : colours.edge;
      context.lineWidth = isNear ? 1.6 : 1;
      context.setLineDash(relation === "supersedes" ? [4, 3] : []);
      context.beginPath();
      context.moveTo(...at(a));
      context.lineTo(...at(b));
      context.stroke();
    });
    context.setLineDash([]);
    nodes.forEach((node, index) => {
      const [x, y] = at(index);
      context.globalAlpha = !near || index === chosen || near.has(index) ? 1 : 0.2;
      context.fillStyle = colours[node.type] ?? colours.text;
      context.beginPath();
      context.arc(x, y, size(node) * Math.min(1.4, Math.max(0.7, scale)), 0, Math.PI * 2);
      context.fill();
      if (node.trust === "untrusted") {
        context.strokeStyle = colours.warn;
        context.lineWidth = 2;
        context.stroke();
      }
    });
    context.globalAlpha = 1;
    names(at, near);
  }

  /** Titles of the memories with the most relations, where there is room. */
  function names(at, near) {
    context.font = `12px ${getComputedStyle(stage).fontFamily}`;
    context.textBaseline = "middle";
    const taken = [];
    for (const { node, index } of rows.slice(0, near ? 40 : 16)) {
      if (near && index !== chosen && !near.has(index)) continue;
      const [x, y] = at(index);
      const shown = short(node.title);
      const wide = context.measureText(shown).width;
      const box = [x + 9, y - 8, x + 9 + wide, y + 8];
      if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]))
        continue;
      taken.push(box);
      context.lineWidth = 3;
      context.strokeStyle = colours.surface;
      context.strokeText(shown, x + 9, y);
      context.fillStyle = colours.text;
      context.fillText(shown, x + 9, y);
    }
  }

  const size = (node) => RADIUS + Math.min(6, Math.sqrt(degree.get(node.id) ?? 0) * 1.6);

  function choose(index) {
    if (index === chosen) return;
    chosen = index;
    label.hidden = index < 0;
    if (index >= 0) {
      const node = nodes[index];
      replace(
        label,
        h("strong", null, node.title || node.id),
        h(
          "span",
          { class: "muted" },
          ` ${words(node.kind || node.type)}, ${words(node.trust)}, ${plural(degree.get(node.id), "relation")}`,
        ),
      );
    }
    draw();
  }

  function nodeAt(event) {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - left) / scale;
    const y = (event.clientY - box.top - top) / scale;
    return field.nearest(x, y, 14 / scale);
  }

  let drag;
  canvas.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, y: event.clientY, left, top, isFar: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) {
      choose(nodeAt(event));
      canvas.classList.toggle("is-over", chosen >= 0);
      return;
    }
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 4) drag.isFar = true;
    if (!drag.isFar) return;
    left = drag.left + event.clientX - drag.x;
    top = drag.top + event.clientY - drag.y;
    isMoved = true;
    draw();
  });
  canvas.addEventListener("pointerup", (event) => {
    const index = drag && !drag.isFar ? nodeAt(event) : -1;
    drag = undefined;
    if (index >= 0) go(memoryLink(nodes[index].id));
  });
  canvas.addEventListener("pointerleave", () => {
    if (!drag) choose(-1);
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 1.12 : 0.89, event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );

  // A few steps a frame, until it is cool; nothing moves for those who asked for that.
  function tick() {
    for (let count = 0; count < 3 && field.heat() > 0; count += 1) field.step();
    if (!isMoved) fit();
    else draw();
    if (field.heat() > 0) frame = requestAnimationFrame(tick);
  }
  if (isStill) while (field.heat() > 0) field.step();
  const observer = new ResizeObserver(() => (isMoved ? draw() : fit()));
  observer.observe(stage);
  const recolour = () => {
    colours = palette();
    draw();
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  window.addEventListener("themechange", recolour);
  dark.addEventListener("change", recolour);
  tick();

  return {
    stop: () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener("themechange", recolour);
      dark.removeEventListener("change", recolour);
    },
    step: (by) => {
      const all = [...list.querySelectorAll("a")];
      const at = all.indexOf(document.activeElement);
      all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
    },
  };
}

function short(title) {
  const shown = visible(title);
  return shown.length > 34 ? `${shown.slice(0, 33).trimEnd()}…` : shown;
}

function legend() {
  return h(
    "div",
    { class: "legend graph-legend" },
    [
      ["decision", 1],
      ["learning", 2],
      ["summary", 3],
    ].map(([name, tone]) => h("span", null, h("span", { class: `dot tone-${tone}` }), name)),
    h("span", null, h("span", { class: "dot ring" }), "untrusted"),
    h("span", null, "– – took its place"),
  );
}

function palette() {
  // Colours of `light-dark()` are known only where they are used.
  const probe = h("span", { hidden: true });
  document.body.append(probe);
  const colour = (name) => {
    probe.style.setProperty("color", `var(${name})`);
    return getComputedStyle(probe).color;
  };
  const all = dictionary({
    decision: colour("--tone-1"),
    learning: colour("--tone-2"),
    summary: colour("--tone-3"),
    warn: colour("--warn"),
    accent: colour("--accent"),
    edge: colour("--line-strong"),
    text: colour("--text"),
    surface: colour("--surface"),
  });
  probe.remove();
  return all;
}
