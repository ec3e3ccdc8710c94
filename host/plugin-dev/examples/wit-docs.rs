//! Regenerates `docs/wit.md` from the comments in `wit/`.

#![expect(
    clippy::disallowed_methods,
    reason = "a chore that writes one file of the repository"
)]

#[path = "../tests/templates/contract.rs"]
mod contract;
#[path = "../tests/templates/reference.rs"]
mod reference;

fn main() -> std::io::Result<()> {
    let path = contract::repository().join("docs/wit.md");
    std::fs::write(path, reference::reference())
}
