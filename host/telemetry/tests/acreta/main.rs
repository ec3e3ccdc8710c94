//! Tests of the log through its public interface: what becomes a row, a line or a sent span, what never does, and that
//! logging can neither delay nor fail its caller.

#[cfg(test)]
mod files;
#[cfg(test)]
mod kept;
#[cfg(test)]
mod otlp;
#[cfg(test)]
mod receiver;
#[cfg(test)]
mod rows;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod support;
#[cfg(test)]
mod trouble;
