//! The Python client: one module, standard library only.

use crate::model::{ApiModel, NamedType, Operation, Type, TypeField, TypeShape};
use acreta_text::one_line;

pub(crate) fn client(model: &ApiModel) -> String {
    let mut text = HEAD.to_owned();
    for named in &model.types {
        text.push_str(&definition(named));
    }
    text.push_str(CLIENT);
    for operation in &model.operations {
        text.push_str(&method(operation));
    }
    text
}

/// Returns the package's build file.
pub(crate) fn project(version: &str) -> String {
    PROJECT.replace("@VERSION@", version)
}

fn definition(named: &NamedType) -> String {
    let name = &named.name;
    match &named.shape {
        TypeShape::Other(other) => {
            let comment = comment(&named.description);
            format!("\n\n{comment}{name} = {}\n", type_name(other))
        }
        TypeShape::Record(fields) if fields.iter().any(|field| is_keyword(&field.name)) => {
            let lines = fields
                .iter()
                .map(|field| format!("        \"{}\": \"{}\",\n", field.name, field_type(field)));
            let lines: String = lines.collect();
            format!("\n\n{name} = TypedDict(\n    \"{name}\",\n    {{\n{lines}    }},\n)\n")
        }
        TypeShape::Record(fields) => {
            let mut text = format!("\n\nclass {name}(TypedDict):\n");
            if !named.description.is_empty() {
                text.push_str(&format!(
                    "    \"\"\"{}\"\"\"\n\n",
                    one_line(&named.description)
                ));
            }
            for field in fields {
                if !field.description.is_empty() {
                    text.push_str(&format!("    # {}\n", one_line(&field.description)));
                }
                text.push_str(&format!("    {}: {}\n", field.name, field_type(field)));
            }
            if fields.is_empty() && named.description.is_empty() {
                text.push_str("    pass\n");
            }
            text
        }
    }
}

fn method(operation: &Operation) -> String {
    let mut arguments = vec!["self".to_owned()];
    arguments.extend(operation.in_path.iter().map(|name| format!("{name}: str")));
    if !operation.fields.is_empty() || operation.streams {
        arguments.push("*".to_owned());
    }
    for field in &operation.fields {
        arguments.push(match (field.required, &field.value) {
            (true, value) => format!("{}: {}", field.name, type_name(value)),
            (false, Type::Nullable(value)) => {
                format!("{}: {} | None = None", field.name, type_name(value))
            }
            (false, value) => format!("{}: {} | None = None", field.name, type_name(value)),
        });
    }
    let answer = type_name(&operation.answer);
    let path = operation
        .in_path
        .iter()
        .fold(operation.path.clone(), |path, name| {
            path.replace(&format!("{{{name}}}"), &format!("{{_quoted({name})}}"))
        });
    let path = match operation.in_path.is_empty() {
        true => format!("\"{path}\""),
        false => format!("f\"{path}\""),
    };
    let fields = operation
        .fields
        .iter()
        .map(|field| format!("\"{0}\": {0}", field.name));
    let fields = fields.collect::<Vec<_>>().join(", ");
    let (given, call) = match operation.streams {
        true => (
            format!("Iterator[{answer}]"),
            format!("return self._events({path}, {{{fields}}}, last_event_id)"),
        ),
        false => (
            answer.clone(),
            format!(
                "return cast({answer}, self._call(\"{}\", {path}, {{{fields}}}))",
                operation.method
            ),
        ),
    };
    if operation.streams {
        arguments.push("last_event_id: str | None = None".to_owned());
    }
    format!(
        "\n    def {}(\n        {},\n    ) -> {given}:\n        \"\"\"{}\"\"\"\n        {call}\n",
        operation.name,
        arguments.join(",\n        "),
        one_line(&operation.summary),
    )
}

fn field_type(field: &TypeField) -> String {
    match field.required {
        true => type_name(&field.value),
        false => format!("NotRequired[{}]", type_name(&field.value)),
    }
}

