// Charts as SVG. Each is a figure with a sentence that says what it shows and a table of the same numbers;
// the pointer gets a label for the column it is over.

import { h, replace, svg } from "./dom.js";
import { compact, day, instant, monthName, number } from "./text.js";
import { table } from "./widgets.js";

const HEIGHT = 190;
const FIRST_WIDTH = 480;
const LEFT = 40;
const RIGHT = 8;
const TOP = 10;
const BOTTOM = 24;

/**
 * Columns of stacked values. `columns: [{label, full, values: {series: number}}]`, `series: [{key, label, tone}]`. A value
 * that is null is unknown, and said so; one that is missing is zero.
 */
export function columnChart(title, summary, columns, series, options = {}) {
  const { format = number, unit = "", axis = compact } = options;
  const shown = (column, one) => {
    const value = column.values[one.key];
    return value === null ? "unknown" : format(value ?? 0);
  };
  const drawing = svg("svg", { class: "chart", role: "img", height: HEIGHT, "aria-label": `${title}. ${summary}` });
  const tip = h("div", { class: "chart-tip", hidden: true });
  const frame = h("div", { class: "chart-frame" }, drawing, tip);
  let plot = draw(drawing, columns, series, { axis, width: FIRST_WIDTH });
  // Drawn for the width there is, so that its text has the size of other text.
  new ResizeObserver(([entry]) => {
    const width = Math.max(200, Math.round(entry.contentRect.width));
    if (width !== plot.width) plot = draw(drawing, columns, series, { axis, width });
  }).observe(frame);
  frame.addEventListener("pointermove", (event) => {
    const box = drawing.getBoundingClientRect();
    const index = Math.floor((event.clientX - box.left - LEFT) / plot.step);
    const column = columns[index];
    tip.hidden = !column;
    plot.marker.setAttribute("visibility", column ? "visible" : "hidden");
    if (!column) return;
    plot.marker.setAttribute("x", LEFT + plot.step * index);
    replace(
      tip,
      h("strong", null, column.full ?? column.label),
      series.map((one) =>
        h(
          "div",
          { class: "chart-tip-row" },
          h("span", { class: `dot tone-${one.tone}` }),
          `${one.label} `,
          h("b", null, shown(column, one)),
        ),
      ),
    );
    tip.style.setProperty(
      "left",
      `${Math.min(Math.max(event.clientX - box.left, 70), Math.max(70, box.width - 70))}px`,
    );
  });
  frame.addEventListener("pointerleave", () => {
    tip.hidden = true;
    plot.marker.setAttribute("visibility", "hidden");
  });
  const equivalent = table(
    `${title}, as numbers`,
    ["", ...series.map((one) => ({ label: one.label, class: "num" }))],
    columns.map((column) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, column.full ?? column.label),
        series.map((one) => h("td", { class: "num" }, shown(column, one))),
      ),
    ),
  );
  return figure(summary, series, frame, equivalent, unit);
}

