//! The conversations in a database of the editor: composers with a row per bubble, and those in the items of a folder.

use std::collections::HashMap;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Session, Sink, Speaker, Unique, attr, failure,
    path as place,
};

use crate::bubble::{Telling, bubble};
use crate::composer::{self, Composer, Order};
use crate::vault::{PAGE, Row, Stored, Summary, Vault};
use crate::workspace::{self, Folder};

/// Lists the conversations in a database. Reads the properties of composers, but no bubble.
pub(crate) fn sessions(path: &str, vault: &Vault) -> Result<Vec<Session>, Failure> {
    let mut composers = listed(vault)?;
    let parents: HashMap<String, String> = composers
        .iter()
        .flat_map(|(id, composer)| composer.children.iter().map(move |child| (child, id)))
        .map(|(child, id)| (child.clone(), id.clone()))
        .collect();
    let is_homeless =
        |(_, composer): &(String, Composer)| composer.directory.is_none() && composer.bubbles > 0;
    let storage = place::parent(path);
    // A person named a database that is elsewhere: it has none of Cursor's folders around it.
    if storage.ends_with("/globalStorage") && composers.iter().any(is_homeless) {
        let user = place::parent(storage);
        let homes = workspace::directories(&format!("{user}/workspaceStorage"));
        for (id, composer) in &mut composers {
            if composer.directory.is_none() {
                composer.directory = homes.get(id).cloned();
            }
        }
    }
    let mut sessions: Vec<_> = composers
        .into_iter()
        .map(|(id, composer)| {
            let parent = parents.get(&id).cloned();
            session(path, id, parent, composer)
        })
        .collect();
    let has_composers = !sessions.is_empty();
    sessions.extend(Folder::of(vault)?.sessions(path, has_composers));
    Ok(sessions)
}

fn listed(vault: &Vault) -> Result<Vec<(String, Composer)>, Failure> {
    let mut composers = Vec::new();
    let mut unknown = Vec::new();
    vault.composers(|Row { id, summary }| {
        match summary {
            Summary::Fields(fields) => composers.push((id, Composer::of(&fields))),
            Summary::Unknown => unknown.push(id),
        }
        Ok(())
    })?;
    for id in unknown {
        // An unreadable one is listed too: reading it reports the reason.
        let value = vault.composer(&id).ok().flatten().unwrap_or_default();
        composers.push((id, Composer::of(&composer::plain(&value))));
    }
    Ok(composers)
}

fn session(path: &str, id: String, parent: Option<String>, composer: Composer) -> Session {
    let mut attrs = Attrs::new();
    attrs.extend(parent.is_some().then(|| attr("relation", "subagent")));
    attrs.extend(composer.name.map(|name| attr("title", name)));
    attrs.extend(composer.branch.map(|branch| attr("branch", branch)));
    attrs.extend(composer.model.map(|model| attr("model", model)));
    if composer.is_whole && composer.bubbles == 0 {
        attrs.push(attr("empty", "true"));
    }
    let updated_ms = composer.updated_ms.or(composer.started_ms);
    Session {
        id,
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: composer.directory,
        parent,
        started_ms: composer.started_ms,
        updated_ms,
        revision: format!("{}:{}", updated_ms.unwrap_or(0), composer.bubbles),
        attrs,
    }
}

/// Reads one conversation, wherever it is in the database.
pub(crate) fn read(session: &Session, vault: &Vault, sink: &mut impl Sink) -> Result<(), Failure> {
    let mut told = EventWriter::new(sink, Calls::default());
    let speaker = Speaker::of(session);
    match vault.composer(&session.id)? {
        Some(value) => composer(&mut told, vault, &session.id, speaker, &value)?,
        None => {
            let is_there = Folder::of(vault)?.emit(&mut told, &session.id, speaker)?;
            if !is_there {
                let why = "the conversation is no longer in the database";
                return Err(failure::unreadable(why));
            }
        }
    }
    told.finish().map(|_| ())
}

fn composer<S: Sink>(
    told: &mut EventWriter<'_, S>,
    vault: &Vault,
    id: &str,
    speaker: Speaker,
    value: &[u8],
) -> Result<(), Failure> {
    let value = composer::plain(value);
    let mut telling = Telling::new(speaker);
    let mut unique = Unique::default();
    let ids = match Order::of(&value) {
        Order::Rows(ids) => ids,
        Order::Inline(bubbles) => {
            for (number, bubble) in bubbles.iter().enumerate() {
                let otherwise = format!("{id}:{number}");
                self::bubble(told, &mut telling, &mut unique, &otherwise, bubble.raw())?;
            }
            return Ok(());
        }
        Order::Unknown => {
            told.diagnose(
                &RecordSpan::new(id, 0, 0, None),
                "the conversation is not valid JSON",
            );
            Vec::new()
        }
    };
    let mut found = 0;
    for page in ids.chunks(PAGE) {
        let bubbles = vault.bubbles(id, page)?;
        found += bubbles.len() as u64;
        for bubble in page {
            let problem = match bubbles.get(bubble) {
                Some(Stored::Value(value)) => {
                    let value = composer::plain(value);
                    self::bubble(told, &mut telling, &mut unique, bubble, &value)?;
                    continue;
                }
                Some(Stored::TooLarge) => "a bubble of the conversation is too large",
                None => "a bubble of the conversation is not in the database",
            };
            told.diagnose(&RecordSpan::new(&**bubble, 0, 0, None), problem);
        }
    }
    let left = vault.count_bubbles(id)?.saturating_sub(found);
    if left > 0 {
        let message = format!("{left} bubbles are not in the conversation and left out");
        told.diagnose(&RecordSpan::new(id, 0, 0, None), &message);
    }
    Ok(())
}
