//! The SQL functions that a query may use, and those that are disabled. Each allowed function takes at most time
//! proportional to its arguments, because SQLite cannot be interrupted within a function; none reads a file, the clock
//! or a random source.

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Error};

/// Returns true if a query may use the function. Operators such as `LIKE` and `->>` are functions too.
pub(crate) fn is_offered(name: &str) -> bool {
    OFFERED
        .binary_search_by(|offered| offered.cmp(&name.to_ascii_lowercase().as_str()))
        .is_ok()
}

/// Replaces each function that takes quadratic time with one that fails. Queries may not use them anyway; but the
/// authorizer is not asked about the expression of a generated column, which comes with the schema.
pub(crate) fn withdraw_slow(connection: &Connection) -> rusqlite::Result<()> {
    // Declared as harmless as the originals: a schema that only mentions one can still be read.
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    for (name, arguments) in SLOW {
        connection.create_scalar_function(name, arguments, flags, move |_| {
            let refusal = format!("function `{name}` is not available");
            Err::<i64, _>(Error::UserFunctionError(refusal.into()))
        })?;
    }
    Ok(())
}

/// Name and number of arguments.
const SLOW: [(&str, i32); 7] = [
    ("instr", 2),
    ("json_patch", 2),
    ("jsonb_patch", 2),
    ("ltrim", 2),
    ("replace", 3),
    ("rtrim", 2),
    ("trim", 2),
];

/// Sorted.
const OFFERED: [&str; 58] = [
    "->",
    "->>",
    "abs",
    "avg",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "cume_dist",
    "dense_rank",
    "first_value",
    "format",
    "glob",
    "group_concat",
    "hex",
    "if",
    "ifnull",
    "iif",
    "json",
    "json_array",
    "json_array_length",
    "json_error_position",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_object",
    "json_quote",
    "json_type",
    "json_valid",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "lower",
    "max",
    "min",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "printf",
    "quote",
    "rank",
    "round",
    "row_number",
    "sign",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "total",
    "typeof",
    "unhex",
    "unicode",
    "upper",
];

#[cfg(test)]
mod tests {
    use super::{OFFERED, SLOW, is_offered};

    #[test]
    fn the_table_is_sorted_and_offers_nothing_slow() {
        assert!(OFFERED.is_sorted());
        for (name, _) in SLOW {
            assert!(!is_offered(name), "{name}");
        }
        assert!(is_offered("JSON_Extract"));
    }
}
