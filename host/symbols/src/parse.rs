//! Parses bytes to a syntax tree, with one reused parser per thread. A parse is limited to an amount of work that grows
//! with the length of the text. Work is counted in parser steps, so that the result is deterministic; a clock stops
//! only parses that take seconds instead of milliseconds, because hostile text can make a single step slow.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, Parser, Tree};

use crate::grammars;
use crate::language::Language;

thread_local! {
    static PARSER: RefCell<(Parser, Option<Language>)> = RefCell::new((Parser::new(), None));
}

/// The parser calls back once per hundred steps. Code needs far fewer of these rounds; error recovery in hostile text
/// can take any number.
const BYTES_PER_ROUND: usize = 4;
const LEAST_ROUNDS: usize = 2_000;
const LONGEST: Duration = Duration::from_secs(5);

/// A longer text is parsed on its own stack.
const OWN_STACK_FROM: usize = 16 << 10;
const LEAST_STACK: usize = 4 << 20;

/// The parser recurses as deep as brackets are nested, at most once per byte.
const STACK_PER_BYTE: usize = 256;

/// Returns `None` if the parser exceeds its limit of work.
pub(crate) fn parse(language: Language, text: &[u8]) -> Option<Tree> {
    if text.len() <= OWN_STACK_FROM {
        return parse_here(language, text);
    }
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(LEAST_STACK + text.len() * STACK_PER_BYTE)
            .spawn_scoped(scope, || parse_here(language, text))
            .ok()?
            .join()
            .ok()?
    })
}

fn parse_here(language: Language, text: &[u8]) -> Option<Tree> {
    PARSER.with_borrow_mut(|(parser, current)| {
        if *current != Some(language) {
            // Set again after a failure.
            *current = None;
            parser.set_language(grammars::grammar(language)).ok()?;
            *current = Some(language);
        }
        let mut rounds = LEAST_ROUNDS + text.len() / BYTES_PER_ROUND;
        let start = Instant::now();
        let mut allowance = |_: &_| match rounds.checked_sub(1) {
            Some(left) if start.elapsed() < LONGEST => {
                rounds = left;
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(()),
        };
        let tree = parser.parse_with_options(
            &mut |offset, _| text.get(offset..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut allowance)),
        );
        if tree.is_none() {
            // Otherwise the next parse would resume this one.
            parser.reset();
        }
        tree
    })
}
