//! A model in a folder, through the public interface. The tests create a toy model; `ACRETA_MODEL=FOLDER cargo nextest
//! run --release -p acreta-search --no-capture real` uses a real one.

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
