//! The tools as clients see them: `tools.json`, word for word. It is constant: nothing from memory gets in here. Arguments
//! are checked against the same schemas, and a test holds every result against the schema of its tool.

use std::sync::LazyLock;

use rmcp::model::Tool;

/// Every tool, in listing order.
pub(crate) static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("tools.json")).expect("the file is a list of tools")
});

/// Default number of hits of a search.
pub(crate) const SEARCH_LIMIT: usize = 5;
/// Default token budget of a codebase report.
pub(crate) const CONTEXT_BUDGET: usize = 1_500;

pub(crate) fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

#[cfg(test)]
mod tests {
    use acreta_text::bounds;
    use acreta_types::{Detail, MEMORY_TYPES, MemoryType, ScopeMode};
    use serde_json::{Value, json};

    use super::*;

    fn argument(tool: &str, name: &str) -> &'static Value {
        &named(tool).unwrap().input_schema["properties"][name]
    }

    #[test]
    fn every_argument_has_its_bounds() {
        for tool in TOOLS.iter() {
            let properties = tool.input_schema["properties"].as_object().unwrap();
            for (name, shape) in properties {
                let bounds: &[&str] = match shape["type"].as_str().unwrap() {
                    "string" if shape.get("enum").is_some() => &[],
                    "string" => &["/maxLength"],
                    "array" => &["/maxItems", "/items/maxLength"],
                    "integer" => &["/minimum", "/maximum"],
                    "boolean" => &[],
                    other => panic!("{}: `{name}` is of type {other}", tool.name),
                };
                for bound in bounds {
                    let bound = shape.pointer(bound).and_then(Value::as_u64);
                    assert!(bound.is_some(), "{}: {name}", tool.name);
                }
            }
        }
    }

    /// Names that other crates own, and bounds that they share.
    #[test]
    fn names_and_bounds_are_those_of_the_product() {
        let types: Vec<&str> = MEMORY_TYPES.iter().map(|entry| entry.name).collect();
        let extractable = MEMORY_TYPES.iter().filter(|entry| entry.extractable);
        let extractable: Vec<&str> = extractable.map(|entry| entry.name).collect();
        let kinds = MEMORY_TYPES.iter().flat_map(|entry| entry.kinds);
        let kinds: Vec<&str> = kinds.copied().collect();
        let mut kinds_of_notes = kinds.clone();
        kinds_of_notes.insert(0, MemoryType::Decision.name());
        let details = Detail::ALL.map(Detail::name);
        let cases = [
            ("memory_search", "type", json!(types)),
            ("memory_search", "kind", json!(kinds)),
            (
                "memory_search",
                "scope",
                json!(ScopeMode::ALL.map(ScopeMode::name)),
            ),
            ("memory_note", "kind", json!(kinds_of_notes)),
            ("memory_add", "type", json!(extractable)),
            ("memory_add", "kind", json!(kinds)),
            ("context_explore", "detail", json!(details)),
            ("context_delta", "detail", json!(details)),
        ];
        for (tool, name, names) in cases {
            assert_eq!(argument(tool, name)["enum"], names, "{tool}: {name}");
        }
        let result = &named("memory_search").unwrap().output_schema;
        let hit = &result.as_ref().unwrap()["properties"]["hits"]["items"];
        assert_eq!(hit["properties"]["type"]["enum"], json!(types));
        assert_eq!(argument("memory_add", "title")["maxLength"], bounds::TITLE);
        for (tool, name) in [("memory_add", "tags"), ("memory_note", "files")] {
            assert_eq!(argument(tool, name)["maxItems"], bounds::TAGS);
            assert_eq!(argument(tool, name)["items"]["maxLength"], bounds::TAG);
        }
    }
}
