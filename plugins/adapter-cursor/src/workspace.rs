//! The editor's data per folder: its directory, its composers, and, in versions of 2024, the conversations themselves.

use std::collections::HashMap;
use std::fs;

use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::database::Database;
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Session, Sink, Speaker, Unique, attr, document,
    path as place,
};

use crate::author;
use crate::bubble::{self, Telling};
use crate::composer::plain;
use crate::vault::{Item, Vault};

/// Maximum number of folders whose composers are listed.
const FOLDERS: usize = 1000;

/// The items of a folder that hold conversations.
pub(crate) struct Folder {
    composers: Vec<u8>,
    chats: Vec<u8>,
    prompts: Vec<u8>,
}

/// A conversation stored in an item.
struct Conversation<'a> {
    id: String,
    value: Value<'a>,
    content: Content<'a>,
}

enum Content<'a> {
    Bubbles(Vec<Value<'a>>),
    /// Typed prompts without an answer.
    Prompts(Vec<Value<'a>>),
}

impl Folder {
    pub(crate) fn of(vault: &Vault) -> Result<Self, Failure> {
        let item = |item| {
            let value = vault.item(item)?.unwrap_or_default();
            Ok::<_, Failure>(plain(&value).into_owned())
        };
        Ok(Self {
            composers: item(Item::Composers)?,
            chats: item(Item::Chats)?,
            prompts: item(Item::Prompts)?,
        })
    }

    /// Lists the conversations here. Typed prompts are emitted alone only if their conversation is missing.
    pub(crate) fn sessions(&self, path: &str, has_others: bool) -> Vec<Session> {
        let found = self.conversations();
        let others = if has_others || self.has_composers() || !found.is_empty() {
            None
        } else {
            self.prompts()
        };
        let beside = format!("{}/workspace.json", place::parent(path));
        let directory = directory(&beside);
        let session = |conversation: Conversation<'_>| conversation.session(path, &directory);
        found.into_iter().chain(others).map(session).collect()
    }

    /// Emits one of them; returns `false` if it is not here.
    pub(crate) fn emit<S: Sink>(
        &self,
        told: &mut EventWriter<'_, S>,
        id: &str,
        speaker: Speaker,
    ) -> Result<bool, Failure> {
        let found = self.conversations().into_iter().chain(self.prompts());
        let Some(conversation) = found.into_iter().find(|found| found.id == id) else {
            return Ok(false);
        };
        let mut telling = Telling::new(speaker);
        let mut unique = Unique::default();
        match conversation.content {
            Content::Bubbles(bubbles) => {
                for (number, bubble) in bubbles.iter().enumerate() {
                    let otherwise = format!("{id}:{number}");
                    bubble::bubble(told, &mut telling, &mut unique, &otherwise, bubble.raw())?;
                }
            }
            Content::Prompts(prompts) => {
                for (number, prompt) in prompts.iter().enumerate() {
                    let mut place = RecordSpan::new(format!("{id}:{number}"), 0, 0, None);
                    let text = prompt.text_of("text").unwrap_or_default();
                    let text = place.decode(text);
                    author::prompt(told, speaker, &text, &mut place)?;
                    told.close(&place);
                }
            }
        }
        Ok(true)
    }

    fn conversations(&self) -> Vec<Conversation<'_>> {
        let lists = [
            (
                &self.composers,
                "allComposers",
                "composerId",
                "conversation",
            ),
            (&self.chats, "tabs", "tabId", "bubbles"),
        ];
        let mut found = Vec::new();
        for (item, list, id, bubbles) in lists {
            for value in elements(item, list) {
                let (Some(id), Some(Value::List(_))) = (value.text_of(id), value.field(bubbles))
                else {
                    // Its bubbles are in the database for all folders.
                    continue;
                };
                let bubbles = value.field(bubbles).map(Value::elements);
                found.push(Conversation {
                    id: id.lossy().into_owned(),
                    value,
                    content: Content::Bubbles(bubbles.unwrap_or_default()),
                });
            }
        }
        found
    }

    fn has_composers(&self) -> bool {
        !elements(&self.composers, "allComposers").is_empty()
    }

    fn prompts(&self) -> Option<Conversation<'_>> {
        let value = Scanner::new(&self.prompts).value().ok()?;
        let prompts = value.elements();
        (!prompts.is_empty()).then(|| Conversation {
            // Only its first prompt distinguishes this list from that of another folder.
            id: format!("prompts-{:016x}", hash(prompts[0].raw())),
            value,
            content: Content::Prompts(prompts),
        })
    }
}

impl Conversation<'_> {
    fn session(&self, path: &str, directory: &Option<String>) -> Session {
        let text = |name: &str| self.value.text_of(name).map(Text::lossy);
        let time = |name: &str| self.value.field(name).and_then(instant);
        let title = text("name").or_else(|| text("chatTitle"));
        let title = title.filter(|title| !title.is_empty());
        let mut attrs: Attrs = title
            .map(|title| attr("title", title))
            .into_iter()
            .collect();
        let is_empty = match &self.content {
            Content::Bubbles(entries) | Content::Prompts(entries) => entries.is_empty(),
        };
        if is_empty {
            attrs.push(attr("empty", "true"));
        }
        let started_ms = time("createdAt");
        let updated_ms = time("lastUpdatedAt").or_else(|| time("lastSendTime"));
        Session {
            id: self.id.clone(),
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: directory.clone(),
            parent: None,
            started_ms,
            updated_ms: updated_ms.or(started_ms),
            revision: format!("{:016x}", hash(self.value.raw())),
            attrs,
        }
    }
}

/// Returns the elements of a list in an item.
fn elements<'a>(item: &'a [u8], list: &str) -> Vec<Value<'a>> {
    let value = Scanner::new(item).value().ok();
    let list = value.and_then(|value| value.field(list));
    list.map(Value::elements).unwrap_or_default()
}

/// Returns the directory in a `workspace.json`.
fn directory(path: &str) -> Option<String> {
    let bytes = document::load(path).ok()?;
    let value = Scanner::new(&bytes).value().ok()?;
    place::of_address(&value.text_of("folder")?.lossy())
}

/// Maps composers to directories, from the data of opened folders. Unreadable data is left out: the database for all
/// folders works without it.
pub(crate) fn directories(storage: &str) -> HashMap<String, String> {
    let mut homes = HashMap::new();
    let Ok(entries) = fs::read_dir(storage) else {
        return homes;
    };
    for entry in entries.flatten().take(FOLDERS) {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let folder = format!("{storage}/{name}");
        let Some(directory) = directory(&format!("{folder}/workspace.json")) else {
            continue;
        };
        let ids = composers_of(&format!("{folder}/state.vscdb")).unwrap_or_default();
        homes.extend(ids.into_iter().map(|id| (id, directory.clone())));
    }
    homes
}

fn composers_of(path: &str) -> Result<Vec<String>, Failure> {
    let Some(vault) = Vault::of(Database::open(path)?)? else {
        return Ok(Vec::new());
    };
    let item = vault.item(Item::Composers)?.unwrap_or_default();
    let item = plain(&item);
    let own = elements(&item, "allComposers");
    let own = own
        .into_iter()
        .filter_map(|composer| composer.text_of("composerId"));
    let selected = elements(&item, "selectedComposerIds");
    let selected = selected.into_iter().filter_map(Value::text);
    Ok(own
        .chain(selected)
        .map(|id| id.lossy().into_owned())
        .collect())
}
