//! Plugins of one file: the manifest inside the component counts, and nothing beside it may say anything else.

use acreta_plugin_registry::{
    DEPENDENCIES_SECTION, Digest, EmbedError, InvalidSections, MANIFEST_SECTION, Refused,
    SignaturePolicy, embed, embedded, from_pip, inspect,
};
use camino::Utf8Path;

use crate::server::{FileServer, ServedFile};
use crate::support::{PluginHome, UNASKED, component, fetched, id, manifest, wasm};

/// Puts a manifest into a component, as `acreta plugin build` does.
pub(crate) fn built(component: &[u8], manifest: &str) -> Vec<u8> {
    embed(
        component,
        Utf8Path::new("plugin.toml"),
        manifest,
        None,
        None,
    )
    .unwrap()
}

fn about() -> String {
    manifest(
        "authors = [\"A. Author\", \"B. Author\"]\nlicense = \"MIT OR Apache-2.0\"\nsource = \"https://example.org/mine.git\"\nhomepage = \"https://example.org/mine\"\n",
    )
}

#[test]
fn a_component_holds_its_manifest_and_metadata_for_other_tools() {
    let text = format!("digest = \"{}\"\n{}", Digest::of(b"another"), about());
    let plain = component("adapter", "");
    let path = Utf8Path::new("plugin.toml");
    let made = embed(&plain, path, &text, Some("1f2e3d"), None).unwrap();
    let found = inspect(&made).unwrap().embedded;
    assert_eq!(
        found.manifest.as_deref(),
        Some(about().as_str()),
        "its text, without the digest"
    );
    let expected = [
        ("authors", "A. Author, B. Author"),
        ("description", "Reads sessions of Mine"),
        ("homepage", "https://example.org/mine"),
        ("licenses", "MIT OR Apache-2.0"),
        ("revision", "1f2e3d"),
        ("source", "https://example.org/mine.git"),
        ("version", "1.2.0"),
    ];
    let metadata = found.metadata.iter();
    let metadata: Vec<_> = metadata
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    assert_eq!(metadata, expected);
    // Again: the same bytes. With less: what is gone is gone.
    assert_eq!(
        embed(&made, path, &text, Some("1f2e3d"), None).unwrap(),
        made
    );
    let less = embed(&made, path, &manifest(""), None, None).unwrap();
    let names: Vec<_> = embedded(&less).unwrap().metadata.into_keys().collect();
    assert_eq!(names, ["description", "version"]);
    assert_eq!(
        inspect(&less).unwrap().imports,
        inspect(&plain).unwrap().imports
    );
}

#[test]
fn a_component_says_what_it_was_built_from() {
    let (plain, path) = (component("adapter", ""), Utf8Path::new("plugin.toml"));
    let with = |component: &[u8], requirements: Option<&str>| {
        let packages = requirements.map(|text| from_pip(text, ("adapter-mine", "1.2.0")));
        embed(component, path, &manifest(""), None, packages.as_deref()).unwrap()
    };
    let names = |component: &[u8]| {
        let packages = inspect(component).unwrap().embedded.dependencies;
        let packages = packages.into_iter().flatten();
        packages.map(|one| one.to_string()).collect::<Vec<_>>()
    };
    let plugin = "adapter-mine 1.2.0 (local)";
    let made = with(&plain, Some("adler==0.2.3"));
    assert_eq!(names(&made), ["adler 0.2.3 (pypi)", plugin]);
    assert_eq!(with(&made, Some("adler==0.2.3")), made, "the same bytes");
    assert_eq!(names(&with(&made, Some(""))), [plugin]);
    // The list of another tool stays if there is no lock.
    assert_eq!(names(&with(&made, None)), names(&made));
    assert!(names(&with(&plain, None)).is_empty());
}

#[test]
fn what_cannot_hold_a_manifest_is_refused() {
    let path = Utf8Path::new("plugin.toml");
    for bytes in [b"".to_vec(), b"hello".to_vec(), wasm("(module)")] {
        let refused = embed(&bytes, path, &manifest(""), None, None).unwrap_err();
        assert!(matches!(
            refused,
            EmbedError::Sections(InvalidSections::Malformed)
        ));
    }
    let cut = &component("adapter", "")[..40];
    assert!(embed(cut, path, &manifest(""), None, None).is_err());
    let refused = embed(&component("adapter", ""), path, "id = 1", None, None).unwrap_err();
    assert!(refused.to_string().contains("plugin.toml:1"), "{refused}");
}

#[test]
fn one_file_is_installed_from_disk_and_from_an_address() {
    let made = built(&component("adapter", ""), &about());
    let (home, server) = (PluginHome::new(), FileServer::new());
    // A manifest for another component lies beside it.
    let other = manifest("").replace("mine.wasm", "other.wasm");
    home.write("downloads/plugin.toml", other);
    let file = home.write("downloads/adapter-mine-1.2.0.wasm", &made);
    server.set("/x.wasm", ServedFile::ok(made.clone()));
    for source in [file.into_string(), server.url("/x.wasm")] {
        home.install(&source);
        let installed = home
            .library()
            .load(&id("adapter-mine"), &SignaturePolicy::default())
            .unwrap();
        assert_eq!(installed.component, made);
        assert_eq!(
            installed.manifest.license.as_deref(),
            Some("MIT OR Apache-2.0")
        );
        home.library().remove(&id("adapter-mine")).unwrap();
    }
    let asked: Vec<_> = server.asked().into_iter().map(|one| one.path).collect();
    assert_eq!(
        asked,
        ["/x.wasm", "/x.wasm.minisig", "/x.wasm.sigstore.json"]
    );
}

