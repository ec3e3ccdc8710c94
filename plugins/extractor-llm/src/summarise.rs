//! The summary of a session: one call over the person's requests in order, the outline of the session, and its end. If
//! no model is available, the offline extractor writes it.

use crate::batch::{Reserve, UNUSABLE, ask_one};
use crate::reply::{Account, account};
use crate::script::Script;
use crate::shorten::{one_line, plain};
use crate::types::tags;
use crate::{Evidence, Failure, Ports, Settings, Summary};
use crate::{offline, request};
use acreta_text::fenced;

/// Summarises what was asked, done, decided and left open. Fails only if the trace cannot be read.
pub fn summarise(ports: Ports<'_>, settings: &Settings) -> Result<Summary, Failure> {
    let script = Script::read(&ports, settings)?;
    if script.first_prompt.is_none() {
        ports.info("no model was asked: the person said nothing");
        return offline::summary(&ports);
    }
    let request = request::summarise(settings, &record(&script, settings.window_bytes()));
    let reply = ask_one(&ports, request, Reserve::default());
    let told = reply.and_then(|content| {
        let account = account(&content).and_then(|account| fit(&account));
        account.ok_or_else(|| UNUSABLE.to_owned())
    });
    match told {
        Ok((title, description, body)) => Ok(Summary {
            tags: tags(&format!("{title}. {description} {body}")),
            title,
            description,
            body,
            evidence: evidence(&script),
            attrs: vec![("by".to_owned(), "model".to_owned())],
        }),
        Err(reason) => {
            ports.warn(&format!("the summary is by the rules: {reason}"));
            offline::summary(&ports)
        }
    }
}

/// Renders requests, outline and end, within a window.
fn record(script: &Script, limit: usize) -> String {
    let statement = script.last_statement.as_ref();
    let last = statement.map_or("", |statement| statement.text.as_str());
    let last = acreta_text::head(last, limit / 8);
    format!(
        "{}\n{}\n{}",
        fenced("what the person said", &requests(script, limit / 4)),
        fenced("parts of the session", &script.outline.render(limit / 3)),
        fenced("the agent's last statement", last),
    )
}

/// Renders the person's requests in order, each with as many words as fit; if there are too many, only the first and
/// the last.
fn requests(script: &Script, limit: usize) -> String {
    for words in [400, 240, 120, 60] {
        let lines: Vec<String> = script
            .prompts
            .iter()
            .map(|prompt| format!("[{}] {}", prompt.number, one_line(&prompt.words, words)))
            .collect();
        let shown = lines.join("\n");
        if shown.len() <= limit {
            return shown;
        }
        if words == 60 {
            return crate::shorten::ends(&shown, limit / 2, limit / 2 - 8);
        }
    }
    String::new()
}

/// Fits title, description and body to the limits of a summary; `None` if they are empty.
fn fit(account: &Account) -> Option<(String, String, String)> {
    let title = plain(&account.title);
    let title = match title.char_indices().nth(LONGEST_TITLE) {
        None => title.as_str(),
        Some((end, _)) => title[..end]
            .rsplit_once(' ')
            .map_or(&title[..end], |cut| cut.0),
    };
    let lines: Vec<String> = account
        .body
        .lines()
        .map(|line| {
            let seen = line.chars().filter(|one| !acreta_text::is_hidden(*one));
            seen.collect::<String>().trim_end().to_owned()
        })
        .collect();
    let open: Vec<String> = account
        .open
        .iter()
        .map(|one| plain(one))
        .filter(|one| !one.is_empty())
        .take(MOST_OPEN)
        .map(|one| format!("- {}\n", crate::shorten::one_line(&one, LONGEST_OPEN)))
        .collect();
    let open = if open.is_empty() {
        String::new()
    } else {
        format!("\n\n## Open\n{}", open.concat())
    };
    let words = |text: &str| text.split_whitespace().count();
    // Open points come last and must not be cut off.
    let body = first_lines(&lines, MOST_WORDS.saturating_sub(words(&open)));
    if title.is_empty() || body.is_empty() {
        return None;
    }
    let description = plain(&account.description);
    let description = if description.is_empty() {
        format!("{title}.")
    } else {
        description
    };
    Some((
        title.to_owned(),
        description,
        format!("{body}{open}").trim_end().to_owned(),
    ))
}

const LONGEST_TITLE: usize = 100;
const MOST_OPEN: usize = 6;
const LONGEST_OPEN: usize = 200;
const MOST_WORDS: usize = 300;

/// Returns as many whole lines as have at most `limit` words; cuts a single long line at a word.
fn first_lines(lines: &[String], limit: usize) -> String {
    let mut kept = String::new();
    let mut left = limit;
    for line in lines {
        let words = line.split_whitespace().count();
        if words > left {
            if kept.trim().is_empty() {
                let cut: Vec<&str> = line.split_whitespace().take(left).collect();
                kept = cut.join(" ");
            }
            break;
        }
        left -= words;
        kept.push_str(line);
        kept.push('\n');
    }
    kept.trim().to_owned()
}

/// Quotes the person's first words and the end of the last statement.
fn evidence(script: &Script) -> Vec<Evidence> {
    let mut evidence: Vec<Evidence> = script.first_prompt.iter().cloned().collect();
    if let Some(statement) = &script.last_statement {
        let quote = crate::shorten::last(&statement.text, QUOTE_BYTES).trim();
        if !quote.is_empty() {
            evidence.push(Evidence {
                event_id: statement.event_id.clone(),
                quote: quote.to_owned(),
            });
        }
    }
    evidence
}

const QUOTE_BYTES: usize = 300;
