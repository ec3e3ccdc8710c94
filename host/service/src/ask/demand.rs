//! Kinds of answers that questions ask for, and detecting them in a sentence: a person for `who`, a reason for `why`, a
//! number for `how many`. A sentence about the right subject that lacks it does not answer.

use acreta_relate::{TextWord, text_words};

/// The kind of answer that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// Anything in memory: there is no question word.
    Topic,
    /// A statement about the subject.
    Statement,
    Yes,
    Person,
    Time,
    Number,
    Version,
    Place,
    Reason,
    Procedure,
    Command,
    /// One of these groups of alternative names: a database, a language.
    Name(u128),
}

impl Demand {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Topic => "topic",
            Self::Statement => "statement",
            Self::Yes => "yes or no",
            Self::Person => "person",
            Self::Time => "time",
            Self::Number => "number",
            Self::Version => "version",
            Self::Place => "place",
            Self::Reason => "reason",
            Self::Procedure => "procedure",
            Self::Command => "command",
            Self::Name(_) => "name",
        }
    }

    /// Returns the demand of a noun: which `version` asks for a number, which `database` for one of the databases.
    pub(super) fn of_noun(noun: &TextWord) -> Option<Self> {
        let is_in = |words: &str| words.split_whitespace().any(|word| word == noun.text);
        let demand = [
            (NUMBERS, Self::Number),
            (VERSIONS, Self::Version),
            (TIMES, Self::Time),
            (PLACES, Self::Place),
            (PERSONS, Self::Person),
            (REASONS, Self::Reason),
            (COMMANDS, Self::Command),
        ]
        .into_iter()
        .find(|(words, _)| is_in(words));
        if let Some((_, demand)) = demand {
            return Some(demand);
        }
        let (_, examples) = CATEGORIES.iter().find(|(words, _)| is_in(words))?;
        let groups = text_words(examples)
            .iter()
            .fold(0, |groups, word| groups | word.alternatives);
        (groups != 0).then_some(Self::Name(groups))
    }

    /// Returns how far a sentence contains what is asked for, 0 to 1.
    pub(super) fn carried(self, text: &str, words: &[TextWord]) -> f64 {
        let has = |list: &str| {
            let mut list = list.split_whitespace();
            list.any(|one| words.iter().any(|word| word.text == one))
        };
        let number = words.iter().any(|word| word.is_number);
        let command = text.contains('`');
        let name = |word: &TextWord| word.is_name && !word.is_number;
        match self {
            Self::Topic | Self::Statement | Self::Yes => 1.0,
            Self::Number if number => 1.0,
            Self::Version
                if words
                    .iter()
                    .any(|word| word.is_number && word.text.contains('.')) =>
            {
                1.0
            }
            Self::Version if follows_name(words) => 0.8,
            Self::Number if has(COUNTS) => 0.6,
            Self::Time if has(CALENDAR) || (number && has(UNITS)) => 1.0,
            Self::Time if has(OCCASIONS) || number => 0.5,
            Self::Person if has(ROLES) || text.contains('@') => 1.0,
            Self::Person if words.iter().any(is_proper) => 0.7,
            Self::Place if words.iter().any(|word| name(word) && is_path(&word.text)) => 1.0,
            Self::Place if has(PREPOSITIONS) => 0.7,
            Self::Place if words.iter().any(name) => 0.4,
            Self::Reason if has_reason(text) => 1.0,
            Self::Reason if has(GROUNDS) => 0.6,
            Self::Procedure if command || has(MEANS) => 1.0,
            Self::Procedure if words.iter().any(name) || has(DUTIES) => 0.7,
            Self::Procedure => 0.4,
            Self::Command if command => 1.0,
            Self::Command if words.iter().any(name) => 0.6,
            Self::Name(groups) if words.iter().any(|word| in_groups(word, groups)) => 1.0,
            Self::Name(_) if words.iter().any(name) => 0.5,
            _ => 0.0,
        }
    }
}

fn in_groups(word: &TextWord, groups: u128) -> bool {
    word.alternatives & groups != 0
        || word
            .parts
            .iter()
            .any(|part| part.alternatives & groups != 0)
}

/// Returns whether a number directly follows a name: `Node 20`.
fn follows_name(words: &[TextWord]) -> bool {
    words
        .windows(2)
        .any(|pair| pair[0].is_name && !pair[0].is_number && pair[1].is_number)
}

/// Returns whether a word is written like the name of a person or a team.
fn is_proper(word: &TextWord) -> bool {
    word.is_name
        && !word.opens_sentence
        && word.parts.is_empty()
        && word.alternatives == 0
        && word.text.chars().all(char::is_alphabetic)
}

fn is_path(text: &str) -> bool {
    text.contains('/')
        || text.contains("::")
        || text.rsplit_once('.').is_some_and(|(_, end)| end.len() <= 5)
}

/// Returns whether a text has a clause that gives a reason.
fn has_reason(text: &str) -> bool {
    let text = format!(
        " {} ",
        text.to_lowercase().replace(['—', '–', ';', ':', ','], " ")
    );
    REASON_CLAUSES.iter().any(|clause| text.contains(clause))
}

