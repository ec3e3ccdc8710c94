//! Repositories made by git, at random and with hostile intent, read without git.

#[cfg(test)]
mod conversions;
#[cfg(test)]
mod history;
#[cfg(test)]
#[cfg(unix)]
mod hostile;
#[cfg(test)]
mod linked;
#[cfg(test)]
#[cfg(unix)]
mod parity;
#[cfg(test)]
mod places;
#[cfg(test)]
mod support;
