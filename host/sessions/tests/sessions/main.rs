//! Finding and rescuing sessions, tried from outside: what is found and what is not, whose it is, and
//! that no secret and no half file reaches the archive.

#[cfg(test)]
mod cuts;
#[cfg(test)]
mod discover;
#[cfg(test)]
mod git;
#[cfg(test)]
mod identity;
#[cfg(test)]
mod remote;
#[cfg(test)]
mod rescue;
#[cfg(test)]
mod rescue_limits;
#[cfg(test)]
mod roots;
#[cfg(test)]
mod support;
