//! Tests connecting agents through the public API: homes prepared for each agent, connected and undone; broken and
//! foreign settings; failing disks; and random settings that must not change.

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
mod packaged;
#[cfg(test)]
#[cfg(test)]
mod random;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod support;
