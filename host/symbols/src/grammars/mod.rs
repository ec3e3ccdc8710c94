//! The grammars, and the extraction rules of each language. JavaScript uses the TSX grammar, which is a superset.

mod c;
mod csharp;
mod go;
mod java;
mod php;
mod python;
mod ruby;
mod rust;
mod script;

use std::sync::OnceLock;

use crate::language::Language;
use crate::walk::{ExtractionRules, RuleTable};

pub(crate) fn grammar(language: Language) -> &'static tree_sitter::Language {
    &loaded(language).0
}

pub(crate) fn rules(language: Language) -> &'static RuleTable {
    &loaded(language).1
}

fn loaded(language: Language) -> &'static (tree_sitter::Language, RuleTable) {
    static LOADED: [OnceLock<(tree_sitter::Language, RuleTable)>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    LOADED[language as usize].get_or_init(|| {
        let (grammar, rules) = parts(language);
        let visited = (0..grammar.node_kind_count())
            .map(|id| {
                let id = u16::try_from(id).ok()?;
                let name = grammar.node_kind_for_id(id)?;
                let known = rules.kinds.iter().find(|kind| **kind == name)?;
                grammar.node_kind_is_named(id).then_some(*known)
            })
            .collect();
        (grammar, RuleTable { rules, visited })
    })
}

fn parts(language: Language) -> (tree_sitter::Language, &'static ExtractionRules) {
    match language {
        Language::Rust => (tree_sitter_rust::LANGUAGE.into(), &rust::RULES),
        Language::Python => (tree_sitter_python::LANGUAGE.into(), &python::RULES),
        Language::TypeScript => (
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            &script::RULES,
        ),
        Language::Tsx | Language::JavaScript => {
            (tree_sitter_typescript::LANGUAGE_TSX.into(), &script::RULES)
        }
        Language::Go => (tree_sitter_go::LANGUAGE.into(), &go::RULES),
        Language::Java => (tree_sitter_java::LANGUAGE.into(), &java::RULES),
        Language::C => (tree_sitter_c::LANGUAGE.into(), &c::RULES),
        Language::Cpp => (tree_sitter_cpp::LANGUAGE.into(), &c::RULES),
        Language::CSharp => (tree_sitter_c_sharp::LANGUAGE.into(), &csharp::RULES),
        Language::Ruby => (tree_sitter_ruby::LANGUAGE.into(), &ruby::RULES),
        Language::Php => (tree_sitter_php::LANGUAGE_PHP.into(), &php::RULES),
    }
}
