//! Cases written by hand, and cases created from a single file.

use acreta_plugin_dev::{Case, CaseError, cases, new_case};
use acreta_types::Role;

use crate::support::TestFolder;
use crate::{fable, listener, scribe, searcher};

#[test]
fn a_case_says_what_its_plugin_is_given() {
    let place = TestFolder::new();
    let toml = "\
what = \"two decisions\"
role = \"extractor\"
input = [\"trace.jsonl\"]
now_ms = 5
seed = 6

[settings]
floor = 0.5
words = [\"because\"]
loud = true
";
    let case = place.case(
        "two",
        &[("case.toml", toml), ("trace.jsonl", listener::TRACE)],
    );
    assert_eq!((case.name.as_str(), case.role), ("two", Role::Extractor));
    assert_eq!(
        (case.what.as_str(), case.now_ms, case.seed),
        ("two decisions", 5, 6)
    );
    let settings: Vec<_> = case.settings().into_iter().collect();
    let expected = [
        ("floor", "0.5"),
        ("loud", "true"),
        ("words", "[\"because\"]"),
    ];
    let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(settings, expected);
    assert!(!case.is_recorded().unwrap());
}

#[test]
fn a_damaged_case_is_refused_with_its_line() {
    // case.toml, error message
    let table = [
        ("what = \"x\"\nrole", "case.toml:2: key with no value"),
        (
            "what = \"x\"\nrole = \"poet\"\ninput = [\"a\"]\n",
            "case.toml:2: unknown variant `poet`",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\n",
            "case.toml:1: missing field `input`",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"input/a\"]\nfoo = 1\n",
            "case.toml:4: unknown field `foo`",
        ),
        (
            "what = \" \"\nrole = \"adapter\"\ninput = [\"input/a\"]\n",
            "case.toml:1: `what`",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = []\n",
            "case.toml:3: `input`: name at least",
        ),
        (
            "what = \"x\"\nrole = \"extractor\"\ninput = [\"a\", \"b\"]\n",
            "case.toml:3: `input`: name exactly",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"/etc/passwd\"]\n",
            "case.toml:3: `input`: a path must be in",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"input/../../x\"]\n",
            "case.toml:3: `input`: a path must be in",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"a.jsonl\"]\n",
            "case.toml:3: `input`: an adapter's files lie in",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"input/a\"]\nmemory = \"m\"\n",
            "case.toml:4: `memory`: it is for cases of role explorer",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"input/a\"]\nroot = \"../x\"\n",
            "case.toml:4: `root`",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"input/a\"]\n\n[settings]\na = 2026-01-01\n",
            "case.toml:5: `settings`",
        ),
        (
            "what = \"x\"\nrole = \"adapter\"\ninput = [\"input/a\"]\nnow_ms = -1\n",
            "case.toml:4: ",
        ),
    ];
    for (toml, expected) in table {
        let place = TestFolder::new();
        place.put("cases/bad/case.toml", toml);
        place.put("cases/bad/input/a", "");
        let error = Case::open(&place.path().join("cases/bad")).unwrap_err();
        assert!(error.to_string().contains(expected), "{toml}: {error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn inputs_that_are_missing_or_no_such_thing_are_named() {
    let event = "{\"id\": 7}";
    // files, error message
    let table: &[(&[(&str, &str)], &str)] = &[
        (&[], "has no `case.toml`"),
        (
            &[("case.toml", fable::CASE)],
            "input/projects/one.jsonl` of the case is missing",
        ),
        (
            &[("case.toml", listener::CASE)],
            "trace.jsonl` of the case is missing",
        ),
        (
            &[("case.toml", searcher::CASE)],
            "candidates.json` of the case is missing",
        ),
        (
            &[("case.toml", scribe::CASE)],
            "actions.json` of the case is missing",
        ),
        (
            &[("case.toml", searcher::CASE), ("candidates.json", "[]")],
            "memory` of the case is missing",
        ),
        (
            &[("case.toml", listener::CASE), ("trace.jsonl", event)],
            "trace.jsonl`, line 1, is not an event",
        ),
        (
            &[("case.toml", searcher::CASE), ("candidates.json", "{}")],
            "candidates.json` of the case is not valid for a plugin of role explorer",
        ),
        (
            &[
                ("case.toml", scribe::CASE),
                ("actions.json", "{\"actions\": []}"),
            ],
            "actions.json` of the case is not valid for a plugin of role memory-writer",
        ),
    ];
    for (files, expected) in table {
        let place = TestFolder::new();
        place.put("cases/bad/readme", "");
        for (path, text) in *files {
            place.put(&format!("cases/bad/{path}"), text);
        }
        let error = Case::open(&place.path().join("cases/bad")).unwrap_err();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
        assert!(!error.hint().is_empty());
    }
}

#[test]
fn all_cases_of_a_folder_are_found_and_bad_ones_cost_nobody_else() {
    let place = TestFolder::new();
    let folder = place.path().join("cases");
    assert!(cases(&folder).unwrap().is_empty());
    place.case("two", listener::FILES);
    place.case("one", fable::FILES);
    place.put("cases/bad/case.toml", "what");
    place.put("cases/readme.md", "about the cases");
    let found = cases(&folder).unwrap();
    let names: Vec<_> = found
        .iter()
        .map(|case| case.as_ref().map_or("?", |case| &case.name))
        .collect();
    assert_eq!(names, ["?", "one", "two"]);
}

#[test]
fn a_case_is_made_from_a_bare_file() {
    // role, input, path in the case
    let table = [
        (Role::Adapter, fable::SESSION, "input/bare.txt"),
        (Role::Extractor, listener::TRACE, "trace.jsonl"),
        (Role::Explorer, searcher::CANDIDATES, "candidates.json"),
        (Role::MemoryWriter, scribe::ACTIONS, "actions.json"),
    ];
    for (role, text, target) in table {
        let place = TestFolder::new();
        place.put("bare.txt", text);
        let folder = place.path().join("my/cases");
        let input = place.path().join("bare.txt");
        let case = new_case(&folder, "first_one", role, &input).unwrap();
        assert_eq!((case.name.as_str(), case.role), ("first_one", role));
        let copied = std::fs::read_to_string(folder.join("first_one").join(target)).unwrap();
        assert_eq!(copied, text);
        let again = new_case(&folder, "first_one", role, &input).unwrap_err();
        assert!(matches!(again, CaseError::Exists { .. }), "{again}");
        let names: Vec<_> = folder.read_dir_utf8().unwrap().flatten().collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }
}

#[test]
fn a_case_that_cannot_be_made_leaves_nothing() {
    let place = TestFolder::new();
    place.put("bare.txt", "not JSON");
    let folder = place.path().join("cases");
    let make = |name: &str, role, input: &str| {
        new_case(&folder, name, role, &place.path().join(input)).unwrap_err()
    };
    for name in ["", "A", "../x", "a/b", "a b", ".x", &"a".repeat(65)] {
        let error = make(name, Role::Adapter, "bare.txt");
        assert!(matches!(error, CaseError::BadName { .. }), "{error}");
    }
    let error = make("x", Role::Adapter, "gone.txt");
    assert!(matches!(error, CaseError::MissingInput { .. }), "{error}");
    let error = make("x", Role::Adapter, "");
    assert!(matches!(error, CaseError::Fs { .. }), "{error}");
    let error = make("x", Role::Extractor, "bare.txt");
    assert!(
        matches!(error, CaseError::BadEvent { line: 1, .. }),
        "{error}"
    );
    for role in [Role::Explorer, Role::MemoryWriter] {
        let error = make("x", role, "bare.txt");
        assert!(matches!(error, CaseError::BadInput { .. }), "{error}");
    }
    assert!(!folder.exists());
}
