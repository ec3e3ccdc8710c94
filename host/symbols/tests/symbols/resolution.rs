//! Resolution of imports, by language.

use acreta_symbols::{Language, SourceRoots};

use crate::support::TestRepository;

#[test]
fn rust() {
    let repository = TestRepository::new(
        &[
            "shop/src/lib.rs",
            "shop/src/stock.rs",
            "shop/src/stock/item.rs",
            "shop/src/till/mod.rs",
            "shop/src/till/drawer.rs",
            "shop/src/old.rs",
            "shop/src/bin/tool.rs",
            "shop/tests/all.rs",
            "shop/tests/support.rs",
            "tax/code/root.rs",
            "tax/code/rate.rs",
            "cli/src/main.rs",
            "cli/src/words.rs",
        ],
        &[
            ("shop/Cargo.toml", "[package]\nname = \"corner-shop\"\n"),
            (
                "tax/Cargo.toml",
                "[package]\nname = \"tax\"\n[lib]\nname = \"taxes\"\npath = \"code/root.rs\"\n",
            ),
            ("cli/Cargo.toml", "[package]\nname = \"cli\"\n"),
            ("Cargo.toml", "[workspace]\nmembers = [\"shop\"]\n"),
            ("broken/Cargo.toml", "[package\n"),
        ],
    );
    repository.check(
        Language::Rust,
        &[
            ("shop/src/lib.rs", "mod stock;", &["shop/src/stock.rs"]),
            ("shop/src/lib.rs", "mod till;", &["shop/src/till/mod.rs"]),
            (
                "shop/src/lib.rs",
                "#[path = \"old.rs\"] mod gone;",
                &["shop/src/old.rs"],
            ),
            (
                "shop/src/stock.rs",
                "mod item;",
                &["shop/src/stock/item.rs"],
            ),
            (
                "shop/src/stock/item.rs",
                "use crate::till::drawer::Coin;",
                &["shop/src/till/drawer.rs"],
            ),
            (
                "shop/src/stock/item.rs",
                "use crate::Shop;",
                &["shop/src/lib.rs"],
            ),
            (
                "shop/src/stock/item.rs",
                "use super::Shelf;",
                &["shop/src/stock.rs"],
            ),
            (
                "shop/src/till/drawer.rs",
                "use super::super::stock;",
                &["shop/src/stock.rs"],
            ),
            (
                "shop/src/till/drawer.rs",
                "use super::{Till, drawer};",
                &["shop/src/till/mod.rs"],
            ),
            ("shop/src/stock.rs", "mod tests { use super::*; }", &[]),
            (
                "shop/src/stock.rs",
                "use taxes::rate::Rate;",
                &["tax/code/rate.rs"],
            ),
            (
                "shop/src/stock.rs",
                "use taxes::{Total, rate};",
                &["tax/code/root.rs", "tax/code/rate.rs"],
            ),
            (
                "tax/code/rate.rs",
                "use crate::Total;",
                &["tax/code/root.rs"],
            ),
            (
                "shop/tests/all.rs",
                "use corner_shop::stock::item::*;",
                &["shop/src/stock/item.rs"],
            ),
            (
                "shop/tests/all.rs",
                "use crate::support::check;",
                &["shop/tests/support.rs"],
            ),
            (
                "shop/src/bin/tool.rs",
                "use corner_shop::Shop;",
                &["shop/src/lib.rs"],
            ),
            (
                "cli/src/main.rs",
                "mod words; fn f() { crate::words::say() }",
                &["cli/src/words.rs", "cli/src/words.rs"],
            ),
            (
                "cli/src/words.rs",
                "use std::fmt; use serde::Serialize;",
                &[],
            ),
        ],
    );
}

