//! Inspects a component without running or compiling it: its role, its WIT version and its imports. Anything outside
//! the contract is rejected here, by name.

use std::cmp::Ordering;

use acreta_types::Role;
use semver::Version;
use wasmparser::{Encoding, FunctionBody, Operator, Parser, Payload};

use crate::capabilities::host_interfaces;
use crate::embedded::{Embedded, InvalidSections, embedded};

/// Version of the role packages that this host supports.
pub const WIT_VERSION: &str = "0.1.0";

/// Result of inspecting a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    pub role: Role,
    pub wit: String,
    /// Imported interfaces, spelled as in the component, sorted.
    pub imports: Vec<String>,
    /// Exported interfaces, likewise.
    pub exports: Vec<String>,
    /// Texts it sends to language models, by name: its custom sections `acreta:prompt/<name>`.
    pub prompts: Vec<(String, String)>,
    /// Its own manifest and standard metadata.
    pub embedded: Embedded,
    pub bytes: usize,
}

/// Reason why a file is not a valid plugin component.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RefusedComponent {
    #[error("it is not a WebAssembly file")]
    NotWasm,
    #[error("it is a core WebAssembly module, not a component")]
    CoreModule,
    #[error("it is precompiled native code, which is never accepted from outside")]
    Precompiled,
    #[error("it is larger than {allowed} bytes")]
    TooLarge { allowed: usize },
    #[error("it has {what} ({found}, at most {allowed} are compiled)")]
    TooComplex {
        what: &'static str,
        found: u64,
        allowed: u64,
    },
    #[error("it is damaged: {message}")]
    Malformed { message: String },
    #[error("{0}")]
    Sections(InvalidSections),
    #[error("it exports no role of acreta (found: {})", list(.exports))]
    NoRole { exports: Vec<String> },
    #[error("it exports more than one role: {}", list(.exports))]
    SeveralRoles { exports: Vec<String> },
    #[error(
        "it was built against version {found} of the {role} interface, this acreta speaks {WIT_VERSION}: it is newer than this acreta"
    )]
    NewerVersion { role: Role, found: String },
    #[error(
        "it was built against version {found} of the {role} interface, this acreta speaks {WIT_VERSION}: it is older than this acreta"
    )]
    OlderVersion { role: Role, found: String },
    #[error("it imports `{import}`, which {role} plugins may not use")]
    ForeignImport { role: Role, import: String },
}

impl RefusedComponent {
    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> String {
        match self {
            RefusedComponent::CoreModule => {
                "build it for the target wasm32-wasip2, which makes components".to_owned()
            }
            RefusedComponent::Precompiled => {
                "install the `.wasm` component; acreta compiles and caches it itself".to_owned()
            }
            RefusedComponent::NoRole { .. } | RefusedComponent::SeveralRoles { .. } => format!(
                "a plugin exports exactly one of {}",
                Role::ALL
                    .map(|role| format!("acreta:{role}/{role}@{WIT_VERSION}"))
                    .join(", ")
            ),
            RefusedComponent::NewerVersion { role, .. } => format!(
                "update acreta, or install a release of the plugin for acreta:{role}@{WIT_VERSION}"
            ),
            RefusedComponent::OlderVersion { role, .. } => {
                format!(
                    "rebuild it against acreta:{role}@{WIT_VERSION}, or install a newer release of it"
                )
            }
            RefusedComponent::ForeignImport { role, .. } => format!(
                "a {role} may import wasi:{{{}}}@0.2 and acreta:host/{{{}}}",
                WASI_PACKAGES.join(","),
                host_interfaces(*role).join(",")
            ),
            RefusedComponent::Sections(_) => {
                "`acreta plugin build` writes manifest and metadata into a component".to_owned()
            }
            RefusedComponent::TooComplex { .. } => {
                "compilers do not write such code; look at how it was made".to_owned()
            }
            _ => "check that the file is the one you built".to_owned(),
        }
    }
}

/// Imports of every language's runtime; linked with an empty context.
const WASI_PACKAGES: &[&str] = &["io", "cli", "clocks", "random", "filesystem", "sockets"];

