//! The server through its public interface: real connections, raw bytes, and the real service over an invented home.

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod calls;
#[cfg(test)]
mod clients;
#[cfg(test)]
mod events;
#[cfg(test)]
mod jobs;
#[cfg(test)]
mod login;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod random;
#[cfg(test)]
mod schemathesis;
#[cfg(test)]
mod shutdown;
#[cfg(test)]
mod support;
#[cfg(test)]
mod world;
