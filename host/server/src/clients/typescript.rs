//! The TypeScript client: one file, `fetch` only, and no syntax that cannot be erased.

use super::model::{Field, Model, Named, Operation, Shape, Type};

pub(crate) fn client(model: &Model) -> String {
    let mut text = HEAD.to_owned();
    for named in &model.types {
        text.push_str(&definition(named));
    }
    text.push_str(CLIENT);
    for operation in &model.operations {
        text.push_str(&method(operation));
    }
    text.push_str("}\n");
    text
}

fn definition(named: &Named) -> String {
    let name = &named.name;
    let doc = doc("", &named.description);
    match &named.shape {
        Shape::Other(other) => format!("\n{doc}export type {name} = {};\n", type_name(other)),
        Shape::Record(fields) => {
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

fn member(field: &Field) -> String {
    let mark = if field.required { "" } else { "?" };
    format!("{}{mark}: {}", field.name, type_name(&field.value))
}

fn method(operation: &Operation) -> String {
    let mut arguments: Vec<String> = operation
        .in_path
        .iter()
        .map(|name| format!("{name}: string"))
        .collect();
    let fields = &operation.fields;
    if !fields.is_empty() {
        let members: Vec<String> = fields.iter().map(member).collect();
        let usual = if fields.iter().any(|field| field.required) {
            ""
        } else {
            " = {}"
        };
        arguments.push(format!("fields: {{ {} }}{usual}", members.join("; ")));
    }
    let given = if fields.is_empty() { "{}" } else { "fields" };
    let path = operation
        .in_path
        .iter()
        .fold(operation.path.clone(), |path, name| {
            path.replace(
                &format!("{{{name}}}"),
                &format!("${{encodeURIComponent({name})}}"),
            )
        });
    let answer = type_name(&operation.answer);
    let name = camel_case(&operation.name);
    let doc = doc("  ", &operation.summary);
    if operation.streams {
        arguments.push("lastEventId?: string".to_owned());
        arguments.push("signal?: AbortSignal".to_owned());
        return format!(
            "\n{doc}  {name}({}): AsyncGenerator<{answer}> {{\n    return this.stream(`{path}`, {given}, lastEventId, signal);\n  }}\n",
            arguments.join(", "),
        );
    }
    format!(
        "\n{doc}  async {name}({}): Promise<{answer}> {{\n    return (await this.call(\"{}\", `{path}`, {given})) as {answer};\n  }}\n",
        arguments.join(", "),
        operation.method,
    )
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
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
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
//   const client = new Client(token);
//   const { hits } = await client.search({ q: "queue" });
"#;

const CLIENT: &str = r#"
/** A call that did nothing, and why. */
export class AcretaError extends Error {
  readonly status: number;
  readonly problem: Problem;
  readonly requestId: string;

  constructor(status: number, problem: Problem, requestId: string) {
    super(problem.message);
    this.name = "AcretaError";
    this.status = status;
    this.problem = problem;
    this.requestId = requestId;
  }
}

async function failure(response: Response): Promise<AcretaError> {
  const text = await response.text();
  try {
    const body = JSON.parse(text) as ProblemBody;
    return new AcretaError(response.status, body.error, body.request_id);
  } catch {
    const message = `the server answered ${response.status}`;
    const problem: Problem = { code: "failed", message, causes: [], hints: [] };
    return new AcretaError(response.status, problem, "");
  }
}

/** Calls one server. Every method is one call; a failure throws AcretaError. */
export class Client {
  private readonly token: string;
  private readonly baseUrl: string;

  constructor(token: string, baseUrl: string = "http://127.0.0.1:8765") {
    this.token = token;
    this.baseUrl = baseUrl.replace(/\/+$/, "");
  }

  private async open(
    method: string,
    path: string,
    fields: object,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
    const init: RequestInit = {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
      redirect: "error",
      ...(signal === undefined ? {} : { signal }),
    };
    let url = this.baseUrl + path;
    if (method === "GET") {
      const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      url += given.length > 0 ? `?${query}` : "";
    } else {
      init.headers = { ...init.headers, "content-type": "application/json" };
      init.body = JSON.stringify(Object.fromEntries(given));
    }
    const response = await fetch(url, init);
    if (!response.ok) {
      throw await failure(response);
    }
    return response;
  }

  private async call(method: string, path: string, fields: object): Promise<unknown> {
    const response = await this.open(method, path, fields, {});
    return response.json();
  }

  private async *stream(
    path: string,
    fields: object,
    lastEventId?: string,
    signal?: AbortSignal,
  ): AsyncGenerator<LiveEvent> {
    const headers: Record<string, string> =
      lastEventId === undefined ? {} : { "last-event-id": lastEventId };
    const response = await this.open("GET", path, fields, headers, signal);
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let waiting = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          return;
        }
        waiting += decoder.decode(value, { stream: true });
        const lines = waiting.split("\n");
        waiting = lines.pop() ?? "";
        for (const line of lines) {
          if (line.startsWith("data:")) {
            yield JSON.parse(line.slice(5)) as LiveEvent;
          }
        }
      }
    } finally {
      await reader.cancel();
    }
  }
"#;
