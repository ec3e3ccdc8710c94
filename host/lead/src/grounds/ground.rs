//! The words that carry a candidate, and the checks against them.

use std::collections::HashMap;

use acreta_model::Candidate;

use super::carrier::Carrier;
use super::echo::distinct;
use super::lexicon::{ONCE, has_phrase};
use super::lookalike::latin_look;
use super::polarity::{TermSigns, signed};
use super::qualified::lost_qualifier;
use super::record::{SessionIndex, near, statements};
use super::spread::strung;
use super::stance::{Stance, clauses, joined};
use super::terms::{ContentTerm, is_unlisted, terms};

/// Words that can carry a candidate, with what they assert and deny.
#[derive(Debug, Default, Clone)]
pub(crate) struct Ground {
    /// Words of the cited messages.
    pub(super) cited: Carrier,
    /// Words of the cited messages and of the messages around them.
    pub(super) all: Carrier,
    /// Words of the person alone.
    pub(crate) typed: Carrier,
    pub(super) signs: HashMap<String, TermSigns>,
    /// Sentences of the cited messages.
    pub(super) sentences: Vec<String>,
    /// Words that the agent also writes: they are spelt correctly.
    pub(super) spelt: Carrier,
}

impl Ground {
    pub(super) fn of(record: &SessionIndex, candidate: &Candidate, cited: &[usize]) -> Self {
        let mut ground = Self::default();
        let is_once = has_phrase(
            &format!("{} {}", candidate.title, candidate.body).to_lowercase(),
            ONCE,
        );
        for index in cited {
            let message = &record.messages[*index];
            let units = message.units.iter().filter(|unit| {
                unit.stance == Stance::Asserted || unit.stance == Stance::Once && is_once
            });
            let units: Vec<_> = units.collect();
            ground.add(units.iter().map(|unit| unit.text.clone()), true);
            ground.add(units.iter().map(|unit| unit.example.clone()), false);
            for text in &message.around {
                ground.spelt.add(text);
            }
            for other in near(*index, record.messages.len(), NEAR_MESSAGES) {
                if !cited.contains(&other) {
                    ground.add(record.messages[other].asserted().map(str::to_owned), false);
                }
            }
        }
        ground.typed = ground.all.clone();
        ground
    }

    pub(super) fn add(&mut self, sentences: impl Iterator<Item = String>, is_cited: bool) {
        for sentence in sentences {
            self.all.add(&sentence);
            if is_cited {
                self.sentences.push(sentence.clone());
                self.cited.add(&sentence);
                let parts = clauses(&sentence);
                let parts = parts.iter().flat_map(|clause| strung(clause));
                for (term, signs) in parts.flat_map(|part| signed(&part)) {
                    let known = self.signs.entry(term.key).or_default();
                    *known = known.join(signs);
                }
            }
        }
    }

    /// Reports whether it contains a term, or one that differs by a typo.
    pub(super) fn has(&self, carrier: &Carrier, term: &ContentTerm) -> bool {
        carrier.has(term)
            || carrier.has_inflected(term)
            || carrier.misspelt(term).is_some_and(|typed| {
                let word = ContentTerm {
                    key: super::terms::stem(typed),
                    word: typed.to_owned(),
                    is_name: false,
                };
                !self.spelt.has(&word)
            })
    }

    pub(super) fn share(&self, carrier: &Carrier, terms: &[ContentTerm]) -> f64 {
        let keys = distinct(terms);
        let is_carried = |key: &String| {
            terms
                .iter()
                .any(|term| term.key == *key && self.has(carrier, term))
        };
        let carried = keys.iter().filter(|key| is_carried(key)).count();
        match keys.len() {
            0 => 0.0,
            count => carried as f64 / count as f64,
        }
    }

    pub(super) fn judge(
        &self,
        record: &SessionIndex,
        candidate: &Candidate,
        is_selection: bool,
    ) -> Result<(), String> {
        if self.cited.is_empty() {
            return Err("the person typed nothing that it says".to_owned());
        }
        let whole = terms(&format!("{}\n{}", candidate.title, candidate.body));
        if let Some(name) = whole
            .iter()
            .find(|term| term.is_name && !self.has(&self.all, term))
        {
            return Err(format!("the person did not type `{}`", name.key));
        }
        let (cited, all) = (
            self.share(&self.cited, &whole),
            self.share(&self.all, &whole),
        );
        let is_korean = candidate.title.chars().any(super::terms::is_hangul);
        let least = match is_korean {
            true => LEAST_CARRIED_KOREAN,
            false => LEAST_CARRIED,
        };
        if all < least || cited < LEAST_CITED {
            let percent = (all.min(cited) * 100.0).round();
            return Err(format!("the person typed {percent} % of its words"));
        }
        for sentence in statements(candidate) {
            self.has_no_addition(&sentence)?;
        }
        if let Some(term) = whole.iter().find(|term| self.is_lookalike(term)) {
            return Err(format!(
                "the person typed a word that `{}` only looks like",
                term.word
            ));
        }
        self.agrees(candidate)?;
        if is_selection {
            return Ok(());
        }
        let text = format!("{}\n{}", candidate.title, candidate.body);
        let typed: Vec<&str> = self.sentences.iter().map(String::as_str).collect();
        if let Some(qualifier) = lost_qualifier(&typed, &text) {
            return Err(format!("it leaves out {qualifier}"));
        }
        if is_unlisted(&text) {
            return Err("marks of its language are not known".to_owned());
        }
        for sentence in statements(candidate) {
            let own = terms(&sentence);
            let share = self.share(&self.all, &own);
            let is_new = |key: &String| {
                own.iter()
                    .any(|term| term.key == *key && !self.has(&self.all, term))
            };
            let told = record.echo.hits(&sentence).iter().any(|hit| {
                hit.share >= TOLD_BY_TOOL && hit.share > share && hit.keys.iter().any(is_new)
            });
            if told {
                return Err("tool output says more of it than the person typed".to_owned());
            }
        }
        Ok(())
    }

