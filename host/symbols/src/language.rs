//! Language of a file, from its name alone. [`Language`] contains the languages that can be outlined; labels are a
//! larger set, for statistics.

/// A language whose files can be outlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Rust,
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    Go,
    Java,
    C,
    Cpp,
    CSharp,
    Ruby,
    Php,
}

impl Language {
    pub const ALL: [Self; 12] = [
        Self::Rust,
        Self::Python,
        Self::TypeScript,
        Self::Tsx,
        Self::JavaScript,
        Self::Go,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::CSharp,
        Self::Ruby,
        Self::Php,
    ];

    /// Returns the name used in storage and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::Python => "python",
            Self::TypeScript => "typescript",
            Self::Tsx => "tsx",
            Self::JavaScript => "javascript",
            Self::Go => "go",
            Self::Java => "java",
            Self::C => "c",
            Self::Cpp => "cpp",
            Self::CSharp => "csharp",
            Self::Ruby => "ruby",
            Self::Php => "php",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.name() == name)
    }
}

/// Returns the language of a file that can be outlined.
///
/// `.h` counts as C: a C++ header mostly parses as C too, and the rest is skipped.
pub fn language_of(path: &str) -> Option<Language> {
    let name = file_name(path);
    if let Some((_, language)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*language);
    }
    let extension = extension(name)?;
    EXTENSIONS
        .iter()
        .find(|(known, _)| extension.eq_ignore_ascii_case(known))
        .map(|(_, language)| *language)
}

/// Returns the name of a file's language or format for statistics.
pub fn language_label(path: &str) -> Option<&'static str> {
    if let Some(language) = language_of(path) {
        return Some(language.name());
    }
    let name = file_name(path);
    if let Some((_, label)) = LABELLED_NAMES.iter().find(|(known, _)| *known == name) {
        return Some(label);
    }
    let extension = extension(name)?;
    LABELS
        .iter()
        .find(|(_, extensions)| {
            extensions
                .iter()
                .any(|known| extension.eq_ignore_ascii_case(known))
        })
        .map(|(label, _)| *label)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the part after the last dot; a leading dot does not start an extension.
