//! The server through its public interfaces: a client in memory, a client over pipes, a client of another code base,
//! HTTP requests, and raw bytes.

#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod fake;
#[cfg(test)]
mod http_doors;
#[cfg(test)]
mod listing;
#[cfg(test)]
mod results;
#[cfg(test)]
mod support;
#[cfg(test)]
mod wire;
