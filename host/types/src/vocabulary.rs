//! Vocabulary that all front ends share: one enum per set of words, its names, and the error for an unknown name. In
//! JSON, in SQL and on the command line a value is written as its name. Doc comments here are part of the published
//! schemas.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Error for a name that is not in the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}` (expected {})", choices(.known))]
pub struct UnknownName {
    /// Kind of the thing that was to be named, such as `scope mode`.
    pub what: &'static str,
    /// The name as given.
    pub name: String,
    pub known: Vec<&'static str>,
}

fn choices(known: &[&str]) -> String {
    let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "nothing".to_owned(),
    }
}

/// Declares an enum with its names. `what` is the term used in error messages.
macro_rules! words {
    (
        $what:literal,
        $(#[$meta:meta])*
        pub enum $type:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        $(#[$meta])*
        pub enum $type {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $type {
            /// All values, in declaration order.
            pub const ALL: [$type; [$($type::$variant),+].len()] = [$($type::$variant),+];

            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }

            /// Returns the value with this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|word| word.name() == name)
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.name())
            }
        }

        impl FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::from_name(name).ok_or_else(|| UnknownName {
                    what: $what,
                    name: name.to_owned(),
                    known: Self::ALL.map(Self::name).to_vec(),
                })
            }
        }
    };
}

// Lowest first. The upper two are given by a person and are never read from a repository; the lower two follow from
// the evidence.
words! {
    "level of trust",
    /// Trust level of a memory.
    pub enum Trust {
        /// Supported only by a tool's output, or by an unknown source.
        Untrusted = "untrusted",
        /// A user or an assistant said it.
        Grounded = "grounded",
        /// A reviewer whom the user accepts endorsed it.
        Reviewed = "reviewed",
        /// The user confirmed it.
        Confirmed = "confirmed",
    }
}

// `archived`: in the archive, or rejected by a person. `superseded`: replaced by another memory.
words! {
    "status",
    pub enum Status {
        Active = "active",
        Archived = "archived",
        Superseded = "superseded",
    }
}

// Memory that an answer may come from. The first mode fills the rest of the limit with global hits.
words! {
    "scope mode",
    #[derive(Default)]
    #[schemars(rename = "SearchScope")]
    pub enum ScopeMode {
        #[default]
        ProjectFallbackGlobal = "project_fallback_global",
        ProjectOnly = "project_only",
        GlobalOnly = "global_only",
    }
}

words! {
    "scope",
    /// The scope of a new memory.
    #[derive(Default)]
    pub enum WriteScope {
        #[default]
        Project = "project",
        Global = "global",
    }
}

// A job that waits for another attempt is `queued` and has had an attempt; a dead letter is `failed` and dead.
// `accepted` is never stored: it means requested but not yet written.
words! {
    "state",
    /// State of a job or a run.
    pub enum TaskState {
        Accepted = "accepted",
        Queued = "queued",
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

// Level of detail of an answer about a codebase.
words! {
    "level of detail",
    #[derive(Default)]
    #[schemars(rename = "ContextDetail")]
    pub enum Detail {
        #[default]
        Compact = "compact",
        Normal = "normal",
        Verbose = "verbose",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that names and JSON agree, and that every name parses to its value.
    macro_rules! check {
        ($($type:ident)+) => {$(
            for word in $type::ALL {
                assert_eq!(word.name().parse(), Ok(word));
                let json = serde_json::to_value(word).unwrap();
                assert_eq!(json, word.name());
                assert_eq!(serde_json::from_value::<$type>(json).unwrap(), word);
                assert_eq!(word.to_string(), word.name());
            }
        )+};
    }

    #[test]
    fn a_word_is_its_name_everywhere() {
        check!(Trust Status ScopeMode WriteScope TaskState Detail);
    }

    /// A change here is a change of the HTTP API.
    #[test]
    fn the_schemas_are_the_published_ones() {
        let published = include_str!("../../../docs/openapi.json");
        let published: serde_json::Value = serde_json::from_str(published).unwrap();
        let published = &published["components"]["schemas"];
        let schemas = [
            schemars::schema_for!(crate::MemoryType),
            schemars::schema_for!(Trust),
            schemars::schema_for!(Status),
            schemars::schema_for!(ScopeMode),
            schemars::schema_for!(WriteScope),
            schemars::schema_for!(TaskState),
            schemars::schema_for!(Detail),
        ];
        for schema in schemas {
            let mut schema = schema.as_object().unwrap().clone();
            schema.remove("$schema");
            let name = schema.remove("title").unwrap();
            let name = name.as_str().unwrap();
            assert_eq!(serde_json::Value::Object(schema), published[name], "{name}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_with_those_there_are() {
        let table = [
            (
                "x".parse::<ScopeMode>().unwrap_err(),
                "unknown scope mode `x` (expected `project_fallback_global`, `project_only` or `global_only`)",
            ),
            (
                "".parse::<WriteScope>().unwrap_err(),
                "unknown scope `` (expected `project` or `global`)",
            ),
            (
                "Active".parse::<Status>().unwrap_err(),
                "unknown status `Active` (expected `active`, `archived` or `superseded`)",
            ),
        ];
        for (error, expected) in table {
            assert_eq!(error.to_string(), expected);
        }
    }
}
