//! Synonyms in English. Words are compared by their stems, so one form of each is enough unless the stem differs.

use std::sync::LazyLock;

/// Returns the stems that can stand for a stem; none for a word without synonyms.
pub fn synonyms(stemmed: &str) -> impl Iterator<Item = &'static str> + use<> {
    // Sorted; each line has a stem and the others. Stemming all groups would take longer than the rest of a search.
    static OTHERS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
        let lines = include_str!("synonyms.txt").lines();
        lines.filter_map(|line| line.split_once(' ')).collect()
    });
    let known = OTHERS.binary_search_by_key(&stemmed, |(stem, _)| stem);
    let others = known.map_or("", |at| OTHERS[at].1);
    others.split_whitespace()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::synonyms;
    use crate::english::{generated, stem};

    /// Returns the other stems of each stem. A word may be in several groups.
    fn others() -> BTreeMap<String, Vec<String>> {
        let mut others: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for group in SYNONYMS {
            let stems: Vec<String> = group
                .split_whitespace()
                .map(|word| stem(word).into_owned())
                .collect();
            for one in &stems {
                let known = others.entry(one.clone()).or_default();
                for other in &stems {
                    if other != one && !known.contains(other) {
                        known.push(other.clone());
                    }
                }
            }
        }
        others.retain(|_, others| !others.is_empty());
        others
    }

    #[test]
    fn the_stems_are_those_of_the_groups() {
        let others = others().into_iter();
        let lines: Vec<String> = others
            .map(|(stem, others)| format!("{stem} {}", others.join(" ")))
            .collect();
        generated("synonyms.txt", &lines, include_str!("synonyms.txt"));
    }

    #[test]
    fn words_of_a_group_stand_for_each_other() {
        let of = |word: &str| synonyms(&stem(word)).collect::<Vec<_>>();
        assert!(of("database").contains(&"db"));
        assert!(of("directories").contains(&"folder"));
        // In two groups.
        assert!(of("verify").len() > of("untracked").len());
        assert!(!of("db").contains(&"db"));
        assert_eq!(of("minisign"), [""; 0]);
    }

    /// Groups of synonyms, one per line; the first word names the group.
    const SYNONYMS: &[&str] = &[
        "rg ripgrep",
        "leave left leaves",
        "lose lost loses loss",
        "below under beneath",
        "better improve improves improved improvement",
        "worse worsen degrade degrades",
        "take takes took taken spend spends spent cost costs last lasts",
        "larger bigger greater higher",
        "smaller fewer less",
        "app application apps applications",
        "stay remain stays stands unchanged",
        "come comes came stem stems originate",
        "image picture images",
        "untracked unversioned",
        "signature sign signing signed",
        "verify verification verifies",
        "target aim",
        "everywhere anywhere",
        "plain ordinary regular bare",
        "useful readable helpful",
        "roughly about approximately around circa",
        "connection connect connects connected connecting",
        "repeat again repeated twice",
        "row rows record records",
        "entry entries item items",
        "startup boot bootup",
        "use adopt choose chose chosen prefer pick select employ utilise utilize settle standardise standardize favour favor opt leverage",
        "switch migrate move shift transition",
        "run execute invoke launch start trigger",
        "store keep persist save retain hold kept stored",
        "require required requires mandatory need needed needs obligatory necessary",
        "failure failures",
        "fail break broke broken breaks crash blow abort die dies died dead useless unusable",
        "fix repair resolve solve cure remedy",
        "delete remove erase wipe purge strip discard clear",
        "create make generate produce emit",
        "add introduce insert append include",
        "change modify alter edit adjust tweak",
        "check verify validate confirm ensure assert inspect",
        "show display print render report",
        "return give yield hand",
        "get fetch retrieve obtain load download",
        "send post dispatch deliver transmit",
        "wait sleep pause hang hung stall stuck freeze froze frozen",
        "slow sluggish slowly slower slows slowness expensive costly",
        "fast quick quickly quicker rapid faster speed speeds speedup",
        "big large huge oversized",
        "small tiny little short",
        "wrong incorrect bad invalid misspelt typo",
        "right correct proper valid",
        "error exception fault errors",
        "folder directory dir directories",
        "file files",
        "repo repository repositories",
        "test spec tests",
        "function method routine func fn",
        "argument parameter param arg",
        "config configuration configure cfg configured",
        "env environment",
        "db database databases",
        "dependency dep package library lib crate deps packages",
        "version release",
        "directly straight straightaway",
        "inside within",
        "before prior ahead",
        "after afterwards",
        "because since due owing reason",
        "only solely exclusively just merely",
        "begin start commence",
        "end finish complete",
        "often frequently regularly",
        "hand manual manually",
        "automatic automatically",
        "random randomly flaky flakily intermittent intermittently sporadic sporadically",
        "unreliable unstable shaky",
        "silent silently quietly quiet",
        "same identical equal",
        "different distinct other another",
        "separate own individual dedicated",
        "shared share common",
        "order sequence ordering",
        "limit cap bound maximum max ceiling",
        "minimum min least floor",
        "duration period",
        "timeout deadline",
        "retry retries reattempt attempt",
        "log logging logs logged",
        "name title label named call called",
        "place put location live lives sit sits reside belong lie lies lay stand",
        "write written wrote author",
        "deploy rollout ship publish",
        "service services daemon",
        "client consumer caller",
        "user customer",
        "message msg",
        "ci pipeline workflow",
        "doc documentation docs document",
        "prod production",
        "dev development",
        "local locally",
        "auth authentication authenticate login",
        "permission access privilege",
        "secret credential credentials",
        "cache caching cached memoise memoize",
        "import importing",
        "commit commits committed",
        "merge merging merged",
        "branch branches",
        "mock stub fake",
        "parallel concurrently concurrent",
        "sequential serial sequentially serially",
        "allow permit let may",
        "forbid prohibit ban disallow disallowed banned forbidden prohibited",
        "enable activate enabled",
        "disable deactivate disabled",
        "increase raise bump grow raised bumped",
        "decrease lower reduce shrink lowered cut",
        "help assist support pays benefit",
        "hurt hurts harm harms ruin ruins damage damages",
        "refuse reject deny decline",
        "accept tolerate",
        "optional voluntary",
        "unnecessary needless superfluous redundant",
        "reliable stable solid robust",
        "unsafe dangerous risky",
        "together once simultaneously",
        "cause lead result provoke",
        "find discover locate detect notice spot",
        "happen occur arise",
        "miss missing absent lack lacking lacks",
        "stale outdated obsolete old expired",
        "new fresh recent latest",
        "empty blank",
        "whole entire full complete entirely fully",
        "convert transform translate",
        "handle process deal treat",
        "format formatting reformat formatter",
        "lint linting linter",
        "compile compilation compiling compiled",
        "build building built builds",
        "rule convention policy standard",
        "reason why rationale",
        "step stage phase",
        "problem issue trouble bug defect",
        "ignore skip bypass omit exclude skipped",
        "update upgrade refresh",
        "regenerate rebuild recreate",
        "lock locked locking",
        "type typed types typing",
        "table tables",
        "column field columns fields attribute",
        "index indexes indices",
        "job task worker",
        "queue queues backlog",
        "wrap wrapped wrapper enclose",
        "split divide",
        "join combine concatenate",
        "copy duplicate clone",
        "open opened",
        "close shut closed",
        "shutdown teardown",
        "default defaults",
        "machine box computer laptop laptops workstation",
        "screen view page",
        "style styling styles",
        "css stylesheet",
        "js javascript",
        "ts typescript",
        "py python",
        "k8s kubernetes",
        "postgres postgresql pg psql",
        "mongo mongodb",
        "tf terraform",
        "gh github",
        "json jsonl",
        "yaml yml",
        "second seconds sec secs s",
        "millisecond milliseconds ms",
        "minute minutes min mins",
        "hour hours h",
        "day days d",
        "megabyte mb mib megabytes",
        "kilobyte kb kib kilobytes",
        "gigabyte gb gib gigabytes",
        "snapshot snapshots",
        "suite suites",
        "grow growth",
        "expect expected expectation",
        "return returns returned",
        "one single",
        "inline inlined",
        "hidden hide hides conceal",
        "safe safely",
        "race races racing",
        "leak leaks leaking",
        "exit quit terminate kill",
        "clean reset flush",
        "nightly night overnight",
        "people team developers engineers everyone",
        "reviewer review reviewers",
        "apply applies applied",
        "explicit explicitly",
        "implicit implicitly",
        "install installation installed installing",
        "work works working succeed succeeds pass passes",
    ];
}
