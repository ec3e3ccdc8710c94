//! Runs with two extractors of which one fails: its earlier contributions stay, whatever the other one says now.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use acreta_types::{
    Call, Candidate, Extractor, Failure, Job, PluginError, PluginFault, PluginInfo, Role, Session,
    SharedTrace, Summary, Usage,
};

use crate::fakes::{Fake, Project, ScriptedSession};

const SAID: [(&str, &str); 4] = [
    (
        "Tabs indent the makefiles",
        "Indent makefiles with tabs, nothing else.",
    ),
    (
        "Commits carry a ticket number",
        "Write the ticket number into every commit.",
    ),
    (
        "Staging resets on Sunday night",
        "Leave no data on staging over the weekend.",
    ),
    (
        "Fixtures live beside the parser",
        "Put new fixtures beside the parser they try.",
    ),
];

/// Behaviour of one extractor in one run.
#[derive(Debug, Clone)]
enum ExtractorScript {
    /// Proposes these statements of the session.
    Says(Range<usize>),
    Fails,
    Traps,
}

use ExtractorScript::{Fails, Traps};

struct OneOfTwo {
    info: PluginInfo,
    part: ExtractorScript,
    all: Fake,
}

impl OneOfTwo {
    fn result<T>(&self, value: impl FnOnce(&Range<usize>) -> T) -> Call<T> {
        let fault = match &self.part {
            ExtractorScript::Says(range) => {
                return Call {
                    result: Ok(value(range)),
                    usage: Usage::default(),
                };
            }
            Fails => PluginFault::Failed(Failure {
                code: "io".to_owned(),
                message: "the index is gone".to_owned(),
                retryable: true,
            }),
            Traps => PluginFault::Trap {
                message: "unreachable".to_owned(),
            },
        };
        Call {
            result: Err(PluginError {
                plugin: self.info.id.clone(),
                role: Role::Extractor,
                fault,
            }),
            usage: Usage::default(),
        }
    }
}

impl Extractor for OneOfTwo {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn extract(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Vec<Candidate>> {
        self.result(|range| {
            let all = self.all.extract(job, session, trace).result.unwrap();
            all[range.clone()].to_vec()
        })
    }

    fn summarise(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Summary> {
        self.result(|_| self.all.summarise(job, session, trace).result.unwrap())
    }
}

/// Returns the session in a state: `events` of it, one per statement.
fn session(events: u64) -> ScriptedSession {
    ScriptedSession {
        events,
        ..ScriptedSession::new("one", 1_000 + events, &SAID[..events as usize])
    }
}

fn extractors(says: &ScriptedSession, parts: &[ExtractorScript; 2]) -> Vec<Arc<dyn Extractor>> {
    let named = ["first", "second"].into_iter().zip(parts);
    named
        .map(|(id, part)| -> Arc<dyn Extractor> {
            Arc::new(OneOfTwo {
                info: PluginInfo {
                    id: id.to_owned(),
                    role: Role::Extractor,
                    wit: "0.1.0".to_owned(),
                    digest: String::new(),
                },
                part: part.clone(),
                all: Fake::new(says.clone()),
            })
        })
        .collect()
}

fn titles(project: &Project) -> BTreeSet<String> {
    project.statements().into_keys().collect()
}

fn set(indices: &[usize]) -> BTreeSet<String> {
    indices.iter().map(|at| SAID[*at].0.to_owned()).collect()
}

#[test]
fn an_extractor_that_fails_takes_nothing_back() {
    let says = |range: Range<usize>| ExtractorScript::Says(range);
    let both = [says(0..1), says(1..2)];
    /// Events and parts of each run, and the statements that are remembered after the last.
    type Row = (Vec<(u64, [ExtractorScript; 2])>, Vec<usize>);
    let mut table: Vec<Row> = Vec::new();
    for broken in [Fails, Traps] {
        table.extend([
            // At the same state, whichever of the two fails.
            (
                vec![(2, both.clone()), (2, [broken.clone(), says(1..2)])],
                vec![0, 1],
            ),
            (
                vec![(2, both.clone()), (2, [says(0..1), broken.clone()])],
                vec![0, 1],
            ),
            // The session went on: only what is new is added.
            (
                vec![(2, both.clone()), (3, [broken.clone(), says(1..3)])],
                vec![0, 1, 2],
            ),
            // A first run that misses one extractor has the other's statements, and the next run completes it.
            (vec![(2, [broken.clone(), says(1..2)])], vec![1]),
            (
                vec![(2, [broken.clone(), says(1..2)]), (2, both.clone())],
                vec![0, 1],
            ),
            // Once both answer again, statements that neither repeats stay as well.
            (
                vec![
                    (2, both.clone()),
                    (2, [broken, says(1..2)]),
                    (2, [says(0..0), says(1..2)]),
                ],
                vec![0, 1],
            ),
        ]);
    }
    for (runs, expected) in table {
        let project = Project::new();
        for (number, (events, parts)) in runs.iter().enumerate() {
            let says = session(*events);
            let before = titles(&project);
            let extractors = extractors(&says, parts);
            let report = project.run_extractors(&says, &extractors).unwrap();
            let is_complete = parts
                .iter()
                .all(|part| matches!(part, ExtractorScript::Says(_)));
            let case = format!("{runs:?}, run {number}");
            let reading = report.reading.unwrap();
            assert_eq!(reading.reading.complete, is_complete, "{case}");
            if !is_complete {
                assert_eq!(reading.code.as_deref(), Some("extractor"), "{case}");
                assert_eq!(report.counts.archived, 0, "{case}");
                assert!(before.is_subset(&titles(&project)), "{case}");
            }
        }
        assert_eq!(titles(&project), set(&expected), "{runs:?}");
    }
}

#[test]
fn a_run_whose_extractors_fail_or_find_nothing_changes_nothing() {
    let project = Project::new();
    let says = session(2);
    let both = [ExtractorScript::Says(0..1), ExtractorScript::Says(1..2)];
    let first = extractors(&says, &both);
    project.run_extractors(&says, &first).unwrap();
    let before = project.bytes();
    let nothing = ExtractorScript::Says(1..1);
    for (failing, named) in [([Fails, Traps], "second"), ([Fails, nothing], "first")] {
        let failing = extractors(&says, &failing);
        let error = project.run_extractors(&says, &failing).unwrap_err();
        assert!(error.to_string().contains(named), "{error}");
        assert_eq!(project.bytes(), before);
    }
}