#[test]
fn python() {
    let repository = TestRepository::new(
        &[
            "shop/__init__.py",
            "shop/stock/__init__.py",
            "shop/stock/item.py",
            "shop/price.py",
            "libs/tax/src/tax/rate.py",
            "libs/tax/src/tax/__init__.py",
            "python/native/fast.pyi",
            "tools/run.py",
            "tools/helper.py",
            "deep/vendor/paint/brush.py",
        ],
        &[
            (
                "setup.py",
                "setup(packages=find_packages('shop'), package_dir={'': 'shop'})",
            ),
            (
                "libs/tax/pyproject.toml",
                "[tool.setuptools.packages.find]\nwhere = [\"src\"]\n",
            ),
            (
                "pyproject.toml",
                "[tool.maturin]\npython-source = \"python\"\n",
            ),
        ],
    );
    repository.check(
        Language::Python,
        &[
            (
                "shop/price.py",
                "import shop.stock.item",
                &["shop/stock/item.py"],
            ),
            (
                "shop/price.py",
                "from shop.stock import item, Shelf",
                &["shop/stock/item.py", "shop/stock/__init__.py"],
            ),
            (
                "shop/price.py",
                "from . import stock",
                &["shop/stock/__init__.py"],
            ),
            (
                "shop/stock/item.py",
                "from ..price import Price",
                &["shop/price.py"],
            ),
            (
                "shop/stock/item.py",
                "from .. import VERSION",
                &["shop/__init__.py"],
            ),
            ("shop/stock/item.py", "from ....away import x", &[]),
            (
                "shop/price.py",
                "from tax.rate import RATE",
                &["libs/tax/src/tax/rate.py"],
            ),
            (
                "shop/price.py",
                "import native.fast",
                &["python/native/fast.pyi"],
            ),
            ("tools/run.py", "import helper", &["tools/helper.py"]),
            (
                "tools/run.py",
                "from paint.brush import wide",
                &["deep/vendor/paint/brush.py"],
            ),
            ("tools/run.py", "import os.path, numpy", &[]),
        ],
    );
}

#[test]
fn scripts() {
    let repository = TestRepository::new(
        &[
            "web/src/app.tsx",
            "web/src/stock/index.ts",
            "web/src/price.ts",
            "web/src/legacy.js",
            "web/src/data.json",
            "web/base/deep/thing.ts",
            "packages/tax/src/index.ts",
            "packages/tax/src/rate.ts",
            "packages/ui/lib/main.js",
            "other/src/view.vue",
            "other/src/page.js",
        ],
        &[
            (
                "web/tsconfig.json",
                "{ // settings\n \"extends\": \"../tsconfig.base\", \"compilerOptions\": { \"baseUrl\": \"base\", }, }",
            ),
            (
                "tsconfig.base.json",
                "{ \"compilerOptions\": { /* rewritten */ \"paths\": { \"@web/*\": [\"./web/src/*\"], \"exact\": [\"web/src/price\"] } } }",
            ),
            (
                "packages/tax/package.json",
                "{ \"name\": \"@shop/tax\", \"main\": \"dist/index.js\" }",
            ),
            (
                "packages/ui/package.json",
                "{ \"name\": \"ui\", \"exports\": { \".\": { \"import\": \"./lib/main.js\" } } }",
            ),
            ("broken/package.json", "{"),
        ],
    );
    repository.check(
        Language::TypeScript,
        &[
            (
                "web/src/app.tsx",
                "import './stock'",
                &["web/src/stock/index.ts"],
            ),
            (
                "web/src/app.tsx",
                "import './price.js'",
                &["web/src/price.ts"],
            ),
            (
                "web/src/stock/index.ts",
                "export * from '../price'",
                &["web/src/price.ts"],
            ),
            ("web/src/stock/index.ts", "const x = require('..')", &[]),
            (
                "web/src/stock/index.ts",
                "import('../data.json')",
                &["web/src/data.json"],
            ),
            ("web/src/stock/index.ts", "import '../../../../away'", &[]),
            (
                "web/src/app.tsx",
                "import p from '@web/price'",
                &["web/src/price.ts"],
            ),
            (
                "web/src/app.tsx",
                "import p from 'exact'",
                &["web/src/price.ts"],
            ),
            (
                "web/src/app.tsx",
                "import t from 'deep/thing'",
                &["web/base/deep/thing.ts"],
            ),
            (
                "web/src/app.tsx",
                "import t from '@shop/tax'",
                &["packages/tax/src/index.ts"],
            ),
            (
                "web/src/app.tsx",
                "import t from '@shop/tax/rate'",
                &["packages/tax/src/rate.ts"],
            ),
            (
                "web/src/app.tsx",
                "import t from 'ui'",
                &["packages/ui/lib/main.js"],
            ),
            ("web/src/app.tsx", "import t from '@shop/taxes'", &[]),
            (
                "web/src/app.tsx",
                "import fs from 'fs'; import r from 'react'",
                &[],
            ),
            (
                "other/src/page.js",
                "import v from '@/view.vue?raw'",
                &["other/src/view.vue"],
            ),
        ],
    );
}

