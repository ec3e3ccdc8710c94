//! The store, tried from outside: what it reads, what it refuses, and that a change is whole or
//! not at all whatever happens in between.

#[cfg(test)]
mod commit;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod draft;
#[cfg(test)]
mod failures;
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
mod words;
