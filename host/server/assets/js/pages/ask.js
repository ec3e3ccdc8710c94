// Ask: a question to memory, and an answer that says where it comes from.

import { post } from "../api.js";
import { h, replace } from "../dom.js";
import { markdown } from "../markdown.js";
import { memoryLink, sessionLink } from "../router.js";
import { state } from "../state.js";
import { badge, empty, failure } from "../widgets.js";

const KEPT = 20;
const earlier = [];

export function page(main, route) {
  let abort = new AbortController();
  const box = h("textarea", {
    rows: "2",
    class: "ask-box",
    id: "ask",
    placeholder: "Why did we choose SQLite for the queue?",
    maxlength: "4000",
    value: route.params.q ?? "",
    data: { search: "yes" },
  });
  const send = h("button", { type: "submit", class: "button primary" }, h("span", null, "Ask"));
  const answers = h("div", { class: "stack loose", "aria-live": "polite" });
  main.append(
    h(
      "div",
      { class: "ask" },
      h(
        "form",
        {
          class: "ask-form",
          on: {
            submit: (event) => {
              event.preventDefault();
              ask();
            },
          },
        },
        h("label", { htmlFor: "ask" }, "What do you want to know?"),
        box,
        h(
          "div",
          { class: "row spread" },
          h(
            "span",
            { class: "muted small" },
            "Answered from this project's memory; where it has no answer, earlier sessions are cited. Enter asks, Shift and Enter make a new line.",
          ),
          send,
        ),
      ),
      answers,
    ),
  );
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      ask();
    }
  });

  function paint() {
    replace(
      answers,
      earlier.length === 0
        ? empty("Ask about what was decided, learned and done", "The answer names the memories it rests on.")
        : earlier.map(answerNode),
    );
  }

  async function ask() {
    const question = box.value.trim();
    if (!question || send.disabled) return;
    send.disabled = true;
    abort = new AbortController();
    const waiting = h(
      "div",
      { class: "loading", role: "status" },
      h("span", { class: "spinner" }),
      "Looking through memory…",
    );
    answers.prepend(waiting);
    try {
      earlier.unshift(await post("/api/ask", { question, project_root: state.project }, { signal: abort.signal }));
      earlier.length = Math.min(earlier.length, KEPT);
      box.value = "";
      paint();
    } catch (error) {
      if (error.name !== "AbortError") {
        waiting.remove();
        answers.prepend(failure(error));
      }
    } finally {
      send.disabled = false;
      waiting.remove();
    }
  }

  paint();
  box.focus();
  return { leave: () => abort.abort() };
}

function answerNode(answer) {
  const byNumber = new Map(answer.sources.map((source) => [source.number, source]));
  const cite = (number) => {
    const source = byNumber.get(number);
    return source && h("a", { href: memoryLink(source.id), class: "cite", title: source.title }, String(number));
  };
  const isNear = answer.nearest.some((source) => source.passage);
  return h(
    "article",
    { class: "panel answer" },
    h("h2", null, answer.question),
    answer.answered
      ? h("div", { class: "prose" }, markdown(answer.answer, cite))
      : h("p", { class: "muted" }, `Nothing in memory ${isNear ? "surely " : ""}answers this.`),
    memories(answer.answered ? "Sources" : isNear ? "Perhaps" : "The nearest memories", answer.answered ? answer.sources : answer.nearest),
    said(answer.sessions),
    answer.answered &&
      h(
        "p",
        { class: "muted small" },
        answer.by === "model" ? "Put into words by a model from the sources." : "Sentences of memory, word for word.",
      ),
  );
}

function said(sessions) {
  return (
    sessions.length > 0 &&
    h(
      "section",
      null,
      h("h3", { class: "small-head" }, "Said in earlier sessions, and never checked"),
      h(
        "ol",
        { class: "plain stack tight" },
        sessions.map((one) =>
          h(
            "li",
            null,
            h(
              "a",
              { href: sessionLink(one.agent, one.session, one.event), class: "card-link" },
              h("span", null, one.title ?? one.session),
              h("span", { class: "push muted small" }, `${one.role} ${one.date}`),
              badge(one.trust),
            ),
            h("p", { class: "muted small" }, `${one.passage} (${one.share} %)`),
          ),
        ),
      ),
    )
  );
}

function memories(heading, sources) {
  return (
    sources.length > 0 &&
    h(
      "section",
      null,
      h("h3", { class: "small-head" }, heading),
      h(
        "ol",
        { class: "plain stack tight" },
        sources.map((source) =>
          h(
            "li",
            null,
            h(
              "a",
              { href: memoryLink(source.id), class: "card-link" },
              h("span", { class: "cite" }, String(source.number)),
              h("span", null, source.title),
              h("span", { class: "push" }, badge(source.trust)),
            ),
            source.passage && h("p", { class: "muted small" }, `${source.passage} (${source.sure} %)`),
          ),
        ),
      ),
    )
  );
}
