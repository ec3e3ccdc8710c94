//! Position of a match in a file: the function or class around the words of the task, with its lines.

use acreta_codebase::{Found, Request};

use crate::support::Project;

const CART: &str = "\
import decimal

RATE = 3


class Basket:
    \"\"\"Holds what a person wants.\"\"\"

    def put(self, item):
        self.items.append(item)

    def total(self):
        amount = sum(item.price for item in self.items)
        # Vouchers are taken off before shipping.
        return amount - self.voucher.discount


def ship(parcel):
    parcel.label = \"sent\"
    return parcel
";

fn shop() -> Project {
    Project::with(&[
        ("shop/cart.py", CART),
        (
            "docs/guide.md",
            "# Guide\n\nWords.\n\n## Refunds\n\nA refund is paid back within a week.\n\n```\n# no heading\n```\n\n## Other\n\nMore.\n",
        ),
        (
            "web/price.ts",
            "export class Price {\n  format(value: number): string {\n    const euro = value.toFixed(2);\n    return euro;\n  }\n}\n",
        ),
    ])
}

fn found(project: &Project, query: &str, path: &str) -> Found {
    let request = Request {
        query: Some(query.to_owned()),
        ..Request::default()
    };
    let context = project.context();
    let response = context.explore(&project.root, &request, None).unwrap();
    let mut matches = response.matches.unwrap().into_iter();
    matches.find(|found| found.path == path).unwrap()
}

#[test]
fn a_match_comes_with_the_innermost_function_class_or_section() {
    let project = shop();
    // A query, its file, and the first segment: name, parent, kind, lines.
    let table = [
        (
            "the voucher discount is applied twice",
            "shop/cart.py",
            (Some("total"), Some("Basket"), "method", 12, 15),
        ),
        (
            "label on the parcel is wrong",
            "shop/cart.py",
            (Some("ship"), None, "function", 18, 20),
        ),
        (
            "Basket.put fails",
            "shop/cart.py",
            (Some("put"), Some("Basket"), "method", 9, 10),
        ),
        (
            "what a person wants",
            "shop/cart.py",
            (Some("Basket"), None, "class", 6, 15),
        ),
        (
            "euro has too many digits",
            "web/price.ts",
            (Some("format"), Some("Price"), "method", 2, 5),
        ),
        (
            "when is a refund paid back",
            "docs/guide.md",
            (Some("Refunds"), None, "section", 5, 12),
        ),
    ];
    for (query, path, expected) in table {
        let found = found(&project, query, path);
        let first = &found.segments[0];
        let told = (
            first.name.as_deref(),
            first.parent.as_deref(),
            first.kind.as_str(),
            first.line,
            first.end_line,
        );
        assert_eq!(told, expected, "{query}: {:?}", found.segments);
    }
}

#[test]
fn lines_that_nothing_declares_are_told_as_lines() {
    let project = shop();
    let first = &found(&project, "decimal import", "shop/cart.py").segments[0];
    assert_eq!((first.kind.as_str(), first.line), ("lines", 1));
    assert!(first.end_line < 6, "{first:?}");
}

#[test]
fn the_same_question_gives_the_same_segments() {
    let project = shop();
    let ask = || found(&project, "voucher of a basket item", "shop/cart.py");
    assert_eq!(ask(), ask());
    assert!(ask().segments.len() <= 3);
}
