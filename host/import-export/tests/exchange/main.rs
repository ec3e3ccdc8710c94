//! Tests import and export through the public API: the notes of each format, round trips, and that no text makes an
//! import fail.

#[cfg(test)]
mod detect;
#[cfg(test)]
mod dialects;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod json;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod markdown;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod support;
