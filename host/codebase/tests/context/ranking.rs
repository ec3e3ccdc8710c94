//! Ranking for a task: by words, by declared names, by paths and modules in the task, and by hints from memory.

use acreta_codebase::{MemoryHints, Request};

use crate::support::Project;

fn library() -> Project {
    Project::with(&[
        ("shop/__init__.py", ""),
        (
            "shop/cart.py",
            "from shop.money import Money\n\nclass Basket:\n    def add_item(self, item):\n        self.items.append(item)\n",
        ),
        (
            "shop/money.py",
            "class Money:\n    def convert(self, currency):\n        return self.rate * currency\n",
        ),
        (
            "shop/shipping.py",
            "def parcel_weight(items):\n    return sum(item.weight for item in items)\n",
        ),
        (
            "shop/http/client.py",
            "class HttpClient:\n    def retry_request(self, attempts):\n        pass\n",
        ),
        ("shop/http/server.py", "def serve(port):\n    pass\n"),
        (
            "tests/test_cart.py",
            "from shop.cart import Basket\n\ndef test_add_item():\n    Basket().add_item(1)\n",
        ),
        (
            "docs/cart.md",
            "The Basket holds items. add_item puts one in. Basket, basket, basket.\n",
        ),
    ])
}

fn first(project: &Project, query: &str, hints: Option<&dyn MemoryHints>) -> Vec<String> {
    let request = Request {
        query: Some(query.to_owned()),
        ..Request::default()
    };
    let response = project
        .context()
        .explore(&project.root, &request, hints)
        .unwrap();
    let found = response.matches.unwrap().into_iter();
    found.map(|found| found.path).collect()
}

#[test]
fn a_task_finds_its_file() {
    let project = library();
    let cases = [
        ("Basket.add_item fails", "shop/cart.py"),
        (
            "currencies are converted with the wrong rate",
            "shop/money.py",
        ),
        ("wrong weight of parcels", "shop/shipping.py"),
        (
            "retries: the HTTP client gives up too early",
            "shop/http/client.py",
        ),
        (
            "Crash\nTraceback (most recent call last):\n  File \"/opt/site-packages/shop/http/server.py\", line 2, in serve",
            "shop/http/server.py",
        ),
        ("import of shop.shipping is slow", "shop/shipping.py"),
    ];
    for (query, expected) in cases {
        assert_eq!(first(&project, query, None)[0], expected, "{query}");
    }
}

#[test]
fn a_match_says_where_in_the_file() {
    let project = library();
    let request = Request {
        query: Some("Basket.add_item fails".to_owned()),
        ..Request::default()
    };
    let response = project
        .context()
        .explore(&project.root, &request, None)
        .unwrap();
    let matches = response.matches.unwrap();
    let segments: Vec<(Option<&str>, u32)> = matches[0]
        .segments
        .iter()
        .map(|segment| (segment.name.as_deref(), segment.line))
        .collect();
    assert!(segments.contains(&(Some("Basket"), 3)), "{segments:?}");
    assert!(segments.contains(&(Some("add_item"), 4)), "{segments:?}");
}

#[test]
fn memory_has_a_say() {
    struct Remembered;
    impl MemoryHints for Remembered {
        fn weight(&self, path: &str, _: &str) -> f64 {
            f64::from(u8::from(path == "shop/http/server.py"))
        }
    }
    let project = library();
    let query = "serve items";
    let place = |hints| {
        let found = first(&project, query, hints);
        found
            .iter()
            .position(|path| path == "shop/http/server.py")
            .unwrap()
    };
    assert!(place(Some(&Remembered)) <= place(None));
    assert_eq!(place(Some(&Remembered)), 0);
}

#[test]
fn a_query_about_nothing_finds_nothing_and_none_is_too_odd() {
    let project = library();
    for query in ["", "\0\u{202e}", "zzzyyyxxx", "the of and"] {
        assert_eq!(
            first(&project, query, None),
            Vec::<String>::new(),
            "{query:?}"
        );
    }
    first(&project, &"word ".repeat(100_000), None);
}

#[test]
fn a_name_that_many_files_have_points_at_none_of_them() {
    let score = |areas: &[&str]| {
        let project = library();
        for area in areas {
            let text = format!("class {area}Model:\n    name = 1\n");
            project.write(&format!("shop/{area}/models.py"), &text);
        }
        let request = Request {
            query: Some("wrong weight of parcels\nMy models.py has a parcel.".to_owned()),
            ..Request::default()
        };
        let response = project.context().explore(&project.root, &request, None);
        let found = response.unwrap().matches.unwrap();
        let own = found
            .iter()
            .find(|found| found.path == "shop/till/models.py");
        own.unwrap().score
    };
    let alone = score(&["till"]);
    let among = score(&["till", "stock", "street", "door", "shelf", "roof"]);
    assert!(alone - among > 0.3, "{alone} {among}");
}
