//! Everyday words of English and of programming. They say little about the topic of a text: people ask `thrown away`
//! where a note says `removed`, and every task has a `file` to `fix`.

use std::sync::LazyLock;

/// Reports whether a stem belongs to an everyday word. Stop words are not included.
pub fn is_everyday(stemmed: &str) -> bool {
    // Sorted. Stemming the words would take longer than the rest of a search.
    static STEMS: LazyLock<Vec<&str>> =
        LazyLock::new(|| include_str!("everyday.txt").lines().collect());
    STEMS.binary_search(&stemmed).is_ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::is_everyday;
    use crate::english::{generated, stem};

    #[test]
    fn everyday_words_are_known_in_all_their_forms() {
        for (word, expected) in [
            ("fixing", true),
            ("files", true),
            ("thrown", true),
            ("postgres", false),
            ("berth", false),
            ("webhook", false),
        ] {
            assert_eq!(is_everyday(&stem(word)), expected, "{word}");
        }
    }

    #[test]
    fn the_stems_are_those_of_the_words() {
        let stems: BTreeSet<_> = WORDS.split_whitespace().map(stem).collect();
        let stems: Vec<&str> = stems.iter().map(AsRef::as_ref).collect();
        generated("everyday.txt", &stems, include_str!("everyday.txt"));
    }

    const WORDS: &str = "
    able above absolutely accept across act action actual actually add addition again agent ago agree ahead
    all allow almost alone along already alright also always amount another answer anybody anyone anything
    anyway anywhere apart app appear apply approach area around arrive ask attempt available avoid away back
    bad base based basic basically because become becomes been before began begin behave behavior behaviour
    behind being believe belong below best better between big biggest bit both bother branch break bring
    broke broken brought bug bugs build built call came cannot care careful carry case catch cause caused
    certain chance change changes cheap check choice choose chose clean clear clearly close code come comes
    command comment commit common compare complete completely concern confirm consider consist contain
    content context continue copy correct correctly could count couple cover create current currently cut
    daily day deal decide decided decision deep default define delete depend describe despite detail details
    develop did diff differ different difficult direct directly directory discuss display do docs document
    documentation does doing done double down drop during each earlier early easily easy edit effect either
    else empty end ended enough ensure enter entire equal error errors especially etc even event ever every
    everybody everyone everything everywhere exact exactly example except exist existing expect expected
    explain extra fact fail failed failing fails failure fair fall false far fast fault fear feature feel
    few field figure file files fill final finally find fine finish finished first fit fix fixed focus
    folder follow following force forget form format forward found four free frequently full fully function
    functionality further future gave general generally get gets getting git github give given gives go goal
    goes going gone good got great group guess guide had half hand handle handled happen happened happens
    hard hardly has have having head hear heard hello help hence here hey hi high hit hold hope hour how
    however huge idea if ignore imagine immediate immediately implement implementation important improve
    improvement include included including incorrect info information inside instead instruction intend
    interest interesting internal into introduce involve issue issues item job join just keep keeps kept
    kind knew know known large largest last lastly late later latest lead learn least leave leaves leaving
    left less let level like likely limited line lines link list little live lives living local logic long
    longer longest look looking looks lose loss lost lot low made main mainly make makes making man manage
    many master match matter may maybe mean means meant mention merge message method might mind minor minute
    miss missing modify module moment more most mostly move moved much multiple must myself name near nearly
    necessary need needed needs never new newest next nice nobody none normal normally note nothing notice
    now number object obvious obviously occur off often ok okay old oldest once one ones only onto open
    option order ordinary origin original other others otherwise ought out output outside over own page part
    particular pass past paste path pattern pay people per perfect perform perhaps person pick picked piece
    place plain plan play please plenty plus point poor position possible possibly pr prefer preferred
    prepare present pretty prevent previous previously print prior probably problem proceed process produce
    program progress project prompt proper properly prove provide pull purpose push put puts question quick
    quickly quite raise ran rather reach read ready real really reason rebase recent recently recommend
    recommended refactor refer regard regular related relevant remain remember remote remove rename repeat
    replace reply repo report repository request require required rerun resolve respect response rest result
    results return review rewrite right risk round rule run running runs safe said same save saw say says
    script search second section see seem seen select send sense sent separate serious set settle setup
    several shall share short shortest should show side silence silenced similar simple simplify simply
    since single sit situation size skip slightly slow small smaller smallest so solution solve some
    somebody somehow someone something sometimes somewhere soon sorry sort sound source space speak special
    specific specifically split stand standard start started state statement stay step steps still stop
    stopped strange strict strong structure stuff style such suggest suggestion support suppose supposed
    sure switch system take taken takes taking talk task tell tells term test tested testing tests text than
    thank thanks that them themselves then there therefore thing things think third thought three through
    throughout throw thrown thus tie time times to-do today todo together told tomorrow too took tool top
    total touch toward tried tries true truth try trying turn twice two type typical typo under understand
    unless until update upon use used useful user uses using usual usually value values various verify
    version very via view wait walk want wanted wants warn warning was watch way ways week well went were
    what whatever whenever whether while whole why wide will wish within without wonder word words work
    worked working works world worry worse worst worth would write writing written wrong wrote yeah year yes
    yesterday yet yourself
";
}
