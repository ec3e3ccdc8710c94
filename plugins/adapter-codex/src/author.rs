//! Determines the author of text under the names `user` and `developer`. Codex writes much there that no person said:
//! instruction files, the environment, skills, its own notes.

use acreta_sdk::adapter::author::{self, Author, Piece, Wrapping, element};

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        (
            "Another language model started to solve this problem",
            Author::Compaction,
        ),
        ("# AGENTS.md instructions", Author::Injected("instructions")),
        ("<user_instructions>", Author::Injected("instructions")),
        ("<environment_context>", Author::Injected("environment")),
        (
            "<environments_instructions>",
            Author::Injected("environment"),
        ),
        ("<external_", Author::Injected("context")),
        ("<codex_internal_context", Author::Injected("context")),
        ("<goal_context>", Author::Injected("goal")),
        ("<skill>", Author::Injected("skill")),
        ("<hook_prompt", Author::Injected("hook")),
        ("<turn_aborted>", Author::Injected("turn-aborted")),
        ("<subagent_notification>", Author::Injected("agent")),
        ("<user_action>", Author::Injected("review")),
        (
            "<permissions instructions>",
            Author::Injected("permissions"),
        ),
        (
            "<collaboration_mode>",
            Author::Injected("collaboration-mode"),
        ),
        ("<skills_instructions>", Author::Injected("skill")),
        ("<apps_instructions>", Author::Injected("apps")),
        ("<plugins_instructions>", Author::Injected("plugins")),
        ("<recommended_plugins>", Author::Injected("plugins")),
        (
            "Warning: The maximum number of unified exec processes",
            Author::Injected("warning"),
        ),
        (
            "Warning: apply_patch was requested via",
            Author::Injected("warning"),
        ),
        (
            "Warning: Your account was flagged",
            Author::Injected("warning"),
        ),
    ],
    inserts: &[],
};

/// Headings that an editor puts before its context and before the request itself. The request is last: its heading may also
/// stand in a selected text.
const EDITOR: [&str; 3] = [
    "# Context from my IDE",
    "# Files mentioned by the user",
    "# In app browser",
];
const REQUEST: &str = "\n## My request for Codex:";

/// Splits a text under the name of the user by author. Empty and blank pieces are left out.
pub(crate) fn split(text: &str) -> Vec<Piece<'static>> {
    let start = text.trim_start();
    if is_tag(start) {
        return Vec::new();
    }
    if start.starts_with("<user_shell_command>") {
        return shell_command(start);
    }
    if EDITOR.iter().any(|beginning| start.starts_with(beginning)) {
        let (context, request) = start.rsplit_once(REQUEST).unwrap_or((start, ""));
        let mut pieces = author::split(request, &WRAPPING);
        let text = context.trim().to_owned();
        let author = Author::Injected("ide");
        pieces.push(Piece { author, text });
        return pieces;
    }
    author::split(text, &WRAPPING)
}

/// Determines the author of a text under the name of the developer.
pub(crate) fn developer(text: &str) -> &'static str {
    let known = WRAPPING
        .wrappers
        .iter()
        .find(|(beginning, _)| text.trim_start().starts_with(beginning));
    match known {
        Some((_, Author::Injected(by))) => by,
        _ => "developer",
    }
}

/// Returns the directory in an environment dump, in either of its spellings.
pub(crate) fn directory(text: &str) -> Option<String> {
    let environment = text.trim_start().strip_prefix("<environment_context>")?;
    let plain = environment.lines().find_map(|line| {
        let directory = line.trim().strip_prefix("Current working directory:")?;
        Some(directory.trim())
    });
    let directory = element(environment, "cwd").or(plain)?;
    (!directory.is_empty()).then(|| directory.to_owned())
}

/// Reports whether this is only the tag before or after a picture or a recording.
fn is_tag(text: &str) -> bool {
    let text = text.trim_end();
    let is_alone = text.len() < 300 && text.ends_with('>') && !text.contains('\n');
    is_alone
        && ["<image", "</image", "<audio", "</audio"]
            .iter()
            .any(|tag| text.starts_with(tag))
        && text.matches('<').count() == 1
}

