//! Determines the author of text under the name of the user. gptme appends the files and pages that a prompt mentions to
//! it, each as a block with four backticks, and puts some prompts of its own there.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Sink, Speaker};

/// Beginning of a block with content of a file, a page or the standard input.
const BLOCK: &str = "````";

/// Fields of a prompt that gptme wrote.
const OWN: [&str; 3] = [
    "compaction_checkpoint_view",
    "compaction_reminder_view",
    "skill_invocation_id",
];

/// Marks around text that gptme inserts.
const WRAPPING: Wrapping = Wrapping {
    wrappers: &[],
    inserts: &[
        ("<system>", "</system>", "system"),
        ("<agent-instructions", "</agent-instructions>", "file"),
        ("<workspace", "</workspace>", "context"),
    ],
};

/// Emits a prompt.
pub(crate) fn user<S: Sink>(
    told: &mut EventWriter<'_, S>,
    place: &mut RecordSpan,
    text: &str,
    metadata: Option<Value<'_>>,
    speaker: Speaker,
) -> Result<(), Failure> {
    let has = |name: &&str| metadata.is_some_and(|metadata| metadata.field(name).is_some());
    if OWN.iter().any(has) {
        return told.injected(place, "user", "gptme", text.to_owned());
    }
    let start = match text.starts_with(BLOCK) {
        true => 0,
        false => text.find(&format!("\n{BLOCK}")).unwrap_or(text.len()),
    };
    let (typed, content) = text.split_at(start);
    speaker.prompt(told, place, typed, &WRAPPING)?;
    told.injected(place, "user", "file", content.trim().to_owned())
}

/// Reports whether a message of the system is a notice of gptme rather than a result.
pub(crate) fn is_notice(text: &str) -> bool {
    let text = text.trim_start();
    [
        "<system_",
        "<budget",
        "<lesson",
        "# Lesson",
        "Working directory",
        "Interrupted by user",
    ]
    .iter()
    .any(|beginning| text.starts_with(beginning))
}
