//! What a person sees first: home, status, and what is wrong.

pub mod doctor;
pub mod figures;
pub mod home;
pub mod status;
