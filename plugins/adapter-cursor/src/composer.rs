//! A composer: one conversation of the editor. Holds its properties, and the order of its bubbles, which is recorded
//! only here.

use std::borrow::Cow;

use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::path;
use acreta_sdk::adapter::time::instant;

/// Returns a value of the database as JSON. Some versions encode it twice, as a string with JSON.
pub(crate) fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    match Scanner::new(bytes).value() {
        Ok(Value::Text(text)) => Cow::Owned(text.lossy().into_owned().into_bytes()),
        _ => Cow::Borrowed(bytes),
    }
}

/// Properties of a composer.
#[derive(Debug, Default)]
pub(crate) struct Composer {
    pub(crate) name: Option<String>,
    pub(crate) branch: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) directory: Option<String>,
    pub(crate) started_ms: Option<u64>,
    pub(crate) updated_ms: Option<u64>,
    /// Conversations that this one started.
    pub(crate) children: Vec<String>,
    /// Number of its bubbles.
    pub(crate) bubbles: u64,
    /// The object could be read to its end.
    pub(crate) is_whole: bool,
}

impl Composer {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut composer = Self::default();
        let read = Scanner::new(bytes).each_field(|scanner, key| {
            composer.see(key, scanner.value()?);
            Ok(())
        });
        composer.is_whole = read.is_ok();
        composer
    }

    fn see(&mut self, key: &[u8], value: Value<'_>) {
        let owned = |text: Option<Text<'_>>| {
            let text = text.map(Text::lossy).filter(|text| !text.is_empty());
            text.map(Cow::into_owned)
        };
        match key {
            b"name" => self.name = owned(value.text()),
            b"createdOnBranch" => self.branch = owned(value.text()),
            b"createdAt" => self.started_ms = instant(value),
            b"lastUpdatedAt" => self.updated_ms = instant(value),
            b"modelConfig" => self.model = owned(value.text_of("modelName")),
            b"workspaceIdentifier" => {
                let address = value.field("uri");
                let directory = address.and_then(|address| owned(address.text_of("fsPath")));
                let external = address.and_then(|address| owned(address.text_of("external")));
                self.directory = directory.or_else(|| path::of_address(&external?));
            }
            b"subComposerIds" => {
                let ids = value
                    .elements()
                    .into_iter()
                    .filter_map(|id| owned(id.text()));
                self.children = ids.collect();
            }
            b"fullConversationHeadersOnly" | b"conversation" => {
                self.bubbles = self.bubbles.max(value.elements().len() as u64);
            }
            b"headers" | b"inline" => {
                self.bubbles = self.bubbles.max(value.number().unwrap_or(0));
            }
            _ => {}
        }
    }
}

/// The bubbles of a composer, in the order of the conversation.
pub(crate) enum Order<'a> {
    /// By their ids: each has its own row.
    Rows(Vec<String>),
    /// Stored in the composer itself.
    Inline(Vec<Value<'a>>),
    /// Not readable.
    Unknown,
}

impl<'a> Order<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        let mut ids = Vec::new();
        let mut inline = Vec::new();
        let read = Scanner::new(bytes).each_field(|scanner, key| {
            let value = scanner.value()?;
            match key {
                b"fullConversationHeadersOnly" => {
                    let headers = value.elements().into_iter();
                    let named = headers.filter_map(|header| header.text_of("bubbleId"));
                    ids = named.map(|id| id.lossy().into_owned()).collect();
                }
                b"conversation" => inline = value.elements(),
                _ => {}
            }
            Ok(())
        });
        match (ids.is_empty(), inline.is_empty()) {
            (false, _) => Order::Rows(ids),
            (true, false) => Order::Inline(inline),
            (true, true) if read.is_ok() => Order::Rows(ids),
            (true, true) => Order::Unknown,
        }
    }
}
