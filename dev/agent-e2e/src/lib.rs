//! A scripted model for real agent programs, and the results of driving them. This crate's program drives them together
//! with acreta; tests of the command line use only the model.

pub mod report;
pub mod scripted;