    /// Checks that no part of a sentence is without a word of the person.
    pub(super) fn has_no_addition(&self, sentence: &str) -> Result<(), String> {
        let parts = clauses(sentence);
        for part in parts.iter().flat_map(|clause| joined(clause)) {
            let own = terms(&part);
            if distinct(&own).len() > 1 && self.share(&self.all, &own) < LEAST_OF_CLAUSE {
                return Err(format!("the person did not type `{part}`"));
            }
        }
        let mut run = 0;
        for term in terms(sentence) {
            let is_pair = term.word.is_empty() && !term.is_name;
            run = if self.has(&self.all, &term) {
                0
            } else {
                run + if is_pair { 1 } else { 2 }
            };
            if run >= LONGEST_ADDITION {
                return Err(format!(
                    "the person typed nothing like part of `{sentence}`"
                ));
            }
        }
        Ok(())
    }

    /// Reports whether a word is one letter away from a typed one that is spelt correctly.
    pub(super) fn is_lookalike(&self, term: &ContentTerm) -> bool {
        let is_disguise = || {
            latin_look(&term.word).is_some_and(|look| {
                let shown = ContentTerm {
                    key: super::terms::stem(&look),
                    word: look,
                    is_name: false,
                };
                self.all.has(&shown)
            })
        };
        !self.all.has(term)
            && (is_disguise() || self.all.misspelt(term).is_some() && !self.has(&self.all, term))
    }

    /// Checks that a candidate denies what the person denied and nothing else.
    pub(super) fn agrees(&self, candidate: &Candidate) -> Result<(), String> {
        let mut own: HashMap<String, TermSigns> = HashMap::new();
        for clause in statements(candidate)
            .iter()
            .flat_map(|sentence| clauses(sentence))
        {
            for (term, signs) in signed(&clause) {
                let known = own.entry(term.key).or_default();
                *known = known.join(signs);
            }
        }
        let shared = own
            .iter()
            .filter_map(|(key, signs)| Some((signs, self.signs.get(key)?)));
        let (mut count, mut asserted, mut denied) = (0, 0, 0);
        for (own, said) in shared {
            count += 1;
            if own.opposes(*said) {
                *(if own.denied {
                    &mut denied
                } else {
                    &mut asserted
                }) += 1;
            }
        }
        // Two words that were swapped, or most of what both say.
        let is_swapped = asserted > 0 && denied > 0;
        match is_swapped || (asserted + denied) * 2 > count {
            true => Err("the person said the opposite".to_owned()),
            false => Ok(()),
        }
    }
}

/// Fraction from which tool output counts as containing an option of the agent, or a translation.
pub(crate) const OFFERED_BY_TOOL: f64 = 0.5;

/// Fraction that is enough together with a name in tool output that the person never typed.
pub(crate) const NAMED_BY_TOOL: f64 = 0.4;

/// Minimum fraction of a candidate's content words that typed words must carry.
pub(crate) const LEAST_CARRIED: f64 = 0.6;

/// Like [`LEAST_CARRIED`], for Korean, whose verbs change their first syllable with their ending.
pub(crate) const LEAST_CARRIED_KOREAN: f64 = 0.5;

/// Minimum fraction that the cited messages alone must carry.
pub(crate) const LEAST_CITED: f64 = 0.45;

/// Fraction of a sentence from which tool output says it as well.
pub(crate) const TOLD_BY_TOOL: f64 = 0.6;

/// Minimum fraction of each clause.
pub(crate) const LEAST_OF_CLAUSE: f64 = 0.34;

/// Maximum run of words that the person did not type, counted in halves.
pub(crate) const LONGEST_ADDITION: usize = 6;

/// Number of the person's messages on either side of a cited one that may carry part of it.
pub(crate) const NEAR_MESSAGES: usize = 3;
