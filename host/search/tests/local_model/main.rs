//! A model in a folder, through the public door. The model is a toy that the tests write themselves;
//! `ACRETA_MODEL=FOLDER cargo nextest run --release -p acreta-search --no-capture real` takes a real one.

#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod given;
#[cfg(test)]
mod prepared;
#[cfg(test)]
mod real;
#[cfg(test)]
mod toy;
