//! Memory in git, with the real git and bare repositories on disk.

#![cfg(unix)]

#[cfg(test)]
mod damage;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod racing;
#[cfg(test)]
mod support;
#[cfg(test)]
mod writing;
