//! Walks through a session from the agent's view: each prompt and each failure is a moment at which something may be
//! offered. Nothing is offered twice in a session.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use acreta_cures::Collector;
use acreta_types::Event;

use crate::Outcome;
use crate::replay::figures::ReplayFigures;
use crate::replay::judging::{Earlier, Followed, MomentKind, ReplayMoment};
use crate::replay::learner::Learner;
use crate::replay::offers::{self, Offer};
use crate::replay::series::ReplaySession;

/// Number of events after a moment that a judge sees, and the length of each.
const FOLLOWING: usize = 10;
const SHOWN: usize = 600;
/// Minimum share of common words for comparing two prompts.
const LIKENESS: f64 = 0.3;

/// State from earlier sessions of the series.
pub(crate) struct Walker<'a> {
    series: &'a str,
    /// The session and the command of each failure.
    failures: HashMap<String, String>,
    prompts: Vec<(BTreeSet<String>, Earlier)>,
}

impl<'a> Walker<'a> {
    pub(crate) fn new(series: &'a str) -> Self {
        Self {
            series,
            failures: HashMap::new(),
            prompts: Vec::new(),
        }
    }

    /// Returns the moments of a session, and adds it to the earlier sessions.
    pub(crate) fn walk(
        &mut self,
        session: &ReplaySession,
        learner: &Learner,
        figures: &mut ReplayFigures,
    ) -> Outcome<Vec<ReplayMoment>> {
        let mut collector = Collector::default();
        let mut moments = Vec::new();
        let mut offered = BTreeSet::new();
        let (mut failures, mut prompts) = (Vec::new(), Vec::new());
        let mut tokens = 0;
        figures.sessions += 1;
        for (at, event) in session.events.iter().enumerate() {
            let moment = if let Some(failed) = collector.take(event) {
                figures.failures += 1;
                let known = failed
                    .signatures
                    .iter()
                    .find_map(|signature| self.failures.get(signature));
                figures.repeated += u64::from(known.is_some());
                let is_again = failed
                    .signatures
                    .iter()
                    .any(|one| failures.iter().any(|(known, _)| known == one));
                figures.again_in_session += u64::from(is_again);
                let started = Instant::now();
                let offer = offers::for_failure(&failed.command, &event.text, session, learner)?;
                figures.lookups.push(started.elapsed());
                let offers = new(offer.into_iter().collect(), &mut offered);
                figures.cures += offers.len() as u64;
                let place = format!("{} {}", session.key, failed.command);
                failures.extend(
                    failed
                        .signatures
                        .into_iter()
                        .map(|signature| (signature, place.clone())),
                );
                let is_worth = !offers.is_empty() || known.is_some();
                is_worth.then(|| ReplayMoment {
                    said: format!("$ {}\n{}", failed.command, shown(&event.text)),
                    earlier: known.map(|text| Earlier {
                        session: String::new(),
                        text: text.clone(),
                    }),
                    ..self.moment(MomentKind::Failure, session, at, offers)
                })
            } else if event.role == "user" && event.kind == "text" && !event.text.trim().is_empty()
            {
                figures.prompts += 1;
                let found = offers::for_prompt(&event.text, session, learner)?;
                let offers = new(found, &mut offered);
                figures.offers += offers.len() as u64;
                let words = acreta_text::tokens(&event.text);
                let earlier = self.most_like(&words);
                prompts.push((
                    words,
                    Earlier {
                        session: session.key.clone(),
                        text: shown(&event.text),
                    },
                ));
                Some(ReplayMoment {
                    said: shown(&event.text),
                    earlier,
                    ..self.moment(MomentKind::Prompt, session, at, offers)
                })
            } else {
                None
            };
            if let Some(moment) = moment {
                tokens += moment
                    .offered
                    .iter()
                    .map(|offer| acreta_text::count_tokens(&offer.text))
                    .sum::<usize>();
                moments.push(moment);
            }
        }
        figures.tokens += tokens as u64;
        figures.without_offer += u64::from(offered.is_empty());
        self.failures.extend(failures);
        self.prompts.extend(prompts);
        Ok(moments)
    }

    fn moment(
        &self,
        kind: MomentKind,
        session: &ReplaySession,
        at: usize,
        offered: Vec<Offer>,
    ) -> ReplayMoment {
        let event = &session.events[at];
        let next = session.events[at + 1..].iter();
        ReplayMoment {
            id: format!("{} {} {}", self.series, session.key, event.id),
            kind,
            agent: session.agent.clone(),
            said: String::new(),
            offered,
            earlier: None,
            next: next.take(FOLLOWING).map(followed).collect(),
            judgement: None,
            repeats: None,
            supplied: None,
        }
    }

    /// Returns the earlier prompt that shares most words.
    fn most_like(&self, words: &BTreeSet<String>) -> Option<Earlier> {
        let likeness = self
            .prompts
            .iter()
            .map(|(known, prompt)| (acreta_text::jaccard(known, words), prompt));
        let best = likeness.max_by(|left, right| left.0.total_cmp(&right.0));
        best.filter(|(likeness, _)| *likeness >= LIKENESS)
            .map(|(_, prompt)| prompt.clone())
    }
}

fn new(offers: Vec<Offer>, known: &mut BTreeSet<String>) -> Vec<Offer> {
    let is_new = |offer: &Offer| known.insert(offer.id.clone());
    offers.into_iter().filter(is_new).collect()
}

fn followed(event: &Event) -> Followed {
    Followed {
        role: event.role.clone(),
        kind: event.kind.clone(),
        text: shown(&event.text),
    }
}

fn shown(text: &str) -> String {
    acreta_text::head(text, SHOWN).to_owned()
}
