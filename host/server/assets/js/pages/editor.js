// Writing a memory by hand: a new one, or a change to one. A change names the text it was made from; if that is
// no longer what the file says, nothing is written and both texts are kept in view.

import { get, post, put, segment } from "../api.js";
import { h, replace } from "../dom.js";
import { icon } from "../icons.js";
import { markdown } from "../markdown.js";
import { scoped, state } from "../state.js";
import { hiddenIn } from "../text.js";
import { KINDS } from "../types.js";
import { button, failure, iconButton, select } from "../widgets.js";

/** Resolves with the server's answer, with "reload" when the newer text was taken, or undefined when it was closed. */
export function editor(memory, mode) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    let digest = memory.digest;
    let answer;
    let made = { type: memory.type, kind: memory.kind };
    const message = h("div", { "aria-live": "assertive" });
    const hidden = h("p", { class: "small warn-text" });
    const title = h("input", {
      type: "text",
      id: "edit-title",
      value: memory.title ?? "",
      required: true,
      maxlength: "200",
      autocomplete: "off",
    });
    const body = h("textarea", {
      id: "edit-body",
      rows: "14",
      maxlength: "20000",
      spellcheck: "true",
      value: memory.body ?? "",
    });
    const tags = h("input", {
      type: "text",
      id: "edit-tags",
      value: (memory.tags ?? []).join(", "),
      autocomplete: "off",
      spellcheck: "false",
    });
    const preview = h("div", { class: "prose preview", hidden: true });
    const toggle = button(
      "Preview",
      () => {
        preview.hidden = !preview.hidden;
        body.hidden = !preview.hidden;
        replace(toggle.lastChild, preview.hidden ? "Preview" : "Write");
        replace(preview, markdown(body.value));
      },
      { look: "small quiet" },
    );
    const save = h(
      "button",
      { type: "submit", class: "button primary" },
      h("span", null, mode === "new" ? "Add" : "Save"),
    );
    const fields = h(
      "div",
      { class: "stack" },
      mode === "new" &&
        h(
          "div",
          { class: "row" },
          select(
            "Type",
            [
              ["learning", "learning"],
              ["decision", "decision"],
            ],
            made.type,
            (type) => {
              made = { type, kind: type === "learning" ? "insight" : undefined };
              kind.hidden = type !== "learning";
            },
          ),
          null,
        ),
      h("label", { htmlFor: "edit-title" }, "Title"),
      title,
      h("div", { class: "row spread" }, h("label", { htmlFor: "edit-body" }, "Text"), toggle),
      body,
      preview,
      hidden,
      h("label", { htmlFor: "edit-tags" }, "Tags, with commas between them"),
      tags,
    );
    const kind = select(
      "Kind",
      KINDS.map((one) => [one, one]),
      made.kind,
      (value) => {
        made = { ...made, kind: value };
      },
    );
    if (mode === "new") fields.firstChild.append(kind);
    const form = h(
      "form",
      {
        class: "editor",
        novalidate: true,
        on: {
          submit: (event) => {
            event.preventDefault();
            submit();
          },
        },
      },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", { id: "edit-heading" }, mode === "new" ? "New memory" : "Edit memory"),
        iconButton("Close", "close", leave),
      ),
      h("div", { class: "dialog-body stack" }, message, fields),
      h(
        "div",
        { class: "dialog-foot" },
        h(
          "span",
          { class: "muted small push-right only-wide" },
          h("kbd", null, "Ctrl"),
          " ",
          h("kbd", null, "Enter"),
          " saves",
        ),
        button("Cancel", leave),
        save,
      ),
    );
    const element = h(
      "dialog",
      {
        class: "dialog wide",
        "aria-labelledby": "edit-heading",
        on: {
          cancel: (event) => {
            event.preventDefault();
            leave();
          },
          close: () => {
            element.remove();
            before?.focus?.();
            resolve(answer);
          },
          keydown: (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              submit();
            }
          },
        },
      },
      form,
    );

    const listed = () =>
      tags.value
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean);
    // As the fields have it: they change line ends, which is no change of a person's.
    const first = { title: title.value, body: body.value, tags: tags.value };
    const isChanged = () => title.value !== first.title || body.value !== first.body || tags.value !== first.tags;

    function warnOfHidden() {
      const found = hiddenIn(`${title.value}${body.value}${tags.value}`);
      replace(
        hidden,
        found.length > 0 ? `The text has characters that do not show: ${found.slice(0, 8).join(" ")}` : null,
      );
    }

    function leave() {
      if (!isChanged() || leave.isSure) {
        element.close();
        return;
      }
      leave.isSure = true;
      replace(
        message,
        h(
          "div",
          { class: "notice warn", role: "alert" },
          icon("warning"),
          h("span", null, "What you wrote is not saved. Close again to drop it."),
        ),
      );
    }

    /** Only what a person changed. */
    function difference() {
      return {
        title: title.value === first.title ? undefined : title.value.trim(),
        body: body.value === first.body ? undefined : body.value,
        tags: tags.value === first.tags ? undefined : listed(),
      };
    }

    async function submit() {
      const lacking = [title, body].find((field) => field.value.trim() === "");
      if (lacking) {
        lacking.setAttribute("aria-invalid", "true");
        replace(message, failure({ message: lacking === title ? "A memory needs a title" : "A memory needs a text" }));
        lacking.focus();
        return;
      }
      if (mode === "edit" && !isChanged()) {
        element.close();
        return;
      }
      save.disabled = true;
      const project_root = memory.project ?? state.project;
      try {
        answer =
          mode === "new"
            ? await post("/api/memories", {
                title: title.value.trim(),
                body: body.value,
                tags: listed(),
                type: made.type,
                kind: made.type === "learning" ? made.kind : undefined,
                project_root,
              })
            : await put(`/api/memories/${segment(memory.id)}`, {
                ...difference(),
                expected_digest: digest,
                project_root,
              });
        element.close();
      } catch (error) {
        save.disabled = false;
        replace(message, error.status === 409 && mode === "edit" ? await conflict() : failure(error));
      }
    }

    /** Somebody else was faster. */
    async function conflict() {
      let theirs;
      try {
        theirs = await get(`/api/memories/${segment(memory.id)}`, scoped({}, memory.project ?? state.project));
      } catch (cause) {
        return failure(cause);
      }
      return h(
        "div",
        { class: "notice warn conflict", role: "alert" },
        icon("warning"),
        h(
          "div",
          { class: "stack" },
          h(
            "p",
            null,
            h("strong", null, "This memory changed while you were writing. "),
            "Nothing is saved yet; your text is below.",
          ),
          h(
            "details",
            { open: true },
            h("summary", null, "What it says now"),
            h("p", null, h("strong", null, theirs.memory.title)),
            h("pre", { class: "code wrap" }, theirs.body),
          ),
          h(
            "div",
            { class: "row" },
            button(
              "Save mine over it",
              () => {
                digest = theirs.digest;
                replace(message);
                submit();
              },
              { look: "danger" },
            ),
            button("Take the newer text", () => {
              answer = "reload";
              element.close();
            }),
            button("Keep writing", () => {
              replace(message);
              body.focus();
            }),
          ),
        ),
      );
    }

    for (const field of [title, body, tags])
      field.addEventListener("input", () => {
        warnOfHidden();
        leave.isSure = false;
      });
    warnOfHidden();
    document.body.append(element);
    element.showModal();
    (mode === "new" ? title : body).focus();
    if (mode === "edit") body.setSelectionRange(0, 0);
  });
}
