//! Several numbered questions with lettered options in one reply, and the answer that names one option of each: `1a,
//! 2b`.

/// A numbered question with its options by letter, verbatim.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Numbered<'a> {
    pub(crate) number: u32,
    pub(crate) question: &'a str,
    pub(crate) options: Vec<(char, &'a str)>,
}

/// Returns the numbered questions of a text that have options.
pub(crate) fn questions(text: &str) -> Vec<Numbered<'_>> {
    let mut found: Vec<Numbered<'_>> = Vec::new();
    for line in text.lines() {
        let line = line
            .trim()
            .trim_start_matches(['#', '*', '-', ' ', '>', '(']);
        if let Some((number, rest)) = numbered(line) {
            found.push(Numbered {
                number,
                question: rest,
                options: Vec::new(),
            });
        } else if let Some((letter, rest)) = lettered(line)
            && let Some(last) = found.last_mut()
            && last.options.len() < MOST_OPTIONS
        {
            last.options.push((letter, rest));
        }
    }
    found.retain(|one| one.options.len() >= 2);
    found
}

/// Returns the number and the letter of each choice in an answer: at least two choices, each number once.
pub(crate) fn choices(answer: &str) -> Vec<(u32, char)> {
    let mut found: Vec<(u32, char)> = Vec::new();
    let mut words = answer
        .split(|one: char| {
            one.is_whitespace() || matches!(one, ',' | ';' | '.' | ':' | ')' | '-' | '=')
        })
        .filter(|word| !word.is_empty())
        .peekable();
    while let Some(word) = words.next() {
        let digits = word.len()
            - word
                .trim_start_matches(|one: char| one.is_ascii_digit())
                .len();
        let Ok(number) = word[..digits].parse::<u32>() else {
            continue;
        };
        let letter = match &word[digits..] {
            "" => words.peek().copied().and_then(single),
            rest => single(rest),
        };
        if let Some(letter) = letter
            && found.iter().all(|(known, _)| *known != number)
        {
            found.push((number, letter));
        }
    }
    if found.len() < 2 { Vec::new() } else { found }
}

fn single(word: &str) -> Option<char> {
    let mut letters = word.chars();
    let letter = letters.next()?.to_ascii_lowercase();
    (letters.next().is_none() && ('a'..='f').contains(&letter)).then_some(letter)
}

/// `2. Which one?` or `2) **Which one?**`.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let rest = line.trim_start_matches(|one: char| one.is_ascii_digit());
    let number = line[..line.len() - rest.len()].parse().ok()?;
    let rest = rest.strip_prefix(['.', ')', ':', '、'])?;
    Some((number, marked(rest)))
}

/// `a) this` or `(b) that`.
fn lettered(line: &str) -> Option<(char, &str)> {
    let letter = single(line.get(..1)?)?;
    let rest = line[1..].strip_prefix([')', '.', ':', '）'])?;
    let rest = marked(rest);
    (rest.chars().count() >= 2).then_some((letter, rest))
}

fn marked(text: &str) -> &str {
    text.trim_matches(['*', '_', ' ', ')'])
}

const MOST_OPTIONS: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_with_options_and_answers_to_several() {
        let text = "Three things:\n\n1. **Where does it live?**\n   (a) in the home folder\n   (b) in the project\n2. When does it run?\n   - a) on request only\n   - b) before each change\n3. Anything else?\n";
        let found = questions(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].question, "Where does it live?");
        assert_eq!(
            found[1].options,
            [('a', "on request only"), ('b', "before each change")]
        );
        assert_eq!(choices("1a. 2b, the rest later"), [(1, 'a'), (2, 'b')]);
        assert_eq!(choices("1: A 2: b"), [(1, 'a'), (2, 'b')]);
        assert_eq!(choices("1 apple and 2 bananas"), []);
        assert_eq!(choices("2b"), []);
    }
}
