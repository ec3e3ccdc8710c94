//! Tests of the catalog's public interface: stored data, refusals, and that one worker holds a job at a time, whatever
//! workers, clocks and processes do.

#[cfg(test)]
mod accesses;
#[cfg(test)]
mod cures;
#[cfg(test)]
mod discovery;
#[cfg(test)]
mod events;
#[cfg(test)]
mod flips;
#[cfg(test)]
mod flood;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod leases;
#[cfg(test)]
#[cfg(all(unix, feature = "postgres"))]
mod machines;
#[cfg(test)]
mod model;
#[cfg(test)]
mod named;
#[cfg(test)]
mod offers;
#[cfg(test)]
mod open;
#[cfg(test)]
mod places;
#[cfg(test)]
#[cfg(all(unix, feature = "postgres"))]
mod postgres;
#[cfg(test)]
mod processes;
#[cfg(test)]
mod projects;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod readings;
#[cfg(test)]
mod reviews;
#[cfg(test)]
mod runs;
#[cfg(test)]
#[cfg(all(unix, feature = "postgres"))]
mod server;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod spending;
#[cfg(test)]
mod sqlite_file;
#[cfg(test)]
mod support;
#[cfg(test)]
mod waiting;
#[cfg(test)]
mod wake;
