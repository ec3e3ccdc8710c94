//! Repositories made by git, by chance and by people who mean harm, read without git.

#[cfg(test)]
mod conversions;
#[cfg(test)]
mod history;
#[cfg(all(test, unix))]
mod hostile;
#[cfg(test)]
mod linked;
#[cfg(all(test, unix))]
mod parity;
#[cfg(test)]
mod places;
#[cfg(test)]
mod support;
