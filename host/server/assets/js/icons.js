// Small line drawings, 16 by 16. Decoration: they are hidden from assistive technology, words stand beside them.

import { svg } from "./dom.js";

const PATHS = {
  home: "M2 7.5 8 2.5l6 5M3.5 6.5v7h9v-7M6.5 13.5v-4h3v4",
  review: "M2.5 3h11v10h-11zM5 8l2 2 4-4",
  memories: "M3.5 2h7.5l2 2v10h-9.5zM6 6h4.5M6 8.5h4.5M6 11h3",
  runs: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.6 5.6v4.8L10.6 8z",
  sessions: "M2 3h12v8H7l-3 3v-3H2zM5 6h6M5 8.4h4",
  usage: "M2.5 13.5h11M4 11V8M7 11V3M10 11V6M13 11V9.5",
  queue: "M2 3.5h12M2 8h12M2 12.5h7",
  plugins: "M6 2v3M10 2v3M4 5h8v3a4 4 0 0 1-8 0zM8 12v2.5",
  timeline: "M4 2v12M4 4.5h.1M7 4.5h6.5M4 8h.1M7 8h4.5M4 11.5h.1M7 11.5h6.5",
  briefs: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h2.5",
  projects: "M2 4h4l1.5 1.5H14V13H2z",
  model: "M5 5h6v6H5zM6.5 2v3M9.5 2v3M6.5 11v3M9.5 11v3M2 6.5h3M2 9.5h3M11 6.5h3M11 9.5h3",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  settings: "M2 4.5h7M12 4.5h2M10.5 3v3M2 11.5h2M7 11.5h7M5.5 10v3",
  ask: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.2 6.3a1.8 1.8 0 1 1 2.6 1.9c-.6.3-.8.6-.8 1.2M8 11.5v.1",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14",
  sync: "M13.5 6A6 6 0 0 0 3 4.5L2 6M2 2.5V6h3.5M2.5 10A6 6 0 0 0 13 11.5l1-1.5M14 13.5V10h-3.5",
  maintain: "M10.2 2.3a3.6 3.6 0 0 0-3 5.1L2.5 12.1 3.9 13.5 8.6 8.8a3.6 3.6 0 0 0 5.1-3l-2.2 1.1-1.7-.4-.4-1.7z",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  menu: "M2 4h12M2 8h12M2 12h12",
  back: "M9.5 3 4.5 8l5 5M4.5 8H14",
  forward: "M6.5 3l5 5-5 5M11.5 8H2",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  edit: "M11 2.5 13.5 5 5.5 13H3v-2.5z",
  check: "M3 8.5 6.5 12 13 4.5",
  archive: "M2 3h12v3H2zM3 6v7.5h10V6M6.5 8.5h3",
  restore: "M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.5v3.3h3.3",
  reject: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM4 4l8 8",
  plus: "M8 3v10M3 8h10",
  image: "M2 3h12v10H2zM2.5 11.5 6 7.5l3 3 1.8-1.8 2.7 2.8M10.8 5.8h.1",
  warning: "M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.7v.1",
  keys: "M1.5 4h13v8h-13zM4 6.5h.1M6.6 6.5h.1M9.2 6.5h.1M11.9 6.5h.1M5 9.5h6",
};

export function icon(name) {
  return svg(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] ?? "" }),
  );
}
