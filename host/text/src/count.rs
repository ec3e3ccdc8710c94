//! Counting tokens: one tokenizer, o200k, for budgets, payloads and every model. Its table is read
//! when the first text is counted. Other tokenizers count differently; who must not be wrong leaves
//! room for that.

/// How many o200k tokens a text is.
pub fn count_tokens(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
