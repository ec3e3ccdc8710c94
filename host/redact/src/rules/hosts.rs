//! Code hosts and package registries.

use super::{Finder, Rule, TOKEN};
use crate::value::{Before, Likeness};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "github-token",
        keywords: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        before: Before::Anything,
        finder: Finder::Pattern(r"gh[pousr]_[A-Za-z0-9]{36,255}"),
        ..TOKEN
    },
    // Since 2026 an installation token holds a JWT.
    Rule {
        id: "github-token",
        keywords: &["ghs_", "ghu_"],
        before: Before::RunStart,
        finder: Finder::Pattern(
            r"gh[su]_[A-Za-z0-9_]{1,40}_eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        ),
        ..TOKEN
    },
    Rule {
        id: "github-fine-grained-token",
        keywords: &["github_pat_"],
        before: Before::Anything,
        finder: Finder::Pattern(r"github_pat_[A-Za-z0-9_]{22,255}"),
        likeness: Likeness::Entropy(3.0),
        ..TOKEN
    },
    Rule {
        id: "gitlab-token",
        keywords: &[
            "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "glagent-",
            "glimt-", "gloas-",
        ],
        finder: Finder::Pattern(
            r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas)-[A-Za-z0-9_-]{20,300}(?:\.[A-Za-z0-9]{2}\.[A-Za-z0-9]{9})?",
        ),
        likeness: Likeness::Entropy(3.2),
        ..TOKEN
    },
    Rule {
        id: "npm-token",
        keywords: &["npm_"],
        finder: Finder::Pattern(r"npm_[A-Za-z0-9]{36}\b"),
        ..TOKEN
    },
    Rule {
        id: "pypi-token",
        keywords: &["pypi-age"],
        finder: Finder::Pattern(r"pypi-AgE[A-Za-z0-9_-]{50,1000}"),
        ..TOKEN
    },
    Rule {
        id: "rubygems-token",
        keywords: &["rubygems_"],
        finder: Finder::Pattern(r"rubygems_[a-f0-9]{48}\b"),
        ..TOKEN
    },
    Rule {
        id: "crates-io-token",
        keywords: &["cio"],
        finder: Finder::Pattern(r"cio[A-Za-z0-9]{32}\b"),
        likeness: Likeness::Random(3.5),
        ..TOKEN
    },
    Rule {
        id: "docker-token",
        keywords: &["dckr_pat_", "dckr_oat_"],
        finder: Finder::Pattern(r"dckr_[po]at_[A-Za-z0-9_-]{24,64}"),
        ..TOKEN
    },
];
