//! Sentence embeddings with a model from a local folder. Downloads nothing and calls no service. An unusable folder is
//! an error that names the file and a remedy, never a panic.

mod bert;
mod config;
mod error;
mod float_types;
mod folder;
mod gemm;
mod layer_ops;
mod linear;
mod model;
mod prepared;
mod tokens;
mod weights;

pub use error::ModelError;
pub use model::LocalModel;
