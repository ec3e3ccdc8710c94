//! The door to the disk, tried from outside: what it does, what it refuses, and what a crash leaves.

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
