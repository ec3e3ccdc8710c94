//! The TypeScript client: a module of plain JavaScript and its types, so that nothing has to be compiled. Uses only
//! `fetch`.

use crate::model::{ApiModel, NamedType, Operation, Type, TypeField, TypeShape};

/// Returns `index.js`.
pub(crate) fn client(model: &ApiModel) -> String {
    let mut text = format!("{HEAD}{CLIENT}");
    for operation in &model.operations {
        text.push_str(&method(operation));
    }
    text.push_str("}\n");
    text
}

/// Returns `index.d.ts`.
pub(crate) fn types(model: &ApiModel) -> String {
    let mut text = HEAD.to_owned();
    for named in &model.types {
        text.push_str(&definition(named));
    }
    text.push_str(DECLARED);
    for operation in &model.operations {
        text.push_str(&signature(operation));
    }
    text.push_str("}\n");
    text
}

fn definition(named: &NamedType) -> String {
    let name = &named.name;
    let doc = doc("", &named.description);
    match &named.shape {
        TypeShape::Other(other) => format!("\n{doc}export type {name} = {};\n", type_name(other)),
        TypeShape::Record(fields) => {
            let fields: String = fields
                .iter()
                .map(|field| {
                    format!(
                        "{}  {};\n",
                        self::doc("  ", &field.description),
                        member(field)
                    )
                })
                .collect();
            format!("\n{doc}export interface {name} {{\n{fields}}}\n")
        }
    }
}

fn member(field: &TypeField) -> String {
    let mark = if field.required { "" } else { "?" };
    format!("{}{mark}: {}", field.name, type_name(&field.value))
}

fn signature(operation: &Operation) -> String {
    let mut arguments: Vec<String> = operation
        .in_path
        .iter()
        .map(|name| format!("{name}: string"))
        .collect();
    let fields = &operation.fields;
    if !fields.is_empty() {
        let members: Vec<String> = fields.iter().map(member).collect();
        let is_needed = fields.iter().any(|field| field.required);
        let mark = if is_needed { "" } else { "?" };
        arguments.push(format!("fields{mark}: {{ {} }}", members.join("; ")));
    }
    let answer = type_name(&operation.answer);
    let answer = match operation.streams {
        true => {
            arguments.push("lastEventId?: string".to_owned());
            arguments.push("signal?: AbortSignal".to_owned());
            format!("AsyncGenerator<{answer}, void, unknown>")
        }
        false => format!("Promise<{answer}>"),
    };
    let (name, arguments) = (camel_case(&operation.name), arguments.join(", "));
    let doc = doc("  ", &operation.summary);
    format!("\n{doc}  {name}({arguments}): {answer};\n")
}

fn method(operation: &Operation) -> String {
    let mut arguments = operation.in_path.clone();
    let given = match operation.fields.is_empty() {
        true => "{}",
        false => {
            arguments.push("fields = {}".to_owned());
            "fields"
        }
    };
    let path = operation
        .in_path
        .iter()
        .fold(operation.path.clone(), |path, name| {
            path.replace(
                &format!("{{{name}}}"),
                &format!("${{encodeURIComponent({name})}}"),
            )
        });
    let call = match operation.streams {
        true => {
            arguments.extend(["lastEventId".to_owned(), "signal".to_owned()]);
            format!("this.#stream(`{path}`, {given}, lastEventId, signal)")
        }
        false => format!("this.#call(\"{}\", `{path}`, {given})", operation.method),
    };
    let (name, arguments) = (camel_case(&operation.name), arguments.join(", "));
    format!("\n  {name}({arguments}) {{\n    return {call};\n  }}\n")
}

