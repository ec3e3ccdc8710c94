use acreta_sdk::explorer::*;
struct Overlap;
impl Guest for Overlap { fn explore(_b: Vec<Candidate>) -> Result<Vec<Finding>, Failure> { Ok(vec![]) } }
#[cfg(target_family = "wasm")]
acreta_sdk::explorer::export!(Overlap);
