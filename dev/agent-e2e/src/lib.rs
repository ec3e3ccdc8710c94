//! A scripted model for real agent programs. This crate's program drives them together with acreta; tests of the
//! command line use only the model.

pub mod scripted;