/// Python components are about 40 MB with their debug information.
pub(crate) const MAX_BYTES: usize = 128 * 1024 * 1024;

/// Bounds of what is handed to the compiler, whose time and memory grow faster than the size of a function. Far above what
/// the compilers of Rust, JavaScript and Python write.
const MAX_PARTS: u64 = 1_000;
const MAX_DEPTH: u64 = 16;
const MAX_FUNCTIONS: u64 = 400_000;
const MAX_FUNCTION_BYTES: u64 = 4 * 1024 * 1024;
const MAX_LOCALS: u64 = 20_000;
const MAX_NESTING: u64 = 5_000;

/// Inspects a component.
pub fn inspect(bytes: &[u8]) -> Result<Inspection, RefusedComponent> {
    if bytes.starts_with(b"\x7fELF") {
        return Err(RefusedComponent::Precompiled);
    }
    if !bytes.starts_with(b"\0asm") {
        return Err(RefusedComponent::NotWasm);
    }
    if bytes.len() > MAX_BYTES {
        return Err(RefusedComponent::TooLarge { allowed: MAX_BYTES });
    }
    let OuterComponent {
        imports,
        exports,
        prompts,
    } = outside(bytes)?;
    let (role, wit) = role_of(&exports)?;
    check_version(role, &wit)?;
    if let Some(import) = imports.iter().find(|import| !is_allowed(role, import)) {
        return Err(RefusedComponent::ForeignImport {
            role,
            import: import.clone(),
        });
    }
    let embedded = embedded(bytes).map_err(RefusedComponent::Sections)?;
    Ok(Inspection {
        role,
        wit,
        imports,
        exports,
        prompts,
        embedded,
        bytes: bytes.len(),
    })
}

/// Imports, exports and custom sections of the outermost component; nested ones are not inspected.
#[derive(Default)]
struct OuterComponent {
    imports: Vec<String>,
    exports: Vec<String>,
    prompts: Vec<(String, String)>,
}

fn outside(bytes: &[u8]) -> Result<OuterComponent, RefusedComponent> {
    let malformed = |error: wasmparser::BinaryReaderError| RefusedComponent::Malformed {
        message: error.to_string(),
    };
    let mut outside = OuterComponent::default();
    let mut depth = 0usize;
    let (mut parts, mut functions) = (0, 0);
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(malformed)?;
        match &payload {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                parts += 1;
                at_most("too many modules", parts, MAX_PARTS)?;
                at_most("modules nested too deeply", depth as u64, MAX_DEPTH)?;
            }
            Payload::CodeSectionEntry(body) => {
                functions += 1;
                at_most("too many functions", functions, MAX_FUNCTIONS)?;
                check_function(body).map_err(malformed)??;
            }
            _ => {}
        }
        match payload {
            Payload::Version {
                encoding: Encoding::Module,
                ..
            } if depth == 0 => return Err(RefusedComponent::CoreModule),
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    outside
                        .imports
                        .push(import.map_err(malformed)?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    outside
                        .exports
                        .push(export.map_err(malformed)?.name.name.to_owned());
                }
            }
            Payload::CustomSection(section) if depth == 0 => {
                if let Some(name) = section.name().strip_prefix("acreta:prompt/") {
                    let text = String::from_utf8_lossy(section.data()).into_owned();
                    outside.prompts.push((name.to_owned(), text));
                }
            }
            _ => {}
        }
    }
    outside.imports.sort();
    outside.exports.sort();
    outside.prompts.sort();
    Ok(outside)
}

fn check_function(
    body: &FunctionBody<'_>,
) -> Result<Result<(), RefusedComponent>, wasmparser::BinaryReaderError> {
    let mut locals = 0u64;
    for local in body.get_locals_reader()? {
        locals += u64::from(local?.0);
    }
    let mut nesting = 0u64;
    let mut deepest = 0;
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::Block { .. }
            | Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::TryTable { .. } => {
                nesting += 1;
                deepest = deepest.max(nesting);
            }
            Operator::End => nesting = nesting.saturating_sub(1),
            _ => {}
        }
    }
    let bytes = body.range().len() as u64;
    Ok(
        at_most("a function of too many bytes", bytes, MAX_FUNCTION_BYTES)
            .and_then(|()| at_most("a function of too many locals", locals, MAX_LOCALS))
            .and_then(|()| at_most("blocks nested too deeply", deepest, MAX_NESTING)),
    )
}

