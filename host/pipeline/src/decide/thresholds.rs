//! Thresholds for accepting candidates and for treating texts as the same.

/// Thresholds that the user may configure.
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholds {
    /// Overlap from which a candidate updates a memory instead of adding one.
    pub update_overlap: f64,
    pub max_candidates: usize,
    pub min_confidence: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            update_overlap: UPDATE_OVERLAP,
            max_candidates: 24,
            min_confidence: 0.5,
        }
    }
}

/// See [`Thresholds::update_overlap`].
pub(crate) const UPDATE_OVERLAP: f64 = 0.72;
