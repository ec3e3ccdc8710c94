//! Sentences as vectors, by a model in a local folder. Nothing is downloaded and no service is asked;
//! a folder that cannot be used is an error that says which file and what to do, never a panic.

mod bert;
mod config;
mod error;
mod folder;
mod linear;
mod model;
mod numbers;
mod prepared;
mod rows;
mod sums;
mod tokens;
mod weights;

pub use error::ModelError;
pub use model::LocalModel;
