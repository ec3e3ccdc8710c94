//! Generates types and calls from the OpenAPI document.

use std::path::Path;
use std::{env, fs};

const DOCUMENT: &str = "../../docs/openapi.json";

#[expect(
    clippy::disallowed_methods,
    reason = "a build script has its folders in the environment and writes to its own"
)]
fn main() {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    let bytes = fs::read(DOCUMENT).expect("docs/openapi.json can be read");
    let document = serde_json::from_slice(&bytes).expect("docs/openapi.json is JSON");
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(
        Path::new(&folder).join("api.rs"),
        acreta_client_gen::rust_api(&document),
    )
    .expect("the code can be written");
}
