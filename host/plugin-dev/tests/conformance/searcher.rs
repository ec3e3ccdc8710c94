//! A fake explorer: the best hit of the search is the match.

use std::sync::Arc;

use acreta_plugin_dev::Plugin;
use acreta_types::{
    Attrs, Call, Candidate, Explorer, Finding, Job, PluginFault, PluginInfo, Role, SharedSearch,
};
use camino::Utf8Path;

use crate::listener::question;
use crate::support::{Vice, trap};

pub(crate) const CANDIDATES: &str = r#"{"candidates":[{"id":"k1","type":"decision","kind":"","title":"Tabs","body":"Use tabs for indents, always.","confidence":0.7,"tags":[],"evidence":[],"kept":true,"reason":"passed every gate"}]}"#;

pub(crate) const MEMORY: &str =
    "---\nid: m1\ntitle: Indents are tabs\n---\n# Indents are tabs\n\nWe use tabs for indents.\n";

pub(crate) const CASE: &str = "\
what = \"one that is known\"
role = \"explorer\"
input = [\"candidates.json\"]
memory = \"memory\"
";

pub(crate) const FILES: &[(&str, &str)] = &[
    ("case.toml", CASE),
    ("candidates.json", CANDIDATES),
    ("memory/decisions/20260101-tabs.md", MEMORY),
];

pub(crate) struct Searcher(Vice);

pub(crate) fn explorer(vice: &'static str) -> Plugin {
    Plugin::Explorer(Arc::new(Searcher(Vice::new(Role::Explorer, vice))))
}

impl Searcher {
    fn look(
        &self,
        job: &Job,
        memory: &Utf8Path,
        search: &SharedSearch,
        batch: &[Candidate],
    ) -> Result<Vec<Finding>, PluginFault> {
        let bad = memory.join("decisions/20260101-bad-yaml.md");
        if self.0.is("damaged-memory") && bad.exists() {
            return Err(trap("bad YAML"));
        }
        if let Some(models) = &job.models
            && self.0.is("asks-no-model")
        {
            models.complete_all(&[question("Is it known?")]);
        }
        let mut findings = Vec::new();
        for candidate in batch {
            let query = format!("{} {}", candidate.title, candidate.body);
            let mut filter = Attrs::default();
            filter.push("type", candidate.category.clone());
            let hits = match search.find(&query, 3, &filter) {
                Ok(hits) => hits,
                Err(_) if self.0.is("failing-search") => return Err(trap("unwrap on an error")),
                Err(failure) => return Err(PluginFault::Failed(failure)),
            };
            let best = hits.first();
            findings.push(self.finding(
                &candidate.id,
                best.map(|hit| hit.path.as_str()),
                best.map_or(0.0, |hit| hit.score as f32),
            ));
        }
        if self.0.is("answers-each") {
            findings.pop();
        }
        if self.0.is("only-given") || (self.0.is("no-candidates") && batch.is_empty()) {
            findings.push(self.finding("stranger", None, 0.0));
        }
        Ok(findings)
    }

    fn finding(&self, id: &str, matched: Option<&str>, overlap: f32) -> Finding {
        let matched = match () {
            () if self.0.is("empty-memory") => Some("decisions/ghost.md"),
            () if self.0.is("matched-files/absolute") => Some("/memory/decisions/ghost.md"),
            () if self.0.is("matched-files/gone") => Some("decisions/ghost.md"),
            () if self.0.is("matched-files/up") => Some("../../etc/passwd"),
            () => matched,
        };
        Finding {
            candidate_id: id.to_owned(),
            action_hint: match () {
                () if self.0.is("finding-fields/hint") => "sing".to_owned(),
                () if matched.is_some() => "update".to_owned(),
                () => "add".to_owned(),
            },
            matched_file: matched.map(str::to_owned),
            overlap: match self.0.is("finding-fields/overlap") {
                true => 1.5,
                false => overlap,
            },
            evidence: self.0.drift("same-twice"),
            attrs: Attrs::default(),
        }
    }
}

impl Explorer for Searcher {
    fn info(&self) -> &PluginInfo {
        self.0.info()
    }

    fn explore(
        &self,
        job: &Job,
        memory_root: &Utf8Path,
        search: SharedSearch,
        batch: &[Candidate],
    ) -> Call<Vec<Finding>> {
        self.0.call(self.look(job, memory_root, &search, batch))
    }
}
