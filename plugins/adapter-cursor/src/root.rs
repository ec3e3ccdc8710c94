//! The root of a session in the command line's database: a protocol buffer with two known fields, the ids of the
//! messages in the order of the conversation, and the directory.

/// Number of the field with the ids of messages, 32 bytes each.
const MESSAGES: u64 = 1;
const ID_BYTES: usize = 32;

/// Number of the field with the URL of the directory.
const DIRECTORY: u64 = 9;

/// Content of a root.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Root {
    /// Ids of messages, in hexadecimal.
    pub(crate) messages: Vec<String>,
    pub(crate) directory: Option<String>,
}

impl Root {
    /// Returns `None` if this is not a protocol buffer.
    pub(crate) fn of(mut bytes: &[u8]) -> Option<Self> {
        let mut root = Self::default();
        while !bytes.is_empty() {
            let (tag, rest) = number(bytes)?;
            bytes = match tag & 7 {
                0 => number(rest)?.1,
                1 => rest.get(8..)?,
                5 => rest.get(4..)?,
                2 => {
                    let (length, rest) = number(rest)?;
                    let (value, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
                    root.see(tag >> 3, value);
                    rest
                }
                _ => return None,
            };
        }
        Some(root)
    }

    fn see(&mut self, field: u64, value: &[u8]) {
        match field {
            MESSAGES if value.len() == ID_BYTES => {
                let digits = value.iter().map(|byte| format!("{byte:02x}"));
                self.messages.push(digits.collect());
            }
            DIRECTORY => self.directory = std::str::from_utf8(value).ok().map(str::to_owned),
            _ => {}
        }
    }
}

/// Reads a varint; returns the remaining bytes too.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().take(10).enumerate() {
        number |= u64::from(byte & 0x7f).checked_shl(7 * place as u32)?;
        if byte & 0x80 == 0 {
            return Some((number, &bytes[place + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(number: u8, value: &[u8]) -> Vec<u8> {
        let length = u8::try_from(value.len()).expect("short");
        [&[number << 3 | 2, length], value].concat()
    }

    #[test]
    fn messages_and_directory_are_found_among_other_fields() {
        let bytes = [
            field(1, &[0xab; 32]),
            vec![3 << 3, 0x96, 0x01],
            field(1, &[0x01; 32]),
            field(1, b"not an id"),
            vec![4 << 3 | 5, 0, 0, 0, 0],
            vec![5 << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0],
            field(9, b"file:///home/mira"),
        ]
        .concat();
        let root = Root::of(&bytes).expect("whole");
        assert_eq!(root.messages, ["ab".repeat(32), "01".repeat(32)]);
        assert_eq!(root.directory.as_deref(), Some("file:///home/mira"));
    }

    #[test]
    fn what_is_no_root_is_refused() {
        let table: [&[u8]; 6] = [
            b"{\"role\":\"user\"}",
            &[0x0a],
            &[0x0a, 0x05, 1],
            &[0x0b],
            &[0xff; 12],
            &[
                0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
            ],
        ];
        for bytes in table {
            assert_eq!(Root::of(bytes), None, "{bytes:?}");
        }
    }
}
