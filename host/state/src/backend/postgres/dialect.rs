//! Translates the catalog's SQL to PostgreSQL: parameters are `$1` instead of `?1` or `:name`, and JSON arrays are
//! expanded by a different function. Everything else is written so that both databases accept it.

/// A statement translated for PostgreSQL.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Translated {
    pub(super) text: String,
    /// Parameter names, in the order of their numbers.
    pub(super) names: Vec<String>,
}

pub(super) fn translate(sql: &str) -> Translated {
    let mut text = String::with_capacity(sql.len() + 64);
    let mut names: Vec<String> = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '\'' => {
                let end = rest[1..].find('\'').map_or(rest.len(), |at| at + 2);
                text.push_str(&rest[..end]);
                end
            }
            '?' => {
                text.push('$');
                1
            }
            ':' => {
                let end = 1 + name_length(&rest[1..]);
                let name = &rest[..end];
                let known = names.iter().position(|known| known == name);
                let number = known.unwrap_or_else(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                });
                text.push_str(&format!("${}", number + 1));
                end
            }
            first => {
                text.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    Translated {
        text: unfold_json(&text),
        names,
    }
}

fn name_length(text: &str) -> usize {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.find(|letter| !is_name(letter)).unwrap_or(text.len())
}

/// Replaces `json_each($1)` with a function that yields texts, or JSON values if its alias is `pair`, so that `->>`
/// works.
fn unfold_json(sql: &str) -> String {
    const EACH: &str = "json_each(";
    let mut text = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(at) = rest.find(EACH) {
        text.push_str(&rest[..at]);
        rest = &rest[at + EACH.len()..];
        let (argument, after) = rest.split_once(')').unwrap_or((rest, ""));
        let function = match after.trim_start().starts_with("pair") {
            true => "json_array_elements",
            false => "json_array_elements_text",
        };
        text.push_str(&format!("{function}(CAST({argument} AS json))"));
        rest = after;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_arrays_are_translated_and_texts_are_not() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("SELECT 1", "SELECT 1", &[]),
            ("a = ?1 AND b = ?12", "a = $1 AND b = $12", &[]),
            (":now + :far_1 - :now", "$1 + $2 - $1", &[":now", ":far_1"]),
            ("x = ':no ?1' OR y = ?1", "x = ':no ?1' OR y = $1", &[]),
            (
                "a IN (SELECT value FROM json_each(?2))",
                "a IN (SELECT value FROM json_array_elements_text(CAST($2 AS json)))",
                &[],
            ),
            (
                "FROM json_each(:all) pair JOIN t ON t.a = pair.value ->> 0",
                "FROM json_array_elements(CAST($1 AS json)) pair JOIN t ON t.a = pair.value ->> 0",
                &[":all"],
            ),
        ];
        for (sql, text, names) in cases {
            let translated = translate(sql);
            assert_eq!(translated.text, *text);
            assert_eq!(translated.names, *names);
        }
    }
}
