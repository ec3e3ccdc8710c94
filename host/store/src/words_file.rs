//! The file of endorsements of a scope, read when it is first asked about. Ten thousand memories have 20,000 lines, and to
//! parse all of them for the three memories that a hook tells takes longer than everything else that it does. So the first
//! questions are answered from the lines that contain the memory's names; whoever asks on gets the whole file parsed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use acreta_fs::{Directory, NoFaults};
use memchr::memmem;

use crate::words::text;
use crate::{Layout, Memory, Words};

/// Number of questions after which the whole file is parsed.
const FEW: usize = 16;

/// Bytes in which the policy stands, unless an earlier version wrote the file.
const HEAD_BYTES: u64 = 4096;

/// The key of the line with the policy.
const POLICY_KEY: &str = "\"repository\"";

/// See the module.
#[derive(Debug)]
pub struct WordsFile {
    layout: Layout,
    /// `None` if there is no file, or it cannot be read.
    text: OnceLock<Option<String>>,
    all: OnceLock<Words>,
    asked: AtomicUsize,
}

impl WordsFile {
    pub fn new(layout: &Layout) -> Self {
        Self {
            layout: layout.clone(),
            text: OnceLock::new(),
            all: OnceLock::new(),
            asked: AtomicUsize::new(0),
        }
    }

    /// Returns all endorsements and lines of the ledger with the id, and the policy.
    pub fn about_id(&self, id: &str) -> Cow<'_, Words> {
        self.about(&[id.to_owned()])
    }

    fn about(&self, names: &[String]) -> Cow<'_, Words> {
        let is_one_of_few = self.asked.fetch_add(1, Ordering::Relaxed) < FEW;
        if is_one_of_few && self.all.get().is_none() {
            let text = self.text.get_or_init(|| {
                let text = text(&self.layout, NoFaults::shared());
                text.ok().flatten()
            });
            if let Some(words) = text.as_deref().and_then(|text| some(text, names)) {
                return Cow::Owned(words);
            }
        }
        Cow::Borrowed(self.all.get_or_init(|| Words::load(&self.layout)))
    }
}

impl Memory {
    /// Applies the user's endorsements, like [`Memory::hear`].
    pub fn hear_from(&mut self, words: &WordsFile) {
        let names: Vec<String> = self.digests().chain([self.id.clone()]).collect();
        self.hear(&words.about(&names));
    }
}

impl Words {
    /// Reports whether a scope has a ledger.
    pub(crate) fn has_ledger(layout: &Layout) -> bool {
        let head = layout.words_file().and_then(|(folder, name)| {
            let folder = Directory::open(folder, NoFaults::shared()).ok()?;
            let mut head = String::new();
            let reader = folder.open_reader(name).ok()?;
            // What cannot be read, or ends within a character, is left to the whole file.
            reader.take(HEAD_BYTES).read_to_string(&mut head).ok()?;
            Some(head)
        });
        let head = head.as_deref().unwrap_or_default();
        let lines = head.rsplit_once('\n').map_or("", |(lines, _)| lines);
        some(lines, &[]).is_some() || Words::load(layout).repository().is_some()
    }
}

/// Parses the lines that contain one of the names, and the policy, in their order. `None` without a policy: a damaged line
/// may have been it, and only the whole file tells.
fn some(text: &str, names: &[String]) -> Option<Words> {
    let mut lines = BTreeMap::new();
    let names = names.iter().map(String::as_str);
    for name in names.chain([POLICY_KEY]).filter(|name| !name.is_empty()) {
        for at in memmem::find_iter(text.as_bytes(), name) {
            let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
            lines.insert(start, &text[start..end]);
        }
    }
    let mut words = Words::default();
    for line in lines.values() {
        words.push_text(line);
    }
    words.repository().is_some().then_some(words)
}
