//! The public file system interface: effects, refusals, and the state after a crash.

#[cfg(test)]
mod crash;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod links;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod stamps;
#[cfg(test)]
mod swaps;
