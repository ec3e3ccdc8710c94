//! The weight of each figure of an answer. Fitted as a logistic regression on 240 questions about four invented
//! projects, half of them without an answer (`cargo xtask bench ask`), and rounded: there are too few questions for a
//! second digit. Each project's questions were also judged with weights from the other three.

/// Number of figures.
pub const FIGURES: usize = 9;

/// Their names, for `--explain` and for the bench.
pub const FIGURE_NAMES: [&str; FIGURES] = [
    "bound", "memory", "key", "strange", "lost", "lead", "topic", "reason", "measure",
];

/// Indexes of figures that are used on their own.
pub(super) const BOUND: usize = 0;
pub(super) const KEY: usize = 2;
pub(super) const LEAD: usize = 5;

/// Minimum probability of an answer: the lowest at which none of the 120 questions without an answer got one. It costs
/// most answers, because words alone cannot distinguish a question about a subject from one that its memory answers.
pub(super) const ANSWERS: f64 = 0.72;

pub(super) const BIAS: f64 = -1.2;

pub(super) const WEIGHTS: [f64; FIGURES] = [
    // bound: one sentence, with its title, covers the question and contains the kind of answer it asks for.
    1.1, // memory: the memory as a whole covers the question.
    0.4, // key: the quote has the verb of the question, or the noun after `which`.
    0.25,
    // strange: a name or a number of the question that the memory lacks. The question is about something else.
    -0.6, // lost: meaningful words that neither quote nor title has.
    -0.6,
    // lead: it covers more of the question than any other memory. If two are alike, neither is meant.
    0.6,
    // topic: there is no question word. A person who types a subject wants to read what memory says about it. The fit
    // gives 1.9, which answers every phrase: none of the questions without an answer was one. Half of it also requires
    // matching words.
    1.0,
    // reason: memory stores a decision with its reason, so `why` about its subject is mostly answered. The fit gives
    // 1.1, from three questions without an answer; two of them were then answered.
    0.5,
    // measure: versions and counts are seldom stored, and a sentence may contain an unrelated number.
    -1.1,
];
