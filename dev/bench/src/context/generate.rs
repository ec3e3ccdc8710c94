//! Generates trees for measuring: files in folders, with code that imports its neighbours, committed to git.

use camino::Utf8Path;

use crate::Outcome;
use crate::context::run::git;

/// Creates a repository of `count` files.
pub(crate) fn tree(root: &Utf8Path, count: usize) -> Outcome<()> {
    std::fs::create_dir_all(root)?;
    for number in 0..count {
        let folder = root.join(format!("area{}/part{}", number / 400, number / 20 % 20));
        if number % 20 == 0 {
            std::fs::create_dir_all(&folder)?;
        }
        put(&folder.join(format!("module_{number}.py")), &source(number))?;
    }
    put(&root.join(".gitignore"), "*.log\nbuild/\n")?;
    git(root, &["init", "-q"])?;
    git(root, &["add", "-A"])?;
    git(root, &["commit", "-q", "-m", "tree"])?;
    Ok(())
}

/// Writes a file of a generated tree.
pub(crate) fn put(path: &Utf8Path, text: &str) -> Outcome<()> {
    use std::io::Write;
    std::fs::File::create(path)?.write_all(text.as_bytes())?;
    Ok(())
}

fn source(number: usize) -> String {
    let before = number.saturating_sub(1);
    let (area, part) = (before / 400, before / 20 % 20);
    format!(
        "from area{area}.part{part}.module_{before} import Worker{before}\n\n\n\
         class Worker{number}:\n    limit = {number}\n\n    def run(self, items):\n        \
         return [item for item in items if item < self.limit]\n\n\n\
         def make_worker_{number}():\n    return Worker{number}()\n"
    )
}
