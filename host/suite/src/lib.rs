//! A scripted model for real agent programs. The program of this crate drives them with acreta around; tests of the
//! command line use the model alone.

pub mod scripted;
