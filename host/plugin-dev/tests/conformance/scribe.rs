//! A fake memory-writer: plain markdown with a front matter whose texts are quoted as in JSON.

use std::collections::BTreeSet;
use std::sync::Arc;

use acreta_plugin_dev::Plugin;
use acreta_store::Document;
use acreta_types::{
    Call, Job, MemoryType, MemoryWriter, PluginFault, PluginInfo, Role, WriteAction, WriteContext,
    Written,
};
use camino::Utf8Path;
use jiff::Timestamp;

use crate::support::{Vice, fails, put, trap};

pub(crate) const ACTIONS: &str = r#"{
  "context": {"run_id": "run-1", "now_ms": 1767225600000, "repo_name": "harbour", "raw_trace_path": "meta/x.jsonl", "coding_agent": "fable"},
  "actions": [
    {"id": "a1", "operation": "add", "memory_id": "01AAA", "created_ms": 1767225600000, "updated_ms": 1767225600000,
     "candidate": {"id": "01AAA", "type": "decision", "kind": "", "title": "Use tabs", "body": "Tabs it is.", "confidence": 0.5, "tags": ["style"], "evidence": []}}
  ]
}"#;

pub(crate) const CASE: &str = "\
what = \"one decision\"
role = \"memory-writer\"
input = [\"actions.json\"]
";

pub(crate) const FILES: &[(&str, &str)] = &[("case.toml", CASE), ("actions.json", ACTIONS)];

pub(crate) struct Scribe(Vice);

pub(crate) fn writer(vice: &'static str) -> Plugin {
    Plugin::MemoryWriter(Arc::new(Scribe(Vice::new(Role::MemoryWriter, vice))))
}

impl Scribe {
    fn write(
        &self,
        draft: &Utf8Path,
        context: &WriteContext,
        actions: &[WriteAction],
    ) -> Result<Vec<Written>, PluginFault> {
        let targets = actions.iter().filter_map(|action| action.target.clone());
        let mut taken: BTreeSet<String> = targets.collect();
        let mut written = Vec::new();
        for action in actions {
            if self.0.is("writes") && action.operation == "merge" {
                return Err(fails("unsupported"));
            }
            let (path, text) = self.file(context, action, &mut taken)?;
            if !self.0.is("asked-files/missing") {
                put(&draft.join(&path), text);
            }
            written.push(Written {
                action_id: action.id.clone(),
                path,
            });
        }
        if self.0.is("nothing-to-write") || self.0.is("asked-files/more") {
            put(&draft.join("index.md"), "all of it");
        }
        if self.0.is("reports-each/missing") {
            written.pop();
        }
        if self.0.is("reports-each/twice") {
            written.extend(written.last().cloned());
        }
        if self.0.is("reports-each/stranger") {
            written.push(Written {
                action_id: "stranger".to_owned(),
                path: "decisions/20260101-x.md".to_owned(),
            });
        }
        Ok(written)
    }

    fn file(
        &self,
        context: &WriteContext,
        action: &WriteAction,
        taken: &mut BTreeSet<String>,
    ) -> Result<(String, String), PluginFault> {
        let (category, title, body, tags) = match (&action.candidate, &action.summary) {
            (Some(one), _) => (one.category.as_str(), &one.title, &one.body, &one.tags),
            (None, Some(one)) => ("summary", &one.title, &one.body, &one.tags),
            (None, None) if self.0.is("bad-action/trap") => return Err(trap("unwrap on none")),
            (None, None) if self.0.is("bad-action/writes") => {
                return Ok(("decisions/20260101-nothing.md".to_owned(), String::new()));
            }
            (None, None) => return Err(fails("invalid-action")),
        };
        let memory_type = MemoryType::from_name(category).ok_or_else(|| fails("unknown-type"))?;
        let path = match &action.target {
            Some(target) if !self.0.is("asked-files/target") => target.clone(),
            _ => self.name(memory_type.folder(), title, taken),
        };
        let skip = |vice: &str, good: &str| match self.0.is(vice) {
            true => "\"another\"".to_owned(),
            false => good.to_owned(),
        };
        let mut head = vec![
            ("id", skip("front-matter/id", &quoted(&action.memory_id))),
            ("title", skip("decided-words/title", &quoted(title))),
            (
                "tags",
                match self.0.is("decided-words/tags") {
                    true => "[]".to_owned(),
                    false => serde_json::to_string(tags).unwrap(),
                },
            ),
            (
                "related",
                match self.0.is("decided-words/related") {
                    true => "[\"01OTHER\"]".to_owned(),
                    false => serde_json::to_string(&action.related).unwrap(),
                },
            ),
            (
                "created",
                time(
                    action.created_ms
                        + match self.0.is("decided-words/created") {
                            true => 60_000,
                            false => 0,
                        },
                ),
            ),
            ("updated", time(action.updated_ms)),
        ];
        if let Some(candidate) = &action.candidate {
            if !self.0.is("front-matter/keys") {
                head.push(("source", quoted("fable/s1")));
            }
            head.push(("confidence", candidate.confidence.to_string()));
            if !candidate.kind.is_empty() {
                let kind = match self.0.is("decided-words/kind") {
                    true => "friction",
                    false => &candidate.kind,
                };
                head.push(("kind", kind.to_owned()));
            }
        } else {
            head.extend([
                ("description", quoted("what happened")),
                ("date", quoted("2026-01-01")),
                ("time", quoted("00:00:00")),
                ("coding_agent", quoted(&context.coding_agent)),
                ("raw_trace_path", quoted(&context.raw_trace_path)),
                ("run_id", quoted(&context.run_id)),
                ("repo_name", quoted(&context.repo_name)),
            ]);
        }
        let mut text = String::from("---\n");
        for (key, value) in &head {
            text.push_str(&format!("{key}: {value}\n"));
        }
        if let Ok(before) = Document::parse(action.current.as_deref().unwrap_or(""))
            && !self.0.is("unknown-keys")
        {
            for (key, value) in &before.front_matter.extra {
                text.push_str(&format!("{key}: {value}\n"));
            }
        }
        let body = match self.0.is("decided-words/body") {
            true => "something else",
            false => body,
        };
        text.push_str(&format!("---\n{body}\n{}", self.0.drift("same-twice")));
        Ok((path, text))
    }

    fn name(&self, folder: &str, title: &str, taken: &mut BTreeSet<String>) -> String {
        let folder = match self.0.is("asked-files/place") {
            true => "elsewhere",
            false => folder,
        };
        let slug = acreta_text::slug(title);
        let names = (1..).map(|number| match number {
            1 => format!("{folder}/20260101-{slug}.md"),
            number => format!("{folder}/20260101-{slug}-{number}.md"),
        });
        let overwrites = self.0.is("asked-files/taken");
        let mut names = names.skip_while(|name| !overwrites && taken.contains(name));
        let name = names.next().unwrap();
        taken.insert(name.clone());
        name
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn time(ms: u64) -> String {
    Timestamp::from_millisecond(ms as i64).unwrap().to_string()
}

impl MemoryWriter for Scribe {
    fn info(&self) -> &PluginInfo {
        self.0.info()
    }

    fn apply(
        &self,
        job: &Job,
        draft: &Utf8Path,
        context: &WriteContext,
        actions: &[WriteAction],
    ) -> Call<Vec<Written>> {
        job.log.write("scribe", "info", "writing");
        self.0.call(self.write(draft, context, actions))
    }
}