fn extension(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

const NAMES: &[(&str, Language)] = &[
    ("Gemfile", Language::Ruby),
    ("Rakefile", Language::Ruby),
    ("Guardfile", Language::Ruby),
    ("Podfile", Language::Ruby),
    ("Vagrantfile", Language::Ruby),
    ("Fastfile", Language::Ruby),
    ("SConstruct", Language::Python),
    ("SConscript", Language::Python),
];

const EXTENSIONS: &[(&str, Language)] = &[
    ("rs", Language::Rust),
    ("py", Language::Python),
    ("pyi", Language::Python),
    ("pyw", Language::Python),
    ("ts", Language::TypeScript),
    ("mts", Language::TypeScript),
    ("cts", Language::TypeScript),
    ("tsx", Language::Tsx),
    ("js", Language::JavaScript),
    ("jsx", Language::JavaScript),
    ("mjs", Language::JavaScript),
    ("cjs", Language::JavaScript),
    ("es6", Language::JavaScript),
    ("go", Language::Go),
    ("java", Language::Java),
    ("c", Language::C),
    ("h", Language::C),
    ("cc", Language::Cpp),
    ("cpp", Language::Cpp),
    ("cxx", Language::Cpp),
    ("c++", Language::Cpp),
    ("hh", Language::Cpp),
    ("hpp", Language::Cpp),
    ("hxx", Language::Cpp),
    ("h++", Language::Cpp),
    ("ipp", Language::Cpp),
    ("inl", Language::Cpp),
    ("tpp", Language::Cpp),
    ("cu", Language::Cpp),
    ("cuh", Language::Cpp),
    ("cs", Language::CSharp),
    ("rb", Language::Ruby),
    ("rake", Language::Ruby),
    ("gemspec", Language::Ruby),
    ("ru", Language::Ruby),
    ("php", Language::Php),
    ("phtml", Language::Php),
];

const LABELLED_NAMES: &[(&str, &str)] = &[
    ("Makefile", "make"),
    ("GNUmakefile", "make"),
    ("makefile", "make"),
    ("justfile", "just"),
    ("Dockerfile", "docker"),
    ("Containerfile", "docker"),
    ("CMakeLists.txt", "cmake"),
    ("BUILD", "starlark"),
    ("WORKSPACE", "starlark"),
    ("Jenkinsfile", "groovy"),
];

const LABELS: &[(&str, &[&str])] = &[
    ("markdown", &["md", "markdown", "mdx"]),
    ("restructuredtext", &["rst"]),
    ("asciidoc", &["adoc", "asciidoc"]),
    ("text", &["txt"]),
    ("toml", &["toml"]),
    ("yaml", &["yaml", "yml"]),
    ("json", &["json", "jsonc", "json5", "jsonl", "ndjson"]),
    (
        "xml",
        &["xml", "xsd", "xsl", "xslt", "csproj", "fsproj", "props"],
    ),
    ("ini", &["ini", "cfg", "conf", "properties"]),
    ("csv", &["csv", "tsv"]),
    ("shell", &["sh", "bash", "zsh", "fish", "ksh"]),
    ("powershell", &["ps1", "psm1", "psd1"]),
    ("batch", &["bat", "cmd"]),
    ("sql", &["sql"]),
    ("css", &["css", "scss", "sass", "less"]),
    ("html", &["html", "htm", "xhtml"]),
    (
        "template",
        &[
            "j2", "jinja", "jinja2", "erb", "haml", "hbs", "mustache", "ejs", "twig", "liquid",
        ],
    ),
    ("vue", &["vue"]),
    ("svelte", &["svelte"]),
    ("astro", &["astro"]),
    ("kotlin", &["kt", "kts"]),
    ("swift", &["swift"]),
    ("scala", &["scala", "sc", "sbt"]),
    ("groovy", &["groovy", "gradle"]),
    ("clojure", &["clj", "cljs", "cljc", "edn"]),
    ("dart", &["dart"]),
    ("objective-c", &["m", "mm"]),
    ("fsharp", &["fs", "fsi", "fsx"]),
    ("visual-basic", &["vb"]),
    ("elixir", &["ex", "exs"]),
    ("erlang", &["erl", "hrl"]),
    ("haskell", &["hs", "lhs"]),
    ("ocaml", &["ml", "mli"]),
    ("elm", &["elm"]),
    ("lua", &["lua"]),
    ("perl", &["pl", "pm", "t"]),
    ("r", &["r", "rmd"]),
    ("julia", &["jl"]),
    ("zig", &["zig"]),
    ("nim", &["nim"]),
    ("d", &["d"]),
    ("fortran", &["f", "f77", "f90", "f95", "f03", "for"]),
    ("pascal", &["pas", "pp"]),
    ("assembly", &["asm", "s"]),
    ("verilog", &["v", "sv", "svh"]),
    ("vhdl", &["vhd", "vhdl"]),
    ("solidity", &["sol"]),
    ("lisp", &["lisp", "el", "scm", "rkt"]),
    ("cython", &["pyx", "pxd"]),
    ("notebook", &["ipynb"]),
    ("protobuf", &["proto"]),
    ("graphql", &["graphql", "gql"]),
    ("thrift", &["thrift"]),
    ("wit", &["wit"]),
    ("webassembly", &["wat", "wast"]),
    ("terraform", &["tf", "tfvars", "hcl"]),
    ("nix", &["nix"]),
    ("cmake", &["cmake"]),
    ("make", &["mk", "mak"]),
    ("starlark", &["bzl", "bazel", "star"]),
    ("docker", &["dockerfile"]),
    ("just", &["just"]),
    ("tex", &["tex", "bib", "sty"]),
    ("glsl", &["glsl", "vert", "frag", "wgsl", "hlsl"]),
];
