//! Replies that fit a schema, and schemas that can be checked.

use acreta_llm::Schema;

#[test]
fn a_reply_fits_or_is_told_why_not() {
    let cases = [
        (r#"{"type":"string","maxLength":2}"#, r#""日本""#, None),
        (
            r#"{"type":"string","maxLength":2}"#,
            r#""abc""#,
            Some("`/` must have at most 2 characters"),
        ),
        (
            r#"{"type":"string","minLength":1}"#,
            r#""""#,
            Some("`/` must have at least 1 characters"),
        ),
        (r#"{"type":"integer"}"#, "7.0", None),
        (r#"{"type":"integer"}"#, "7.5", Some("`/` must be integer")),
        (r#"{"type":["number","null"]}"#, "null", None),
        (
            r#"{"type":["number","null"]}"#,
            "true",
            Some("`/` must be number or null"),
        ),
        (r#"{"maximum":3}"#, "4", Some("`/` is against `maximum` 3")),
        (
            r#"{"exclusiveMinimum":3}"#,
            "3",
            Some("`/` is against `exclusiveMinimum` 3"),
        ),
        (r#"{"enum":["a",1]}"#, "1", None),
        (
            r#"{"enum":["a",1]}"#,
            r#""b""#,
            Some(r#"`/` must be one of "a", 1"#),
        ),
        (r#"{"const":"a"}"#, r#""b""#, Some(r#"`/` must be "a""#)),
        (
            r#"{"items":{"type":"boolean"},"minItems":1}"#,
            "[true]",
            None,
        ),
        (
            r#"{"items":{"type":"boolean"}}"#,
            "[true,1]",
            Some("`/1` must be boolean"),
        ),
        (
            r#"{"type":"array","minItems":1}"#,
            "[]",
            Some("`/` must have at least 1 items"),
        ),
        (r#"{"required":["a"]}"#, "{}", Some("`/a` is missing")),
        (
            r#"{"properties":{"a":{"type":"string"}}}"#,
            r#"{"a":1}"#,
            Some("`/a` must be string"),
        ),
        (
            r#"{"additionalProperties":false}"#,
            r#"{"a":1}"#,
            Some("`/a` must not be there"),
        ),
        (
            r#"{"additionalProperties":{"type":"string"}}"#,
            r#"{"a":"b"}"#,
            None,
        ),
        (
            r#"{"anyOf":[{"type":"string"},{"minimum":3,"type":"number"}]}"#,
            "3",
            None,
        ),
        (
            r#"{"anyOf":[{"type":"string"},{"const":3}]}"#,
            "2",
            Some("`/` fits none"),
        ),
        ("true", "{}", None),
        ("{}", "no json", Some("the reply is no JSON")),
        ("{}", "```\n{}\n```", None),
        ("{}", "<think>{</think>{}", None),
    ];
    for (schema, reply, problem) in cases {
        let checked = Schema::parse(schema).unwrap().check(reply);
        match problem {
            None => assert!(checked.is_ok(), "{schema} {reply}: {checked:?}"),
            Some(problem) => {
                let problems = checked.unwrap_err();
                assert!(
                    problems[0].starts_with(problem),
                    "{schema} {reply}: {problems:?}"
                );
            }
        }
    }
}

#[test]
fn a_schema_that_cannot_be_checked_is_refused() {
    let deep = "[".repeat(1_000);
    let cases = [
        r#"{"$ref":"file:///etc/passwd"}"#,
        r#"{"properties":{"a":{"pattern":"^a+$"}}}"#,
        r#"{"items":{"not":{}}}"#,
        r#"{"type":"text"}"#,
        r#"{"type":[]}"#,
        r#"{"required":"a"}"#,
        r#"{"minItems":-1}"#,
        r#"{"minimum":"1"}"#,
        r#"{"properties":[]}"#,
        r#"{"anyOf":[]}"#,
        "7",
        "",
        deep.as_str(),
    ];
    for schema in cases {
        assert!(Schema::parse(schema).is_err(), "{schema}");
    }
}
