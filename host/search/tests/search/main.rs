//! Search through its public door: what is found, what is not, and that the index never matters.

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
mod support;
