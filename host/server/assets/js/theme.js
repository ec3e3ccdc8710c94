// Light or dark, before anything is painted: a classic script, because modules run too late for that.
"use strict";

(() => {
  const root = document.documentElement;
  try {
    const chosen = localStorage.getItem("acreta.theme");
    if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  } catch {
    // Without storage the system's choice stands.
  }
})();
