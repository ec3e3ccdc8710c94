//! Commits as callers describe them, and the checks of what ends up in one.

use crate::ClonesError;

/// Who a commit names as its author and committer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    pub name: String,
    pub email: String,
}

/// Everything a commit says besides its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub message: String,
    pub author: Author,
    /// Time since the Unix epoch.
    pub time_ms: u64,
}

impl Change {
    pub(crate) fn check(&self) -> Result<(), ClonesError> {
        let fail = |reason| Err(ClonesError::Change { reason });
        let odd = |character: char| character.is_control() || matches!(character, '<' | '>');
        if self.author.name.trim().is_empty() || self.author.name.contains(odd) {
            return fail("the author's name is empty or contains `<`, `>` or control characters");
        }
        if self.author.email.trim().is_empty() || self.author.email.contains(odd) {
            return fail(
                "the author's address is empty or contains `<`, `>` or control characters",
            );
        }
        if self.message.trim().is_empty() || self.message.contains('\0') {
            return fail("the message is empty or contains NUL");
        }
        Ok(())
    }
}

/// Checks the name of a branch by git's rules.
pub(crate) fn check_branch(branch: &str) -> Result<(), ClonesError> {
    let fail = |reason| {
        Err(ClonesError::Branch {
            branch: acreta_text::visible(branch),
            reason,
        })
    };
    if branch.is_empty() || branch.len() > 255 || branch == "@" {
        return fail("it is empty or too long");
    }
    if branch.starts_with('-') {
        return fail("git would read it as an option");
    }
    if branch.contains(|letter: char| letter.is_control() || " ~^:?*[\\".contains(letter)) {
        return fail("it contains a character that git does not allow");
    }
    let bad_part = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    if branch.contains("..")
        || branch.contains("@{")
        || branch.ends_with('.')
        || branch.split('/').any(bad_part)
    {
        return fail("git does not allow it");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branch_names_follow_the_rules_of_git() {
        let good = ["acreta/memory", "main", "a-b_c.d", "größe"];
        let bad = [
            "", "-x", "a b", "a..b", "a~1", "a:b", "/a", "a/", "a//b", ".a", "a/.b", "a.lock",
            "a@{b", "a.", "@", "a\nb", "a*",
        ];
        for name in good {
            assert!(check_branch(name).is_ok(), "{name}");
        }
        for name in bad {
            assert!(check_branch(name).is_err(), "{name}");
        }
    }

    #[test]
    fn authors_cannot_forge_headers() {
        let change = |name: &str, email: &str, message: &str| Change {
            message: message.into(),
            author: Author {
                name: name.into(),
                email: email.into(),
            },
            time_ms: 0,
        };
        assert!(change("Worker", "worker@host", "Learn").check().is_ok());
        for (name, email, message) in [
            ("", "w@h", "m"),
            ("a\nparent 1", "w@h", "m"),
            ("a <b>", "w@h", "m"),
            ("a", "", "m"),
            ("a", "w@h>\n", "m"),
            ("a", "w@h", " \n"),
        ] {
            assert!(change(name, email, message).check().is_err());
        }
    }
}
