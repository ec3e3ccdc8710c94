//! Normalised remotes, whatever the protocol.

use acreta_session_archive::normalised_remote;

#[test]
fn a_remote_has_one_spelling() {
    let cases = [
        ("https://github.com/ann/app", Some("github.com/ann/app")),
        ("https://GitHub.com/ann/App.git", Some("github.com/ann/App")),
        (
            "https://github.com:443/ann/app/",
            Some("github.com/ann/app"),
        ),
        ("git@github.com:ann/app.git", Some("github.com/ann/app")),
        ("github.com:ann/app", Some("github.com/ann/app")),
        ("ssh://git@github.com/ann/app", Some("github.com/ann/app")),
        (
            "ssh://git@github.com:22/ann/app.git",
            Some("github.com/ann/app"),
        ),
        ("git://github.com/ann/app.git", Some("github.com/ann/app")),
        (
            "git+ssh://git@github.com//ann//app",
            Some("github.com/ann/app"),
        ),
        ("ssh://git@host:2222/ann/app", Some("host:2222/ann/app")),
        (
            "http://localhost:3000/ann/app.git",
            Some("localhost:3000/ann/app"),
        ),
        ("ssh://[::1]:22/app", Some("[::1]/app")),
        ("host:/srv/app.git", Some("host/srv/app")),
        // Credentials are dropped.
        (
            "https://ann:hunter2@github.com/ann/app",
            Some("github.com/ann/app"),
        ),
        (
            "https://ghp_abc@github.com/ann/app",
            Some("github.com/ann/app"),
        ),
        (
            "https://ann:p@ss@github.com/ann/app",
            Some("github.com/ann/app"),
        ),
        ("ann:hunter2@github.com:ann/app", Some("github.com/ann/app")),
        ("https://host/app.git?token=abc", Some("host/app")),
        ("https://host/app#token=abc", Some("host/app")),
        // Local paths.
        ("/srv/git/app.git", Some("/srv/git/app")),
        ("/srv/app/.git", Some("/srv/app")),
        ("file:///srv/git/app.git/", Some("/srv/git/app")),
        ("../app.git", None),
        ("C:/git/app", None),
        (r"C:\git\app", None),
        ("app", None),
        ("", None),
        ("https://github.com", None),
        ("https://github.com/", None),
        ("https:///ann/app", None),
        ("git@:app", None),
        ("/", None),
        (" https://github.com/ann/app\n", Some("github.com/ann/app")),
    ];
    for (url, expected) in cases {
        assert_eq!(normalised_remote(url).as_deref(), expected, "{url}");
    }
}
