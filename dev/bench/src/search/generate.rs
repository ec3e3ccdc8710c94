//! Generates memories and questions, identical in every run. Word frequencies are natural, so that posting lists have
//! realistic lengths.

use std::ops::Range;

use camino::Utf8Path;

use crate::Outcome;

/// Folder of the memories in a project.
pub(crate) const FOLDER: &str = ".acreta/memory/learnings";

/// A made-up memory.
pub(crate) struct GeneratedMemory {
    pub(crate) title: String,
    pub(crate) body: String,
}

/// A repeatable random number generator (xorshift).
pub(crate) struct Xorshift(u64);

/// Approximate number of words of a body.
const BODY_WORDS: usize = 60;

/// Number of distinct content words.
const VOCABULARY: u64 = 30_000;

/// Rank of the most common content word in prose, approximately.
const FIRST: u64 = 100;

/// Percentage of words in prose that are among the most common.
const COMMON_PERCENT: u64 = 45;

const COMMON: &[&str] = &[
    "the", "of", "to", "and", "a", "in", "is", "it", "for", "that", "on", "with", "as", "was",
    "we", "this", "be", "by", "not", "are", "when", "from", "at", "or", "which", "an", "but", "so",
    "if", "because", "can", "has", "only", "then", "one", "all", "must", "before", "after", "into",
];

const QUESTIONS: &[&str] = &[
    "what did we decide about",
    "how do we handle the",
    "why does it fail when",
    "where is the",
    "when did we change the",
    "which is the right way to",
];

impl Xorshift {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Zipf's law: the n-th most common word is n times as rare as the first; the first are those of [`COMMON`].
    fn word(&mut self) -> String {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let rarest = (VOCABULARY / FIRST) as f64;
        spelled((FIRST as f64 * rarest.powf(share)) as u64)
    }
}

impl GeneratedMemory {
    /// Returns the text of its file.
    pub(crate) fn text(&self, number: u64) -> String {
        format!(
            "---\nid: made{number:06}\ntitle: {}\ncreated: 2026-01-01T00:00:00Z\n\
             updated: 2026-01-01T00:00:00Z\nsource: bench\nconfidence: 0.8\nkind: insight\n\
             tags: [bench]\nrelated: []\n---\n{}\n",
            self.title, self.body
        )
    }
}

/// Writes the files of some memories.
pub(crate) fn write(root: &Utf8Path, numbers: Range<u64>) -> Outcome<()> {
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    for number in numbers {
        let path = folder.join(format!("20260101-made-{number:06}.md"));
        let mut file = std::fs::File::create(path)?;
        std::io::Write::write_all(&mut file, memory(number).text(number).as_bytes())?;
    }
    Ok(())
}

/// Returns the size of a folder with its subfolders.
pub(crate) fn megabytes(folder: &Utf8Path) -> Outcome<f64> {
    let mut megabytes = 0.0;
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        megabytes += match entry.file_type()?.is_dir() {
            true => self::megabytes(entry.path())?,
            false => entry.metadata()?.len() as f64 / 1e6,
        };
    }
    Ok(megabytes)
}

/// Generates the memory with a number.
pub(crate) fn memory(number: u64) -> GeneratedMemory {
    let mut chance = Xorshift::new(number + 1);
    let title: Vec<String> = (0..6).map(|_| chance.word()).collect();
    let mut body = String::new();
    for count in 1..=BODY_WORDS {
        if chance.below(100) < COMMON_PERCENT {
            body.push_str(COMMON[chance.below(COMMON.len() as u64) as usize]);
        } else {
            body.push_str(&chance.word());
        }
        body.push_str(if count % 15 == 0 { ". " } else { " " });
    }
    GeneratedMemory {
        title: title.join(" "),
        body,
    }
}

/// Generates a question about one of `memories` memories, in its words.
pub(crate) fn question(number: u64, memories: u64) -> String {
    let mut chance = Xorshift::new(number + 1_000_000_007);
    let about = memory(chance.below(memories));
    let words: Vec<&str> = about
        .body
        .split([' ', '.'])
        .filter(|word| !word.is_empty() && !COMMON.contains(word))
        .collect();
    let mut question = QUESTIONS[chance.below(QUESTIONS.len() as u64) as usize].to_owned();
    for _ in 0..3 + chance.below(3) {
        question.push(' ');
        question.push_str(words[chance.below(words.len() as u64) as usize]);
    }
    question
}

/// Spells a number as a word: syllables that no stemmer cuts.
fn spelled(mut number: u64) -> String {
    const SYLLABLES: &[&str] = &[
        "ba", "ko", "mi", "tu", "ra", "lo", "ne", "vi", "pa", "do", "gu", "ze", "fa", "hi", "jo",
        "xu",
    ];
    let mut word = String::new();
    loop {
        word.push_str(SYLLABLES[(number % 16) as usize]);
        number /= 16;
        if number == 0 && word.len() > 2 {
            return word;
        }
    }
}
