//! Prompts that a person picks in a client: recall for a task, and what to remember of a session. Their wording is
//! constant; memory is quoted.

use rmcp::model::{JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::json;

use crate::arguments::Arguments;
use crate::backend::{Backend, Failure};
use crate::calls;
use crate::quote::quoted;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PromptName {
    Recall,
    Remember,
    Forget,
}

pub(crate) struct PromptEntry {
    pub(crate) prompt: PromptName,
    pub(crate) name: &'static str,
    title: &'static str,
    pub(crate) description: &'static str,
    /// Name, description and whether it is required of its argument: a text.
    argument: Option<(&'static str, &'static str, bool)>,
}

impl PromptEntry {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PROMPTS.iter().find(|entry| entry.name == name)
    }

    pub(crate) fn checked(&self, given: Option<JsonObject>) -> Result<Arguments, String> {
        let mut schema = JsonObject::new();
        if let Some((name, _, is_required)) = self.argument {
            let text = json!({ "type": "string", "maxLength": TEXT_CHARACTERS });
            schema.insert("properties".to_owned(), json!({ name: text }));
            schema.insert(
                "required".to_owned(),
                json!(is_required.then_some(name).as_slice()),
            );
        }
        Arguments::checked(given, &schema)
    }

    pub(crate) fn to_prompt(&self) -> Prompt {
        let arguments = self.argument.map(|(name, description, is_required)| {
            PromptArgument::new(name)
                .with_description(description)
                .with_required(is_required)
        });
        let arguments = Some(arguments.into_iter().collect());
        Prompt::new(self.name, Some(self.description), arguments).with_title(self.title)
    }
}

const TEXT_CHARACTERS: usize = 2_000;

/// Every prompt, in listing order.
pub(crate) const PROMPTS: &[PromptEntry] = &[
    PromptEntry {
        prompt: PromptName::Recall,
        name: "recall",
        title: "Recall what memory says",
        description: "What memory says about a task, before it is started",
        argument: Some(("task", "The task in words", true)),
    },
    PromptEntry {
        prompt: PromptName::Remember,
        name: "remember",
        title: "Remember this session",
        description: "Put what is worth keeping of this session into memory",
        argument: Some((
            "what",
            "What to remember; the whole session unless told",
            false,
        )),
    },
    PromptEntry {
        prompt: PromptName::Forget,
        name: "forget",
        title: "Forget this session",
        description: "Have acreta keep nothing of this session",
        argument: None,
    },
];

pub(crate) fn messages(
    backend: &dyn Backend,
    prompt: PromptName,
    arguments: &Arguments,
) -> Result<Vec<PromptMessage>, Failure> {
    let text = match prompt {
        PromptName::Recall => {
            let task = arguments.text("task");
            let recalled = calls::recall(backend, task.clone())?;
            format!(
                "The task:\n{}\nWhat memory says about it:\n{}\n\n{RECALL}",
                quoted(&task),
                recalled.text
            )
        }
        PromptName::Remember => match arguments.optional_text("what") {
            Some(what) => format!("{REMEMBER}\n\nRemember this:\n{}", quoted(&what)),
            None => REMEMBER.to_owned(),
        },
        PromptName::Forget => FORGET.to_owned(),
    };
    Ok(vec![PromptMessage::new_text(Role::User, text)])
}

const FORGET: &str = "I want nothing of this session to be kept. Call session_forget once and say what it answered. Make no notes \
                      and add no memories from now on.";

const RECALL: &str = "Say in a few lines which of this matters for the task and how far it is trusted. Read a memory \
                      whole with memory_get before you rely on it, and check it against the code.";

const REMEMBER: &str = "Look back at this session and keep what a later session on this project will need. Search \
                        first with memory_search; what is already there is not added again. For each decision, rule, \
                        preference, correction or fact that the person stated call memory_note once: quote their words \
                        verbatim, in whole sentences; give about, the words that they answer, if the quote alone does \
                        not say what it is about. For what nobody said, such as a pitfall that you found, call \
                        memory_add with a title and the reason. Leave out one-off instructions, what the code says \
                        itself, and secrets. If nothing is worth keeping, say so.";
