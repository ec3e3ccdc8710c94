//! Migrates, once, confirmations that earlier versions stored in repositories to the user's own folder. Only for
//! projects that were registered when the database was migrated. Every command does so at its start; hooks, which must be
//! quick, do not.

use std::collections::BTreeSet;

use acreta_fs::NoFaults;
use acreta_store::{Layout, Rung, Store, Word};
use camino::Utf8Path;

use crate::find::origin::{self, OwnIdentity};
use crate::process::clock::{now_ms, shown};
use crate::{Context, Failure, projects::scopes};

/// Timeout for another process that writes the same memory.
const WAIT: std::time::Duration = std::time::Duration::from_secs(2);

/// Migrates what remains. An error is logged, and the migration tried again the next time.
pub fn finish(context: &Context) {
    if let Err(error) = take_over_confirmations(context) {
        tracing::warn!(%error, "confirmations could not be migrated yet");
    }
}

fn take_over_confirmations(context: &Context) -> Result<(), Failure> {
    let Some(catalog) = scopes::catalog(context)? else {
        return Ok(());
    };
    for root in catalog.old_confirmations()? {
        let layout = match root.as_str() {
            "" => context.global_layout(),
            _ => Layout::for_project(&root).with_words_in(&context.home.words()),
        };
        match take_over(context, layout) {
            Ok(taken) => {
                catalog.forget_old_confirmations(&root)?;
                if taken > 0 {
                    tracing::info!(%root, taken, "confirmations were migrated to the user's folder");
                }
            }
            Err(error) => tracing::warn!(%root, %error, "confirmations could not be migrated yet"),
        }
    }
    Ok(())
}

fn take_over(context: &Context, layout: Layout) -> Result<usize, Failure> {
    if !layout.memory_root().is_dir() {
        return Ok(0);
    }
    let states = layout.base().join("meta/state");
    let store = Store::open(layout, NoFaults::shared())?;
    let mut memories = store.called_confirmed()?;
    // Confirmations that others committed are not the user's.
    let by_others = by_others(context, &states, memories.iter().map(|one| one.id.as_str()));
    memories.retain(|memory| !by_others.contains(&memory.id));
    if memories.is_empty() {
        return Ok(0);
    }
    let at = shown(now_ms());
    let words: Vec<Word> = memories
        .iter()
        .map(|memory| Word {
            memory: memory.id.clone(),
            digest: memory.content_digest(),
            word: Rung::Confirmed,
            by: None,
            at: at.clone(),
        })
        .collect();
    store.give_words(&store.lock(WAIT)?, &words)?;
    Ok(words.len())
}

fn by_others<'a>(
    context: &Context,
    states: &Utf8Path,
    ids: impl Iterator<Item = &'a str>,
) -> BTreeSet<String> {
    let names: BTreeSet<String> = ids.map(|id| format!("{id}.json")).collect();
    let origins = origin::of_files(context, states, names, &OwnIdentity::UserOrRepository);
    origins
        .keys()
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .collect()
}
