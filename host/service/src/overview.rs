//! What a person sees first: home, status, and what is wrong.

pub mod doctor;
pub mod home;
pub mod status;
