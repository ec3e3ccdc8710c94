//! Combines word scores and semantic similarity. Their scales are unrelated, so similarity is rescaled to have the same
//! standard deviation over the candidates as the word scores, and both are added. (Rank fusion was measured to be worse
//! than words alone.)

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use tantivy::DocAddress;

use crate::columns::DocumentFilter;
use crate::meaning::Closeness;
use crate::query::ParsedQuery;
use crate::rank::{Basis, MemoryRanking, RankingInput, memories};
use crate::snapshot::{IndexSnapshot, Scored};
use crate::weights::{CLOSE_ENOUGH, MEANING, NEIGHBOUR_MEANING};

impl IndexSnapshot {
    /// Adds up to `count` semantically similar passages, and the similarity to every score. With quoted phrases, only
    /// passages that contain them are added.
    pub(crate) fn fuse(
        &self,
        ranking: &mut MemoryRanking,
        closeness: &Closeness,
        parsed: &ParsedQuery,
        accepted: &DocumentFilter<'_>,
        circumstances: &RankingInput<'_>,
        count: usize,
    ) -> tantivy::Result<()> {
        ranking.passages.sort_by(|left, right| {
            let order = right.words().total_cmp(&left.words());
            order.then_with(|| left.address.cmp(&right.address))
        });
        let found = ranking.passages.len();
        if parsed.phrases.is_empty() {
            let known: HashSet<DocAddress> = ranking
                .passages
                .iter()
                .map(|passage| passage.address)
                .collect();
            let mut added = self.closest(closeness, accepted, count);
            added.retain(|address| !known.contains(address));
            added.sort();
            let words = self.scores_at(self.fields.text, &self.searcher, &ranking.terms, &added)?;
            let added = added.into_iter().zip(words).collect();
            let added = self.scored(added, &ranking.terms, parsed, circumstances)?;
            ranking.passages.extend(added);
        }
        let average = closeness.average();
        let close: Vec<Option<f32>> = ranking
            .passages
            .iter()
            .map(|passage| self.in_context(closeness, passage.address, average))
            .collect();
        // Over the best by words and the best by meaning, so that the depth of the ranking does not matter.
        let places = (0..count.min(found)).chain(found..close.len());
        let words = Distribution::of(places.clone().map(|place| ranking.passages[place].words()));
        let spread = Distribution::of(places.filter_map(|place| close[place]));
        // If words do not distinguish candidates, use similarity in its own unit.
        let unit = match words.deviation {
            0.0 => 1.0,
            deviation => deviation,
        };
        let least = close.iter().flatten().copied().fold(spread.mean, f32::min);
        for (passage, close) in ranking.passages.iter_mut().zip(close) {
            passage.closeness = closeness.of(passage.address);
            passage.is_close = close.is_some_and(|close| close >= CLOSE_ENOUGH);
            if spread.deviation > 0.0 {
                // Passages without a vector count as average. Similarity is counted from the minimum, because age and
                // use are factors and must not shrink a score by amplifying a negative value.
                let above = close.unwrap_or(spread.mean) - least;
                passage.meaning = MEANING * unit * above / spread.deviation;
            }
        }
        ranking.memories = memories(&ranking.passages, Basis::WordsAndMeaning, |head| {
            self.is_long(head)
        });
        Ok(())
    }

    /// Returns the documents closest to the question that pass the filter and the minimum similarity.
    fn closest(
        &self,
        closeness: &Closeness,
        accepted: &DocumentFilter<'_>,
        count: usize,
    ) -> Vec<DocAddress> {
        let mut heap: BinaryHeap<Reverse<Scored>> = BinaryHeap::with_capacity(count.min(4096) + 1);
        let mut least = CLOSE_ENOUGH;
        for (address, score) in closeness.all() {
            let (segment, doc) = (address.segment_ord as usize, address.doc_id);
            if score < least || !self.is_alive(address) || !accepted.accepts(segment, doc) {
                continue;
            }
            heap.push(Reverse(Scored { score, address }));
            if heap.len() > count {
                heap.pop();
                least = heap.peek().map_or(least, |Reverse(worst)| worst.score);
            }
        }
        heap.into_iter()
            .map(|Reverse(scored)| scored.address)
            .collect()
    }

    /// Returns the similarity of a passage plus shares of neighbours that are closer than average.
    fn in_context(&self, closeness: &Closeness, address: DocAddress, average: f32) -> Option<f32> {
        let mut close = closeness.of(address)?;
        let columns = &self.columns[address.segment_ord as usize];
        let ordinal = columns.ordinal.first(address.doc_id).unwrap_or(0);
        let passages = columns.passages.first(address.doc_id).unwrap_or(1);
        for (distance, weight) in (1u32..).zip(NEIGHBOUR_MEANING) {
            let before = (ordinal >= u64::from(distance)).then(|| address.doc_id - distance);
            let after =
                (ordinal + u64::from(distance) < passages).then(|| address.doc_id + distance);
            for doc in [before, after].into_iter().flatten() {
                let neighbour = DocAddress::new(address.segment_ord, doc);
                if let Some(neighbour) = closeness.of(neighbour) {
                    close += weight * (neighbour - average);
                }
            }
        }
        Some(close)
    }
}

/// Mean and standard deviation.
struct Distribution {
    mean: f32,
    /// 0 if all values are equal.
    deviation: f32,
}

impl Distribution {
    fn of(figures: impl Iterator<Item = f32> + Clone) -> Self {
        let count = figures.clone().count().max(1) as f32;
        let mean = figures.clone().sum::<f32>() / count;
        let squares = figures.map(|figure| (figure - mean).powi(2));
        let deviation = (squares.sum::<f32>() / count).sqrt();
        let is_same = deviation <= f32::EPSILON * mean.abs().max(1.0);
        Self {
            mean,
            deviation: if is_same { 0.0 } else { deviation },
        }
    }
}
