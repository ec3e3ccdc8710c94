//! Databases of another program, read from outside: what is seen, what is left alone, what is
//! refused, where it ends, and what damage does.

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
