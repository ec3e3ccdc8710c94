//! Removes keys and secrets from everything that is sent, stored or shown. Only [`Secret`] holds a key, and its `Debug`
//! hides it; any text that goes to a provider, a file or a person has passed through [`Scrubber::clean`].

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_redact::Redactor;

use crate::{ProviderSettings, Settings};

/// A value that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

/// Redacts secrets by rule, and the configured keys wherever they occur.
pub(crate) struct Scrubber {
    redactor: Arc<Redactor>,
    keys: Vec<Secret>,
}

impl Secret {
    /// Trims surrounding white space; returns `None` if nothing remains.
    pub(crate) fn new(value: &str) -> Option<Self> {
        let value = value.trim();
        (!value.is_empty()).then(|| Self(value.to_owned()))
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret")
    }
}

impl Scrubber {
    /// Collects the keys of all providers, and other environment variables with a name like one.
    pub(crate) fn new(
        redactor: Arc<Redactor>,
        settings: &Settings,
        environment: &BTreeMap<String, String>,
    ) -> Self {
        let configured: Vec<&str> = settings
            .providers
            .values()
            .filter_map(ProviderSettings::key_env)
            .collect();
        let mut keys: Vec<Secret> = environment
            .iter()
            .filter(|(name, _)| configured.contains(&name.as_str()) || sounds_secret(name))
            .filter_map(|(_, value)| Secret::new(value))
            .filter(|key| key.0.len() >= SHORTEST_KEY)
            .collect();
        // Longest first: if one key is a prefix of another, the rest of the longer one would remain.
        keys.sort_by_key(|key| std::cmp::Reverse(key.0.len()));
        Self { redactor, keys }
    }

    pub(crate) fn clean(&self, text: &str) -> String {
        let mut text = std::borrow::Cow::Borrowed(text);
        for key in &self.keys {
            if text.contains(&key.0) {
                text = std::borrow::Cow::Owned(text.replace(&key.0, "[redacted:key]"));
            }
        }
        self.redactor.redact(&text).text.into_owned()
    }

    /// Returns the start of a provider's or program's message on one line, for use in an error.
    pub(crate) fn excerpt(&self, text: &str) -> String {
        // Redact before truncating: half a secret is not recognised.
        let cleaned = self.clean(acreta_text::head(text, LOOKED_AT));
        let words: Vec<&str> = cleaned.split_whitespace().collect();
        acreta_text::visible(acreta_text::head(&words.join(" "), SHOWN))
    }
}

/// Dummy keys of local servers are words like `none`; redacting those would only damage text.
const SHORTEST_KEY: usize = 8;
const LOOKED_AT: usize = 16 * 1024;
const SHOWN: usize = 300;

fn sounds_secret(name: &str) -> bool {
    ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD"]
        .iter()
        .any(|end| name.ends_with(end))
}
