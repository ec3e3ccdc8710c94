//! Tests of a sync through its public interface, with plain structs in place of plugins.

#[cfg(test)]
mod cancel;
#[cfg(test)]
mod fakes;
#[cfg(test)]
mod library;
#[cfg(test)]
mod place;
#[cfg(test)]
mod spans;
#[cfg(test)]
mod waiting;
