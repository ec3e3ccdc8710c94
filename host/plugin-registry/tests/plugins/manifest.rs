//! Valid and invalid manifests.

use acreta_plugin_registry::{FileError, Manifest, SettingKind};
use acreta_types::{AdapterRoot, Attrs, Description, Role};
use camino::Utf8Path;

use crate::support::manifest;

fn parse(text: &str) -> Result<Manifest, FileError> {
    Manifest::parse(Utf8Path::new("plugin.toml"), text)
}

const EXTRACTOR: &str = r#"
id = "extractor-ours"
version = "0.3.1-beta.2"
role = "extractor"
component = "ours.wasm"
digest = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
description = "Extraction by our own rules"

[llm]
purposes = ["extract", "summarise"]
calls = 20
tokens = 200_000
reason = "Long sessions are read by a model"

[limits]
wall_ms = { value = 900_000, reason = "Long sessions take their time" }

[config]
strict = { type = "boolean", default = true, description = "Whether to drop what is unsure" }
words = { type = "text-list", default = ["must", "never"], description = "Words that matter" }
[config.least]
type = "float"
description = "Least confidence"
"#;

#[test]
fn everything_a_manifest_can_say_is_understood() {
    let manifest = parse(EXTRACTOR).unwrap();
    assert_eq!(
        (manifest.role, manifest.version.to_string().as_str()),
        (Role::Extractor, "0.3.1-beta.2")
    );
    assert!(manifest.digest.is_some());
    assert_eq!(manifest.config["words"].kind, SettingKind::TextList);
    assert!(manifest.config["least"].accepts(&serde_json::json!(1)));
    assert!(!manifest.config["strict"].accepts(&serde_json::json!("true")));
    let wishes: Vec<String> = manifest
        .wishes()
        .iter()
        .map(|wish| format!("{}: {}", wish.what, wish.reason))
        .collect();
    assert_eq!(
        wishes,
        [
            "ask language models (extract, summarise): 20 calls and 200000 tokens a run: Long sessions are read by a model",
            "use 900000 of `wall_ms`: Long sessions take their time",
        ]
    );
}

