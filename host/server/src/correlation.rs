//! Correlation ids from callers, so that their log and acreta's can be compared. A malformed id is ignored: the server
//! then creates its own.

use http::HeaderMap;

/// Maximum bytes of a caller's id.
const MOST_BYTES: usize = 128;

/// Correlation ids of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Correlation {
    /// The caller's `x-request-id`, or the trace of its `traceparent`.
    pub(crate) request_id: Option<String>,
    /// The caller's `traceparent`, for spans that belong to its trace.
    pub(crate) traceparent: Option<String>,
}

impl Correlation {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let text = |name: &str| headers.get(name)?.to_str().ok();
        let traceparent = text("traceparent").filter(|text| trace_of(text).is_some());
        let given = text("x-request-id").filter(|id| is_plain(id));
        Self {
            request_id: given
                .or_else(|| traceparent.and_then(trace_of))
                .map(str::to_owned),
            traceparent: traceparent.map(str::to_owned),
        }
    }
}

/// Returns whether an id is safe in a header, a path and a log line.
fn is_plain(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=MOST_BYTES).contains(&id.len()) && id.bytes().all(plain)
}

/// Returns the trace of a `traceparent` (W3C Trace Context): `00-<32 hex>-<16 hex>-<2 hex>`. Later versions may append
/// more.
fn trace_of(text: &str) -> Option<&str> {
    let mut parts = text.split('-');
    let (version, trace) = (parts.next()?, parts.next()?);
    let (span, flags) = (parts.next()?, parts.next()?);
    let is_hex = |part: &str, length: usize| {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        part.len() == length && part.bytes().all(digit)
    };
    let is_set = |part: &str| part.bytes().any(|byte| byte != b'0');
    let is_whole = is_hex(version, 2)
        && version != "ff"
        && is_hex(trace, 32)
        && is_set(trace)
        && is_hex(span, 16)
        && is_set(span)
        && is_hex(flags, 2)
        && (version != "00" || parts.next().is_none());
    is_whole.then_some(trace)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    /// `x-request-id`, `traceparent`, and the resulting id.
    type CorrelationCase<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

    #[test]
    fn well_formed_ids_are_kept_and_others_passed_over() {
        const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
        let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
        let long = "x".repeat(129);
        let zeros = format!("00-{}-00f067aa0ba902b7-01", "0".repeat(32));
        let longer = format!("{parent}-more");
        let later = format!("01{}-more", &parent[2..]);
        let table: [CorrelationCase<'_>; 12] = [
            (None, None, None),
            (Some("client-7.a_b"), None, Some("client-7.a_b")),
            (Some("client-7"), Some(&parent), Some("client-7")),
            (None, Some(&parent), Some(TRACE)),
            (Some("two words"), Some(&parent), Some(TRACE)),
            (Some(""), None, None),
            (Some("a/b"), None, None),
            (Some(&long), None, None),
            (None, Some(&zeros), None),
            (None, Some("00-xyz-1-1"), None),
            (None, Some(&longer), None),
            (None, Some(&later), Some(TRACE)),
        ];
        for (request, traceparent, expected) in table {
            let mut headers = HeaderMap::new();
            for (name, value) in [("x-request-id", request), ("traceparent", traceparent)] {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_str(value).unwrap());
                }
            }
            let found = Correlation::of(&headers);
            assert_eq!(found.request_id.as_deref(), expected, "{headers:?}");
        }
    }
}
