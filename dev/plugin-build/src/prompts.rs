//! Embeds a plugin's prompts in its component, where everybody can read them: one custom section `acreta:prompt/<name>`
//! for each `prompts/<name>.md` next to its sources.

use std::path::Path;
use std::{fs, io};

use crate::BuildError;

/// Prefix of the name of a prompt's section.
const SECTION: &str = "acreta:prompt/";

/// Adds the prompts of a folder to a component; unchanged if there is no folder.
pub(crate) fn with_prompts(mut component: Vec<u8>, folder: &Path) -> Result<Vec<u8>, BuildError> {
    let failed = |cause: io::Error| BuildError::Io {
        path: folder.to_owned(),
        cause,
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(component),
        Err(error) => return Err(failed(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read(&file).map_err(|cause| BuildError::Io {
            path: file.clone(),
            cause,
        })?;
        append_section(&mut component, &format!("{SECTION}{name}"), &text);
    }
    Ok(component)
}

/// Appends a custom section: its number, its length, its name, its content.
fn append_section(component: &mut Vec<u8>, name: &str, content: &[u8]) {
    let mut section = Vec::new();
    append_length(&mut section, name.len());
    section.extend_from_slice(name.as_bytes());
    section.extend_from_slice(content);
    component.push(0);
    append_length(component, section.len());
    component.append(&mut section);
}

/// Appends a length as LEB128, as WebAssembly does.
fn append_length(bytes: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        bytes.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_as_webassembly_has_them() {
        let table: &[(usize, &[u8])] = &[
            (0, &[0]),
            (127, &[127]),
            (128, &[0x80, 1]),
            (624_485, &[0xe5, 0x8e, 0x26]),
        ];
        for (length, expected) in table {
            let mut bytes = Vec::new();
            append_length(&mut bytes, *length);
            assert_eq!(bytes, *expected, "{length}");
        }
    }

    #[test]
    fn a_plugin_without_prompts_stays_as_it_is() {
        let folder = crate::workspace_root().join("plugins/writer-markdown/prompts");
        let component = b"\0asm\x0d\0\x01\0".to_vec();
        assert_eq!(with_prompts(component.clone(), &folder).unwrap(), component);
    }
}
