//! Parts that several patterns share.

/// Between a name and its value: `="`, `": "`, `\": \"`, `: String = "`, ` => '`.
macro_rules! assigned {
    () => {
        r#"\\{0,15}["'`]?\]?(?:\s{0,2}:\s{0,2}&?[A-Za-z]{2,12}\s{0,2})?\s{0,3}(?:=>|:=|==?|:)\s{0,3}\\{0,15}["'`]?"#
    };
}

/// Characters allowed between the lines of a key block: line breaks, plain or escaped, quotes and punctuation of source
/// code, line numbers, the marks of a diff.
macro_rules! between {
    () => {
        r#"(?:[ \t\r\n"',+|:>→*#.]|\\+[nrt"]?|\n-|[0-9]{1,6}[→|:\t])"#
    };
}

/// Space between words, including line breaks, plain or escaped; and quotes and commas of a list.
macro_rules! gap {
    () => {
        r#"(?:[ \t\r\n"',]|\\+[nrt"]?)"#
    };
}

/// Some words of a command, as few as necessary. A line break ends it, unless the words are a list; continued lines are
/// joined before.
macro_rules! words {
    () => {
        r"(?:(?:[ -%'-:<-\[\]-{}~\t]|,\s|,\\+[nr]|\\+[^nr\\]){0,400}?)"
    };
}

/// A word of a command as a value: in quotes or not. Two groups.
macro_rules! word {
    () => {
        r#"(?:\\{0,15}["']([^\s"'\\]{1,120})\\{0,15}["']|([^\s"'\\`|;&<>(){}\[\],$-][^\s"'\\`|;&<>(){}\[\],]{0,120}))"#
    };
}
