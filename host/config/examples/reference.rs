//! Prints the chapter of the book about settings, from the table of all keys: `cargo xtask book`.

#![expect(clippy::print_stdout, reason = "an example that prints a chapter")]

use acreta_config::{Builtin, KEYS, KeyEntry, SetBy, variable_of};

fn main() {
    println!("# Configuration\n");
    println!(
        "Every setting, with its default and who may set it. `acreta config list --origin` shows the values that apply, `acreta \
         config set KEY VALUE` changes one in `~/.acreta/config.toml`, and with `--in-project` in the project's \
         `.acreta/config.toml`. A variable has the same name in capitals, `__` for a dot: `{}` is `{}`. `<…>` stands for a name.\n",
        KEYS[0].path,
        variable_of(KEYS[0].path)
    );
    println!(
        "*You* alone set what can spend, send, run, loosen or delete: your file, variables and flags. *Trusted* is what the file of a \
         project may also set after `acreta project trust`, *project* what every project's file may set."
    );
    let mut group = "";
    for entry in KEYS {
        let first = entry.path.split('.').next().unwrap_or_default();
        if first != group {
            group = first;
            println!("\n## {group}\n\n| key | value | default | set by | |\n|---|---|---|---|---|");
        }
        println!("{}", row(entry));
    }
}

fn row(entry: &KeyEntry) -> String {
    let set_by = match entry.set_by() {
        (SetBy::Project, _) => "project".to_owned(),
        (SetBy::TrustedProject, reason) => format!("trusted: it {reason}"),
        (SetBy::User, reason) => format!("you: it {reason}"),
    };
    let help = entry.help.replace('|', "\\|").replace('<', "&lt;");
    format!(
        "| `{}` | {} | {} | {set_by} | {help} |",
        entry.path,
        entry.expected(),
        default(entry.default)
    )
}

fn default(builtin: Builtin) -> String {
    match builtin {
        Builtin::Unset(_) => "none".to_owned(),
        Builtin::Text(text) => format!("`{text}`"),
        Builtin::Integer(number) => format!("`{number}`"),
        Builtin::Float(number) => format!("`{number}`"),
        Builtin::Boolean(flag) => format!("`{flag}`"),
        Builtin::TextList([]) => "`[]`".to_owned(),
        Builtin::TextList(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
            texts.join(", ")
        }
    }
}