const REASON_CLAUSES: [&str; 30] = [
    " because ",
    " since ",
    " so that ",
    " so the ",
    " so we ",
    " so it ",
    " so they ",
    " due to ",
    " reason ",
    " otherwise ",
    " in order to ",
    " to avoid ",
    " to keep ",
    " to prevent ",
    " to make ",
    " to let ",
    " avoid",
    " prevent",
    " which means ",
    " which would ",
    " caused ",
    " causes ",
    " thanks to ",
    " as it ",
    " as they ",
    " as the ",
    " means ",
    " else ",
    " rather than ",
    " owing to ",
];

/// Words of sentences that often give a reason without a clause for it.
const GROUNDS: &str = "so to for too cannot fails fail failed breaks broke broken would needs need lets allows slow slower \
    fast faster cheaper expensive simple simpler safe risk loses lost wrong hard hides leaks blocks was were than";

const VERSIONS: &str = "version versions release releases";
const NUMBERS: &str = "number port ports size limit limits count percentage percent amount threshold \
    quota budget rate ratio code timeout length width height depth maximum minimum max min capacity cap score coverage";
const TIMES: &str = "date day time year month week hour weekday schedule interval frequency deadline duration period cadence";
const PLACES: &str = "path paths folder directory file files location place url address endpoint host bucket repository repo \
    region domain page module branch";
const PERSONS: &str =
    "person people team owner author maintainer reviewer engineer developer user users group";
const REASONS: &str = "reason reasons rationale motivation cause why argument";
const COMMANDS: &str = "command commands flag flags option script target recipe invocation";

/// Nouns that ask for one of a group of names, with examples of the group.
const CATEGORIES: [(&str, &str); 20] = [
    (
        "database databases db datastore store storage",
        "sqlite snowflake s3",
    ),
    ("language languages", "python german"),
    ("cache caches", "redis"),
    ("broker queue bus", "kafka"),
    ("manager managers installer", "npm pip cocoapods homebrew"),
    ("builder bundler", "webpack maven make"),
    (
        "runner framework frameworks",
        "jest pytest playwright react flask express axum rspec gtest",
    ),
    ("linter formatter checker", "eslint black mypy"),
    ("format formats serialization", "json markdown"),
    ("protocol api", "rest tcp polling"),
    ("orm driver", "hibernate sqlx"),
    (
        "provider cloud vendor",
        "aws okta stripe sendgrid cloudflare vercel",
    ),
    ("platform runtime orchestrator", "docker freertos bash"),
    ("server proxy", "nginx gunicorn puma axum"),
    (
        "library libraries package crate dependency",
        "anyhow axios moment zod log4j moq rxjava d3 leaflet tokio",
    ),
    (
        "tool tools tooling",
        "terraform jenkins make helm compose husky dependabot alembic airflow eslint black",
    ),
    ("license licence", "mit"),
    (
        "algorithm hash compression encryption",
        "bcrypt gzip rsa aes lru",
    ),
    ("editor shell compiler", "vim bash clang"),
    ("image distribution distro os", "alpine linux"),
];

const COUNTS: &str = "one once twice both single half none no unlimited only at-most";
const CALENDAR: &str = "monday tuesday wednesday thursday friday saturday sunday january february march april may june july \
    august september october november december daily weekly monthly hourly nightly quarterly yearly annually weekend \
    midnight noon morning evening night today tomorrow every forever";
const UNITS: &str = "s sec secs second seconds ms millisecond milliseconds minute minutes min mins hour hours h day days d week \
    weeks month months year years utc am pm o'clock cet";
const OCCASIONS: &str = "before after when whenever once until till while during first each always never if \
    immediately later start end";
const ROLES: &str = "team teams lead owner owners owns owned maintainer maintainers reviewer reviewers developer developers engineer \
    engineers admin admins administrator person people user users customer customers everyone nobody anyone author \
    authors manager contributor contributors operator operators designer colleague";
const PREPOSITIONS: &str =
    "in on at under inside within into beside next to from behind below above onto through via";
const MEANS: &str = "by via with using through run use set add call pass first then";
const DUTIES: &str = "must should always never only do make keep write put is are";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_carries_the_kind_of_thing_or_not() {
        let database = Demand::of_noun(&text_words("database")[0]).unwrap();
        let cases = [
            (Demand::Person, "The platform team approves it.", true),
            (Demand::Person, "Ask Priya before a release.", true),
            (Demand::Person, "Retries wait.", false),
            (Demand::Number, "Retries wait 30 s.", true),
            (Demand::Number, "Retries wait a while.", false),
            (Demand::Time, "Backups run nightly.", true),
            (Demand::Time, "Tokens live 15 minutes.", true),
            (Demand::Time, "Backups matter.", false),
            (Demand::Reason, "We left it because pages were lost.", true),
            (Demand::Reason, "The queue is SQLite.", false),
            (Demand::Command, "Run `just test`.", true),
            (Demand::Place, "The script is scripts/seed.sh.", true),
            (database, "The queue is SQLite.", true),
            (database, "The queue is long.", false),
        ];
        for (demand, text, expected) in cases {
            let carried = demand.carried(text, &text_words(text)) >= 0.6;
            assert_eq!(carried, expected, "{demand:?} {text}");
        }
    }
}
