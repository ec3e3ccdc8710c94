//! Signatures of requests to object storage (AWS Signature Version 4, header form). Pure: the time is an argument.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::S3Settings;

/// A request, as far as it is signed.
pub(super) struct SignedRequest<'a> {
    pub(super) method: &'a str,
    pub(super) host: &'a str,
    /// The encoded path.
    pub(super) path: &'a str,
    /// SHA-256 of the body, in hex.
    pub(super) body_digest: &'a str,
    /// Milliseconds since 1970.
    pub(super) now_ms: u64,
}

/// Returns the headers that sign a request.
pub(super) fn headers(
    request: &SignedRequest<'_>,
    settings: &S3Settings,
) -> Vec<(&'static str, String)> {
    let (date, time) = timestamp(request.now_ms);
    let mut headers = vec![
        ("host", request.host.to_owned()),
        ("x-amz-content-sha256", request.body_digest.to_owned()),
        ("x-amz-date", time.clone()),
    ];
    if let Some(token) = &settings.session_token {
        headers.push(("x-amz-security-token", token.clone()));
    }
    let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
    let names = names.join(";");
    let lines: String = headers
        .iter()
        .map(|(name, value)| format!("{name}:{}\n", value.trim()))
        .collect();
    let canonical = format!(
        "{}\n{}\n\n{lines}\n{names}\n{}",
        request.method, request.path, request.body_digest
    );
    let scope = format!("{date}/{}/s3/aws4_request", settings.region);
    let to_sign = format!(
        "AWS4-HMAC-SHA256\n{time}\n{scope}\n{}",
        acreta_text::hex(&Sha256::digest(canonical))
    );
    let mut key = format!("AWS4{}", settings.secret_key).into_bytes();
    for part in [&date, &settings.region, "s3", "aws4_request"] {
        key = keyed(&key, part);
    }
    let signature = acreta_text::hex(&keyed(&key, &to_sign));
    headers.push((
        "authorization",
        format!(
            "AWS4-HMAC-SHA256 Credential={}/{scope},SignedHeaders={names},Signature={signature}",
            settings.access_key
        ),
    ));
    // The client sends the host itself.
    headers.retain(|(name, _)| *name != "host");
    headers
}

fn keyed(key: &[u8], text: &str) -> Vec<u8> {
    // HMAC takes a key of any length, so this cannot fail.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        return Vec::new();
    };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Returns a time as `20130524` and `20130524T000000Z`.
fn timestamp(now_ms: u64) -> (String, String) {
    let seconds = now_ms / 1000;
    let (days, seconds) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that the leap day is the last day of its year (Howard Hinnant's algorithm).
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let date = format!("{year:04}{month:02}{day:02}");
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let time = format!("{date}T{hour:02}{minute:02}{second:02}Z");
    (date, time)
}

/// Encodes a path for a URL and its signature; slashes stay.
pub(super) fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn settings(token: Option<&str>) -> S3Settings {
        S3Settings {
            access_key: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
            session_token: token.map(str::to_owned),
            ..S3Settings::default()
        }
    }

    #[test]
    fn times_are_written_as_dates() {
        let table = [
            (0, "19700101T000000Z"),
            (951_782_399_000, "20000228T235959Z"),
            (951_782_400_000, "20000229T000000Z"),
            (1_369_353_600_000, "20130524T000000Z"),
            (1_798_761_599_999, "20261231T235959Z"),
        ];
        for (at_ms, expected) in table {
            assert_eq!(timestamp(at_ms).1, expected);
        }
    }

    /// Computed independently with Python's `hmac` and `hashlib`, after the published steps of the algorithm.
    #[test]
    fn signatures_agree_with_an_independent_implementation() {
        let request = SignedRequest {
            method: "GET",
            host: "examplebucket.s3.amazonaws.com",
            path: "/test.txt",
            body_digest: EMPTY,
            now_ms: 1_369_353_600_000,
        };
        let signature = |token| {
            let headers = headers(&request, &settings(token));
            let (_, value) = headers.into_iter().next_back().unwrap_or_default();
            value.rsplit('=').next().unwrap_or_default().to_owned()
        };
        assert_eq!(
            signature(None),
            "df548e2ce037944d03f3e68682813b093763996d597cf890ca3d9037fd231eb4"
        );
        assert_eq!(
            signature(Some("token")),
            "b84e330a6147180b0b49e531a6956883ade19f642ae31fd891a3d3e2c60a2d22"
        );
    }

    #[test]
    fn paths_are_encoded_once() {
        assert_eq!(encoded("/a b/x-1.zst"), "/a%20b/x-1.zst");
        assert_eq!(encoded("/ü"), "/%C3%BC");
    }
}
