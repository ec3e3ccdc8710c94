//! As much of markdown as the documents use: headings, links, code spans and fenced code blocks. Nothing else is
//! understood, and nothing is rendered.

use std::collections::{BTreeMap, BTreeSet};

/// One markdown file.
#[derive(Debug)]
pub struct Page {
    path: String,
    text: String,
    /// Lines outside of code blocks, with their numbers.
    prose: Vec<(usize, String)>,
    blocks: Vec<Block>,
    anchors: BTreeSet<String>,
}

/// A fenced code block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Number of the line with the opening fence.
    pub line: usize,
    /// Text after the opening fence.
    pub info: String,
    pub text: String,
    /// Text of an HTML comment `<!-- … -->` right above the block.
    pub comment: Option<String>,
}

/// A link or image whose target is in the repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) line: usize,
    /// Path relative to the page; empty for an anchor of the page itself.
    pub(crate) path: String,
    pub(crate) anchor: Option<String>,
}

impl Page {
    pub(crate) fn parse(path: &str, text: &str) -> Self {
        let (mut prose, mut blocks) = (Vec::new(), Vec::new());
        let mut open: Option<(Block, String)> = None;
        let mut comment = None;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let trimmed = line.trim_start();
            if let Some((mut block, fence)) = open.take() {
                match trimmed.trim_end() == fence {
                    true => blocks.push(block),
                    false => {
                        block.text.push_str(line);
                        block.text.push('\n');
                        open = Some((block, fence));
                    }
                }
                continue;
            }
            let ticks = trimmed.len() - trimmed.trim_start_matches('`').len();
            if ticks >= 3 {
                let block = Block {
                    line: number,
                    info: trimmed[ticks..].trim().to_owned(),
                    text: String::new(),
                    comment: comment.take(),
                };
                open = Some((block, "`".repeat(ticks)));
                continue;
            }
            if !trimmed.is_empty() {
                let inner = trimmed.strip_prefix("<!--");
                let inner = inner.and_then(|rest| rest.trim_end().strip_suffix("-->"));
                comment = inner.map(|inner| inner.trim().to_owned());
            }
            prose.push((number, line.to_owned()));
        }
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            anchors: anchors(&prose),
            prose,
            blocks,
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns the first heading.
    pub fn title(&self) -> &str {
        let headings = self.prose.iter().filter_map(|(_, line)| heading(line));
        headings.map(str::trim).next().unwrap_or(&self.path)
    }

    pub(crate) fn has_anchor(&self, anchor: &str) -> bool {
        self.anchors.contains(anchor)
    }

    /// Returns links and images in order, without those that lead to other hosts.
    pub(crate) fn links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        let mut in_code = false;
        for (line, text) in &self.prose {
            let plain = without_code(text, &mut in_code);
            for (place, _) in plain.match_indices("](") {
                let target = plain[place + 2..].split([')', ' ']).next();
                let target = target.unwrap_or_default();
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                let (path, anchor) = match target.split_once('#') {
                    Some((path, anchor)) => (path, Some(anchor.to_owned())),
                    None => (target, None),
                };
                links.push(Link {
                    line: *line,
                    path: path.to_owned(),
                    anchor,
                });
            }
        }
        links
    }

    /// Returns what stands between backticks outside of code blocks, also over the end of a line.
    pub fn code_spans(&self) -> Vec<(usize, String)> {
        let mut spans = Vec::new();
        let mut open: Option<(usize, String)> = None;
        for (line, text) in &self.prose {
            if text.trim().is_empty() {
                open = None;
                continue;
            }
            if let Some((_, span)) = &mut open {
                span.push(' ');
            }
            for (part, piece) in text.split('`').enumerate() {
                if part > 0 {
                    match open.take() {
                        Some(span) => spans.push(span),
                        None => open = Some((*line, String::new())),
                    }
                }
                if let Some((_, span)) = &mut open {
                    span.push_str(piece);
                }
            }
        }
        spans
    }

    /// Returns the lines of indented code, as old pages have it.
    pub(crate) fn indented_code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.prose.iter();
        lines.filter_map(|(line, text)| Some((*line, text.strip_prefix("    ")?)))
    }
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let is_heading = rest.len() < line.len() && rest.starts_with(' ');
    is_heading.then_some(rest)
}

/// Returns the anchors that GitHub and mdBook give to headings.
fn anchors(prose: &[(usize, String)]) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut anchors = BTreeSet::new();
    for heading in prose.iter().filter_map(|(_, line)| heading(line)) {
        let slug = slug(&without_targets(heading));
        let count = seen.entry(slug.clone()).or_default();
        anchors.insert(match *count {
            0 => slug.clone(),
            count => format!("{slug}-{count}"),
        });
        *count += 1;
    }
    anchors
}

/// Returns the anchor of a heading without markup.
pub(crate) fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|one| match one {
        ' ' => Some('-'),
        '-' | '_' => Some(one),
        one if one.is_alphanumeric() => Some(one),
        _ => None,
    });
    kept.collect::<String>().to_lowercase()
}

/// Removes the targets of links: `[text](target)` becomes `[text`.
fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once(')').map_or("", |(_, after)| after));
    }
    plain
}

/// Removes code spans, so that what they quote is no link. A span may go on in the next line, and ends with its paragraph.
fn without_code(line: &str, in_code: &mut bool) -> String {
    *in_code &= !line.trim().is_empty();
    let mut plain = String::new();
    for (part, piece) in line.split('`').enumerate() {
        *in_code ^= part > 0;
        if !*in_code {
            plain.push_str(piece);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A `code` title\n\nSee [one](a.md#b), `[no](link)` and ![an image](images/x.png).\n[Far](https://example.org)\n\n<!-- run: demo -->\n```console\n$ acreta run\n# no heading\n```\n\nA span `over\ntwo lines`.\n\n## Same\n## Same\n";

    #[test]
    fn a_page_comes_apart() {
        let page = Page::parse("a.md", TEXT);
        assert_eq!(page.title(), "A `code` title");
        for anchor in ["a-code-title", "same", "same-1"] {
            assert!(page.has_anchor(anchor), "{anchor}: {:?}", page.anchors);
        }
        assert!(!page.has_anchor("no-heading"));
        let targets: Vec<(usize, String, Option<String>)> = page
            .links()
            .into_iter()
            .map(|link| (link.line, link.path, link.anchor))
            .collect();
        let expected = [
            (3, "a.md".to_owned(), Some("b".to_owned())),
            (3, "images/x.png".to_owned(), None),
        ];
        assert_eq!(targets, expected);
        assert_eq!(
            page.blocks(),
            [Block {
                line: 7,
                info: "console".to_owned(),
                text: "$ acreta run\n# no heading\n".to_owned(),
                comment: Some("run: demo".to_owned()),
            }]
        );
        let spans: Vec<String> = page
            .code_spans()
            .into_iter()
            .map(|(_, span)| span)
            .collect();
        assert_eq!(spans, ["code", "[no](link)", "over two lines"]);
    }
}
