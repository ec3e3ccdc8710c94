//! Tests of the public interface: manifests, grants and locks as people and strangers write them, installing from disk,
//! URLs and registries, every rejection, and crashes at every step.

#[cfg(test)]
mod crash;
#[cfg(test)]
mod dependencies;
#[cfg(test)]
mod embedded;
#[cfg(test)]
mod flips;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod install;
#[cfg(test)]
mod lock;
#[cfg(test)]
mod manifest;
#[cfg(test)]
mod network;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod registry;
#[cfg(test)]
mod roots;
#[cfg(test)]
mod server;
#[cfg(test)]
mod signatures;
#[cfg(test)]
mod support;
#[cfg(test)]
mod versions;
