//! The forms that have the binary in them: a ZIP archive for Windows, packages for npm, PyPI, Debian and RPM systems, and
//! `.mcpb` bundles.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::PackagePlatform;
use super::template::{TemplateValues, filled};
use super::zip::{Deflated, Zip};
use crate::archive::{BESIDE, LICENSES, VERSION, pack};
use crate::files::{bytes, hex_digest, make, make_executable, put, remove};
use crate::process::{TaskError, found, run};

/// Our own licences, in every form.
const OWN_LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Where packages are made.
pub(crate) struct Workbench<'a> {
    /// Folder of the packages.
    pub(crate) folder: &'a Path,
    /// Folder of what goes into them, empty at the end.
    pub(crate) stage: &'a Path,
    /// How hard to compress.
    pub(crate) level: &'a str,
}

/// Makes the packages of one platform from its unpacked archive, and adds their checksums to the values.
pub(crate) fn of_platform(
    bench: &Workbench<'_>,
    platform: &PackagePlatform,
    values: &mut TemplateValues,
) -> Result<(), TaskError> {
    let unpacked = bench.stage.join(platform.name());
    let program = bytes(&unpacked.join(platform.program()))?;
    let build = PlatformBuild {
        bench,
        platform,
        unpacked,
        deflated: Deflated::new(&program, bench.level)?,
        digest: Sha256::digest(&program).to_vec(),
    };
    let PackagePlatform { os, cpu, .. } = platform;
    let mut own = values.clone();
    let mut set = |name: &str, value: String| own.insert(name.to_owned(), value);
    set("os", (*os).to_owned());
    set("cpu", (*cpu).to_owned());
    set("program", platform.program().to_owned());
    set("installed_kib", (program.len() / 1024).to_string());
    let tags = platform.wheel.iter();
    let tags: Vec<String> = tags.map(|tag| format!("Tag: py3-none-{tag}")).collect();
    set("wheel_tags", tags.join("\n"));

    let mut archive = bench.folder.join(format!("{}.tar.xz", platform.name()));
    if *os == "win32" {
        archive.set_file_name(format!("{}.zip", platform.name()));
        build.zip(&archive)?;
    }
    let bundle = format!("acreta-{VERSION}-{os}-{cpu}.mcpb");
    let bundle = bench.folder.join(bundle);
    build.mcpb(&bundle, &own)?;
    for (name, file) in [("sha256", &archive), ("sha256_mcpb", &bundle)] {
        values.insert(format!("{name}_{os}_{cpu}"), hex_digest(&bytes(file)?));
    }
    build.npm(&own)?;
    build.wheel(&own)?;
    if let Some((deb, rpm)) = platform.linux {
        own.insert("deb_arch".to_owned(), deb.to_owned());
        let tree = build.tree(&own)?;
        // `acreta self check` tells the packages by it.
        let mark = tree.join("usr/share/acreta/installed-by");
        put(&mark, b"deb\n")?;
        build.deb(&tree, deb, &own)?;
        put(&mark, b"rpm\n")?;
        build.rpm(&tree, rpm, &own)?;
        remove(&tree)?;
    }
    Ok(())
}

/// The package `acreta` of npm, which starts the program of the platform's package.
pub(crate) fn npm_main(bench: &Workbench<'_>, values: &TemplateValues) -> Result<(), TaskError> {
    let package = bench.stage.join("package");
    for name in ["package.json", "acreta.js"] {
        let text = filled(&format!("npm/main/{name}"), values)?;
        put(&package.join(name), text.as_bytes())?;
    }
    make_executable(&package.join("acreta.js"))?;
    for name in OWN_LICENSES {
        let license = acreta_plugin_build::workspace_root().join(name);
        copy(&license, &package.join(name))?;
    }
    bench.npm(&format!("acreta-{VERSION}.tgz"))
}

impl Workbench<'_> {
    /// Packs the staged folder `package` for npm.
    fn npm(&self, name: &str) -> Result<(), TaskError> {
        let folder = self.folder.join("npm");
        make(&folder)?;
        pack(self.stage, "package", &folder.join(name), self.level)?;
        remove(&self.stage.join("package"))
    }
}

