//! Words of everyday English. A memory that lacks one of them may still answer: people ask `thrown away` where memory
//! says `removed`. A memory that lacks any other word of a question is about something else.

use std::collections::HashSet;
use std::sync::LazyLock;

use acreta_text::stem;

/// Reports whether a stem is one of an everyday word.
pub(super) fn is_common(stemmed: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let words = WORDS.split_whitespace();
        words.map(|word| stem(word).into_owned()).collect()
    });
    STEMS.contains(stemmed)
}

const WORDS: &str = "
    able absolutely accept act action actual actually add again ago agree ahead allow almost alone along already
    also always amount another answer anybody anyone anything anyway anywhere apart appear apply around arrive ask
    avoid away back bad base based basic because become becomes been before began begin behave behind being believe
    belong best better between big bit both bother break bring broke broken brought build built call came cannot care
    carry case catch cause caused certain chance change cheap check choice choose chose clean clear clearly close come
    comes common complete concern consider consist contain continue correct correctly could count cover current
    currently cut daily day deal decide decided decision deep depend describe despite detail did differ different
    difficult directly do does doing done double down drop during each early easily easy either else empty end ended
    enough ensure enter entire equal especially even event ever every everybody everyone everything everywhere exact
    exactly example except exist expect expected explain extra fact fail fails failed fair fall far fast fault fear
    feel few figure fill final finally find fine finish finished first fit fix fixed follow following force forget
    form forward found free frequently full fully further gave general generally get gets getting give given gives
    go goes going gone good got great group guess had half hand handle handled happen happened happens hard hardly has
    have having head hear heard help here high hit hold hope hour how however huge idea if imagine immediate important
    include included including inside instead interest into involve issue job join just keep keeps kept kind knew
    know known last late later latest lead least leave leaves leaving left less let level like likely limited line
    list little live lives living long longer look looking looks lose loss lost lot low made main mainly make makes
    making man manage many matter may maybe mean means meant mention might mind minute miss missing moment more most
    mostly move moved much must myself name near nearly necessary need needed needs never new next nobody none normal
    normally note nothing notice now number obvious occur often okay old oldest once one only open order ordinary other
    others otherwise ought out outside over own part particular pass past pay people perhaps person pick picked piece
    place plain plan please plenty plus point poor possible prefer preferred prevent previous probably problem proper
    properly prove provide put puts question quick quickly quite raise ran rather reach read ready real really reason
    recent recently recommend recommended regard regular related remain remember remove repeat replace reply
    require required respect rest result return right risk rule run running runs safe said same save saw say says
    second see seem seen sense sent separate serious set settle several shall share short should show side similar
    simple simply since single sit situation size slow small so some somebody somehow someone something sometimes
    somewhere soon sort source speak special specific stand start started state stay step steps still stop stopped
    strange strict strong stuff such suggest suppose supposed sure take taken takes taking talk tell tells term than
    thank that them themselves then there therefore thing things think thought through throw thrown thus tie time
    together told took top total touch toward tried tries true truth try trying turn twice two type typical under
    understand unless until upon use used useful uses using usual usually value various very wait walk want wanted
    wants warn was watch way ways week well went were what whatever whenever whether whole why wide will wish within
    without wonder word words work worked working works worry worse worst would write wrong wrote year yes yet
    thrown silence silenced oldest newest biggest smallest biggest largest shortest longest";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_are_told_from_terms() {
        for (word, expected) in [
            ("thrown", true),
            ("deciding", true),
            ("cipher", false),
            ("telemetry", false),
        ] {
            assert_eq!(is_common(&stem(word)), expected, "{word}");
        }
    }
}
