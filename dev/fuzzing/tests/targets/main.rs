//! Runs every fuzz target on its seeds, and on inputs that are made from them.

#[cfg(test)]
mod targets;
