//! Dependencies: what package managers say becomes a list, and the list a section that other tools read.

use acreta_plugin_registry::{
    DEPENDENCIES_SECTION, Dependency, DependencyKind, embed, embedded, from_cargo_tree, from_npm,
    from_pip,
};
use camino::Utf8Path;
use miniz_oxide::deflate::compress_to_vec_zlib;

use crate::embedded::with_section;
use crate::support::{component, manifest};

/// Name, version, source, whether it only builds, and the names of what it uses.
fn shown(packages: &[Dependency]) -> Vec<String> {
    let each = packages.iter().map(|one| {
        let used = one.dependencies.iter();
        let used: Vec<&str> = used.map(|index| packages[*index].name.as_str()).collect();
        let marks = [
            (one.kind == DependencyKind::Build).then_some(" build"),
            one.root.then_some(" root"),
        ];
        let marks: String = marks.into_iter().flatten().collect();
        format!(
            "{} {} {}{marks} [{}]",
            one.name,
            one.version,
            one.source,
            used.join(" ")
        )
    });
    each.collect()
}

#[test]
fn a_cargo_tree_becomes_a_list() {
    let all = "0 mine v0.1.0 (/src/mine)\n1 sdk v0.1.0 (/src/mine/sdk)\n2 memchr v2.8.3\n2 derive v1.0.0 (proc-macro)\n3 syn v3.0.0\n1 fork v0.2.0 (https://example.org/fork.git?rev=1f2e#1f2e3d4c)\n2 memchr v2.8.3\n1 own v1.0.0 (registry `ours`)\n2 sdk v0.1.0 (/src/mine/sdk) (*)\n";
    let runtime = "0 mine v0.1.0 (/src/mine)\n1 sdk v0.1.0 (/src/mine/sdk)\n2 memchr v2.8.3\n1 fork v0.2.0 (https://example.org/fork.git?rev=1f2e#1f2e3d4c)\n2 memchr v2.8.3\n1 own v1.0.0 (registry `ours`)\n";
    assert_eq!(
        shown(&from_cargo_tree(all, runtime)),
        [
            "mine 0.1.0 local root [sdk fork own]",
            "sdk 0.1.0 local [memchr derive]",
            "memchr 2.8.3 crates.io []",
            "fork 0.2.0 git [memchr]",
            "own 1.0.0 registry [sdk]",
            "derive 1.0.0 crates.io build [syn]",
            "syn 3.0.0 crates.io build []",
        ]
    );
}

#[test]
fn locks_of_other_languages_become_lists() {
    let lock = r#"{"lockfileVersion": 3, "packages": {
        "": {"name": "x"},
        "node_modules/left": {"version": "1.3.0"},
        "node_modules/@scope/tool": {"version": "0.23.0", "dev": true},
        "node_modules/@scope/tool/node_modules/left": {"version": "1.2.0", "dev": true},
        "node_modules/linked": {"link": true, "resolved": "../linked"}
    }}"#;
    assert_eq!(
        shown(&from_npm(lock, ("mine", "0.1.0")).unwrap()),
        [
            "@scope/tool 0.23.0 npm build []",
            "left 1.2.0 npm build []",
            "left 1.3.0 npm []",
            "mine 0.1.0 local root [@scope/tool left left]",
        ]
    );
    assert!(from_npm("[]", ("mine", "0.1.0")).is_none());
    let requirements = "# tools\ncomponentize-py==0.25.1\nTwo[extra] == 2.0.post1 ; python_version > '3'\n-r more.txt\nloose>=3\ndate==2026.3 \\\n    --hash=sha256:00\n";
    assert_eq!(
        shown(&from_pip(requirements, ("mine", "0.1.0"))),
        [
            "Two 2.0.0+2.0.post1 pypi []",
            "componentize-py 0.25.1 pypi []",
            "date 2026.3.0+2026.3 pypi []",
            "loose 0.0.0+unpinned pypi []",
            "mine 0.1.0 local root [Two componentize-py date loose]",
        ]
    );
}

#[test]
fn a_section_is_read_as_it_was_written() {
    let (plain, path) = (component("adapter", ""), Utf8Path::new("plugin.toml"));
    let packages = from_pip("adler==0.2.3", ("mine", "0.1.0"));
    let made = embed(&plain, path, &manifest(""), None, Some(&packages)).unwrap();
    assert_eq!(embedded(&made).unwrap().dependencies, Some(packages));
    let read = |json: &[u8]| {
        let section = compress_to_vec_zlib(json, 1);
        embedded(&with_section(&plain, DEPENDENCIES_SECTION, &section))
    };
    // A list that another tool wrote.
    let theirs = read(br#"{"packages":[{"name":"adler","version":"0.2.3","source":"registry"}]}"#);
    let theirs = theirs.unwrap().dependencies.unwrap();
    assert_eq!(shown(&theirs), ["adler 0.2.3 registry []"]);
    let bad: [&[u8]; 5] = [
        b"[]",
        b"{}",
        br#"{"packages":[{"name":"a","version":"1","source":"git"}]}"#,
        br#"{"packages":[{"name":"a","version":"1.0.0","source":"git","dependencies":[1]}]}"#,
        &vec![b' '; 2 * 1024 * 1024 + 1],
    ];
    for json in bad {
        let refused = read(json).unwrap_err().to_string();
        assert!(
            refused.contains("`.dep-v0` is not a list of packages"),
            "{refused}"
        );
    }
}
