//! A session before version 3: a file of messages, in the form of OpenAI's chat interface.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::blocks::words;
use acreta_sdk::adapter::chat::Messages;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{
    Cursor, EventWriter, Failure, Fields, RecordSpan, Reply, Session, Sign, Sink, Speaker, chat,
    journal, overview,
};

use crate::AGENT;
use crate::meta::Meta;

/// Returns the session in a file; empty if it is not Vibe's. The messages themselves say too little.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let meta = Meta::beside(path);
    if !path.ends_with("/messages.jsonl") || meta.id.is_none() {
        return Ok(Vec::new());
    }
    let seen = overview::<Messages>(path, &Fields::default(), |record| {
        match record.text_of("role").is_some() {
            true => Sign::OwnSaid,
            false => Sign::Nothing,
        }
    })?;
    let session = seen.map(|mut seen| {
        seen.id.clone_from(&meta.id);
        let mut session = seen.session(AGENT, path);
        meta.complete(&mut session);
        session
    });
    Ok(session.into_iter().collect())
}

/// Emits a session that [`sessions`] found.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let speaker = Speaker::of(session);
    journal::read::<Messages, (), _>(
        &session.path,
        from,
        sink,
        |told, (), record, (start, end)| {
            let mut place = RecordSpan::new("", start, end, None);
            message(told, *record, &mut place, speaker)?;
            told.close(&place);
            Ok(())
        },
    )
}

fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
    let text = words(message.field("content"), place);
    let is_injected = message.field("injected").is_some_and(Value::is_true);
    match &*role {
        "user" if is_injected => told.injected(place, "user", "vibe", text),
        "user" => {
            let (typed, files) = text.split_at(start_of_files(&text));
            speaker.prompt(told, place, typed, &Wrapping::default())?;
            told.injected(place, "user", "file", files.trim().to_owned())
        }
        "assistant" => {
            let mut reply = Reply::default();
            let thoughts = words(message.field("reasoning_content"), place);
            chat::words(told, thoughts, text, place, &mut reply)?;
            chat::calls(told, message.field("tool_calls"), place, &mut reply)
        }
        "tool" => {
            let id = place.text(message, "tool_call_id");
            let tool = match told.calls.close(&id) {
                Some(tool) => tool,
                None => place.text(message, "name"),
            };
            let is_error =
                text.starts_with("<tool_error>") || text.starts_with("<user_cancellation>");
            told.result_of(place, Some(&tool), &id, text, is_error)
        }
        "system" => told.injected(place, "system", "system-prompt", text),
        other => {
            told.unknown(place, "messages", other);
            Ok(())
        }
    }
}

/// Returns where the files begin that a prompt mentions: Vibe adds each below its address, in a fence that its content may
/// close. The length of the text if there are none.
fn start_of_files(text: &str) -> usize {
    let addresses = text.match_indices("\n\nfile://");
    let starts = addresses.map(|(at, _)| at).filter(|at| {
        let mut lines = text[at + 2..].lines().skip(1);
        lines.next() == Some("```")
    });
    starts.min().unwrap_or(text.len())
}
