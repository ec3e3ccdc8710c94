//! Counts o200k tokens, for budgets, payloads and every model. The tables are used in place, without initialisation.
//! Other tokenizers count differently; callers that must not exceed a limit need a margin.

mod classes;
mod merge;
mod split;

use merge::Merger;
use split::pieces;

/// Counts the o200k tokens of a text.
pub fn count_tokens(text: &str) -> usize {
    let mut merger = Merger::default();
    pieces(text)
        .map(|piece| merger.count(piece.as_bytes()))
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn agrees(text: &str) {
        let theirs = bpe_openai::o200k_base();
        let expected: Vec<&str> = theirs.split(text).collect();
        assert_eq!(pieces(text).collect::<Vec<_>>(), expected, "{text:?}");
        assert_eq!(count_tokens(text), theirs.count(text), "{text:?}");
    }

    #[test]
    fn tokens_are_those_of_o200k() {
        let cases = [
            ("", 0),
            ("hello world", 2),
            ("fn main() {}", 4),
            ("日本語", 2),
        ];
        for (text, tokens) in cases {
            assert_eq!(count_tokens(text), tokens, "{text}");
        }
    }

    #[test]
    fn pieces_and_counts_are_those_of_the_reference() {
        let cases = [
            " ",
            "  ",
            "\n",
            " \n",
            "\n ",
            "a  b",
            "a \n\n  b",
            "a\t\tb",
            "  \r\n \r\n  x",
            "tail   ",
            "tail \n",
            "don't DON'T we'll I'Mx o'clock 'ſ 'S 're 'R",
            "HTTPServer parseHTTP ABC abcDEF",
            "1234567 12 3.14e10",
            "a/b//c/\n/x\n\n/",
            "(){}[];\r\n\r\n//",
            "!?\n/a",
            " !\n",
            " é e\u{301}x \u{301}\u{301}A \u{301} \u{301}1",
            "ʰAB ʰA ǅ ǅa aǅ Aʰ",
            "中文 混合 text テスト",
            "\u{a0}a\u{a0}\u{a0}b\u{2003}",
            "٣٤٥٦ Ⅷ½",
            "🙂🙂a🙂",
            "\u{0}\u{1}",
        ];
        for text in cases {
            agrees(text);
        }
        for file in ["src/lib.rs", "build.rs", "src/split.rs", "Cargo.toml"] {
            let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(root.join(file)).expect("a file of this crate");
            agrees(&text);
        }
    }

    #[test]
    fn a_long_word_takes_no_quadratic_time() {
        let text = "ab".repeat(500_000);
        assert_eq!(
            count_tokens(&text),
            bpe_openai::o200k_base().count(&text[..])
        );
    }

    proptest! {
        #[test]
        fn any_text_counts_as_the_reference_counts(text in ".{0,60}") {
            agrees(&text);
        }

        #[test]
        fn any_mix_of_classes_counts_as_the_reference_counts(
            parts in prop::collection::vec(prop::sample::select(vec![
                "a", "Z", "word", "ʰ", "ǅ", "中", "\u{301}", "7", "½", " ", "  ", "\n", "\r\n", "\t", "\u{a0}", "/", "'s", "'LL",
                "'", "!", "_", "🙂",
            ]), 0..24)
        ) {
            agrees(&parts.concat());
        }
    }
}
