//! The dashboard's static files. They are embedded in the binary, load nothing from other servers, and run under its
//! content security policy without exceptions.

use xxhash_rust::xxh3::xxh3_64;

/// A file as sent to a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    pub bytes: &'static [u8],
    pub content_type: &'static str,
    /// Changes with the bytes; quoted, as the header requires.
    pub etag: String,
}

/// Returns the file at a path of the server: `/` or `index.html` is the page, `/js/main.js` or `js/main.js` a module.
/// Routes are in the fragment of the URL, so every path is a file or does not exist.
pub fn asset(path: &str) -> Option<Asset> {
    let name = match path.strip_prefix('/').unwrap_or(path) {
        "" => "index.html",
        name => name,
    };
    let (name, bytes) = FILES.iter().find(|(known, _)| *known == name)?;
    Some(Asset {
        bytes,
        content_type: content_type(name),
        etag: format!("\"{:016x}\"", xxh3_64(bytes)),
    })
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

macro_rules! files {
    ($($name:literal,)*) => {
        &[$(($name, include_bytes!(concat!("../assets/", $name)))),*]
    };
}

const FILES: &[(&str, &[u8])] = files![
    "icon.svg",
    "index.html",
    "js/api.js",
    "js/charts.js",
    "js/dom.js",
    "js/icons.js",
    "js/jobs.js",
    "js/keys.js",
    "js/live.js",
    "js/logfmt.js",
    "js/main.js",
    "js/markdown.js",
    "js/pages/ask.js",
    "js/pages/briefs.js",
    "js/pages/code.js",
    "js/pages/conversation.js",
    "js/pages/decision.js",
    "js/pages/editor.js",
    "js/pages/facets.js",
    "js/pages/home.js",
    "js/pages/marking.js",
    "js/pages/marks.js",
    "js/pages/memories.js",
    "js/pages/memory.js",
    "js/pages/model.js",
    "js/pages/plugins.js",
    "js/pages/projects.js",
    "js/pages/provenance.js",
    "js/pages/queue.js",
    "js/pages/reader.js",
    "js/pages/review.js",
    "js/pages/rows.js",
    "js/pages/run.js",
    "js/pages/runs.js",
    "js/pages/sessions.js",
    "js/pages/settings.js",
    "js/pages/timeline.js",
    "js/pages/usage.js",
    "js/router.js",
    "js/shell.js",
    "js/state.js",
    "js/text.js",
    "js/theme.js",
    "js/types.js",
    "js/virtual.js",
    "js/widgets.js",
    "style.css",
];
