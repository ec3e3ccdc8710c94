//! Hashes of the sentences of all sessions' longer messages, in the user's cache: a text file with a line per sentence,
//! its hash and its time. It holds no text. If it cannot be read or written, messages of other sessions are not compared.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_fs::{Directory, NoFaults};
use acreta_lead::{SeenMessages, SentSentence};
use camino::Utf8PathBuf;

use crate::Context;

const FILE: &str = "seen";

/// Maximum size; some 60,000 sentences. A longer file is begun anew with its newer half.
const FILE_BYTES: u64 = 2 * 1024 * 1024;

/// Returns the long messages of this user's sessions.
pub(crate) fn of(context: &Context) -> Arc<dyn SeenMessages> {
    Arc::new(MessageFile {
        folder: context.home.messages(),
    })
}

struct MessageFile {
    folder: Utf8PathBuf,
}

impl SeenMessages for MessageFile {
    fn repeated(&self, messages: &[SentSentence]) -> BTreeSet<u64> {
        let folder = Directory::open_or_create_private(&self.folder, NoFaults::shared());
        let Ok(folder) = folder.map(|folder| folder.private()) else {
            return BTreeSet::new();
        };
        let text = folder
            .read_to_string(FILE, 2 * FILE_BYTES)
            .unwrap_or_default();
        let mut first: BTreeMap<u64, u64> = BTreeMap::new();
        for (hash, at_ms) in text.lines().filter_map(parse) {
            let known = first.entry(hash).or_insert(at_ms);
            *known = at_ms.min(*known);
        }
        let is_repeated = |sent: &&SentSentence| {
            first
                .get(&sent.hash)
                .is_some_and(|at_ms| *at_ms < sent.at_ms)
        };
        let repeated = messages
            .iter()
            .filter(is_repeated)
            .map(|sent| sent.hash)
            .collect();
        let new: String = messages
            .iter()
            .filter(|sent| {
                first
                    .get(&sent.hash)
                    .is_none_or(|at_ms| sent.at_ms < *at_ms)
            })
            .map(|sent| format!("{:016x} {}\n", sent.hash, sent.at_ms))
            .collect();
        // Only a cache: what cannot be written is not compared next time.
        if text.len() as u64 > FILE_BYTES {
            let half = text.floor_char_boundary(text.len() / 2);
            let newer = text[half..].split_once('\n').map_or("", |(_, newer)| newer);
            let _ = folder.replace_unsynced(FILE, format!("{newer}{new}").as_bytes());
        } else if !new.is_empty() {
            let _ = folder.append(FILE, new.as_bytes());
        }
        repeated
    }
}

fn parse(line: &str) -> Option<(u64, u64)> {
    let (hash, at_ms) = line.split_once(' ')?;
    Some((u64::from_str_radix(hash, 16).ok()?, at_ms.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_repeated_if_it_was_sent_before() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::from_path_buf(folder.path().join("messages")).unwrap();
        let seen = MessageFile { folder };
        let sent = |hash, at_ms| SentSentence { hash, at_ms };
        assert!(seen.repeated(&[sent(1, 10), sent(2, 10)]).is_empty());
        // The copy in a forked session, and the same session read again.
        assert!(seen.repeated(&[sent(1, 10)]).is_empty());
        assert_eq!(
            seen.repeated(&[sent(1, 20), sent(3, 20)]),
            BTreeSet::from([1])
        );
        // The first of them stays typed.
        assert!(seen.repeated(&[sent(1, 10)]).is_empty());
    }
}
