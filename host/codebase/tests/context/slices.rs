//! Slices of projects of different kinds: workspaces, packages named differently than their project, modules without a
//! program, files that only re-export.

use crate::support::Project;

fn entries(project: &Project) -> Vec<String> {
    let slice = project.explore().slice.unwrap();
    let entries = slice.entry_points.into_iter();
    entries.map(|entry| entry.path).collect()
}

#[test]
fn libraries_that_others_depend_on_come_before_a_program_that_all_declare() {
    let package = |name: &str, uses: &str| {
        format!(
            r#"{{"name":"{name}","bin":{{"helper":"bin/helper.js"}},"dependencies":{{{uses}}}}}"#
        )
    };
    let core = package("@shop/core", "");
    let web = package("@shop/web", r#""@shop/core":"*""#);
    let desk = package("@shop/desk", r#""@shop/core":"*","@shop/web":"*""#);
    let till = package("@shop/till", r#""@shop/core":"*","@shop/web":"*""#);
    let project = Project::new();
    for (folder, manifest) in [("core", core), ("web", web), ("desk", desk), ("till", till)] {
        project.write(&format!("packages/{folder}/package.json"), &manifest);
        project.write(
            &format!("packages/{folder}/src/index.ts"),
            "export function open() {}\n",
        );
        project.write(&format!("packages/{folder}/bin/helper.js"), "run();\n");
    }
    let entries = entries(&project);
    let place = |path: &str| entries.iter().position(|entry| entry == path).unwrap();
    assert!(place("packages/core/src/index.ts") < place("packages/desk/src/index.ts"));
    let programs: Vec<usize> = (0..entries.len())
        .filter(|place| entries[*place].ends_with("helper.js"))
        .collect();
    assert_eq!(programs[1..], [5, 6, 7], "{entries:?}");
}

#[test]
fn a_module_without_a_program_opens_at_its_packages() {
    let project = Project::with(&[
        ("go.mod", "module example.org/shop/v2\n\ngo 1.22\n"),
        ("shop.go", "package shop\n\nfunc Open() {}\n"),
        ("stock.go", "package shop\n\nfunc Stock() {}\n"),
        ("till/till.go", "package till\n\nfunc Ring() {}\n"),
        ("till/drawer.go", "package till\n\nfunc Pull() {}\n"),
        ("internal/lock/lock.go", "package lock\n\nfunc Lock() {}\n"),
    ]);
    assert_eq!(entries(&project), ["shop.go", "till/till.go"]);
}

#[test]
fn a_package_may_have_another_name_than_its_project() {
    let project = Project::with(&[
        ("pyproject.toml", "[project]\nname = \"shop-of-things\"\n"),
        ("things/__init__.py", ""),
        ("things/cart.py", "def add():\n    pass\n"),
        ("extra/__init__.py", ""),
        ("tests/__init__.py", ""),
        ("tests/test_cart.py", "def test_add():\n    pass\n"),
        ("tests/test_more.py", "def test_more():\n    pass\n"),
    ]);
    assert_eq!(entries(&project), ["things/__init__.py"]);
}

#[test]
fn what_only_hands_on_is_not_hot() {
    let project = Project::with(&[
        (
            "shop/cart.py",
            "class Cart:\n    def add(self):\n        pass\n",
        ),
        ("shop/prices.py", "PRICES = [\n    1,\n    2,\n]\n"),
    ]);
    for number in 0..4 {
        let door = format!("from shop.cart import Cart\n\nVERSION = {number}\n");
        project.write("shop/__init__.py", &door);
        project.write(
            "shop/prices.py",
            &format!("PRICES = [\n    1,\n    {number},\n]\n"),
        );
        project.write(
            &format!("shop/user{number}.py"),
            "from shop import Cart\n\ndef use():\n    return Cart()\n",
        );
        project.commit();
    }
    let hot = project.explore().slice.unwrap().hot_paths;
    let hot: Vec<&str> = hot.iter().map(|hot| hot.path.as_str()).collect();
    assert!(hot.contains(&"shop/cart.py"), "{hot:?}");
    for path in ["shop/__init__.py", "shop/prices.py"] {
        assert!(!hot.contains(&path), "{hot:?}");
    }
}

#[test]
fn what_is_never_opened_is_told_when_it_was_written() {
    let project = Project::with(&[(".env", "TOKEN=one\n"), ("a.py", "A = 1\n")]);
    project.explore();
    assert_eq!(project.delta(), []);
    project.write(".env", "TOKEN=two\n");
    assert_eq!(project.delta(), [('M', ".env".to_owned())]);
}

#[test]
fn what_was_passed_over_stays_told_when_something_else_changes() {
    let project = Project::with(&[(".env", "TOKEN=one\n"), ("a.py", "A = 1\n")]);
    let first = project.explore().stats.skipped;
    assert_eq!(first.len(), 1);
    project.write("a.py", "A = 22\n");
    assert_eq!(project.explore().stats.skipped, first);
    project.remove(".env");
    assert_eq!(project.explore().stats.skipped, []);
}
