//! Decides which paths are never opened. Checked before every read, with no override later.

use globset::{GlobSet, GlobSetBuilder};

use crate::ContextError;
use crate::options::SensitivePatterns;

/// Names of files that hold secrets, wherever they are. At most one `*` each.
const SENSITIVE: &[&str] = &[
    ".env",
    ".env.*",
    "*.env",
    ".envrc",
    "*.pem",
    "*.key",
    "*.ppk",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.asc",
    "*.gpg",
    "*.tfstate",
    "*.tfvars",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    "credentials",
    "credentials.json",
    "credentials.yml",
    "credentials.yaml",
    "credentials.toml",
    "credentials.ini",
    "credentials.csv",
    "credentials.xml",
    "secrets.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.toml",
    "secrets.ini",
    "secrets.env",
    "service-account*.json",
];

/// Folders whose files are all secret.
const SENSITIVE_FOLDERS: &[&str] = &[".aws", ".gnupg", ".ssh"];

/// A file that holds secrets in this folder alone.
const SENSITIVE_FILE: (&str, &str) = (".docker", "config.json");

/// Names of templates without secrets.
const HARMLESS: &[&str] = &[
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".env.defaults",
    "*.example.env",
    "*.sample.env",
    "*.template.env",
    "*.dist.env",
];

/// The built-in names, compared as they are, and the user's globs. Most users have none, and compiling one takes longer
/// than looking at a hundred paths.
#[derive(Debug)]
pub(crate) struct Sensitive {
    deny: GlobSet,
    allow: GlobSet,
}

impl Sensitive {
    pub(crate) fn new(patterns: &SensitivePatterns) -> Result<Self, ContextError> {
        Ok(Self {
            deny: globs(&patterns.deny)?,
            allow: globs(&patterns.allow)?,
        })
    }

    pub(crate) fn covers(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let folder = folders.rsplit('/').next().unwrap_or_default();
        let is_sensitive = is_named(name, SENSITIVE)
            || (folder, name) == SENSITIVE_FILE
            || folders
                .split('/')
                .any(|folder| SENSITIVE_FOLDERS.contains(&folder))
            || self.deny.is_match(&path);
        is_sensitive && !is_named(name, HARMLESS) && !self.allow.is_match(&path)
    }
}

/// Reports whether a name is one of these; a `*` stands for any characters.
fn is_named(name: &str, patterns: &[&str]) -> bool {
    patterns
        .iter()
        .any(|pattern| match pattern.split_once('*') {
            Some((start, end)) => {
                name.len() >= start.len() + end.len()
                    && name.starts_with(start)
                    && name.ends_with(end)
            }
            None => name == *pattern,
        })
}

fn globs(patterns: &[String]) -> Result<GlobSet, ContextError> {
    let mut builder = GlobSetBuilder::new();
    let bad = |pattern: &str, cause: globset::Error| ContextError::Pattern {
        pattern: pattern.to_owned(),
        cause: Box::new(cause),
    };
    for pattern in patterns {
        // Lower case like the paths: case-insensitive globs all compile to one large expression.
        let lower = pattern.to_lowercase();
        let anywhere = if pattern.contains('/') {
            lower
        } else {
            format!("**/{lower}")
        };
        let glob = globset::GlobBuilder::new(&anywhere)
            .literal_separator(true)
            .build()
            .map_err(|cause| bad(pattern, cause))?;
        builder.add(glob);
    }
    builder.build().map_err(|cause| bad("", cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_covered_and_templates_are_not() {
        let patterns = SensitivePatterns {
            allow: vec!["fixtures/**/*.pem".to_owned()],
            deny: vec!["private/**".to_owned()],
        };
        let sensitive = Sensitive::new(&patterns).expect("patterns are well-formed");
        let cases = [
            (".env", true),
            ("service/.env.production", true),
            ("service/.env.example", false),
            ("deploy/tls.key", true),
            ("home/.ssh/config", true),
            (".aws/sso/cache/token", true),
            ("docs/.ssh", false),
            ("home/.docker/config.json", true),
            ("docker/config.json", false),
            ("config.json", false),
            ("service-account-prod.json", true),
            (".env.", true),
            ("x.template.env", false),
            ("src/credentials.rs", false),
            ("config/credentials.json", true),
            ("fixtures/a/b.pem", false),
            ("private/notes.md", true),
            ("src/main.rs", false),
            ("ID_RSA", true),
        ];
        for (path, expected) in cases {
            assert_eq!(sensitive.covers(path), expected, "{path}");
        }
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let patterns = SensitivePatterns {
            deny: vec!["a{".to_owned()],
            ..SensitivePatterns::default()
        };
        let error = Sensitive::new(&patterns).expect_err("the brace is open");
        assert!(error.to_string().contains("a{"), "{error}");
    }
}