function draw(drawing, columns, series, { axis, width }) {
  drawing.replaceChildren();
  drawing.setAttribute("width", width);
  const bars = columns.map((column) => series.reduce((sum, one) => sum + (column.values[one.key] ?? 0), 0));
  const barTop = nice(Math.max(1e-9, ...bars));
  const plotHeight = HEIGHT - TOP - BOTTOM;
  const step = (width - LEFT - RIGHT) / Math.max(1, columns.length);
  const middle = (index) => LEFT + step * (index + 0.5);
  const base = TOP + plotHeight;
  const marker = svg("rect", { class: "chart-marker", y: TOP, height: plotHeight, width: step, visibility: "hidden" });
  drawing.append(marker);
  for (const share of [0, 0.5, 1]) {
    const y = base - plotHeight * share;
    drawing.append(
      svg("line", { class: "chart-grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }),
      svg("text", { class: "chart-text", x: LEFT - 6, y: y + 3.5, "text-anchor": "end" }, axis(barTop * share)),
    );
  }
  const thickness = Math.max(1, Math.min(26, step * 0.66));
  columns.forEach((column, index) => {
    let y = base;
    for (const one of series) {
      const height = ((column.values[one.key] ?? 0) / barTop) * plotHeight;
      if (height <= 0) continue;
      y -= height;
      drawing.append(
        svg("rect", {
          class: `tone-${one.tone}`,
          x: middle(index) - thickness / 2,
          y,
          width: thickness,
          height,
          rx: Math.min(2, thickness / 3),
        }),
      );
    }
  });
  const every = Math.max(1, Math.ceil((columns.length * 62) / (width - LEFT - RIGHT)));
  columns.forEach((column, index) => {
    if (index % every === 0 && middle(index) + 16 < width)
      drawing.append(
        svg("text", { class: "chart-text", x: middle(index), y: HEIGHT - 6, "text-anchor": "middle" }, column.label),
      );
  });
  return { width, step, marker };
}

const CELL = 11;
const GAP = 3;
const WEEKDAYS = 30;

/**
 * A year of days, a column for each week. `levels`: a number for each day (`2026-11-18`), null where something happened
 * and the number is unknown; `full(key)`: what to say about a day.
 */
export function calendar(title, summary, last, levels, full) {
  const end = Math.floor(last / 86_400_000);
  const weekday = (day) => (day + 3) % 7; // The first day of 1970 was a Thursday; weeks begin on Monday.
  const start = end - 364 - weekday(end - 364);
  const weeks = Math.floor((end - start) / 7) + 1;
  const known = [...levels.values()].filter((value) => value > 0).sort((left, right) => left - right);
  // A quarter of the days each: one day of a hundred times the rest would leave nothing else to see.
  const level = (value) => 1 + Math.floor((4 * known.findIndex((one) => one >= value)) / known.length);
  const width = WEEKDAYS + weeks * (CELL + GAP);
  const drawing = svg("svg", { class: "chart", role: "img", width, height: 16 + 7 * (CELL + GAP), "aria-label": `${title}. ${summary}` });
  ["Mon", "Wed", "Fri"].forEach((name, index) =>
    drawing.append(svg("text", { class: "chart-text", x: 0, y: 16 + 2 * index * (CELL + GAP) + CELL - 2 }, name)),
  );
  let month;
  for (let one = start; one <= end; one += 1) {
    const key = new Date(one * 86_400_000).toISOString().slice(0, 10);
    const x = WEEKDAYS + Math.floor((one - start) / 7) * (CELL + GAP);
    if (weekday(one) === 0 && key.slice(0, 7) !== month && x + 30 < width) {
      const isFirst = month === undefined;
      month = key.slice(0, 7);
      if (!isFirst || Number(key.slice(8)) < 15)
        drawing.append(svg("text", { class: "chart-text", x, y: 10 }, monthName(one * 86_400_000)));
    }
    const value = levels.get(key);
    const look = value > 0 ? `tone-1 level-${level(value)}` : value === null ? "is-unknown" : "is-nothing";
    const cell = { class: `day-cell ${look}`, x, y: 16 + weekday(one) * (CELL + GAP), width: CELL, height: CELL, rx: 2 };
    drawing.append(svg("rect", cell, svg("title", null, full(key))));
  }
  const frame = h("div", { class: "scroll-x calendar", tabindex: "0", role: "region", "aria-label": title }, drawing);
  // The newest days are on the right, and they are what is looked for.
  requestAnimationFrame(() => (frame.scrollLeft = frame.scrollWidth));
  return h(
    "figure",
    { class: "figure" },
    h("figcaption", null, h("span", { class: "figure-summary" }, summary)),
    frame,
  );
}

/** A share of one as a short bar. */
export function meter(share, label) {
  const value = Math.min(1, Math.max(0, share ?? 0));
  return h(
    "span",
    { class: "meter", role: "img", "aria-label": label },
    h("span", { class: `meter-fill${value < 0.4 ? " is-low" : ""}`, vars: { width: `${value * 100}%` } }),
  );
}

/** How much of a limit is used; more is worse. */
export function gauge(share, label) {
  const value = Math.min(1, Math.max(0, share ?? 0));
  const tone = value >= 1 ? " is-full" : value >= 0.8 ? " is-high" : "";
  return h(
    "span",
    { class: "gauge", role: "img", "aria-label": label },
    h("span", { class: `gauge-fill${tone}`, vars: { width: `${value * 100}%` } }),
  );
}

/** The days of a list of rows, none left out between the first and the last (at most `limit`, the latest). */
export function days(rows, limit = 60) {
  const known = rows
    .map((row) => instant(row.day))
    .filter((ms) => ms !== undefined)
    .map((ms) => Math.floor(ms / 86_400_000));
  if (known.length === 0) return [];
  const last = known.reduce((left, right) => Math.max(left, right));
  const first = Math.max(
    last - limit + 1,
    known.reduce((left, right) => Math.min(left, right)),
  );
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const ms = (first + index) * 86_400_000;
    const key = new Date(ms).toISOString().slice(0, 10);
    return { key, label: day(ms), full: day(ms) };
  });
}

function figure(summary, series, drawing, equivalent, unit) {
  return h(
    "figure",
    { class: "figure" },
    h(
      "figcaption",
      null,
      h("span", { class: "figure-summary" }, summary),
      h(
        "span",
        { class: "legend" },
        series.map((one) => h("span", null, h("span", { class: `dot tone-${one.tone}` }), one.label)),
        unit && h("span", { class: "muted" }, unit),
      ),
    ),
    drawing,
    h("details", { class: "as-table" }, h("summary", null, "Show as a table"), equivalent),
  );
}

function nice(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const lead = value / power;
  const step = [1, 2, 4, 5, 8, 10].find((one) => lead <= one + 1e-9) ?? 10;
  return value < 1 ? step * power : Math.max(step * power, 2);
}
