// A list of any length in a bounded number of nodes: rows of one height, fetched in pages, recycled while the
// list is scrolled. Works as a listbox: one stop for Tab, arrows or j and k move, Enter opens.

import { h, replace } from "./dom.js";

const PAGE = 100;
const PAGES_KEPT = 30;
const OVERSCAN = 6;

/**
 * `options`: `label`, `rowHeight() -> pixels`, `render(item, index) -> nodes`, `key(item)`, `fetch(offset, limit, signal) ->
 * {items, total}`, `open(item)`, `shown(total)`, `failed(error)`, `none() -> node`.
 */
export function virtualList(options) {
  let rowHeight = options.rowHeight();
  const spacer = h("div", { class: "virtual-spacer", role: "presentation" });
  const element = h("div", { class: "virtual", role: "listbox", tabindex: "0", "aria-label": options.label }, spacer);
  const rows = new Map();
  const identity = `list-${Math.random().toString(36).slice(2, 8)}`;
  let pages = new Map();
  // What was shown before a reload, until the new rows are there.
  let earlier = new Map();
  let total = 0;
  let current = -1;
  let opened;
  let abort = new AbortController();
  let scheduled = false;

  const pageOf = (index) => Math.floor(index / PAGE);
  const item = (index) => (pages.get(pageOf(index))?.items ?? earlier.get(pageOf(index))?.items)?.[index % PAGE];

  async function want(page) {
    if (pages.has(page)) return;
    const entry = { items: undefined };
    pages.set(page, entry);
    const { signal } = abort;
    try {
      const answer = await options.fetch(page * PAGE, PAGE, signal);
      if (signal.aborted) return;
      entry.items = answer.items.slice(0, PAGE);
      // A source may give all it has at once.
      for (let at = PAGE; at < answer.items.length; at += PAGE)
        pages.set(page + at / PAGE, { items: answer.items.slice(at, at + PAGE) });
      earlier.delete(page);
      total = answer.total;
      options.shown?.(total);
      forgetFarPages(page);
      if (current >= total) current = total - 1;
      paint(true);
    } catch (error) {
      if (signal.aborted || error?.name === "AbortError") return;
      pages.delete(page);
      options.failed?.(error);
    }
  }

  function forgetFarPages(near) {
    if (pages.size <= PAGES_KEPT) return;
    const far = [...pages.keys()].sort((left, right) => Math.abs(right - near) - Math.abs(left - near));
    for (const page of far.slice(0, pages.size - PAGES_KEPT)) pages.delete(page);
  }

  function paint(isFresh = false) {
    spacer.style.setProperty("height", `${total * rowHeight}px`);
    // A list without options would be none.
    element.setAttribute("role", total === 0 ? "group" : "listbox");
    if (total === 0) {
      const isLoading = pages.get(0)?.items === undefined;
      rows.clear();
      replace(spacer, isLoading ? null : options.none?.());
      spacer.classList.toggle("is-empty", !isLoading);
      return;
    }
    if (spacer.classList.contains("is-empty")) {
      spacer.classList.remove("is-empty");
      replace(spacer);
    }
    const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - OVERSCAN);
    const last = Math.min(total, Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + OVERSCAN);
    for (const [index, row] of rows) {
      if (index < first || index >= last) {
        row.remove();
        rows.delete(index);
      }
    }
    for (let index = first; index < last; index += 1) {
      want(pageOf(index));
      const existing = rows.get(index);
      if (existing && !isFresh && existing.dataset.ready) continue;
      const row = makeRow(index);
      if (existing) existing.replaceWith(row);
      else spacer.append(row);
      rows.set(index, row);
    }
    const active = rows.get(current);
    if (active) element.setAttribute("aria-activedescendant", active.id);
    else element.removeAttribute("aria-activedescendant");
  }

  function makeRow(index) {
    const value = item(index);
    const key = value && options.key(value);
    const row = h(
      "div",
      {
        class: `virtual-row${index === current ? " is-current" : ""}${key !== undefined && key === opened ? " is-open" : ""}`,
        id: `${identity}-${index}`,
        role: "option",
        "aria-selected": String(key !== undefined && key === opened),
        "aria-posinset": String(index + 1),
        "aria-setsize": String(total),
        data: { ready: value ? "yes" : undefined, key },
        vars: { transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` },
        on: { click: () => choose(index) },
      },
      value ? options.render(value, index) : h("div", { class: "skeleton" }),
    );
    return row;
  }

  function choose(index) {
    const value = item(index);
    current = index;
    if (value) options.open(value);
    paint(true);
  }

  function move(step) {
    if (total === 0) return;
    current = Math.min(total - 1, Math.max(0, current < 0 && Math.abs(step) <= 1 ? 0 : Math.max(0, current) + step));
    const top = current * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
    paint(true);
  }

  element.addEventListener(
    "scroll",
    () => {
      if (scheduled) return;
      scheduled = true;
      requestAnimationFrame(() => {
        scheduled = false;
        paint();
      });
    },
    { passive: true },
  );
  element.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(element.clientHeight / rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -total, End: total };
    if (event.key in steps && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      move(steps[event.key]);
    } else if (event.key === "Enter" && current >= 0) {
      event.preventDefault();
      choose(current);
    }
  });
  const observer = new ResizeObserver(() => paint());
  observer.observe(element);

  return {
    element,
    move,
    openCurrent: () => {
      if (current >= 0) choose(current);
    },
    /** Starts over; keeps the place when `isSame`. */
    reload(isSame = false) {
      abort.abort();
      abort = new AbortController();
      earlier = isSame ? new Map([...earlier, ...[...pages].filter(([, entry]) => entry.items)]) : new Map();
      pages = new Map();
      if (!isSame) {
        rowHeight = options.rowHeight();
        total = 0;
        current = -1;
        rows.clear();
        replace(spacer);
        spacer.classList.remove("is-empty");
        element.scrollTop = 0;
      }
      want(isSame ? pageOf(Math.max(0, Math.floor(element.scrollTop / rowHeight))) : 0);
    },
    setOpened(key) {
      opened = key;
      paint(true);
    },
    /** Puts a changed item in the place of the one with its key. */
    update(value) {
      for (const entry of [...pages.values(), ...earlier.values()]) {
        const at = entry.items?.findIndex((other) => options.key(other) === options.key(value)) ?? -1;
        if (at >= 0) entry.items[at] = { ...entry.items[at], ...value };
      }
      paint(true);
    },
    stop() {
      abort.abort();
      observer.disconnect();
    },
  };
}
