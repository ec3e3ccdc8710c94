//! Tests of discovery and archiving: which files are found, their projects, and that no secret and no partial file
//! reaches the archive.

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
