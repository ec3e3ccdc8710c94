//! Files that git would convert before comparing them are reported as unknown if their bytes differ, without running
//! anything.

use crate::support::ScratchRepository;

/// A repository with one file per kind of conversion, all of them committed and then touched.
#[test]
fn what_only_a_filter_could_compare_is_unknown() {
    // Attributes, committed content, content on disk, expected report.
    let cases: &[(&str, &str, &str, &str)] = &[
        ("", "a\n", "b\n", "M"),
        (
            "filter=lfs diff=lfs merge=lfs -text",
            "pointer\n",
            "content\n",
            "Unknown",
        ),
        ("filter=evil", "a\n", "b\n", "Unknown"),
        ("-filter", "a\n", "b\n", "M"),
        ("text", "a\n", "a\r\n", "Unknown"),
        ("text", "a\n", "b\n", "M"),
        ("text=auto", "a\n", "a\r\n", "Unknown"),
        ("eol=crlf", "a\n", "a\r\n", "Unknown"),
        ("crlf", "a\n", "a\r\n", "Unknown"),
        ("-text", "a\n", "a\r\n", "M"),
        ("binary", "a\n", "a\r\n", "M"),
        ("ident", "a\n", "$Id: 1$\n", "Unknown"),
        ("ident", "a\n", "b\n", "M"),
        ("working-tree-encoding=UTF-16LE", "a\n", "b\n", "Unknown"),
        ("mine", "a\n", "b\n", "Unknown"),
        ("filter=lfs", "same\n", "same\n", ""),
    ];
    let scratch = ScratchRepository::repository();
    for (number, (_, committed, ..)) in cases.iter().enumerate() {
        scratch.write(&format!("sub/f{number}.txt"), committed);
    }
    scratch.commit("first");
    let mut attributes = "[attr]mine filter=evil\n".to_owned();
    for (number, (given, ..)) in cases.iter().enumerate() {
        if !given.is_empty() {
            attributes.push_str(&format!("sub/f{number}.txt {given}\n"));
        }
    }
    scratch.write(".gitattributes", attributes);
    let mut expected = vec!["A .gitattributes".to_owned()];
    for (number, (_, _, content, told)) in cases.iter().enumerate() {
        let path = format!("sub/f{number}.txt");
        // Equal sizes do not help: stamps differ.
        scratch.write(&path, content);
        if !told.is_empty() {
            expected.push(format!("{told} {path}"));
        }
    }
    expected.sort();
    assert_eq!(scratch.changes("HEAD"), expected);
}

#[test]
fn attributes_come_from_every_file_that_git_reads() {
    let scratch = ScratchRepository::repository();
    for path in ["a.bin", "x/b.bin", "x/y/c.bin", "x/y/d.txt"] {
        scratch.write(path, "1\n");
    }
    scratch.commit("first");
    let touch = || {
        for path in ["a.bin", "x/b.bin", "x/y/c.bin", "x/y/d.txt"] {
            scratch.write(path, "2\n");
        }
    };
    touch();
    scratch.git(&["config", "core.autocrlf", "true"]);
    let told = |prefix: &str| {
        let all = scratch.changes("HEAD");
        let of = all.iter().filter_map(|line| line.strip_prefix(prefix));
        of.map(ToOwned::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(
        told("Unknown "),
        [""; 0],
        "no carriage return, nothing to convert"
    );
    scratch.write("a.bin", "2\r\n");
    assert_eq!(told("Unknown "), ["a.bin"]);
    scratch.git(&["config", "core.autocrlf", "false"]);
    scratch.write("x/.gitattributes", "*.bin filter=a\ny/*.txt filter=a\n");
    assert_eq!(told("Unknown "), ["x/b.bin", "x/y/c.bin", "x/y/d.txt"]);
    scratch.write("x/y/.gitattributes", "*.bin -filter\n");
    assert_eq!(told("Unknown "), ["x/b.bin", "x/y/d.txt"]);
    scratch.write(".git/info/attributes", "*.txt !filter\n");
    assert_eq!(told("Unknown "), ["x/b.bin"]);
    // A file that is too large may contain any rule.
    scratch.write("x/.gitattributes", "#".repeat(2 * 1024 * 1024));
    assert_eq!(told("Unknown "), ["x/b.bin", "x/y/c.bin", "x/y/d.txt"]);
}