/// A command that the person ran, and its output.
fn shell_command(text: &str) -> Vec<Piece<'static>> {
    let command = element(text, "command").unwrap_or_default().to_owned();
    let mut pieces = Vec::new();
    if !command.is_empty() {
        pieces.push(Piece {
            author: Author::Note,
            text: command,
        });
    }
    pieces.push(Piece {
        author: Author::Injected("shell"),
        text: text.trim().to_owned(),
    });
    pieces
}

/// Reports whether a text is a single unknown element whose name has an underscore: the form in which Codex inserts
/// text, also in later versions, and in which hardly any person writes.
pub(crate) fn is_unknown_insert(text: &str) -> bool {
    let text = text.trim();
    if split(text).iter().any(|piece| piece.author != Author::Own) {
        return false;
    }
    let Some((name, _)) = text.strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
        return false;
    };
    let name = name.split(' ').next().unwrap_or_default();
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    name.contains('_') && name.bytes().all(is_name) && text.ends_with(&format!("</{name}>"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Author::{Compaction, Injected, Note, Own};

    fn check(text: &str, expected: &[(Author<'_>, &str)]) {
        let pieces = split(text);
        let told: Vec<_> = pieces.iter().map(|p| (p.author, &*p.text)).collect();
        assert_eq!(told, expected, "{text:?}");
    }

    #[test]
    fn every_author_is_told_apart() {
        check("use tabs, please", &[(Own, "use tabs, please")]);
        check(" \n", &[]);
        check("<image name=[Image #1]>", &[]);
        check("</image>", &[]);
        check("<image> is the tag", &[(Own, "<image> is the tag")]);
        check("why <div> and </div>?", &[(Own, "why <div> and </div>?")]);
        check("<div>all</div>", &[(Own, "<div>all</div>")]);
        for (text, by) in [
            (
                "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>",
                "instructions",
            ),
            ("<user_instructions>\n# Rules", "instructions"),
            ("<environment_context>\n<cwd>/x</cwd>", "environment"),
            ("<skill>\n<name>a</name>", "skill"),
            ("<hook_prompt hook_run_id=\"1\">go on</hook_prompt>", "hook"),
            ("<turn_aborted>\nx", "turn-aborted"),
            ("<subagent_notification>\n{}", "agent"),
        ] {
            check(text, &[(Injected(by), text)]);
        }
        let summary = "Another language model started to solve this problem and";
        check(summary, &[(Compaction, summary)]);
    }

    #[test]
    fn the_request_is_taken_out_of_what_an_editor_adds() {
        check(
            "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nrename it\n",
            &[
                (Own, "rename it"),
                (
                    Injected("ide"),
                    "# Context from my IDE setup:\n\n## Active file: a.rs",
                ),
            ],
        );
        check(
            "# Context from my IDE setup:\n\n## Open tabs:",
            &[(
                Injected("ide"),
                "# Context from my IDE setup:\n\n## Open tabs:",
            )],
        );
        let quoted = "what does \"## My request for Codex:\" mean?";
        check(quoted, &[(Own, quoted)]);
        let shell = "<user_shell_command>\n<command>\ngit pull\n</command>\n<result>\nExit code: 0\n\
                     </result>\n</user_shell_command>";
        check(shell, &[(Note, "git pull"), (Injected("shell"), shell)]);
    }

    #[test]
    fn what_is_wrapped_like_an_insert_is_known() {
        let table = [
            ("<future_fragment kind=\"a\">x</future_fragment>", true),
            (" <goal_state>\nx\n</goal_state>\n", true),
            ("<div>x</div>", false),
            ("<environment_context>x</environment_context>", false),
            ("<my_tag>x</my_tag> does not close", false),
            ("<My_Tag>x</My_Tag>", false),
            ("a < b_c > d", false),
            ("", false),
        ];
        for (text, expected) in table {
            assert_eq!(is_unknown_insert(text), expected, "{text}");
        }
    }

    #[test]
    fn the_directory_is_found_in_either_spelling() {
        let table = [
            (
                "<environment_context>\n  <cwd>/home/a</cwd>\n",
                Some("/home/a"),
            ),
            (
                "<environment_context>\nCurrent working directory: /home/b\nApproval policy: never",
                Some("/home/b"),
            ),
            (
                "<environment_context>\n<current_date>x</current_date>",
                None,
            ),
            ("the <cwd>/x</cwd>", None),
        ];
        for (text, expected) in table {
            assert_eq!(directory(text).as_deref(), expected, "{text}");
        }
    }
}
