//! One line of a session file, as fields that are located but not yet decoded.
//!
//! One structure fits every version of the format: a field that is missing or has an unexpected shape is absent, and a
//! field that is not listed here is never parsed.

use acreta_sdk::adapter::Tokens;
use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;

/// The records of a session file.
pub(crate) struct Lines;

impl Records for Lines {
    type Record<'a> = Record<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"parentUuid\":", b"{\"type\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Record<'a>, Fault> {
        Record::scan(scanner)
    }

    fn is_whole(record: &Record<'_>) -> bool {
        record.kind.is_some() && (record.uuid.is_some() || record.session.is_some())
    }
}

/// A record. Fields that only some types carry are absent in the others.
#[derive(Debug, Default)]
pub(crate) struct Record<'a> {
    pub(crate) kind: Option<Text<'a>>,
    pub(crate) uuid: Option<Text<'a>>,
    pub(crate) session: Option<Text<'a>>,
    pub(crate) timestamp: Option<Text<'a>>,
    pub(crate) agent: Option<Text<'a>>,
    pub(crate) directory: Option<Text<'a>>,
    pub(crate) branch: Option<Text<'a>>,
    pub(crate) version: Option<Text<'a>>,
    pub(crate) is_sidechain: bool,
    pub(crate) is_meta: bool,
    pub(crate) is_compact_summary: bool,
    /// Names of the team and of the agent in it, in the session of a teammate.
    /// A tool's text, or the agent's plan, in the position of the person.
    pub(crate) is_of_tool: bool,
    pub(crate) has_plan: bool,
    pub(crate) team: Option<Text<'a>>,
    pub(crate) teammate: Option<Text<'a>>,
    /// Has a key that Qwen Code writes and Claude Code does not.
    pub(crate) has_system_payload: bool,
    pub(crate) is_api_error: bool,
    pub(crate) message: Option<Message<'a>>,
    /// Author of a `user` record, in versions that write it.
    pub(crate) origin: Option<Value<'a>>,
    pub(crate) attachment: Option<Value<'a>>,
    pub(crate) subtype: Option<Text<'a>>,
    pub(crate) content: Option<Value<'a>>,
    pub(crate) error: Option<Value<'a>>,
    pub(crate) compaction: Option<Value<'a>>,
    pub(crate) operation: Option<Text<'a>>,
    pub(crate) custom_title: Option<Text<'a>>,
    pub(crate) generated_title: Option<Text<'a>>,
    /// `leafUuid` or `messageId`: the target of a bookkeeping record without a session id.
    pub(crate) points_at: Option<Text<'a>>,
}

/// Types of records that carry a session id but nothing of the conversation.
const NAMED_BOOKKEEPING: [&str; 9] = [
    "queue-operation",
    "last-prompt",
    "mode",
    "permission-mode",
    "custom-title",
    "ai-title",
    "pr-link",
    "agent-name",
    "worktree-state",
];

/// Name of the agent of a team to whom the person speaks.
const LEAD: &str = "team-lead";

/// Content of an API message.
#[derive(Debug, Default)]
pub(crate) struct Message<'a> {
    pub(crate) id: Option<Text<'a>>,
    pub(crate) model: Option<Text<'a>>,
    pub(crate) usage: Option<Value<'a>>,
    pub(crate) content: Content<'a>,
    /// Other agents that use this shape store their content in `parts`.
    pub(crate) has_parts: bool,
}

#[derive(Debug, Default)]
pub(crate) enum Content<'a> {
    #[default]
    Missing,
    Text(Text<'a>),
    Blocks(Vec<Block<'a>>),
}

/// One block of a message, of any type.
#[derive(Debug, Default)]
pub(crate) struct Block<'a> {
    pub(crate) kind: Text<'a>,
    pub(crate) text: Option<Text<'a>>,
    pub(crate) thinking: Option<Text<'a>>,
    pub(crate) id: Option<Text<'a>>,
    pub(crate) name: Option<Text<'a>>,
    pub(crate) input: Option<Value<'a>>,
    pub(crate) call: Option<Text<'a>>,
    pub(crate) content: Option<Value<'a>>,
    pub(crate) is_error: bool,
}

impl<'a> Record<'a> {
    /// Reads the object that starts here.
    fn scan(scanner: &mut Scanner<'a>) -> Result<Self, Fault> {
        let mut record = Record::default();
        scanner.each_field(|scanner, key| {
            if key == b"message" {
                record.message = Message::scan(scanner)?;
                return Ok(());
            }
            let value = scanner.value()?;
            match key {
                b"type" => record.kind = value.text(),
                b"uuid" => record.uuid = value.text(),
                b"sessionId" => record.session = value.text(),
                b"timestamp" => record.timestamp = value.text(),
                b"agentId" => record.agent = value.text(),
                b"cwd" => record.directory = value.text(),
                b"gitBranch" => record.branch = value.text(),
                b"version" => record.version = value.text(),
                b"isSidechain" => record.is_sidechain = value.is_true(),
                b"isMeta" => record.is_meta = value.is_true(),
                b"isCompactSummary" => record.is_compact_summary = value.is_true(),
                b"sourceToolUseID" => record.is_of_tool |= value.text().is_some(),
                b"promptSource" => {
                    record.is_of_tool |= value.text().is_some_and(|by| by.is("system"));
                }
                b"planContent" => record.has_plan = value.text().is_some(),
                b"teamName" => record.team = value.text(),
                b"agentName" => record.teammate = value.text(),
                b"isApiErrorMessage" => record.is_api_error = value.is_true(),
                b"systemPayload" => record.has_system_payload = true,
                b"origin" => record.origin = Some(value),
                b"attachment" => record.attachment = Some(value),
                b"subtype" => record.subtype = value.text(),
                b"content" => record.content = Some(value),
                b"error" => record.error = Some(value),
                b"compactMetadata" => record.compaction = Some(value),
                b"operation" => record.operation = value.text(),
                b"customTitle" => record.custom_title = value.text(),
                b"aiTitle" => record.generated_title = value.text(),
                b"leafUuid" | b"messageId" => record.points_at = value.text(),
                _ => {}
            }
            Ok(())
        })?;
        Ok(record)
    }

