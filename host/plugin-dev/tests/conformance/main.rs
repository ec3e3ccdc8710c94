//! Tests the suite and the cases through the public API: good plugins, and one bad plugin for every kind of fault.
//! Plugins are plain structs, so no sandbox is needed.

#[cfg(test)]
mod adapters;
#[cfg(test)]
mod built_in;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod explorers;
#[cfg(test)]
mod extractors;
#[cfg(test)]
mod fable;
#[cfg(test)]
mod listener;
#[cfg(test)]
mod recordings;
#[cfg(test)]
mod replays;
#[cfg(test)]
mod reports;
#[cfg(test)]
mod scribe;
#[cfg(test)]
mod searcher;
#[cfg(test)]
mod support;
#[cfg(test)]
mod writers;
