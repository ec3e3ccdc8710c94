//! Dependents of a change: direct and indirect importers of changed files.

use acreta_codebase::{Dependents, Detail, Request};

use crate::support::Project;

/// `a` is imported by `b`, `b` by `c`, `c` by `d`; `lone` by nobody.
fn chain() -> Project {
    Project::with(&[
        ("app/__init__.py", ""),
        ("app/a.py", "def one(): pass\n"),
        ("app/b.py", "from app.a import one\n"),
        ("app/c.py", "from app.b import one\n"),
        ("app/d.py", "from app.c import one\n"),
        ("app/lone.py", "x = 1\n"),
    ])
}

fn request(detail: Detail) -> Request {
    Request {
        detail,
        ..Request::default()
    }
}

fn delta(project: &Project, detail: Detail) -> Option<Dependents> {
    let response = project.context().delta(&project.root, &request(detail));
    response.unwrap().delta.unwrap().dependents
}

fn paths(dependents: &Dependents) -> Vec<&str> {
    let files = dependents.files.iter();
    files.map(|file| file.path.as_str()).collect()
}

#[test]
fn a_changed_file_marks_what_imports_it_and_detail_levels_differ() {
    let project = chain();
    project.explore();
    project.write("app/a.py", "def one(): return 1\n");

    let compact = delta(&project, Detail::Compact).unwrap();
    assert_eq!((compact.direct, compact.indirect), (1, 2));
    assert_eq!(paths(&compact), ["app/b.py"]);
    assert_eq!(compact.files[0].distance, None);

    let normal = delta(&project, Detail::Normal).unwrap();
    assert_eq!(paths(&normal), ["app/b.py", "app/c.py", "app/d.py"]);
    let distances: Vec<_> = normal.files.iter().map(|file| file.distance).collect();
    assert_eq!(distances, [Some(1), Some(2), Some(3)]);
    assert!(normal.files[0].imports.is_empty());

    let verbose = delta(&project, Detail::Verbose).unwrap();
    let imports: Vec<&[String]> = verbose.files.iter().map(|file| &file.imports[..]).collect();
    assert_eq!(imports, [["app/a.py"], ["app/b.py"], ["app/c.py"]]);

    let bytes = |detail| {
        let response = project.context().delta(&project.root, &request(detail));
        response.unwrap().delta.unwrap().files[0].bytes
    };
    assert_eq!(bytes(Detail::Compact), None);
    assert_eq!(bytes(Detail::Normal), Some(20));
}

#[test]
fn explore_marks_the_same_files_as_delta_and_once() {
    let project = chain();
    project.explore();
    project.write("app/a.py", "def one(): return 1\n");
    let told = delta(&project, Detail::Compact);
    assert_eq!(project.explore().delta.unwrap().dependents, told);
    assert_eq!(project.explore().delta.unwrap().dependents, None);
}

#[test]
fn what_goes_or_moves_marks_what_imported_it() {
    let project = chain();
    project.explore();
    project.remove("app/b.py");
    let told = delta(&project, Detail::Normal).unwrap();
    assert_eq!(paths(&told), ["app/c.py", "app/d.py"]);

    let project = chain();
    project.explore();
    project.rename("app/b.py", "app/elsewhere.py");
    let explored = project.explore().delta.unwrap();
    assert_eq!(explored.renamed, 1);
    assert_eq!(paths(&explored.dependents.unwrap()), ["app/c.py"]);
}

#[test]
fn changed_files_are_not_marked_and_nothing_is_said_where_nothing_imports() {
    let project = chain();
    project.explore();
    project.write("app/lone.py", "x = 2\n");
    assert_eq!(delta(&project, Detail::Verbose), None);
    project.write("app/a.py", "def one(): return 1\n");
    project.write("app/b.py", "from app.a import one\none()\n");
    let told = delta(&project, Detail::Normal).unwrap();
    assert_eq!(paths(&told), ["app/c.py", "app/d.py"]);
    assert_eq!((told.direct, told.indirect), (1, 1));
}

#[test]
fn changes_since_a_revision_mark_importers_too() {
    let project = chain();
    project.commit();
    project.write("app/a.py", "def one(): return 1\n");
    project.commit();
    project.explore();
    let since = Request {
        since: Some("HEAD~1".to_owned()),
        ..Request::default()
    };
    let response = project.context().delta(&project.root, &since).unwrap();
    let told = response.delta.unwrap().dependents.unwrap();
    assert_eq!(paths(&told), ["app/b.py"]);
}