    /// Reports whether an agent's session has the record: who speaks to a subagent or a teammate is another agent.
    pub(crate) fn is_of_agent(&self) -> bool {
        let is_teammate = self.team.is_some() && self.teammate.is_some_and(|name| !name.is(LEAD));
        self.is_sidechain || is_teammate
    }

    pub(crate) fn is(&self, kind: &str) -> bool {
        self.kind.is_some_and(|text| text.is(kind))
    }

    /// Reports whether this is bookkeeping that identifies the session.
    pub(crate) fn is_named_bookkeeping(&self) -> bool {
        let kind = self
            .kind
            .filter(|_| self.session.is_some())
            .map(Text::lossy);
        kind.is_some_and(|kind| NAMED_BOOKKEEPING.contains(&&*kind))
    }

    /// Returns a key that identifies a record of the conversation; `None` for other records, which are not
    /// deduplicated.
    pub(crate) fn key(&self) -> Option<u64> {
        let uuid = self.uuid.filter(|_| self.speaks())?;
        Some(hash(uuid.raw))
    }

    /// Reports whether this is a line of the conversation and has its shape.
    fn speaks(&self) -> bool {
        let has_content = self
            .message
            .as_ref()
            .is_some_and(|message| !matches!(message.content, Content::Missing));
        (has_content && (self.is("user") || self.is("assistant")))
            || self.is("system")
            || (self.is("attachment") && self.attachment.is_some())
    }
}

impl<'a> Message<'a> {
    /// Returns `None` if the value is not an object.
    fn scan(scanner: &mut Scanner<'a>) -> Result<Option<Self>, Fault> {
        if scanner.peek() != Some(b'{') {
            scanner.value()?;
            return Ok(None);
        }
        let mut message = Message::default();
        scanner.each_field(|scanner, key| {
            if key == b"content" {
                message.content = Content::scan(scanner)?;
                return Ok(());
            }
            let value = scanner.value()?;
            match key {
                b"id" => message.id = value.text(),
                b"model" => message.model = value.text(),
                b"usage" => message.usage = Some(value),
                b"parts" => message.has_parts = true,
                _ => {}
            }
            Ok(())
        })?;
        Ok(Some(message))
    }

    pub(crate) fn tokens(&self) -> Option<Tokens> {
        let usage = self
            .usage
            .filter(|usage| matches!(usage, Value::Object(_)))?;
        let [input, output, read, created] = usage
            .fields([
                "input_tokens",
                "output_tokens",
                "cache_read_input_tokens",
                "cache_creation_input_tokens",
            ])
            .map(|count| count.and_then(Value::number));
        let tokens = Tokens {
            input,
            output,
            ..Tokens::default()
        };
        Some(tokens.beside(read, created))
    }
}

impl<'a> Content<'a> {
    fn scan(scanner: &mut Scanner<'a>) -> Result<Self, Fault> {
        if scanner.peek() != Some(b'[') {
            return Ok(scanner
                .value()?
                .text()
                .map_or(Content::Missing, Content::Text));
        }
        let mut blocks = Vec::new();
        scanner.each_element(|scanner| {
            if let Some(block) = Block::scan(scanner)? {
                blocks.push(block);
            }
            Ok(())
        })?;
        Ok(Content::Blocks(blocks))
    }

    /// Returns the text that the content starts with.
    pub(crate) fn first_text(&self) -> Option<Text<'a>> {
        match self {
            Content::Missing => None,
            Content::Text(text) => Some(*text),
            Content::Blocks(blocks) => blocks.first()?.text,
        }
    }

    /// Converts a value that was located before.
    pub(crate) fn of(value: Value<'a>) -> Self {
        match value {
            Value::Text(text) => Content::Text(text),
            Value::List(raw) => Content::scan(&mut Scanner::new(raw)).unwrap_or_default(),
            _ => Content::Missing,
        }
    }
}

impl<'a> Block<'a> {
    /// A string in place of a block is a block of text; `None` for other values that are not objects.
    fn scan(scanner: &mut Scanner<'a>) -> Result<Option<Self>, Fault> {
        if scanner.peek() != Some(b'{') {
            let text = scanner.value()?.text();
            return Ok(text.map(|text| Block {
                text: Some(text),
                ..Block::default()
            }));
        }
        let mut block = Block::default();
        scanner.each_field(|scanner, key| {
            let value = scanner.value()?;
            match key {
                b"type" => block.kind = value.text().unwrap_or_default(),
                b"text" => block.text = value.text(),
                b"thinking" => block.thinking = value.text(),
                b"id" => block.id = value.text(),
                b"name" => block.name = value.text(),
                b"input" => block.input = Some(value),
                b"tool_use_id" => block.call = value.text(),
                b"content" => block.content = Some(value),
                b"is_error" => block.is_error = value.is_true(),
                _ => {}
            }
            Ok(())
        })?;
        Ok(Some(block))
    }
}