fn type_name(value: &Type) -> String {
    match value {
        Type::Text => "string".to_owned(),
        Type::Integer | Type::Number => "number".to_owned(),
        Type::Truth => "boolean".to_owned(),
        Type::Anything => "unknown".to_owned(),
        Type::Map => "Record<string, unknown>".to_owned(),
        Type::Words(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
            words.join(" | ")
        }
        Type::Named(name) => name.clone(),
        Type::List(item) => format!("Array<{}>", type_name(item)),
        Type::Tuple(items) => {
            let items: Vec<String> = items.iter().map(type_name).collect();
            format!("[{}]", items.join(", "))
        }
        Type::Nullable(value) => format!("{} | null", type_name(value)),
    }
}

fn doc(indent: &str, text: &str) -> String {
    let text = acreta_text::one_line(text);
    match text.is_empty() {
        true => String::new(),
        false => format!("{indent}/** {} */\n", text.replace("*/", "* /")),
    }
}

fn camel_case(name: &str) -> String {
    let mut camel = String::new();
    for (number, part) in name.split('_').enumerate() {
        let (first, rest) = part.split_at(part.len().min(1));
        match number {
            0 => camel.push_str(first),
            _ => camel.push_str(&first.to_ascii_uppercase()),
        }
        camel.push_str(rest);
    }
    camel
}

const HEAD: &str = r#"// A client of acreta's HTTP API. Generated from docs/openapi.json; needs nothing but `fetch`.
//
//   import { Client } from "acreta-client";
//   const client = new Client(token);
//   const { hits } = await client.search({ q: "queue" });
"#;

const DECLARED: &str = r#"
/** A failed call and its reason. */
export class AcretaError extends Error {
  readonly status: number;
  readonly problem: Problem;
  readonly requestId: string;

  constructor(status: number, problem: Problem, requestId: string);
}

/** Calls one server. Every method is one call; a failure throws AcretaError. */
export class Client {
  constructor(token: string, baseUrl?: string, requestId?: string);

  /** A client whose calls have this id in acreta's log: letters, digits and `._-`, at most 128. */
  withRequestId(requestId: string): Client;
"#;

const CLIENT: &str = r#"
export class AcretaError extends Error {
  constructor(status, problem, requestId) {
    super(problem.message);
    this.name = "AcretaError";
    this.status = status;
    this.problem = problem;
    this.requestId = requestId;
  }
}

async function failure(response) {
  const text = await response.text();
  try {
    const body = JSON.parse(text);
    return new AcretaError(response.status, body.error, body.request_id);
  } catch {
    const message = `the server answered ${response.status}`;
    const problem = { code: "failed", message, causes: [], hints: [] };
    return new AcretaError(response.status, problem, "");
  }
}

export class Client {
  #token;
  #baseUrl;
  #requestId;

  constructor(token, baseUrl = "http://127.0.0.1:8765", requestId = undefined) {
    this.#token = token;
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#requestId = requestId;
  }

  withRequestId(requestId) {
    return new Client(this.#token, this.#baseUrl, requestId);
  }

  async #open(method, path, fields, headers, signal) {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
    // The token must reach no other server.
    const init = { method, headers: { authorization: `Bearer ${this.#token}`, ...headers }, redirect: "error" };
    if (signal !== undefined) init.signal = signal;
    if (this.#requestId !== undefined) init.headers["x-request-id"] = this.#requestId;
    let url = this.#baseUrl + path;
    if (method === "GET") {
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      url += given.length > 0 ? `?${query}` : "";
    } else {
      init.headers["content-type"] = "application/json";
      init.body = JSON.stringify(Object.fromEntries(given));
    }
    const response = await fetch(url, init);
    if (!response.ok) throw await failure(response);
    return response;
  }

  async #call(method, path, fields) {
    const response = await this.#open(method, path, fields, {}, undefined);
    return response.json();
  }

  async *#stream(path, fields, lastEventId, signal) {
    const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await this.#open("GET", path, fields, headers, signal);
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let waiting = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        waiting += decoder.decode(value, { stream: true });
        const lines = waiting.split("\n");
        waiting = lines.pop() ?? "";
        for (const line of lines) {
          if (line.startsWith("data:")) yield JSON.parse(line.slice(5));
        }
      }
    } finally {
      await reader.cancel();
    }
  }
"#;
