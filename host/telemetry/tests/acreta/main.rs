//! The log through its public door: what becomes a row, a line and a sent span, what never does, and that
//! nothing of it can hold up or fail whoever logs.

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