fn type_name(value: &Type) -> String {
    match value {
        Type::Text => "str".to_owned(),
        Type::Integer => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Truth => "bool".to_owned(),
        Type::Anything => "Any".to_owned(),
        Type::Map => "dict[str, Any]".to_owned(),
        Type::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            format!("Literal[{}]", words.join(", "))
        }
        Type::Named(name) => name.clone(),
        Type::List(item) => format!("list[{}]", type_name(item)),
        Type::Tuple(items) => {
            let items: Vec<String> = items.iter().map(type_name).collect();
            format!("tuple[{}]", items.join(", "))
        }
        Type::Nullable(value) => format!("{} | None", type_name(value)),
    }
}

fn comment(text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => format!("# {}\n", one_line(text)),
    }
}

/// Returns whether a name is a Python keyword, of those that occur as keys.
fn is_keyword(name: &str) -> bool {
    ["from", "import", "class", "with", "in", "is", "global"].contains(&name)
}

const PROJECT: &str = r#"# Generated with the client; the version is acreta's.
[build-system]
requires = []
build-backend = "build_package"
backend-path = ["."]

[project]
name = "acreta-client"
version = "@VERSION@"
description = "A typed client of acreta's HTTP API"
readme = "README.md"
requires-python = ">=3.11"
dependencies = []
"#;

const HEAD: &str = r#""""A client of acreta's HTTP API. Generated from docs/openapi.json; Python 3.11 or later.

    client = Client(token=open("/home/me/.acreta/token").read().strip())
    for hit in client.search(q="queue")["hits"]:
        print(hit["title"])
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypedDict, cast
"#;

const CLIENT: &str = r#"

class AcretaError(Exception):
    """A failed call and its reason."""

    def __init__(self, status: int, problem: Problem, request_id: str) -> None:
        super().__init__(problem["message"])
        self.status = status
        self.code: str = problem["code"]
        self.message: str = problem["message"]
        self.causes: list[str] = problem["causes"]
        self.hints: list[str] = problem["hints"]
        self.request_id = request_id


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token must reach no other server."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _lines(response: Any) -> Iterator[LiveEvent]:
    with response:
        for line in response:
            if line.startswith(b"data:"):
                yield cast(LiveEvent, json.loads(line[5:]))


def _failure(error: urllib.error.HTTPError) -> AcretaError:
    with error:
        text = error.read()
    try:
        body = cast(ProblemBody, json.loads(text))
        return AcretaError(error.code, body["error"], body["request_id"])
    except (ValueError, KeyError, TypeError):
        problem: Problem = {"code": "failed", "message": str(error), "causes": [], "hints": []}
        return AcretaError(error.code, problem, "")


class Client:
    """Calls one server. Every method is one call; a failure raises AcretaError."""

    def __init__(
        self,
        token: str,
        base_url: str = "http://127.0.0.1:8765",
        timeout: float = 150.0,
        request_id: str | None = None,
    ) -> None:
        self._token = token
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._request_id = request_id
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), _NoRedirect()
        )

    def with_request_id(self, request_id: str) -> Client:
        """A client whose calls have this id in acreta's log: letters, digits and `._-`, at most 128."""
        return Client(self._token, self._base_url, self._timeout, request_id)

    def _open(self, method: str, path: str, fields: dict[str, Any], headers: dict[str, str]) -> Any:
        given = {name: value for name, value in fields.items() if value is not None}
        url = self._base_url + path
        body = None
        headers = {"Authorization": f"Bearer {self._token}", **headers}
        if self._request_id is not None:
            headers["X-Request-Id"] = self._request_id
        if method == "GET":
            if given:
                words = {name: _word(value) for name, value in given.items()}
                url += "?" + urllib.parse.urlencode(words)
        else:
            body = json.dumps(given).encode()
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(url, body, headers, method=method)
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            raise _failure(error) from None

    def _call(self, method: str, path: str, fields: dict[str, Any]) -> Any:
        with self._open(method, path, fields, {}) as response:
            return json.load(response)

    def _events(
        self, path: str, fields: dict[str, Any], last_event_id: str | None
    ) -> Iterator[LiveEvent]:
        headers = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        return _lines(self._open("GET", path, fields, headers))
"#;
