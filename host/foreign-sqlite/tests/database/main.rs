//! Tests of reading another program's database: visible data, undisturbed files, refusals, limits, and damage.

#[cfg(test)]
mod bounds;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod disturbance;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod paging;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod snapshot;
#[cfg(test)]
mod support;
