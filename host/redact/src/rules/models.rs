//! Language models and related services.

use super::{Finder, Rule, TOKEN};
use crate::value::{Before, Likeness};

pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "anthropic-key",
        keywords: &["sk-ant-"],
        before: Before::RunStart,
        finder: Finder::Pattern(r"sk-ant-[A-Za-z0-9_-]{24,400}"),
        likeness: Likeness::Entropy(3.5),
        ..TOKEN
    },
    Rule {
        id: "openrouter-key",
        keywords: &["sk-or-"],
        before: Before::RunStart,
        finder: Finder::Pattern(r"sk-or-(?:v\d-)?[A-Za-z0-9]{32,128}"),
        ..TOKEN
    },
    Rule {
        id: "openai-key",
        keywords: &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-none-"],
        before: Before::RunStart,
        finder: Finder::Pattern(r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{24,400}"),
        likeness: Likeness::Random(3.5),
        ..TOKEN
    },
    // Other vendors use the same form.
    Rule {
        id: "openai-key",
        keywords: &["sk-"],
        before: Before::RunStart,
        finder: Finder::Pattern(r"sk-[A-Za-z0-9]{32,128}\b"),
        likeness: Likeness::Random(3.2),
        ..TOKEN
    },
    Rule {
        id: "huggingface-token",
        keywords: &["hf_"],
        finder: Finder::Pattern(r"hf_[A-Za-z0-9]{30,40}\b"),
        ..TOKEN
    },
    Rule {
        id: "groq-key",
        keywords: &["gsk_"],
        finder: Finder::Pattern(r"gsk_[A-Za-z0-9]{40,64}\b"),
        ..TOKEN
    },
    Rule {
        id: "xai-key",
        keywords: &["xai-"],
        finder: Finder::Pattern(r"xai-[A-Za-z0-9]{64,96}\b"),
        ..TOKEN
    },
    Rule {
        id: "perplexity-key",
        keywords: &["pplx-"],
        finder: Finder::Pattern(r"pplx-[A-Za-z0-9]{40,64}\b"),
        ..TOKEN
    },
    Rule {
        id: "replicate-token",
        keywords: &["r8_"],
        finder: Finder::Pattern(r"r8_[A-Za-z0-9]{37}\b"),
        ..TOKEN
    },
];
