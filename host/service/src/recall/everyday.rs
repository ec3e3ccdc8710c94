//! Words that any task of a programmer may use, and that say nothing about which.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Reports whether a stem is one of them.
pub(crate) fn is_everyday(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let words = WORDS.split_whitespace();
        words
            .map(|word| acreta_text::stem(word).into_owned())
            .collect()
    });
    STEMS.contains(stem)
}

const WORDS: &str = "
    able above accept across act action actual actually add addition again agent agree ahead all allow
    almost alone along already alright always amount another answer anything anyway app appear apply approach
    area around ask attempt available avoid away back bad base based basic basically because become begin
    behave behavior behaviour behind below best better between big bit both branch break broken bug bugs build
    call careful case cause certain change changes check choose clean clear clearly close code come command
    comment commit common compare complete completely concern confirm consider contain content context continue
    copy correct correctly couple create current currently day deal default define delete depend describe
    detail details develop diff different direct directly directory discuss display docs document documentation done
    double during each earlier early easily easy edit effect either else empty end enough ensure entire error
    errors etc even ever every everything exact exactly example except exist existing expect explain
    extra fact fail failing fails failure false fast feature feel few field figure file files final finally
    find fine finish first fix fixed focus folder follow following forget form format found four full
    fully function functionality further future general get git github give given go goal going good got great group guess
    guide half hand handle happen hard having head hello help hence hey hi high hold hope idea ignore
    immediately implement implementation important improve improvement include incorrect info information
    inside instead instruction intend interesting internal introduce issue issues item job keep kind know
    large last lastly later latest lead learn least leave left less let level like likely line lines link
    list little live local logic long look lot low main make manage many match matter maybe mean mention merge
    master message method mind minor miss missing modify module moment more most mostly move much multiple must
    name near nearly necessary need needed never new next nice normal note nothing notice now number object
    obvious obviously occur off often ok okay old once one ones only onto open option order origin original other
    others otherwise output own page part particular pass past paste path pattern per perfect perform perhaps
    person pick piece place plan play please plus point position possible possibly pr prefer prepare
    present pretty previous previously print prior probably problem proceed process produce program progress
    project prompt proper properly provide pull purpose push put question quick quickly quite rather reach read
    ready real really reason rebase recent recently refactor refer regard related relevant remain remember remote remove
    rename repeat replace repo report repository request require required rerun resolve respect response rest
    result results return review rewrite right round rule run running safe same save say script search
    second section see seem select send sense separate set setup several share short show side similar
    simple simplify simply since single size skip slightly small smaller solution solve something sometimes soon
    sorry sort sound source space specific specifically split standard start state statement stay step
    steps still stop structure stuff style suggest suggestion support suppose sure switch system take talk
    task tell term test tested testing tests text thank thanks thing things think third thought three
    through throughout time times to-do today todo together tomorrow too took tool top total touch toward     tried true try turn twice two type typo under understand unless until update upon use used useful user using
    usual usually value values various verify version via view wait want warning watch way week well whatever
    whenever whether while whole wish within without word words work working works world worry worth write
    writing written wrong yeah year yes yesterday yet yourself";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_told_from_what_they_are_about() {
        for (word, expected) in [
            ("fixing", true),
            ("tests", true),
            ("typo", true),
            ("parser", false),
            ("nextest", false),
        ] {
            assert_eq!(is_everyday(&acreta_text::stem(word)), expected, "{word}");
        }
    }
}