fn at_most(what: &'static str, found: u64, allowed: u64) -> Result<(), RefusedComponent> {
    match found > allowed {
        true => Err(RefusedComponent::TooComplex {
            what,
            found,
            allowed,
        }),
        false => Ok(()),
    }
}

fn role_of(exports: &[String]) -> Result<(Role, String), RefusedComponent> {
    let mut found = exports.iter().filter_map(|export| {
        let (name, version) = export.split_once('@')?;
        let role = Role::ALL
            .into_iter()
            .find(|role| name == format!("acreta:{role}/{role}"))?;
        Some((role, version.to_owned()))
    });
    let first = found.next().ok_or_else(|| RefusedComponent::NoRole {
        exports: exports.to_vec(),
    })?;
    match found.next() {
        None => Ok(first),
        Some(_) => Err(RefusedComponent::SeveralRoles {
            exports: exports.to_vec(),
        }),
    }
}

/// Compares a version of the contract with the host's. Within a line (`0.1`, later `1`) the contract only grows, so the
/// host speaks every version of its line up to its own: 0.1.3 loads what was built against 0.1.0.
fn compare_contract(found: &Version, own: &Version) -> Ordering {
    let is_same_line = found.major == own.major && (own.major > 0 || found.minor == own.minor);
    if is_same_line && found.pre.is_empty() && found < own {
        return Ordering::Equal;
    }
    found.cmp(own)
}

fn speaks(version: &str) -> bool {
    let own = Version::parse(WIT_VERSION).expect("the host's own version is one");
    Version::parse(version).is_ok_and(|found| compare_contract(&found, &own).is_eq())
}

fn check_version(role: Role, wit: &str) -> Result<(), RefusedComponent> {
    let found = Version::parse(wit).map_err(|_| RefusedComponent::Malformed {
        message: format!("`{wit}` is not an interface version"),
    })?;
    let own = Version::parse(WIT_VERSION).expect("the host's own version is one");
    let found_text = wit.to_owned();
    match compare_contract(&found, &own) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(RefusedComponent::NewerVersion {
            role,
            found: found_text,
        }),
        Ordering::Less => Err(RefusedComponent::OlderVersion {
            role,
            found: found_text,
        }),
    }
}

