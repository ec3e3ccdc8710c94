//! Generates `docs/wit.md`, the reference of the WIT, from its comments.

use std::fmt::Write as _;

use wit_parser::{
    Docs, Function, FunctionKind, Interface, Resolve, Type, TypeDef, TypeDefKind, World, WorldItem,
};

use crate::contract::{definition, parse, repository, signature, spelled, texts};

const HEAD: &str = "\
# The WIT reference

The contract between acreta and its plugins: one package per role over `acreta:types` and `acreta:host`. A plugin is a
WebAssembly component that exports one role's interface and imports no more than its world lists, beside
`wasi:{io,cli,clocks,random,filesystem,sockets}@0.2`. How to write one is told in [plugins.md](plugins.md).

This file is made from the comments in `wit/` by `cargo xtask docs`.
";

/// Generates the whole reference.
pub(crate) fn reference() -> String {
    let resolve = parse(&texts(&repository().join("wit")));
    let mut page = HEAD.to_owned();
    for (_, package) in &resolve.packages {
        push(&mut page, &format!("## {}", package.name));
        for id in package.worlds.values() {
            world(&mut page, &resolve, &resolve.worlds[*id]);
        }
        for id in package.interfaces.values() {
            interface(&mut page, &resolve, &resolve.interfaces[*id]);
        }
    }
    page
}

fn world(page: &mut String, resolve: &Resolve, world: &World) {
    push(page, &format!("### World `{}`", world.name));
    docs(page, &world.docs);
    let names = |items: &mut dyn Iterator<Item = &WorldItem>| {
        let names = items.filter_map(|item| match item {
            WorldItem::Interface { id, .. } => {
                let name = resolve.id_of(*id).unwrap_or_default();
                Some(format!("`{name}`"))
            }
            _ => None,
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let exports = names(&mut world.exports.values());
    let imports = names(&mut world.imports.values());
    push(page, &format!("Exports {exports}. Imports {imports}."));
}

fn interface(page: &mut String, resolve: &Resolve, interface: &Interface) {
    let name = interface.name.as_deref().unwrap_or_default();
    push(page, &format!("### Interface `{name}`"));
    docs(page, &interface.docs);
    for id in interface.types.values() {
        let of = &resolve.types[*id];
        // Types of other interfaces are documented there.
        let is_used = matches!(of.kind, TypeDefKind::Type(Type::Id(_)));
        if !is_used {
            definition_of(page, resolve, of, interface);
        }
    }
    for function in interface.functions.values() {
        if matches!(function.kind, FunctionKind::Freestanding) {
            function_of(page, resolve, &function.name, function);
        }
    }
}

fn definition_of(page: &mut String, resolve: &Resolve, of: &TypeDef, interface: &Interface) {
    let name = of.name.as_deref().unwrap_or_default();
    let kind = match of.kind {
        TypeDefKind::Record(_)
        | TypeDefKind::Variant(_)
        | TypeDefKind::Enum(_)
        | TypeDefKind::Flags(_)
        | TypeDefKind::Resource => of.kind.as_str(),
        _ => "type",
    };
    push(page, &format!("#### {kind} `{name}`"));
    docs(page, &of.docs);
    match &of.kind {
        TypeDefKind::Record(record) => {
            let rows = record.fields.iter();
            let rows = rows.map(|field| (&field.name, Some(field.ty), &field.docs));
            table(page, resolve, "field", rows);
        }
        TypeDefKind::Variant(variant) => {
            let rows = variant.cases.iter();
            let rows = rows.map(|case| (&case.name, case.ty, &case.docs));
            table(page, resolve, "case", rows);
        }
        TypeDefKind::Resource => {
            for function in interface.functions.values() {
                let resource = match function.kind {
                    FunctionKind::Method(id) | FunctionKind::Static(id) => id,
                    _ => continue,
                };
                if resolve.types[resource].name.as_deref() == Some(name) {
                    function_of(page, resolve, function.item_name(), function);
                }
            }
        }
        _ => push(page, &format!("`{}`", definition(resolve, of))),
    }
}

fn function_of(page: &mut String, resolve: &Resolve, name: &str, function: &Function) {
    push(page, &format!("`{name}: {}`", signature(resolve, function)));
    docs(page, &function.docs);
}

fn table<'a>(
    page: &mut String,
    resolve: &Resolve,
    what: &str,
    rows: impl Iterator<Item = (&'a String, Option<Type>, &'a Docs)>,
) {
    let mut table = format!("| {what} | type | |\n|---|---|---|");
    for (name, of, docs) in rows {
        let of = of.map_or(String::new(), |of| format!("`{}`", spelled(resolve, &of)));
        let docs = docs.contents.as_deref().unwrap_or_default();
        let docs = docs.trim().replace('\n', " ").replace('|', "\\|");
        // Writing to a string cannot fail.
        let _written = write!(table, "\n| `{name}` | {of} | {docs} |");
    }
    push(page, &table);
}

fn docs(page: &mut String, docs: &Docs) {
    if let Some(contents) = docs.contents.as_deref() {
        push(page, contents.trim());
    }
}

fn push(page: &mut String, paragraph: &str) {
    page.push('\n');
    page.push_str(paragraph);
    page.push('\n');
}

#[cfg(test)]
#[test]
fn the_reference_is_current() {
    let kept = std::fs::read_to_string(repository().join("docs/wit.md")).unwrap_or_default();
    assert!(
        kept == reference(),
        "docs/wit.md is not what wit/ says: run `cargo xtask docs`"
    );
}
