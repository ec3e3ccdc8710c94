//! Fills the files of `packaging/`: a place is a name in two pairs of braces. Everything else stays as it is, among it the
//! places of other programs, such as `${{ inputs.session }}`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::files::put;
use crate::process::TaskError;

/// Text for each place, by its name.
pub(crate) type TemplateValues = BTreeMap<String, String>;

/// Returns a template with its places filled, or the name of a place for which there is no value.
pub(crate) fn fill(template: &str, values: &TemplateValues) -> Result<String, String> {
    let is_name = |name: &str| {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        !name.is_empty() && name.chars().all(plain)
    };
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        rest = match after.split_once("}}") {
            Some((name, rest)) if is_name(name) => {
                filled.push_str(values.get(name).ok_or_else(|| name.to_owned())?);
                rest
            }
            _ => {
                filled.push_str("{{");
                after
            }
        };
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Reads and fills one file of `packaging/`.
pub(crate) fn filled(name: &str, values: &TemplateValues) -> Result<String, TaskError> {
    let path = acreta_plugin_build::workspace_root()
        .join("packaging")
        .join(name);
    let template = fs::read_to_string(&path).map_err(|error| TaskError::at(&path, &error))?;
    fill(&template, values)
        .map_err(|name| TaskError::at(&path, &format!("no value for `{{{{{name}}}}}`")))
}

/// Fills a folder of `packaging/` into another one.
pub(crate) fn fill_folder(name: &str, to: &Path, values: &TemplateValues) -> Result<(), TaskError> {
    let folder = acreta_plugin_build::workspace_root()
        .join("packaging")
        .join(name);
    let entries = fs::read_dir(&folder).map_err(|error| TaskError::at(&folder, &error))?;
    for entry in entries {
        let path = entry
            .map_err(|error| TaskError::at(&folder, &error))?
            .path();
        let own = path.file_name().unwrap_or_default();
        let below = format!("{name}/{}", own.to_string_lossy());
        match path.is_dir() {
            true => fill_folder(&below, &to.join(own), values)?,
            false => put(&to.join(own), filled(&below, values)?.as_bytes())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_those_of_others_stay() {
        let values = TemplateValues::from([("version".to_owned(), "1.2".to_owned())]);
        let cases = [
            ("a {{version}} b {{version}}", Ok("a 1.2 b 1.2")),
            ("${{ inputs.x }} {{version}}", Ok("${{ inputs.x }} 1.2")),
            ("#{bin} {{{{version}}}}", Ok("#{bin} {{1.2}}")),
            ("{{", Ok("{{")),
            ("{{verison}}", Err("verison")),
        ];
        for (template, expected) in cases {
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(fill(template, &values), expected, "{template}");
        }
    }
}
