//! The lead through its door, with plain structs in the place of plugins: what it decides, and
//! what a failing disk leaves.

mod decisions;
mod disk;
mod fakes;