#[test]
fn everything_else_is_an_error_with_its_line() {
    let adapter = manifest("");
    let replaced = |from: &str, to: &str| adapter.replace(from, to);
    let extractor = |from: &str, to: &str| EXTRACTOR.replace(from, to);
    let long = format!("\"{}\"", "x".repeat(301));
    let cases = [
        (
            replaced("id =", "name ="),
            "plugin.toml:2: unknown key `name`",
        ),
        (replaced("id = \"adapter-mine\"\n", ""), "`id` is missing"),
        (
            replaced("1.2.0", "1.2"),
            "plugin.toml:3: `version`: `1.2` is not a version",
        ),
        (
            replaced("role = \"adapter\"", "role = \"boss\""),
            "unknown role `boss`",
        ),
        (
            replaced("mine.wasm", "../mine.wasm"),
            "plugin.toml:5: `component`: `../mine.wasm` is not a component file name",
        ),
        (
            replaced("mine.wasm", "mine.cwasm.so"),
            "is not a component file name",
        ),
        (
            replaced("mine.wasm", "C:\\\\mine.wasm"),
            "is not a component file name",
        ),
        (
            replaced("description", "digest = \"md5:1\"\ndescription"),
            "`digest`: `md5:1` is not a digest",
        ),
        (
            replaced("\"Reads sessions of Mine\"", "\"\""),
            "`description`: it is empty",
        ),
        (
            replaced("\"Reads sessions of Mine\"", &long),
            "longer than 300 characters",
        ),
        (
            replaced("Reads sessions", "Reads\\u202e sessions"),
            "characters that cannot be seen",
        ),
        (
            replaced("Mine writes a file", "\\u001b[2J"),
            "`roots[0].reason`: it has line breaks",
        ),
        (
            replaced("reason =", "reasons ="),
            "plugin.toml:11: unknown key `roots[0].reasons`",
        ),
        (
            replaced("name = \"mine\"", "name = \"../x\""),
            "plugin.toml:9: `roots[0].name`",
        ),
        (
            replaced("[\"~/.mine/sessions\"]", "[]"),
            "plugin.toml:10: `roots[0].candidates`: it is empty",
        ),
        (
            replaced("[\"~/.mine/sessions\"]", "\"~/.mine\""),
            "takes a list of texts, not a text",
        ),
        (
            replaced("reason =", "patterns = [\"../*\"]\nreason ="),
            "`../*` is not a valid pattern",
        ),
        (
            format!(
                "{adapter}[[roots]]\nname = \"mine\"\ncandidates = [\"~/.x\"]\nreason = \"x\"\n"
            ),
            "duplicate root `mine`",
        ),
        (
            format!(
                "{adapter}[llm]\npurposes = [\"ask\"]\ncalls = 1\ntokens = 1\nreason = \"x\"\n"
            ),
            "a plugin of role adapter cannot get language models",
        ),
        (
            format!(
                "{EXTRACTOR}[[roots]]\nname = \"x\"\ncandidates = [\"~/.x\"]\nreason = \"x\"\n"
            ),
            "a plugin of role extractor cannot get folders",
        ),
        (
            extractor("calls = 20", "calls = 0"),
            "`llm.calls` takes a whole number above zero",
        ),
        (
            extractor("\"summarise\"", "\"spam\""),
            "unknown purpose `spam`",
        ),
        (
            extractor("wall_ms", "wall_time"),
            "`limits.wall_time`: unknown limit",
        ),
        (
            extractor(
                "900_000, reason = \"Long sessions take their time\"",
                "900_000",
            ),
            "`limits.wall_ms.reason` is missing",
        ),
        (
            extractor("900_000,", "2_000_000_000_000_000,"),
            "it is more than 1e15",
        ),
        (
            extractor("default = true", "default = \"yes\""),
            "`config.strict.default`: it is not of the type `boolean`",
        ),
        (
            extractor("\"float\"", "\"number\""),
            "unknown type `number`",
        ),
        (
            extractor("default = true", "default = 2026-01-01"),
            "it is not of the type `boolean`",
        ),
        (
            extractor("strict =", "\"a.b\" ="),
            "not a valid setting name",
        ),
        ("id = ".to_owned(), "plugin.toml:1: "),
        ("\u{0}".to_owned(), "plugin.toml:1: "),
    ];
    for (text, says) in cases {
        let error = parse(&text).expect_err(says);
        assert!(error.to_string().contains(says), "{says}: {error}");
        assert!(error.to_string().starts_with("plugin.toml:"), "{error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn an_adapter_that_describes_itself_otherwise_is_told() {
    let text = manifest("").replace("reason =", "patterns = [\"*.jsonl\"]\nreason =");
    let manifest = parse(&text).unwrap();
    let described = |roots: Vec<AdapterRoot>| Description {
        agent: "mine".to_owned(),
        roots,
        attrs: Attrs::default(),
    };
    let root = manifest.roots[0].clone();
    let other = |change: fn(&mut AdapterRoot)| {
        let mut root = root.clone();
        change(&mut root);
        described(vec![root])
    };
    assert_eq!(
        manifest.differences(&other(|root| root.reason.clear())),
        [""; 0]
    );
    let cases = [
        (
            described(Vec::new()),
            vec!["asks for a root `mine` that it does not describe"],
        ),
        (
            other(|root| root.candidates.push("~/.claude".to_owned())),
            vec!["looks for root `mine` in ~/.mine/sessions, ~/.claude"],
        ),
        (
            other(|root| root.patterns.clear()),
            vec!["patterns of root `mine`"],
        ),
        (
            other(|root| root.name = "yours".to_owned()),
            vec!["describes a root `yours`", "asks for a root `mine`"],
        ),
    ];
    for (description, expected) in cases {
        let differences = manifest.differences(&description);
        assert_eq!(differences.len(), expected.len(), "{differences:?}");
        for (difference, says) in differences.iter().zip(expected) {
            assert!(difference.contains(says), "{difference}");
        }
    }
}
