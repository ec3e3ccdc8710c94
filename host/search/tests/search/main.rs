//! Search through its public interface: results, and their independence of the state of the index.

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod cache;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod meaning;
#[cfg(test)]
mod ranking;
#[cfg(test)]
mod scopes;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod support;
