//! A model in a folder, through the public door. The model is a toy that the tests write themselves.

#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod given;
#[cfg(test)]
mod toy;
