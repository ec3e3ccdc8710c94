//! The store through its public API: loading, refusals, and atomic changes under all faults.

#[cfg(test)]
mod commit;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod draft;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod flips;
#[cfg(test)]
mod front_matter;
#[cfg(test)]
mod known;
#[cfg(test)]
mod load;
#[cfg(test)]
mod model;
#[cfg(test)]
mod project;
#[cfg(test)]
mod sidecar;
#[cfg(test)]
mod support;
#[cfg(test)]
mod two_writers;
#[cfg(test)]
mod words;