/// One platform's binary on its way into packages.
struct PlatformBuild<'a> {
    bench: &'a Workbench<'a>,
    platform: &'a PackagePlatform,
    unpacked: PathBuf,
    deflated: Deflated,
    digest: Vec<u8>,
}

impl PlatformBuild<'_> {
    /// The files of the archive in the form that Windows unpacks.
    fn zip(&self, to: &Path) -> Result<(), TaskError> {
        let mut zip = Zip::default();
        let name = self.platform.name();
        for file in BESIDE.iter().chain([&LICENSES]) {
            let text = bytes(&self.unpacked.join(file))?;
            zip.add_text(&format!("{name}/{file}"), &text)?;
        }
        let program = format!("{name}/{}", self.platform.program());
        zip.add(&program, 0o755, &self.deflated)?;
        zip.write(to)
    }

    fn mcpb(&self, to: &Path, values: &TemplateValues) -> Result<(), TaskError> {
        let mut zip = Zip::default();
        let manifest = filled("mcpb/manifest.json", values)?;
        zip.add_text("manifest.json", manifest.as_bytes())?;
        for (name, text) in self.licenses()? {
            zip.add_text(name, &text)?;
        }
        let program = format!("server/{}", self.platform.program());
        zip.add(&program, 0o755, &self.deflated)?;
        zip.write(to)
    }

    fn npm(&self, values: &TemplateValues) -> Result<(), TaskError> {
        let package = self.bench.stage.join("package");
        let manifest = filled("npm/platform/package.json", values)?;
        put(&package.join("package.json"), manifest.as_bytes())?;
        for (name, text) in self.licenses()? {
            put(&package.join(name), &text)?;
        }
        let PackagePlatform { os, cpu, .. } = self.platform;
        let program = self.platform.program();
        make(&package.join("bin"))?;
        copy(
            &self.unpacked.join(program),
            &package.join("bin").join(program),
        )?;
        self.bench.npm(&format!("acreta-{os}-{cpu}-{VERSION}.tgz"))
    }

    /// A wheel has the program as a script, which installers put on the path, and lists all files with their digests.
    fn wheel(&self, values: &TemplateValues) -> Result<(), TaskError> {
        let (base, tags) = (format!("acreta-{VERSION}"), self.platform.wheel.join("."));
        let mut files = Vec::new();
        for name in ["METADATA", "WHEEL"] {
            let text = filled(&format!("python/{name}"), values)?;
            files.push((format!("{base}.dist-info/{name}"), text.into_bytes()));
        }
        for (name, text) in self.licenses()? {
            files.push((format!("{base}.dist-info/licenses/{name}"), text));
        }
        let row = |name: &str, digest: &[u8], size: usize| {
            format!("{name},sha256={},{size}\n", base64(digest))
        };
        let mut zip = Zip::default();
        let program = format!("{base}.data/scripts/{}", self.platform.program());
        zip.add(&program, 0o755, &self.deflated)?;
        let mut record = row(&program, &self.digest, self.deflated.size());
        for (name, content) in files {
            zip.add_text(&name, &content)?;
            record += &row(&name, &Sha256::digest(&content), content.len());
        }
        let name = format!("{base}.dist-info/RECORD");
        record += &format!("{name},,\n");
        zip.add_text(&name, record.as_bytes())?;
        let file = format!("python/{base}-py3-none-{tags}.whl");
        zip.write(&self.bench.folder.join(file))
    }

    /// Stages the files as they are on a Linux system.
    fn tree(&self, values: &TemplateValues) -> Result<PathBuf, TaskError> {
        let tree = self.bench.stage.join("tree");
        make(&tree.join("usr/bin"))?;
        copy(&self.unpacked.join("acreta"), &tree.join("usr/bin/acreta"))?;
        let doc = tree.join("usr/share/doc/acreta");
        let copyright = filled("deb/copyright", values)?;
        put(&doc.join("copyright"), copyright.as_bytes())?;
        for file in BESIDE.iter().chain([&LICENSES]) {
            copy(&self.unpacked.join(file), &doc.join(file))?;
        }
        Ok(tree)
    }

    /// A `.deb` is an `ar` archive of a version, the control file and the tree.
    fn deb(&self, tree: &Path, arch: &str, values: &TemplateValues) -> Result<(), TaskError> {
        let Workbench { stage, level, .. } = self.bench;
        let control = filled("deb/control", values)?;
        put(&stage.join("control"), control.as_bytes())?;
        let (meta, data) = (stage.join("control.tar.xz"), stage.join("data.tar.xz"));
        pack(stage, "./control", &meta, level)?;
        pack(tree, ".", &data, level)?;
        let mut package = b"!<arch>\n".to_vec();
        let parts = [
            ("debian-binary", b"2.0\n".to_vec()),
            ("control.tar.xz", bytes(&meta)?),
            ("data.tar.xz", bytes(&data)?),
        ];
        for (name, content) in parts {
            // Name, time, owner, group, mode, size; each part begins at an even place.
            let size = content.len();
            let head = format!("{name:<16}{0:<12}{0:<6}{0:<6}100644  {size:<10}`\n", 0);
            package.extend(head.as_bytes());
            package.extend(content);
            package.extend((size % 2 == 1).then_some(b'\n'));
        }
        let name = format!("acreta_{VERSION}_{arch}.deb");
        put(&self.bench.folder.join(name), &package)
    }

    /// Made with `rpmbuild`, which packs for any architecture what is there already.
    fn rpm(&self, tree: &Path, arch: &str, values: &TemplateValues) -> Result<(), TaskError> {
        if !found("rpmbuild") {
            println!(
                "skipped: rpmbuild is not installed (Debian: `apt install rpm`); there is no .rpm for {arch}"
            );
            return Ok(());
        }
        let stage = self.bench.stage;
        let (spec, top) = (stage.join("acreta.spec"), stage.join("rpm"));
        put(&spec, filled("rpm/acreta.spec", values)?.as_bytes())?;
        let level = self.bench.level.trim_start_matches('-');
        let define = |name: &str, value: &str| ["--define".to_owned(), format!("{name} {value}")];
        run(Command::new("rpmbuild")
            .args(["-bb", "--quiet", "--target", &format!("{arch}-linux")])
            .env("SOURCE_DATE_EPOCH", "0")
            .args(define("_topdir", &top.to_string_lossy()))
            .args(define("tree", &tree.to_string_lossy()))
            .args(define("_binary_payload", &format!("w{level}.xzdio")))
            .args(define("_buildhost", "acreta"))
            .args(define("use_source_date_epoch_as_buildtime", "1"))
            .arg(&spec))?;
        let name = format!("acreta-{VERSION}-1.{arch}.rpm");
        let built = top.join("RPMS").join(arch).join(&name);
        copy(&built, &self.bench.folder.join(&name))?;
        remove(&top)
    }

    /// Returns our licences and those of the libraries.
    fn licenses(&self) -> Result<Vec<(&'static str, Vec<u8>)>, TaskError> {
        let names = OWN_LICENSES.into_iter().chain([LICENSES]);
        names
            .map(|name| Ok((name, bytes(&self.unpacked.join(name))?)))
            .collect()
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), TaskError> {
    let copied = fs::copy(from, to);
    copied.map_err(|error| TaskError::at(from, &error))?;
    Ok(())
}

/// Base64 in the alphabet of addresses, without padding, as wheels have digests.
fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut group = [0; 4];
        group[1..=chunk.len()].copy_from_slice(chunk);
        let number = u32::from_be_bytes(group);
        for place in 0..=chunk.len() {
            let index = (number >> (18 - 6 * place)) & 63;
            text.push(char::from(alphabet[index as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_that_of_addresses() {
        let cases = [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("~~~?", "fn5-Pw"),
        ];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
