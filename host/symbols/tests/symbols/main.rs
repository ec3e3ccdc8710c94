//! Outlines and imports through the public door.

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
