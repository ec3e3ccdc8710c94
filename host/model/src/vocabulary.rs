//! The vocabulary that all doors share: one enum for each open word, its names, and the error for an unknown name.
//! A word is written in JSON, in SQL and on the command line by its name. Doc comments here are part of the published
//! schemas.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A name that is not among those there are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} `{name}` (expected {})", choices(.known))]
pub struct UnknownName {
    /// What was to be named: `scope mode`.
    pub what: &'static str,
    /// As it was given.
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

/// Declares an enum with its names. `what` is how an error calls it.
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
            /// In the order of their declaration.
            pub const ALL: [$type; [$($type::$variant),+].len()] = [$($type::$variant),+];

            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }

            /// The one with that name.
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

// Lowest first. The upper two are a person's word and are never read from a repository; the lower two follow from the
// evidence.
words! {
    "level of trust",
    /// How far a memory's word goes.
    pub enum Trust {
        /// Only a tool's output says so, or nobody knows who does.
        Untrusted = "untrusted",
        /// A user or an assistant said so.
        Grounded = "grounded",
        /// A reviewer whom the user accepts stands behind it.
        Reviewed = "reviewed",
        /// The user confirmed it.
        Confirmed = "confirmed",
    }
}

// `archived` is in the archive or rejected by a person; `superseded` gave its place to another memory.
words! {
    "status",
    pub enum Status {
        Active = "active",
        Archived = "archived",
        Superseded = "superseded",
    }
}

// Which memory an answer may come from. The first fills up what is left of the limit with global hits.
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
    /// Where a new memory goes.
    #[derive(Default)]
    pub enum WriteScope {
        #[default]
        Project = "project",
        Global = "global",
    }
}

// A job that waits for another attempt is `queued` with an attempt behind it; a dead letter is `failed` and dead. Nothing
// stored is `accepted`: that is asked for and not yet written down.
words! {
    "state",
    /// Where a job or a run stands.
    pub enum TaskState {
        Accepted = "accepted",
        Queued = "queued",
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

// How much an answer about a codebase says.
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

    /// Names and JSON agree, and every name leads back to its word.
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
