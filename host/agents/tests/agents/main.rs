//! Connecting agents through the public door: homes prepared for each agent, there and back; broken
//! and foreign settings; disks that fail; and random settings that must not change.

#[cfg(test)]
mod changed;
#[cfg(test)]
mod detection;
#[cfg(test)]
mod disk;
#[cfg(test)]
mod homes;
#[cfg(test)]
mod links;
#[cfg(test)]
mod merging;
#[cfg(test)]
mod project;
#[cfg(test)]
mod random;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod support;
