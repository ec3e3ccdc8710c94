//! Decides which paths are never opened. Checked before every read, with no override later.

use globset::{GlobSet, GlobSetBuilder};

use crate::ContextError;
use crate::options::SensitivePatterns;

/// Names that hold secrets in any folder. `*` does not cross a `/`.
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
    "**/.aws/**",
    "**/.ssh/**",
    "**/.gnupg/**",
    "**/.docker/config.json",
];

/// Templates without secrets.
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

#[derive(Debug)]
pub(crate) struct Sensitive {
    deny: GlobSet,
    allow: GlobSet,
}

impl Sensitive {
    pub(crate) fn new(patterns: &SensitivePatterns) -> Result<Self, ContextError> {
        let own = |list: &'static [&'static str]| list.iter().map(|pattern| (*pattern).to_owned());
        Ok(Self {
            deny: globs(own(SENSITIVE).chain(patterns.deny.iter().cloned()))?,
            allow: globs(own(HARMLESS).chain(patterns.allow.iter().cloned()))?,
        })
    }

    pub(crate) fn covers(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        self.deny.is_match(&path) && !self.allow.is_match(&path)
    }
}

fn globs(patterns: impl Iterator<Item = String>) -> Result<GlobSet, ContextError> {
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
            .map_err(|cause| bad(&pattern, cause))?;
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
