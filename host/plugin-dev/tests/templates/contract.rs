//! Parses the WIT packages: the items of each interface and their spelling.

use std::path::{Path, PathBuf};

use wit_parser::{Function, FunctionKind, Handle, Resolve, Type, TypeDef, TypeDefKind};

/// The packages of the contract, in order of dependency.
pub(crate) const PACKAGES: [&str; 6] = [
    "types",
    "host",
    "adapter",
    "extractor",
    "explorer",
    "memory-writer",
];

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads the texts of a folder that has one folder per package.
pub(crate) fn texts(folder: &Path) -> Vec<(String, String)> {
    let text = |package: &&str| {
        let path = folder.join(package).join(format!("{package}.wit"));
        let text = std::fs::read_to_string(&path);
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        ((*package).to_owned(), text)
    };
    PACKAGES.iter().map(text).collect()
}

pub(crate) fn parse(texts: &[(String, String)]) -> Resolve {
    let mut resolve = Resolve::default();
    for (package, text) in texts {
        if let Err(error) = resolve.push_str(format!("{package}.wit"), text) {
            panic!("{package}: {error:#}");
        }
    }
    resolve
}

/// Spells a type as WIT does.
pub(crate) fn spelled(resolve: &Resolve, of: &Type) -> String {
    let id = match of {
        Type::Id(id) => *id,
        Type::Bool => return "bool".to_owned(),
        Type::Char => return "char".to_owned(),
        Type::String => return "string".to_owned(),
        Type::ErrorContext => return "error-context".to_owned(),
        number => return format!("{number:?}").to_lowercase(),
    };
    let definition = &resolve.types[id];
    if let Some(name) = &definition.name {
        return name.clone();
    }
    let optional = |of: &Option<Type>| of.map_or("_".to_owned(), |of| spelled(resolve, &of));
    match &definition.kind {
        TypeDefKind::List(of) => format!("list<{}>", spelled(resolve, of)),
        TypeDefKind::Option(of) => format!("option<{}>", spelled(resolve, of)),
        TypeDefKind::Tuple(tuple) => {
            let types: Vec<String> = tuple.types.iter().map(|of| spelled(resolve, of)).collect();
            format!("tuple<{}>", types.join(", "))
        }
        TypeDefKind::Result(result) => match (&result.ok, &result.err) {
            (None, None) => "result".to_owned(),
            (Some(ok), None) => format!("result<{}>", spelled(resolve, ok)),
            (ok, err) => format!("result<{}, {}>", optional(ok), optional(err)),
        },
        TypeDefKind::Handle(Handle::Own(resource)) => spelled(resolve, &Type::Id(*resource)),
        TypeDefKind::Handle(Handle::Borrow(resource)) => {
            format!("borrow<{}>", spelled(resolve, &Type::Id(*resource)))
        }
        TypeDefKind::Type(of) => spelled(resolve, of),
        other => other.as_str().to_owned(),
    }
}

/// Spells a function's signature as WIT does, without the resource of a method.
pub(crate) fn signature(resolve: &Resolve, function: &Function) -> String {
    let is_method = matches!(function.kind, FunctionKind::Method(_));
    let parameters: Vec<String> = function
        .params
        .iter()
        .skip(usize::from(is_method))
        .map(|one| format!("{}: {}", one.name, spelled(resolve, &one.ty)))
        .collect();
    let kind = match function.kind {
        FunctionKind::Static(_) => "static func",
        _ => "func",
    };
    let result = function.result.as_ref();
    let result = result.map_or(String::new(), |of| format!(" -> {}", spelled(resolve, of)));
    format!("{kind}({}){result}", parameters.join(", "))
}

/// Spells a type's definition on one line; types of other interfaces are named, not repeated.
pub(crate) fn definition(resolve: &Resolve, of: &TypeDef) -> String {
    let optional =
        |of: &Option<Type>| of.map_or(String::new(), |of| format!("({})", spelled(resolve, &of)));
    let parts: Vec<String> = match &of.kind {
        TypeDefKind::Record(record) => record
            .fields
            .iter()
            .map(|field| format!("{}: {}", field.name, spelled(resolve, &field.ty)))
            .collect(),
        TypeDefKind::Variant(variant) => variant
            .cases
            .iter()
            .map(|case| format!("{}{}", case.name, optional(&case.ty)))
            .collect(),
        TypeDefKind::Enum(cases) => cases.cases.iter().map(|case| case.name.clone()).collect(),
        TypeDefKind::Flags(flags) => flags.flags.iter().map(|flag| flag.name.clone()).collect(),
        TypeDefKind::Type(of) => return spelled(resolve, of),
        TypeDefKind::Resource => Vec::new(),
        // An alias of a list, a tuple, …: spelled without its name.
        _ => {
            let nameless = TypeDef {
                name: None,
                ..of.clone()
            };
            let mut resolve = resolve.clone();
            let id = resolve.types.alloc(nameless);
            return spelled(&resolve, &Type::Id(id));
        }
    };
    format!("{} {{ {} }}", of.kind.as_str(), parts.join(", "))
}
