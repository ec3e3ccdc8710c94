// A session of any length in a bounded document. Each page of rows is an element with an estimated height, which is
// filled when it comes near and emptied when it is far away. The text scrolls as one, and every row can be gone to.

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { failure } from "../widgets.js";
import { rowNode } from "./rows.js";

/** Pages that are filled at a time. */
const FILLED = 12;
const LINE_PIXELS = 23;
/** Work without a pause, in milliseconds. */
const SLICE = 6;
/** How often it is told where one reads, in milliseconds. */
const TELL = 120;

const nextFrame = () => new Promise(requestAnimationFrame);
const pause = () => new Promise((done) => setTimeout(done));

/**
 * `options`: `path` of the session in the API, `session: {agent, id}`, `outline`, `signal`, `learnt(event)`, `reached(place)` with the
 * row at the top while one scrolls.
 */
export function reader(scroller, options) {
  const { path, outline, signal } = options;
  const size = outline.page_rows;
  const chapters = outline.chapters;
  const of = {
    path,
    signal,
    session: options.session,
    learnt: options.learnt,
    chapterOf: (place) => {
      const at = chapterAt(place);
      return chapters[at]?.row === place ? { number: at + 1, total: outline.prompts } : undefined;
    },
  };
  const pages = outline.pages.map((lines, number) => {
    const element = h("ol", {
      class: "events",
      data: { page: number },
      vars: { height: `${lines * LINE_PIXELS}px` },
    });
    return { element, number, filled: undefined, used: 0 };
  });
  const byElement = new Map(pages.map((page) => [page.element, page]));
  let turn = 0;

  /** The chapter that a row is in; -1 before the first. */
  function chapterAt(place) {
    let low = 0;
    let high = chapters.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (chapters[middle].row <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  async function fetched(page) {
    const { rows } = await get(`${path}/rows`, { offset: page.number * size, limit: size }, { signal });
    const nodes = [];
    let since = performance.now();
    for (const [index, row] of rows.entries()) {
      nodes.push(rowNode(row, page.number * size + index, of));
      if (performance.now() - since > SLICE) {
        await pause();
        since = performance.now();
      }
    }
    return nodes;
  }

  function put(page, ...content) {
    const { element } = page;
    if (CSS.supports("overflow-anchor", "auto")) {
      element.style.removeProperty("height");
      replace(element, ...content);
      return;
    }
    // The browser does not keep the place by itself.
    const before = element.getBoundingClientRect();
    element.style.removeProperty("height");
    replace(element, ...content);
    if (before.bottom < scroller.getBoundingClientRect().top)
      scroller.scrollTop += element.getBoundingClientRect().height - before.height;
  }

  function fill(page) {
    turn += 1;
    page.used = turn;
    page.filled ??= (async () => {
      try {
        const nodes = await fetched(page);
        if (signal.aborted) return;
        put(page, nodes);
        options.filled?.();
        emptyFar();
      } catch (error) {
        page.filled = undefined;
        if (signal.aborted || error.name === "AbortError") return;
        put(
          page,
          h(
            "li",
            null,
            failure(error, () => fill(page)),
          ),
        );
      }
    })();
    return page.filled;
  }

  function emptyFar() {
    const filled = pages.filter((page) => page.filled && !page.isNear && page.height);
    const near = pages.filter((page) => page.filled && page.isNear).length;
    filled.sort((left, right) => left.used - right.used);
    for (const page of filled.slice(0, Math.max(0, near + filled.length - FILLED))) {
      if (page.element.contains(document.activeElement)) continue;
      page.filled = undefined;
      page.element.style.setProperty("height", `${page.height}px`);
      page.element.replaceChildren();
    }
  }

  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const page = byElement.get(target);
        page.isNear = isIntersecting;
        // As the browser knows it already: to ask for it would make it lay out the page once more.
        page.height = boundingClientRect.height;
        if (isIntersecting) fill(page);
      }
    },
    { root: scroller, rootMargin: "1000px 0px" },
  );
  for (const page of pages) observer.observe(page.element);
  signal.addEventListener("abort", () => observer.disconnect());

  let isScheduled = false;
  let broughtUntil = 0;
  function tellPlace() {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      // Where one was brought to is where one is, even if the end of the session keeps it from the top.
      if (performance.now() < broughtUntil) return;
      const box = scroller.getBoundingClientRect();
      const at = document.elementFromPoint(box.left + box.width / 2, box.top + 60)?.closest(".event");
      if (at && scroller.contains(at)) options.reached?.(Number(at.dataset.row));
    }, TELL);
  }
  scroller.addEventListener("scroll", tellPlace, { passive: true });

  const nodeOf = (place) => pages[Math.floor(place / size)]?.element.querySelector(`[data-row="${place}"]`);

  /** Puts a row a little below the top, and gives its element. */
  async function goTo(place) {
    const page = pages[Math.floor(place / size)];
    if (!page) return undefined;
    broughtUntil = Infinity;
    // What was filled before is in place at once; what comes above it is kept from moving it by the browser.
    for (let round = 0; round < 3; round += 1) {
      await fill(page);
      const node = nodeOf(place);
      if (signal.aborted || !node) {
        broughtUntil = 0;
        return undefined;
      }
      const top = node.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
      scroller.scrollTop += top - Math.min(90, scroller.clientHeight / 5);
      await nextFrame();
      broughtUntil = performance.now() + 2 * TELL;
    }
    return nodeOf(place);
  }

  return { elements: pages.map((page) => page.element), goTo, chapterAt, nodes: () => scroller.querySelectorAll(".event") };
}