#[test]
fn go() {
    let repository = TestRepository::new(
        &[
            "main.go",
            "stock/stock.go",
            "stock/shelf/a_test.go",
            "stock/shelf/b.go",
            "tools/go.mod",
            "tools/run/doc.go",
            "tools/run/aaa.go",
        ],
        &[
            (
                "go.mod",
                "// shop\nmodule example.org/shop // here\n\ngo 1.24\n",
            ),
            ("tools/go.mod", "module example.org/shop/tools\n"),
        ],
    );
    repository.check(
        Language::Go,
        &[
            (
                "main.go",
                "package main\nimport \"example.org/shop/stock\"",
                &["stock/stock.go"],
            ),
            (
                "main.go",
                "package main\nimport \"example.org/shop/stock/shelf\"",
                &["stock/shelf/b.go"],
            ),
            (
                "main.go",
                "package main\nimport \"example.org/shop/tools/run\"",
                &["tools/run/doc.go"],
            ),
            (
                "stock/stock.go",
                "package stock\nimport \"./shelf\"",
                &["stock/shelf/b.go"],
            ),
            (
                "stock/stock.go",
                "package stock\nimport \"example.org/shop\"",
                &["main.go"],
            ),
            (
                "main.go",
                "package main\nimport (\"fmt\"; \"example.org/shopping/stock\")",
                &[],
            ),
        ],
    );
}

#[test]
fn java() {
    let repository = TestRepository::new(
        &[
            "app/src/main/java/org/example/Shop.java",
            "app/src/main/java/org/example/Item.java",
            "app/src/test/java/org/example/ShopTest.java",
            "tax/src/main/java/org/example/tax/Rate.java",
            "tax/src/main/java/org/example/Item.java",
            "tax/src/main/kotlin/org/example/tax/Total.kt",
            "old/code/org/example/Item.java",
            "old/code/org/example/Rare.java",
        ],
        &[
            ("app/pom.xml", "<project/>"),
            (
                "old/pom.xml",
                "<build><sourceDirectory>code</sourceDirectory></build>",
            ),
        ],
    );
    let shop = "app/src/main/java/org/example/Shop.java";
    repository.check(
        Language::Java,
        &[
            (
                shop,
                "import org.example.Item;",
                &["app/src/main/java/org/example/Item.java"],
            ),
            (
                shop,
                "import org.example.tax.Rate;",
                &["tax/src/main/java/org/example/tax/Rate.java"],
            ),
            (
                shop,
                "import static org.example.tax.Rate.HIGH;",
                &["tax/src/main/java/org/example/tax/Rate.java"],
            ),
            (
                shop,
                "import org.example.tax.Rate.*;",
                &["tax/src/main/java/org/example/tax/Rate.java"],
            ),
            (
                shop,
                "import org.example.tax.Total;",
                &["tax/src/main/kotlin/org/example/tax/Total.kt"],
            ),
            (shop, "import org.example.tax.*;", &[]),
            (
                "app/src/test/java/org/example/ShopTest.java",
                "import org.example.Shop;",
                &[shop],
            ),
            (
                "lone/Use.java",
                "import org.example.Rare;",
                &["old/code/org/example/Rare.java"],
            ),
            // Ambiguous between three files; the roots decide.
            (
                "lone/Use.java",
                "import org.example.Item;",
                &["app/src/main/java/org/example/Item.java"],
            ),
            (shop, "import java.util.List; import org.other.Thing;", &[]),
        ],
    );
}

#[test]
fn c() {
    let repository = TestRepository::new(
        &[
            "src/shop.c",
            "src/shop.h",
            "src/stock/item.c",
            "src/stock/string.h",
            "include/shop/public.h",
            "third/party/deep/odd.h",
            "third/a/twice.h",
            "third/b/twice.h",
        ],
        &[],
    );
    repository.check(
        Language::C,
        &[
            ("src/shop.c", "#include \"shop.h\"", &["src/shop.h"]),
            (
                "src/stock/item.c",
                "#include \"../shop.h\"",
                &["src/shop.h"],
            ),
            ("src/stock/item.c", "#include \"shop.h\"", &["src/shop.h"]),
            (
                "src/shop.c",
                "#include \"shop/public.h\"",
                &["include/shop/public.h"],
            ),
            (
                "src/shop.c",
                "#include <shop/public.h>",
                &["include/shop/public.h"],
            ),
            (
                "src/shop.c",
                "#include \"deep/odd.h\"",
                &["third/party/deep/odd.h"],
            ),
            ("src/shop.c", "#include \"twice.h\"", &[]),
            ("src/stock/item.c", "#include <string.h>", &[]),
            (
                "src/stock/item.c",
                "#include \"string.h\"",
                &["src/stock/string.h"],
            ),
        ],
    );
}

