//! The options of the bench.

use std::path::PathBuf;

use camino::Utf8PathBuf;

pub(crate) const USAGE: &str = "  search [--model DIR] [--sizes 1000,10000,100000]";

/// One run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Search(SearchOptions),
    /// A part that runs in a separate process.
    Part(Vec<String>),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SearchOptions {
    /// `acreta`, to be started cold.
    pub(crate) binary: Option<PathBuf>,
    pub(crate) model: Option<Utf8PathBuf>,
    /// Numbers of memories, one run after the other; never empty.
    pub(crate) sizes: Vec<u64>,
}

const SIZES: [u64; 3] = [1_000, 10_000, 100_000];

/// Returns `None` if no bench of this group was named.
pub(crate) fn parse(words: &[&str]) -> Option<Result<Task, String>> {
    match words {
        ["search", rest @ ..] => Some(options(rest).map(Task::Search)),
        ["search-part", rest @ ..] => Some(Ok(Task::Part(
            rest.iter().map(|word| (*word).to_owned()).collect(),
        ))),
        _ => None,
    }
}

fn options(words: &[&str]) -> Result<SearchOptions, String> {
    let mut options = SearchOptions {
        binary: None,
        model: None,
        sizes: SIZES.to_vec(),
    };
    let mut rest = words;
    while let [name, value, later @ ..] = rest {
        match *name {
            "--binary" => options.binary = Some(PathBuf::from(value)),
            "--model" => options.model = Some(Utf8PathBuf::from(value)),
            "--sizes" => {
                let sizes = value.split(',').map(|size| size.trim().parse());
                let sizes: Result<Vec<u64>, _> = sizes.collect();
                options.sizes = sizes
                    .ok()
                    .filter(|sizes| sizes.iter().all(|size| *size > 0))
                    .ok_or_else(|| format!("`{value}` is not a list of sizes"))?;
            }
            _ => return Err(format!("unknown option `{name}`")),
        }
        rest = later;
    }
    match rest {
        [] => Ok(options),
        [word, ..] => Err(format!("`{word}` has no value")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let search = |binary: Option<&str>, model: Option<&str>, sizes: &[u64]| {
            Ok(Task::Search(SearchOptions {
                binary: binary.map(PathBuf::from),
                model: model.map(Utf8PathBuf::from),
                sizes: sizes.to_vec(),
            }))
        };
        let cases: [(&[&str], Result<Task, &str>); 5] = [
            (&["search"], search(None, None, &SIZES)),
            (
                &["search", "--sizes", "10, 20", "--binary", "/bin/true"],
                search(Some("/bin/true"), None, &[10, 20]),
            ),
            (
                &["search", "--sizes", "10,x"],
                Err("`10,x` is not a list of sizes"),
            ),
            (&["search", "--model"], Err("`--model` has no value")),
            (&["search", "--x", "y"], Err("unknown option `--x`")),
        ];
        for (words, expected) in cases {
            assert_eq!(
                parse(words),
                Some(expected.map_err(str::to_owned)),
                "{words:?}"
            );
        }
        assert_eq!(parse(&["serve"]), None);
    }
}