/// The manifest beside says one thing, the one inside another.
#[test]
fn a_plugin_that_says_two_things_is_refused() {
    let plain = component("adapter", "");
    let beside = |change: &dyn Fn(String) -> String| {
        let home = PluginHome::new();
        let made = built(&plain, &about());
        let folder = home.tree("tree", &change(about()), &made);
        (home, folder)
    };
    let (home, folder) = beside(&|text| text);
    assert!(home.plan(folder.as_str()).is_ok(), "the same in both");
    let (home, folder) = beside(&|text| {
        format!(
            "digest = \"{}\"\n# another comment\n{text}",
            Digest::of(&built(&plain, &about()))
        )
    });
    assert!(home.plan(folder.as_str()).is_ok(), "with its digest");
    let cases: [(&str, &str, &str); 5] = [
        ("1.2.0", "1.2.1", "version"),
        ("MIT OR Apache-2.0", "MIT", "license"),
        ("~/.mine/sessions", "~/.mine", "roots"),
        ("Reads sessions of Mine", "Reads nothing", "description"),
        ("adapter-mine", "adapter-theirs", "id"),
    ];
    for (from, to, key) in cases {
        let (home, folder) = beside(&|text| text.replace(from, to));
        for source in [folder.clone(), folder.join("mine.wasm")] {
            let refused = home.plan(source.as_str()).unwrap_err();
            assert!(
                matches!(&refused, Refused::ManifestDiffers { keys, .. } if *keys == [key]),
                "{key}: {refused}"
            );
            assert!(refused.hint().is_some());
        }
    }
    let (home, folder) = beside(&|text| format!("digest = \"{}\"\n{text}", Digest::of(b"")));
    let refused = home.plan(folder.as_str()).unwrap_err();
    assert!(matches!(refused, Refused::WrongDigest { .. }), "{refused}");
}

/// Adds a custom section with text, as any tool can.
pub(crate) fn with_section(bytes: &[u8], name: &str, text: &[u8]) -> Vec<u8> {
    let mut content = vec![name.len() as u8];
    content.extend(name.as_bytes());
    content.extend(text);
    let (low, high) = (
        (content.len() & 0x7f) as u8 | 0x80,
        (content.len() >> 7) as u8,
    );
    [bytes, &[0, low, high], &content].concat()
}

#[test]
fn sections_that_contradict_each_other_are_refused() {
    let home = PluginHome::new();
    let plain = component("adapter", "");
    let made = built(&plain, &about());
    let metadata = with_section(
        &with_section(&plain, "licenses", b"GPL-3.0-only"),
        MANIFEST_SECTION,
        about().as_bytes(),
    );
    let cases: [(&str, Vec<u8>, &str); 6] = [
        (
            "packages",
            with_section(&plain, DEPENDENCIES_SECTION, b"not compressed"),
            "section `.dep-v0` is not a list of packages",
        ),
        (
            "metadata",
            metadata,
            "its standard metadata` and the manifest in its component differ in licenses",
        ),
        (
            "twice",
            with_section(&made, MANIFEST_SECTION, manifest("").as_bytes()),
            "several sections `acreta:manifest`",
        ),
        (
            "not text",
            with_section(&plain, MANIFEST_SECTION, &[0xff, 0xfe]),
            "section `acreta:manifest` is not text",
        ),
        (
            "long",
            with_section(&plain, "authors", &[b'a'; 5000]),
            "section `authors` is too long",
        ),
        (
            "unknown key",
            built(&plain, &about())
                .windows(10)
                .position(|window| window == b"\nlicense =")
                .map(|at| {
                    let mut bytes = made.clone();
                    bytes[at..at + 10].copy_from_slice(b"\nlicence =");
                    bytes
                })
                .unwrap(),
            "licence",
        ),
    ];
    for (name, bytes, says) in cases {
        let file = home.write(&format!("{name}.wasm"), bytes);
        let refused = home.plan(file.as_str()).unwrap_err();
        assert!(refused.to_string().contains(says), "{name}: {refused}");
    }
}

/// The folder of an installed plugin can be written to; what is inside the component counts.
#[test]
fn an_installed_manifest_that_was_edited_is_refused() {
    let home = PluginHome::new();
    let file = home.write("mine.wasm", built(&component("adapter", ""), &about()));
    let plan = home.plan(file.as_str()).unwrap();
    home.library().install(plan, UNASKED, 0).unwrap();
    let installed = "own/plugins/adapter-mine/plugin.toml";
    let edited = home
        .text(installed)
        .replace("Reads sessions", "Reads no sessions");
    home.write(installed, edited);
    let refused = home
        .library()
        .load(&id("adapter-mine"), &SignaturePolicy::default())
        .unwrap_err();
    assert!(
        matches!(refused, Refused::ManifestDiffers { .. }),
        "{refused}"
    );
}

#[test]
fn a_bare_component_is_no_plugin() {
    let (home, server) = (PluginHome::new(), FileServer::new());
    let file = home.write("mine.wasm", component("adapter", ""));
    server.set("/mine.wasm", ServedFile::ok(component("adapter", "")));
    for source in [file.into_string(), server.url("/mine.wasm")] {
        let refused = fetched(&source).unwrap_err();
        assert!(
            refused.to_string().contains("no `plugin.toml` found"),
            "{refused}"
        );
    }
}
