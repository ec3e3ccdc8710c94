//! Import and export through the public door: what each format gives, that memory comes back as it
//! went out, and that no text at all makes an import fail.

#[cfg(test)]
mod detect;
#[cfg(test)]
mod dialects;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod json;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod markdown;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod support;
