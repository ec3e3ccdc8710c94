//! Detection of a file's language.

use acreta_symbols::{Language, language_label, language_of};

#[test]
fn the_name_of_a_file_says_its_language() {
    let table = [
        ("src/lib.rs", Some(Language::Rust)),
        ("a/b.PY", Some(Language::Python)),
        ("types.pyi", Some(Language::Python)),
        ("app.mts", Some(Language::TypeScript)),
        ("view.tsx", Some(Language::Tsx)),
        ("view.jsx", Some(Language::JavaScript)),
        ("main.go", Some(Language::Go)),
        ("Main.java", Some(Language::Java)),
        ("list.h", Some(Language::C)),
        ("list.hpp", Some(Language::Cpp)),
        ("Program.cs", Some(Language::CSharp)),
        ("Rakefile", Some(Language::Ruby)),
        ("index.php", Some(Language::Php)),
        ("rs", None),
        (".rs", None),
        ("folder.rs/README", None),
        ("notes.md", None),
        ("", None),
    ];
    for (path, expected) in table {
        assert_eq!(language_of(path), expected, "{path}");
    }
}

#[test]
fn labels_cover_more_than_can_be_outlined() {
    let table = [
        ("src/lib.rs", Some("rust")),
        ("README.md", Some("markdown")),
        ("Cargo.toml", Some("toml")),
        ("ci.yml", Some("yaml")),
        ("deploy.sh", Some("shell")),
        ("schema.sql", Some("sql")),
        ("app.kt", Some("kotlin")),
        ("App.swift", Some("swift")),
        ("build/Dockerfile", Some("docker")),
        ("CMakeLists.txt", Some("cmake")),
        ("picture.png", None),
        ("LICENSE", None),
    ];
    for (path, expected) in table {
        assert_eq!(language_label(path), expected, "{path}");
    }
}

#[test]
fn a_language_is_found_by_its_name() {
    for language in Language::ALL {
        assert_eq!(Language::from_name(language.name()), Some(language));
    }
    assert_eq!(Language::from_name("Rust"), None);
}
