//! Agreement of the judgement with 810 labelled pairs: nothing that should stay apart is joined or replaced, and what
//! is shown to a person as a conflict mostly is one. The pairs are paraphrases, so words alone join hardly any.

mod score;

use score::{Score, pairs_of};

#[test]
fn no_labelled_pair_is_joined_wrongly() {
    let files = [
        include_str!("hard.jsonl"),
        include_str!("pairs.jsonl"),
        include_str!("../../../tests/fixtures/relations/development.jsonl"),
        include_str!("../../../tests/fixtures/relations/held-out.jsonl"),
        include_str!("../../../tests/fixtures/relations/unseen.jsonl"),
        include_str!("../../../tests/fixtures/relations/fresh.jsonl"),
    ];
    let mut pairs = Vec::new();
    for file in files {
        pairs.extend(pairs_of(file).unwrap());
    }
    let score = Score::of(&pairs).json();
    let count = |name: &str| score[name].as_u64().unwrap();
    assert_eq!(count("pairs"), 810);
    assert_eq!(count("acted_wrongly"), 0, "{score}");
    // Conflicts for a person: at most one in ten of two statements that both hold.
    assert!(count("shown") >= 40, "{score}");
    assert!(10 * count("false_merges") <= count("shown"), "{score}");
}
