//! Paths outside a project's own code: tests, examples, documents, tools and vendored code.

use crate::artifact::facts::is_test_path;
use crate::scan::tree::parts;

/// Reports whether a path is an example, a tool or a document rather than the project's own code.
pub(crate) fn is_aside(path: &str) -> bool {
    const ASIDE: &[&str] = &[
        "example",
        "examples",
        "demo",
        "demos",
        "doc",
        "docs",
        "documentation",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "script",
        "scripts",
        "tools",
        "tool",
        "hack",
        "contrib",
        "ci",
        ".github",
        ".ci",
        "vendor",
        "third_party",
        "third-party",
        "extern",
        "deps",
        "fixtures",
        "samples",
        "sample",
        "playground",
        "fuzz",
        "website",
        "e2e",
        "test-utils",
        "__mocks__",
        "locale",
    ];
    is_test_path(path)
        || parts(path).0.split('/').any(|part| {
            ASIDE.contains(&part.to_ascii_lowercase().as_str()) || part.starts_with("test")
        })
}
