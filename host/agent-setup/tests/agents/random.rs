//! Random settings: everything outside of acreta's entries stays, to the byte.

use acreta_agent_setup::{Agent, undo};
use proptest::prelude::*;
use serde_json::Value;

use crate::support::{Home, Unsynced, only_added};

/// Space and comments between two tokens.
fn gap() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just(String::new()),
        3 => Just(" ".to_owned()),
        3 => Just("\n".to_owned()),
        2 => Just("\n  ".to_owned()),
        1 => Just("\t".to_owned()),
        1 => "[ -~äß\u{a0}]{0,6}".prop_map(|text| format!("/*{}*/", text.replace("*/", ""))),
        1 => "[ -~äß\u{a0}]{0,6}".prop_map(|text| format!("//{text}\n")),
    ];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat())
}

fn text() -> impl Strategy<Value = String> {
    "[ -~ä,{}/\\*\"]{0,8}".prop_map(|text| Value::from(text).to_string())
}

/// A value as written by hand.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        text(),
        Just("null".to_owned()),
        Just("true".to_owned()),
        any::<i32>().prop_map(|number| number.to_string()),
        Just("{}".to_owned()),
        Just("[]".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let member = (gap(), text(), gap(), inner.clone(), gap())
            .prop_map(|(a, key, b, value, c)| format!("{a}{key}:{b}{value}{c}"));
        let element = (gap(), inner, gap()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        prop_oneof![
            (prop::collection::vec(member, 0..4), any::<bool>(), gap())
                .prop_map(|(members, comma, gap)| list('{', &members, comma, &gap, '}')),
            (prop::collection::vec(element, 0..4), any::<bool>(), gap())
                .prop_map(|(elements, comma, gap)| list('[', &elements, comma, &gap, ']')),
        ]
    })
}

fn list(open: char, parts: &[String], comma: bool, gap: &str, close: char) -> String {
    let comma = if comma && !parts.is_empty() { "," } else { "" };
    format!("{open}{}{comma}{gap}{close}", parts.join(","))
}

/// Settings that already have some of the keys acreta adds to, among others.
fn settings() -> impl Strategy<Value = String> {
    let servers =
        (gap(), value(), gap(), any::<bool>(), gap()).prop_map(|(a, value, b, comma, c)| {
            let member = format!("{a}\"other\":{value}{b}");
            format!("\"mcpServers\":{}", list('{', &[member], comma, &c, '}'))
        });
    let hooks =
        (gap(), value(), gap(), any::<bool>(), gap()).prop_map(|(a, value, b, comma, c)| {
            let elements = list('[', &[format!("{a}{value}{b}")], comma, &c, ']');
            format!(
                "\"hooks\":{}",
                list(
                    '{',
                    &[format!("{b}\"SessionEnd\":{elements}")],
                    comma,
                    &a,
                    '}'
                )
            )
        });
    let other = (1..9u8, gap(), value()).prop_map(|(n, a, value)| format!("\"own{n}\":{a}{value}"));
    (
        prop::option::of(servers),
        prop::option::of(hooks),
        prop::collection::vec(other, 0..3),
        prop::collection::vec(gap(), 8),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(servers, hooks, other, gaps, comma, windows)| {
            let mut members: Vec<String> = servers.into_iter().chain(hooks).chain(other).collect();
            for (index, member) in members.iter_mut().enumerate() {
                *member = format!("{}{member}{}", gaps[index % 8], gaps[(index + 3) % 8]);
            }
            let text = list('{', &members, comma, &gaps[6], '}');
            let text = format!("{}{text}{}", gaps[0], gaps[7]);
            match windows {
                true => text.replace('\n', "\r\n"),
                false => text,
            }
        })
}

fn plain(text: &str) -> Value {
    crate::rules::lenient(text)
}

/// Returns every comment with its text.
fn comments(text: &str) -> Vec<String> {
    use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast, tokens::Token};
    let collect = CollectOptions {
        comments: CommentCollectionStrategy::AsTokens,
        tokens: true,
    };
    let parsed = parse_to_ast(text, &collect, &Default::default()).unwrap();
    parsed
        .tokens
        .unwrap()
        .into_iter()
        .filter_map(|token| match token.token {
            Token::CommentLine(text) => Some(format!("//{}", text.trim_end())),
            Token::CommentBlock(text) => Some(format!("/*{text}*/")),
            _ => None,
        })
        .collect()
}

/// Returns the settings without acreta's entries.
fn without_ours(mut value: Value, before: &Value) -> Value {
    let ours = |value: &Value| value.to_string().contains("/opt/acreta/bin/acreta");
    for (list, entries) in [
        ("mcpServers", vec!["acreta"]),
        (
            "hooks",
            vec![
                "SessionStart",
                "SessionEnd",
                "PreCompress",
                "BeforeAgent",
                "AfterTool",
            ],
        ),
    ] {
        let root = value.as_object_mut().unwrap();
        for entry in entries {
            let inner = root[list].as_object_mut().unwrap();
            if before[list].get(entry).is_none() {
                inner.shift_remove(entry).unwrap();
            } else if let Some(array) = inner[entry].as_array_mut() {
                array.retain(|value| !ours(value));
            }
        }
        if before.get(list).is_none() {
            assert_eq!(root.shift_remove(list).unwrap(), serde_json::json!({}));
        }
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_settings_stay_equal_outside_of_our_entries(before in settings()) {
        let path = ".gemini/settings.json";
        let home = Home::with(&[(path, &before)]);
        let start = home.snapshot();
        let receipt = home.connect(&[Agent::Gemini]);
        let after = home.read(path);
        prop_assert!(only_added(&before, &after), "{}", after);
        prop_assert_eq!(comments(&before), comments(&after));
        prop_assert_eq!(without_ours(plain(&after), &plain(&before)), plain(&before));
        prop_assert!(home.plan(&[Agent::Gemini]).is_empty());
        prop_assert!(undo(&receipt, Unsynced::shared()).is_complete());
        prop_assert_eq!(home.snapshot(), start);
    }

    #[test]
    fn our_entries_come_out_of_random_settings(before in settings()) {
        let path = ".gemini/settings.json";
        let home = Home::with(&[(path, &before)]);
        let receipt = home.connect(&[Agent::Gemini]);
        // One more space at the end, so that the file differs from the written one.
        home.write(path, &(home.read(path) + " "));
        let undone = undo(&receipt, Unsynced::shared());
        prop_assert_eq!(undone.taken_out, vec![home.path(path)]);
        let left = home.read(path);
        prop_assert_eq!(plain(&left), plain(&before));
        prop_assert_eq!(comments(&left), comments(&before));
        let squeezed = |text: &str| text.replace([' ', '\t', '\r', '\n'], "");
        prop_assert_eq!(squeezed(&left), squeezed(&before));
    }
}
