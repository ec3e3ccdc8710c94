//! Outlines and imports through the public interface.

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod languages;
#[cfg(test)]
mod outlines;
#[cfg(test)]
mod resolution;
#[cfg(test)]
mod support;