fn is_allowed(role: Role, import: &str) -> bool {
    let Some((name, version)) = import.split_once('@') else {
        return false;
    };
    let Some((package, interface)) = name.split_once('/') else {
        return false;
    };
    match package.split_once(':') {
        Some(("wasi", package)) => WASI_PACKAGES.contains(&package) && version.starts_with("0.2."),
        Some(("acreta", "types")) => speaks(version),
        Some(("acreta", "host")) => speaks(version) && host_interfaces(role).contains(&interface),
        _ => false,
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(text: &str) -> Vec<u8> {
        wat::parse_str(text).expect("the test's own text is valid")
    }

    #[test]
    fn a_host_speaks_its_line_of_the_contract_up_to_its_own_version() {
        for (found, own, expected) in [
            ("0.1.0", "0.1.0", Ordering::Equal),
            ("0.1.0", "0.1.3", Ordering::Equal),
            ("0.1.4", "0.1.3", Ordering::Greater),
            ("0.0.9", "0.1.3", Ordering::Less),
            ("0.2.0", "0.1.3", Ordering::Greater),
            ("0.1.0-next", "0.1.3", Ordering::Less),
            ("1.0.0", "1.4.0", Ordering::Equal),
            ("1.5.0", "1.4.0", Ordering::Greater),
            ("0.9.0", "1.4.0", Ordering::Less),
        ] {
            let version = |text| Version::parse(text).expect("a version");
            let compared = compare_contract(&version(found), &version(own));
            assert_eq!(compared, expected, "{found} on a host of {own}");
        }
    }

    #[test]
    fn what_is_no_plugin_is_refused_by_name() {
        let adapter = r#"(instance $i) (export "acreta:adapter/adapter@0.1.0" (instance $i))"#;
        let with = |head: &str| component(&format!("(component {head} {adapter})"));
        let cases: Vec<(&str, Vec<u8>, &str)> = vec![
            ("text", b"hello".to_vec(), "not a WebAssembly file"),
            ("empty", Vec::new(), "not a WebAssembly file"),
            ("module", component("(module)"), "core WebAssembly module"),
            (
                "native",
                b"\x7fELF\x02\x01".to_vec(),
                "precompiled native code",
            ),
            ("cut", component("(component)")[..6].to_vec(), "damaged"),
            (
                "no role",
                component("(component)"),
                "no role of acreta (found: nothing)",
            ),
            (
                "http",
                with(r#"(import "wasi:http/outgoing-handler@0.2.0" (instance))"#),
                "imports `wasi:http/outgoing-handler@0.2.0`, which adapter plugins may not use",
            ),
            (
                "another role's port",
                with(r#"(import "acreta:host/trace@0.1.0" (instance))"#),
                "imports `acreta:host/trace@0.1.0`",
            ),
            (
                "bare function",
                with(r#"(import "secret" (func))"#),
                "imports `secret`",
            ),
            (
                "older contract",
                component(
                    r#"(component (instance $i) (export "acreta:adapter/adapter@0.0.9" (instance $i)))"#,
                ),
                "built against version 0.0.9 of the adapter interface, this acreta speaks 0.1.0: it is older",
            ),
            (
                "newer contract",
                component(
                    r#"(component (instance $i) (export "acreta:adapter/adapter@0.2.0" (instance $i)))"#,
                ),
                "built against version 0.2.0 of the adapter interface, this acreta speaks 0.1.0: it is newer",
            ),
            (
                "two roles",
                component(
                    r#"(component (instance $i) (export "acreta:adapter/adapter@0.1.0" (instance $i))
                       (instance $j) (export "acreta:explorer/explorer@0.1.0" (instance $j)))"#,
                ),
                "more than one role",
            ),
        ];
        let module = |body: &str| with(&format!("(core module {body})"));
        let nested = format!("(func {} {})", "block ".repeat(6_000), "end ".repeat(6_000));
        let cases = cases.into_iter().chain([
            (
                "locals",
                module(&format!("(func (local {}))", "i32 ".repeat(20_001))),
                "a function of too many locals (20001, at most 20000 are compiled)",
            ),
            ("nesting", module(&nested), "blocks nested too deeply"),
            (
                "functions",
                module(&"(func)".repeat(400_001)),
                "too many functions",
            ),
            (
                "a long function",
                module(&format!(
                    "(func {})",
                    format!("i64.const {} drop ", i64::MIN).repeat(400_000)
                )),
                "a function of too many bytes",
            ),
            (
                "modules",
                with(&"(core module)".repeat(1_001)),
                "too many modules",
            ),
            (
                "deep components",
                with(&format!("{} {}", "(component ".repeat(20), ")".repeat(20))),
                "modules nested too deeply",
            ),
        ]);
        for (name, bytes, expected) in cases {
            let refused = inspect(&bytes).expect_err(name);
            assert!(refused.to_string().contains(expected), "{name}: {refused}");
            assert!(!refused.hint().is_empty());
        }
    }

    #[test]
    fn a_plain_adapter_is_recognised() {
        let bytes = component(
            r#"(component (import "wasi:io/error@0.2.3" (instance)) (import "acreta:host/sink@0.1.0" (instance))
               (instance $i) (export "acreta:adapter/adapter@0.1.0" (instance $i)))"#,
        );
        let inspection = inspect(&bytes).expect("nothing outside the contract");
        assert_eq!(inspection.role, Role::Adapter);
        assert_eq!(
            inspection.imports,
            ["acreta:host/sink@0.1.0", "wasi:io/error@0.2.3"]
        );
    }
}
