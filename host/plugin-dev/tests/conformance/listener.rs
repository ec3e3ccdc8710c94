//! A fake extractor: a text with `because` is a decision.

use std::sync::Arc;

use acreta_plugin_dev::Plugin;
use acreta_types::{
    Attrs, Call, Candidate, Event, Evidence, Extractor, Job, ModelMessage, ModelRequest,
    PluginFault, PluginInfo, Role, Session, SharedTrace, Summary,
};

use crate::support::{Vice, fails, trap};

pub(crate) const TRACE: &str = "\
{\"id\":\"t1\",\"origin\":{\"record\":\"r1\",\"start\":0,\"end\":40},\"role\":\"user\",\"kind\":\"text\",\"text\":\"Use tabs, because we always did.\"}
{\"id\":\"t2\",\"origin\":{\"record\":\"r2\",\"start\":40,\"end\":80},\"role\":\"tool\",\"kind\":\"tool-result\",\"text\":\"a convention of tools\"}
{\"id\":\"t3\",\"origin\":{\"record\":\"r3\",\"start\":80,\"end\":120},\"role\":\"user\",\"kind\":\"text\",\"text\":\"Ship on Monday, because Friday is short.\"}
";

pub(crate) const CASE: &str = "\
what = \"two decisions\"
role = \"extractor\"
input = [\"trace.jsonl\"]

[settings]
floor = 0.5
words = [\"because\"]
";

pub(crate) const FILES: &[(&str, &str)] = &[("case.toml", CASE), ("trace.jsonl", TRACE)];

pub(crate) struct Listener(Vice);

pub(crate) fn extractor(vice: &'static str) -> Plugin {
    Plugin::Extractor(Arc::new(Listener(Vice::new(Role::Extractor, vice))))
}

/// A constant request to a model.
pub(crate) fn question(words: &str) -> ModelRequest {
    ModelRequest {
        purpose: "extract".to_owned(),
        messages: vec![ModelMessage {
            role: "user".to_owned(),
            content: words.to_owned(),
        }],
        json_schema: None,
        max_output_tokens: 100,
    }
}

impl Listener {
    fn listen(
        &self,
        job: &Job,
        session: &Session,
        trace: &SharedTrace,
    ) -> Result<Vec<Candidate>, PluginFault> {
        let mut trace = trace.lock().unwrap();
        if self.0.is("one-event") && trace.count() == 1 {
            return Err(trap("index out of bounds"));
        }
        if self.0.is("own-traces") && session.id == "case" {
            return Err(fails("confused"));
        }
        let mut candidates = Vec::new();
        if self.0.is("empty-trace") {
            candidates.push(self.candidate("ghost", "nobody"));
        }
        loop {
            let page = match trace.next(4096) {
                Ok(page) => page,
                Err(_) if self.0.is("unreadable-trace") => return Err(trap("unwrap on an error")),
                Err(failure) => return Err(PluginFault::Failed(failure)),
            };
            if page.is_empty() {
                break;
            }
            for event in &page {
                self.hear(event, &mut candidates)?;
            }
        }
        if let Some(models) = &job.models
            && (self.0.is("asks-no-model") || models.left().calls > 0)
        {
            let replies = models.complete_all(&[question("Is that all?")]);
            let words = match &replies[0] {
                Ok(reply) => reply.content.clone(),
                Err(failure) => failure.code.clone(),
            };
            job.log.write("listener", "info", &words);
        }
        Ok(candidates)
    }

    fn hear(&self, event: &Event, heard: &mut Vec<Candidate>) -> Result<(), PluginFault> {
        if self.0.is("hostile-text") && event.text.contains('\0') {
            return Err(trap("NUL"));
        }
        let is_rule = self.0.is("rules-from-people") && event.text.contains("convention");
        let is_choice = event.role == "user" && event.text.contains("because");
        if !is_choice && !is_rule {
            return Ok(());
        }
        let quote = acreta_text::head(&event.text, 100);
        let number = heard.len();
        let mut candidate = self.candidate(&event.id, quote);
        if is_rule {
            candidate.category = "learning".to_owned();
            candidate.kind = "convention".to_owned();
        }
        if !self.0.is("candidate-ids/twice") {
            candidate.id = format!("c{number}");
        }
        heard.push(candidate);
        Ok(())
    }

    fn candidate(&self, event_id: &str, quote: &str) -> Candidate {
        let pick = |vice: &str, bad: &str, good: &str| match self.0.is(vice) {
            true => bad.to_owned(),
            false => good.to_owned(),
        };
        let visible: String = quote
            .chars()
            .filter(|character| !acreta_text::is_hidden(*character))
            .collect();
        let hidden = pick("candidate-fields/hidden", "\u{202e}", "");
        let evidence = Evidence {
            event_id: pick("quotes/event", "nowhere", event_id),
            quote: pick("quotes/forged", "nobody said that", quote),
        };
        Candidate {
            id: "c".to_owned(),
            category: pick("candidate-fields/type", "poem", "decision"),
            kind: pick("candidate-fields/kind", "pitfall", ""),
            title: pick("candidate-fields/title", "two\nlines", "A choice") + &hidden,
            body: pick("candidate-fields/body", "", &visible) + &self.0.drift("same-twice/extract"),
            confidence: match self.0.is("candidate-fields/confidence") {
                true => f32::NAN,
                false => 0.8,
            },
            tags: vec![pick("candidate-fields/tag", " ", "choice")],
            evidence: match self.0.is("quotes/none") {
                true => Vec::new(),
                false => vec![evidence],
            },
            attrs: Attrs::default(),
        }
    }
}

impl Extractor for Listener {
    fn info(&self) -> &PluginInfo {
        self.0.info()
    }

    fn extract(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Vec<Candidate>> {
        let heard = self.listen(job, session, &trace);
        self.0.call(match heard {
            Ok(mut heard) if self.0.is("candidate-ids/empty") => {
                heard.iter_mut().for_each(|one| one.id = String::new());
                Ok(heard)
            }
            Ok(heard) if self.0.is("needs-a-model") && !heard.is_empty() => {
                Err(fails("not-granted"))
            }
            other => other,
        })
    }

    fn summarise(&self, _job: &Job, session: &Session, trace: SharedTrace) -> Call<Summary> {
        let mut trace = trace.lock().unwrap();
        let count = trace.count();
        let first = trace.find("tabs", 1).map_or(0, |found| found.len());
        trace.rewind();
        if self.0.is("summary/failure") {
            return self.0.call(Err(fails("lazy")));
        }
        if self.0.is("needs-a-model") {
            return self.0.call(Err(fails("not-granted")));
        }
        self.0.call(Ok(Summary {
            title: match self.0.is("summary/title") {
                true => String::new(),
                false => format!("Session {}", session.id),
            },
            description: match self.0.is("summary/description") {
                true => "one\ntwo".to_owned(),
                false => String::new(),
            },
            body: match self.0.is("summary/long") {
                true => "word ".repeat(301),
                false => format!(
                    "{count} events, {first}{}",
                    self.0.drift("same-twice/summarise")
                ),
            },
            tags: Vec::new(),
            evidence: Vec::new(),
            attrs: Attrs::default(),
        }))
    }
}