#[test]
fn csharp() {
    let repository = TestRepository::new(
        &[
            "Shop/Program.cs",
            "Shop/Stock/Item.cs",
            "Shop/Stock/Shelf.cs",
            "Shop/Lonely/Only.cs",
            "Tax/Rate.cs",
        ],
        &[
            (
                "Shop/Shop.csproj",
                "<Project><RootNamespace>Example.Shop</RootNamespace></Project>",
            ),
            ("Tax/Example.Tax.csproj", "<Project></Project>"),
        ],
    );
    let program = "Shop/Program.cs";
    repository.check(
        Language::CSharp,
        &[
            (program, "using static Example.Tax.Rate;", &["Tax/Rate.cs"]),
            (
                program,
                "using I = Example.Shop.Stock.Item;",
                &["Shop/Stock/Item.cs"],
            ),
            (
                program,
                "using Example.Shop.Lonely;",
                &["Shop/Lonely/Only.cs"],
            ),
            (program, "using Example.Shop.Stock;", &[]),
            (program, "using System.Text; using Other.Thing;", &[]),
        ],
    );
}

#[test]
fn ruby() {
    let repository = TestRepository::new(
        &[
            "lib/shop.rb",
            "lib/shop/stock.rb",
            "spec/spec_helper.rb",
            "spec/shop/stock_spec.rb",
            "gems/tax/lib/tax/rate.rb",
        ],
        &[("gems/tax/tax.gemspec", "")],
    );
    repository.check(
        Language::Ruby,
        &[
            (
                "lib/shop.rb",
                "require 'shop/stock'",
                &["lib/shop/stock.rb"],
            ),
            (
                "lib/shop.rb",
                "require_relative 'shop/stock'",
                &["lib/shop/stock.rb"],
            ),
            (
                "lib/shop/stock.rb",
                "require_relative '../shop.rb'",
                &["lib/shop.rb"],
            ),
            (
                "lib/shop.rb",
                "autoload :Stock, 'shop/stock'",
                &["lib/shop/stock.rb"],
            ),
            (
                "spec/shop/stock_spec.rb",
                "require 'spec_helper'",
                &["spec/spec_helper.rb"],
            ),
            (
                "lib/shop.rb",
                "require 'tax/rate'",
                &["gems/tax/lib/tax/rate.rb"],
            ),
            ("lib/shop.rb", "require 'json'\nrequire 'rack'", &[]),
        ],
    );
}

#[test]
fn php() {
    let repository = TestRepository::new(
        &[
            "src/Shop.php",
            "src/Stock/Item.php",
            "tests/ShopTest.php",
            "legacy/Old/Till.php",
            "public/index.php",
            "vendor.php",
        ],
        &[(
            "composer.json",
            r#"{ "autoload": { "psr-4": { "Example\\": "src/" } }, "autoload-dev": { "psr-4": { "Example\\Tests\\": ["tests"] } } }"#,
        )],
    );
    repository.check(
        Language::Php,
        &[
            (
                "src/Shop.php",
                "<?php use Example\\Stock\\Item;",
                &["src/Stock/Item.php"],
            ),
            (
                "src/Shop.php",
                "<?php use Example\\{Shop, Stock\\Item};",
                &["src/Stock/Item.php"],
            ),
            (
                "src/Shop.php",
                "<?php use Example\\Tests\\ShopTest;",
                &["tests/ShopTest.php"],
            ),
            (
                "src/Shop.php",
                "<?php use Very\\Old\\Till;",
                &["legacy/Old/Till.php"],
            ),
            (
                "public/index.php",
                "<?php require __DIR__ . '/../src/Shop.php';",
                &["src/Shop.php"],
            ),
            (
                "public/index.php",
                "<?php require 'vendor.php';",
                &["vendor.php"],
            ),
            ("src/Shop.php", "<?php use Other\\Thing;", &[]),
        ],
    );
}

#[test]
fn manifests_are_known_by_name() {
    let manifests = [
        "Cargo.toml",
        "a/go.mod",
        "package.json",
        "tsconfig.base.json",
        "pyproject.toml",
        "setup.py",
        "pom.xml",
        "build.gradle.kts",
        "composer.json",
        "Shop.csproj",
        "shop.gemspec",
    ];
    for path in manifests {
        assert!(SourceRoots::is_manifest(path), "{path}");
    }
    for path in [
        "Cargo.lock",
        "package-lock.json",
        "src/main.rs",
        "config.json",
        "",
    ] {
        assert!(!SourceRoots::is_manifest(path), "{path}");
    }
}

#[test]
fn the_order_of_manifests_makes_no_difference() {
    let mut manifests = vec![
        ("a/tsconfig.json", "{ \"extends\": \"../tsconfig.json\" }"),
        (
            "tsconfig.json",
            "{ \"compilerOptions\": { \"baseUrl\": \".\" } }",
        ),
        ("b/go.mod", "module example.org/b"),
        ("go.mod", "module example.org/a"),
        ("setup.py", ""),
    ];
    let sorted = SourceRoots::from_manifests(&manifests);
    manifests.reverse();
    assert_eq!(SourceRoots::from_manifests(&manifests), sorted);
    assert_ne!(sorted, SourceRoots::default());
}
