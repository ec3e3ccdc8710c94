//! Codebase context through its public interface, on real folders and with real git.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod cascade;
#[cfg(test)]
#[cfg(unix)]
mod git_parity;
#[cfg(test)]
#[cfg(unix)]
mod hostile;
#[cfg(test)]
mod pilot;
#[cfg(test)]
mod ranking;
#[cfg(test)]
mod segments;
#[cfg(test)]
mod slices;
#[cfg(test)]
mod store;
#[cfg(test)]
mod support;
#[cfg(test)]
mod watching;
