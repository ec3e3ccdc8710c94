//! The file of endorsements of a scope, read when it is first asked about. Ten thousand memories have 20,000 lines, and to
//! parse all of them for the three memories that a hook tells takes longer than everything else that it does. So the lines
//! are sorted by their memory, and those of the memory that is asked about are parsed; whoever asks on gets all of them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Read;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use acreta_fs::{Directory, NoFaults};
use memchr::{memmem, memrchr};

use crate::words::text;
use crate::{Layout, Memory, Words};

/// Number of questions after which the whole file is parsed.
const FEW: usize = 64;

/// Bytes in which the policy stands, unless an earlier version wrote the file.
const HEAD_BYTES: u64 = 4096;

/// The key of the line with the policy.
const POLICY_KEY: &str = "\"repository\"";

/// What a line about a memory contains before the id.
const MEMORY_KEY: &str = "\"memory\":\"";

/// The word of a rejection.
const REJECTED: &str = "\"rejected\"";

/// See the module.
#[derive(Debug)]
pub struct WordsFile {
    layout: Layout,
    /// `None` if there is no file, or it cannot be read.
    lines: OnceLock<Option<SortedLines>>,
    all: OnceLock<Words>,
    asked: AtomicUsize,
}

/// The text of the file, with the starts of its lines.
#[derive(Debug)]
struct SortedLines {
    text: String,
    /// The policy, and rejections, which count for a text as whichever memory.
    general: BTreeSet<usize>,
    /// Hash of the memory's id and start of each line about one. To look through all of them takes microseconds.
    of_memories: Vec<(u64, usize)>,
}

impl WordsFile {
    pub fn new(layout: &Layout) -> Self {
        Self {
            layout: layout.clone(),
            lines: OnceLock::new(),
            all: OnceLock::new(),
            asked: AtomicUsize::new(0),
        }
    }

    /// Returns all endorsements and lines of the ledger with the id, and the policy.
    pub fn about_id(&self, id: &str) -> Cow<'_, Words> {
        self.about(id, std::iter::empty())
    }

    /// Like [`WordsFile::about_id`], with the lines that have one of the digests, which may be of another memory.
    fn about(&self, id: &str, digests: impl Iterator<Item = String>) -> Cow<'_, Words> {
        let is_one_of_few = self.asked.fetch_add(1, Ordering::Relaxed) < FEW;
        if is_one_of_few && self.all.get().is_none() {
            let lines = self.lines.get_or_init(|| {
                let text = text(&self.layout, NoFaults::shared());
                text.ok().flatten().map(SortedLines::new)
            });
            if let Some(words) = lines.as_ref().and_then(|lines| lines.about(id, digests)) {
                return Cow::Owned(words);
            }
        }
        Cow::Borrowed(self.all.get_or_init(|| Words::load(&self.layout)))
    }
}

impl SortedLines {
    fn new(text: String) -> Self {
        let mut general = BTreeSet::new();
        for part in [POLICY_KEY, REJECTED] {
            let found = memmem::find_iter(text.as_bytes(), part);
            general.extend(found.map(|at| start_of_line(&text, at)));
        }
        let mut of_memories = Vec::new();
        for at in memmem::find_iter(text.as_bytes(), MEMORY_KEY) {
            let id = &text[at + MEMORY_KEY.len()..];
            let id = &id[..id.find('"').unwrap_or(id.len())];
            of_memories.push((hash(id), start_of_line(&text, at)));
        }
        Self {
            text,
            general,
            of_memories,
        }
    }

    /// Parses lines in their order. `None` without a policy: a damaged line may have been it, and only the whole file tells.
    fn about(&self, id: &str, digests: impl Iterator<Item = String>) -> Option<Words> {
        let mut starts = self.general.clone();
        let id = hash(id);
        let own = self.of_memories.iter().filter(|(of, _)| *of == id);
        starts.extend(own.map(|(_, start)| start));
        let mut words = self.parse(&starts);
        let known = starts.len();
        for digest in digests.filter(|digest| !words.has_learnt(digest)) {
            let found = memmem::find_iter(self.text.as_bytes(), &digest);
            starts.extend(found.map(|at| start_of_line(&self.text, at)));
        }
        if starts.len() > known {
            words = self.parse(&starts);
        }
        words.repository().is_some().then_some(words)
    }

    fn parse(&self, starts: &BTreeSet<usize>) -> Words {
        let mut words = Words::default();
        for start in starts {
            let line = self.text[*start..].lines().next();
            words.push_text(line.unwrap_or_default());
        }
        words
    }
}

fn start_of_line(text: &str, at: usize) -> usize {
    memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1)
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

impl Memory {
    /// Applies the user's endorsements, like [`Memory::hear`].
    pub fn hear_from(&mut self, words: &WordsFile) {
        let words = words.about(&self.id, self.digests());
        self.hear(&words);
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
        let policy = lines.lines().filter(|line| line.contains(POLICY_KEY));
        let mut words = Words::default();
        policy.for_each(|line| words.push_text(line));
        words.repository().is_some() || Words::load(layout).repository().is_some()
    }
}
