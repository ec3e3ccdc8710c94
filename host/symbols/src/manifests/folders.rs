//! Manifests that map names to folders: Go modules, Java source folders, PHP and C# namespaces, Ruby gems.

use serde_json::Value;

use crate::paths;
use crate::roots::{GoModule, NamespaceFolder, SourceRoots};

/// Reads the line `module example.org/name`.
pub(super) fn read_go(path: &str, text: &str, roots: &mut SourceRoots) {
    let module = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("module"))
        .find(|rest| rest.starts_with([' ', '\t']))
        .and_then(|rest| rest.split_whitespace().next());
    if let Some(module) = module {
        roots.go_modules.push(GoModule {
            path: module.trim_matches('"').to_owned(),
            folder: paths::folder(path).to_owned(),
        });
    }
}

/// Adds the conventional source folders beside the manifest, and those that a `pom.xml` names.
pub(super) fn read_java(path: &str, text: &str, roots: &mut SourceRoots) {
    let folder = paths::folder(path);
    let usual = JAVA_FOLDERS.iter().copied();
    let named = ["<sourceDirectory>", "<testSourceDirectory>"]
        .into_iter()
        .filter_map(|tag| element(text, tag));
    for source in usual.chain(named) {
        roots.java.extend(paths::join(folder, source));
    }
}

/// Source folders of Maven and Gradle.
pub(crate) const JAVA_FOLDERS: &[&str] = &[
    "src/main/java",
    "src/test/java",
    "src/main/kotlin",
    "src/test/kotlin",
];

/// Reads `autoload.psr-4` and `autoload-dev.psr-4`.
pub(super) fn read_composer(path: &str, text: &str, roots: &mut SourceRoots) {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let folder = paths::folder(path);
    for key in ["autoload", "autoload-dev"] {
        let prefixes = manifest
            .get(key)
            .and_then(|autoload| autoload.get("psr-4"))
            .and_then(Value::as_object);
        for (prefix, targets) in prefixes.into_iter().flatten() {
            let targets: Vec<&str> = match targets {
                Value::Array(targets) => targets.iter().filter_map(Value::as_str).collect(),
                target => target.as_str().into_iter().collect(),
            };
            for target in targets {
                if let Some(folder) = paths::join(folder, target) {
                    roots.php.push(NamespaceFolder {
                        namespace: prefix.trim_end_matches('\\').to_owned(),
                        folder,
                    });
                }
            }
        }
    }
}

/// Reads `<RootNamespace>`, or uses the name of the project.
pub(super) fn read_csproj(path: &str, text: &str, roots: &mut SourceRoots) {
    let namespace = element(text, "<RootNamespace>").unwrap_or(paths::stem(path));
    roots.csharp.push(NamespaceFolder {
        namespace: namespace.to_owned(),
        folder: paths::folder(path).to_owned(),
    });
}

/// Adds `lib` beside the manifest, which is on the load path.
pub(super) fn read_gem(path: &str, _: &str, roots: &mut SourceRoots) {
    roots.ruby.extend(paths::join(paths::folder(path), "lib"));
}

/// Returns the text of the first element that this tag opens.
fn element<'text>(text: &'text str, tag: &str) -> Option<&'text str> {
    let start = text.find(tag)? + tag.len();
    let length = text[start..].find('<')?;
    Some(text[start..start + length].trim()).filter(|inner| !inner.is_empty())
}
