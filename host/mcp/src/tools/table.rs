//! The table of tools. It is constant: nothing from memory gets in here.

use acreta_text::bounds;
use acreta_types::{Detail, MEMORY_TYPES, MemoryType, ScopeMode};

use super::{Argument, ArgumentKind, Need, ToolEffect, ToolEntry, ToolName, VERDICTS};
use crate::render;

/// Every tool, in listing order.
pub(crate) const TOOLS: &[ToolEntry] = &[
    ToolEntry {
        tool: ToolName::Search,
        name: "memory_search",
        title: "Search memory",
        description: "Search what earlier sessions on this project decided and learnt: decisions, conventions, \
                      pitfalls, procedures, preferences. Use it before you plan, choose or debug. Gives a few short \
                      hits with source and trust; `memory_get` gives one whole.",
        effect: ToolEffect::Reads,
        result: render::search_schema,
        arguments: &[
            Argument {
                name: "query",
                need: Need::Required,
                shape: ArgumentKind::Text {
                    most: QUERY_CHARACTERS,
                },
                description: "What you want to know, in a few words",
            },
            Argument {
                name: "limit",
                need: Need::Optional,
                shape: ArgumentKind::Number { least: 1, most: 50 },
                description: "The most hits; 5 unless told",
            },
            Argument {
                name: "type",
                need: Need::Optional,
                shape: ArgumentKind::OneOf(all_types),
                description: "Only memories of this type",
            },
            Argument {
                name: "kind",
                need: Need::Optional,
                shape: ArgumentKind::OneOf(kinds),
                description: "Only learnings of this kind",
            },
            Argument {
                name: "tag",
                need: Need::Optional,
                shape: NAME,
                description: "Only memories with this tag",
            },
            Argument {
                name: "agent",
                need: Need::Optional,
                shape: NAME,
                description: "Only what was learnt from sessions of this agent",
            },
            Argument {
                name: "since",
                need: Need::Optional,
                shape: NAME,
                description: "Only what is newer: 2026-01-31, 2026-01-31T12:00:00Z, or 7d",
            },
            Argument {
                name: "scope",
                need: Need::Optional,
                shape: ArgumentKind::OneOf(scopes),
                description: "Whose memory; the configured scope unless told",
            },
            Argument {
                name: "cursor",
                need: Need::Optional,
                shape: NAME,
                description: "`next_cursor` of the page before, with the same query and filters",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::Get,
        name: "memory_get",
        title: "Read a memory",
        description: "Read one memory whole, with who said it and when.",
        effect: ToolEffect::Reads,
        result: render::memory_schema,
        arguments: &[Argument {
            name: "id",
            need: Need::Required,
            shape: ID,
            description: "Its id, or a prefix that only it has",
        }],
    },
    ToolEntry {
        tool: ToolName::Note,
        name: "memory_note",
        title: "Note what the person said",
        description: "Note what a later session, on another task, would do otherwise because the person said it: a lasting \
                      decision, rule, preference or correction. Not the task at hand, its plan, how this feature should \
                      look, one-off instructions, secrets, or your own findings: most sessions need none. `quote`: the person's \
                      sentences, verbatim and whole. `about`: your words that they answer, verbatim, if the quote alone \
                      does not say it.",
        effect: ToolEffect::Adds,
        result: render::noted_schema,
        arguments: &[
            Argument {
                name: "title",
                need: Need::Required,
                shape: ArgumentKind::Text { most: 80 },
                description: "One line that says it, in their terms",
            },
            Argument {
                name: "quote",
                need: Need::Required,
                shape: ArgumentKind::Texts {
                    most: 6,
                    characters: 600,
                },
                description: "The person's passages, word for word",
            },
            Argument {
                name: "kind",
                need: Need::Required,
                shape: ArgumentKind::OneOf(kinds_of_notes),
                description: "What it is",
            },
            Argument {
                name: "about",
                need: Need::Optional,
                shape: ArgumentKind::Text { most: 600 },
                description: "Your passage that they answer, word for word",
            },
            Argument {
                name: "files",
                need: Need::Optional,
                shape: ArgumentKind::Texts {
                    most: bounds::TAGS,
                    characters: bounds::TAG,
                },
                description: "Files it is about",
            },
            Argument {
                name: "replaces",
                need: Need::Optional,
                shape: ID,
                description: "Id of the memory or earlier note that no longer holds",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::Add,
        name: "memory_add",
        title: "Remember something",
        description: "Remember something that a later session will need and that nobody said in so many words; what \
                      the person said is `memory_note`. One thing at a time, true beyond this task, no secrets. What \
                      memory already holds is not added again. A convention or preference waits until the person \
                      confirms it.",
        effect: ToolEffect::Adds,
        result: render::added_schema,
        arguments: &[
            Argument {
                name: "title",
                need: Need::Required,
                shape: ArgumentKind::Text {
                    most: bounds::TITLE,
                },
                description: "One line that says it",
            },
            Argument {
                name: "body",
                need: Need::Required,
                shape: ArgumentKind::Text { most: 8_000 },
                description: "What holds, and why",
            },
            Argument {
                name: "type",
                need: Need::Optional,
                shape: ArgumentKind::OneOf(types_to_add),
                description: "decision: a choice that was made; learning: anything else",
            },
            Argument {
                name: "kind",
                need: Need::Optional,
                shape: ArgumentKind::OneOf(kinds),
                description: "Of a learning: what it is",
            },
            Argument {
                name: "tags",
                need: Need::Optional,
                shape: ArgumentKind::Texts {
                    most: bounds::TAGS,
                    characters: bounds::TAG,
                },
                description: "Words to find it by",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::Archive,
        name: "memory_archive",
        title: "Archive or restore a memory",
        description: "Put a memory away that no longer holds, or take it back with `restore`. Nothing is deleted.",
        effect: ToolEffect::PutsAway,
        result: render::changed_schema,
        arguments: &[
            Argument {
                name: "id",
                need: Need::Required,
                shape: ID,
                description: "Its id, or a prefix that only it has",
            },
            Argument {
                name: "restore",
                need: Need::Optional,
                shape: ArgumentKind::Flag,
                description: "Take it back instead",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::Feedback,
        name: "memory_feedback",
        title: "Say how good a memory was",
        description: "Say after using a memory whether it was right, wrong or useful, so that later sessions are \
                      served better.",
        effect: ToolEffect::Counts,
        result: render::changed_schema,
        arguments: &[
            Argument {
                name: "id",
                need: Need::Required,
                shape: ID,
                description: "Its id, or a prefix that only it has",
            },
            Argument {
                name: "verdict",
                need: Need::Required,
                shape: ArgumentKind::OneOf(verdicts),
                description: "What it turned out to be",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::Explore,
        name: "context_explore",
        title: "Explore a codebase",
        description: "Where to look in a codebase: entry points, files that matter, imports, commands that build and \
                      test, and what changed since the last time. With `query`, the files a task is about come first, \
                      with the functions and lines in them. Cheaper than reading files.",
        effect: ToolEffect::Reads,
        result: render::report_schema,
        arguments: &[
            Argument {
                name: "project",
                need: Need::Optional,
                shape: FOLDER,
                description: "Folder of a registered project; this project unless told",
            },
            Argument {
                name: "query",
                need: Need::Optional,
                shape: ArgumentKind::Text {
                    most: QUERY_CHARACTERS,
                },
                description: "The task in words",
            },
            Argument {
                name: "budget",
                need: Need::Optional,
                shape: ArgumentKind::Number {
                    least: 100,
                    most: 20_000,
                },
                description: "The most tokens of the report; 1500 unless told",
            },
            Argument {
                name: "detail",
                need: Need::Optional,
                shape: ArgumentKind::OneOf(details),
                description: "How much to say; compact unless told",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::Delta,
        name: "context_delta",
        title: "See what changed in a codebase",
        description: "Files added, modified, removed and renamed since the codebase was explored last, or since a git \
                      revision, and the files that import them.",
        effect: ToolEffect::Reads,
        result: render::report_schema,
        arguments: &[
            Argument {
                name: "project",
                need: Need::Optional,
                shape: FOLDER,
                description: "Folder of a registered project; this project unless told",
            },
            Argument {
                name: "since",
                need: Need::Optional,
                shape: NAME,
                description: "A git revision to tell changes from",
            },
            Argument {
                name: "detail",
                need: Need::Optional,
                shape: ArgumentKind::OneOf(details),
                description: "How much to say; compact unless told",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::Ask,
        name: "ask",
        title: "Ask memory",
        description: "Ask memory a question and get one or two passages with numbered sources. When nothing in memory \
                      surely answers it, `answered` is false, `nearest` has the two passages that perhaps do, and \
                      `sessions` what was said about it in earlier sessions, which nobody checked.",
        effect: ToolEffect::Reads,
        result: render::answer_schema,
        arguments: &[Argument {
            name: "question",
            need: Need::Required,
            shape: ArgumentKind::Text {
                most: QUERY_CHARACTERS,
            },
            description: "The question, in a sentence",
        }],
    },
    ToolEntry {
        tool: ToolName::FindInSessions,
        name: "session_search",
        title: "Search earlier sessions",
        description: "Find passages in the conversations of earlier sessions on this project, of any agent: how something \
                      was done, what was tried, what a command printed. For what was decided, `memory_search` comes \
                      first. `session_read` reads on around a hit.",
        effect: ToolEffect::Reads,
        result: render::sessions_schema,
        arguments: &[
            Argument {
                name: "query",
                need: Need::Required,
                shape: ArgumentKind::Text {
                    most: QUERY_CHARACTERS,
                },
                description: "Words, \"a phrase\", start*, and filters: role:user tool:bash file:src/a.rs agent:codex since:2w",
            },
            Argument {
                name: "limit",
                need: Need::Optional,
                shape: ArgumentKind::Number { least: 1, most: 20 },
                description: "The most hits; 5 unless told",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::ReadSession,
        name: "session_read",
        title: "Read an earlier session",
        description: "Read a part of an earlier session's conversation: from `offset` on, or around an event that \
                      `session_search` named.",
        effect: ToolEffect::Reads,
        result: render::session_schema,
        arguments: &[
            Argument {
                name: "id",
                need: Need::Required,
                shape: NAME,
                description: "Its id, as `session_search` names it",
            },
            Argument {
                name: "around",
                need: Need::Optional,
                shape: NAME,
                description: "An event to have in the middle",
            },
            Argument {
                name: "offset",
                need: Need::Optional,
                shape: ArgumentKind::Number {
                    least: 0,
                    most: 1_000_000,
                },
                description: "Events to skip; `next_offset` of the part before",
            },
        ],
    },
    ToolEntry {
        tool: ToolName::ForgetSession,
        name: "session_forget",
        title: "Forget this session",
        description: "Ask that the session you are in is not kept: nothing is learnt from it, and its copy is removed. Only \
                      when the person asks for it. It cannot name another session.",
        effect: ToolEffect::Removes,
        result: render::forgotten_schema,
        arguments: &[],
    },
];

const QUERY_CHARACTERS: usize = 2_000;
/// Ids have 26 characters; a unique prefix is accepted.
const ID: ArgumentKind = ArgumentKind::Text { most: 26 };
const NAME: ArgumentKind = ArgumentKind::Text { most: 200 };
const FOLDER: ArgumentKind = ArgumentKind::Text { most: 4_096 };

fn all_types() -> Vec<&'static str> {
    MEMORY_TYPES.iter().map(|entry| entry.name).collect()
}

fn types_to_add() -> Vec<&'static str> {
    let extractable = MEMORY_TYPES.iter().filter(|entry| entry.extractable);
    extractable.map(|entry| entry.name).collect()
}

fn kinds() -> Vec<&'static str> {
    let kinds = MEMORY_TYPES.iter().flat_map(|entry| entry.kinds);
    kinds.copied().collect()
}

fn kinds_of_notes() -> Vec<&'static str> {
    let decision = MemoryType::Decision.name();
    std::iter::once(decision).chain(kinds()).collect()
}

fn verdicts() -> Vec<&'static str> {
    VERDICTS.to_vec()
}

fn details() -> Vec<&'static str> {
    Detail::ALL.map(Detail::name).to_vec()
}

fn scopes() -> Vec<&'static str> {
    ScopeMode::ALL.map(ScopeMode::name).to_vec()
}
