//! Keys and secrets out of everything that leaves or is told. A key is held by [`Secret`] alone,
//! which shows nothing of itself, and any text that goes to a provider, a file or a person has been
//! through [`Scrubber::clean`].

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_redact::Redactor;

use crate::{ProviderSettings, Settings};

/// A value that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

/// Takes out secrets by rule, and the configured keys wherever they stand.
pub(crate) struct Scrubber {
    redactor: Arc<Redactor>,
    keys: Vec<Secret>,
}

impl Secret {
    /// Without the space around it that copying leaves; `None` when nothing remains.
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
    /// Knows the keys of all providers, and whatever else in the environment is named like one.
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
        // A key that holds another as its start goes first, or its end would be left standing.
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

    /// The start of what a provider or program said, on one line, fit for an error.
    pub(crate) fn excerpt(&self, text: &str) -> String {
        // Cleaned before it is cut: half a secret is not recognised.
        let cleaned = self.clean(acreta_text::head(text, LOOKED_AT));
        let words: Vec<&str> = cleaned.split_whitespace().collect();
        acreta_text::visible(acreta_text::head(&words.join(" "), SHOWN))
    }
}

/// Dummy keys of local servers are words like `none`; taking those out would only damage text.
const SHORTEST_KEY: usize = 8;
const LOOKED_AT: usize = 16 * 1024;
const SHOWN: usize = 300;

fn sounds_secret(name: &str) -> bool {
    ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD"]
        .iter()
        .any(|end| name.ends_with(end))
}
