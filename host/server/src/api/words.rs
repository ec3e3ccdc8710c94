//! Types that requests and answers share. A parsed value is within its bounds, and its schema states the same bounds.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A text of one to `LONGEST` characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Text<const LONGEST: usize>(String);

/// A whole number from `LEAST` to `MOST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Whole<const LEAST: u64, const MOST: u64>(u64);

/// Maximum number of results: from one to `MOST`, and `USUAL` by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit<const USUAL: u64, const MOST: u64>(u64);

/// Number of results to skip.
pub type Offset = Whole<0, 1_000_000_000>;

/// A date, a time, or an age: `2026-01-31`, `2026-01-31T12:00:00Z`, `7d`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Moment(String);

/// The memory to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListScope {
    Project,
    Global,
    /// The project's and the global memory, and with `all_projects` that of the others.
    All,
}

/// The body of a call without parameters: `{}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoBody {}

/// The project of a request. Default: the server's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InProject {
    pub project_root: Option<Text<4096>>,
}

/// The projects of a request. Default: the server's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InProjects {
    pub project_root: Option<Text<4096>>,
    /// All registered projects, and the global memory.
    #[serde(default)]
    pub all_projects: bool,
}

impl<const LONGEST: usize> Text<LONGEST> {
    pub fn new(text: impl Into<String>) -> Result<Self, String> {
        let text = text.into();
        // The number of bytes is an upper bound on the number of characters, and cheap to get.
        if text.is_empty() {
            return Err("must not be empty".to_owned());
        }
        if text.len() > LONGEST && text.chars().count() > LONGEST {
            return Err(format!("must have at most {LONGEST} characters"));
        }
        Ok(Self(text))
    }

    pub fn into_string(self) -> String {
        self.0
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const LONGEST: usize> Deref for Text<LONGEST> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const LEAST: u64, const MOST: u64> Whole<LEAST, MOST> {
    pub fn new(value: u64) -> Option<Self> {
        (LEAST..=MOST).contains(&value).then_some(Self(value))
    }

    pub fn get(self) -> u64 {
        self.0
    }
}

impl<const LEAST: u64, const MOST: u64> Default for Whole<LEAST, MOST> {
    fn default() -> Self {
        Self(LEAST)
    }
}

impl<const USUAL: u64, const MOST: u64> Limit<USUAL, MOST> {
    pub fn get(self) -> u64 {
        self.0
    }
}

impl<const USUAL: u64, const MOST: u64> Default for Limit<USUAL, MOST> {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl Moment {
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        (is_length(&text) || is_time(&text)).then_some(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Pattern of a moment for the schema; the code checks the same rules without it.
const MOMENT: &str = "^([0-9]{1,6}[smhdw]|[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?)$";

fn is_length(text: &str) -> bool {
    let Some((number, unit)) = text.split_at_checked(text.len().saturating_sub(1)) else {
        return false;
    };
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    digits && (1..=6).contains(&number.len()) && ["s", "m", "h", "d", "w"].contains(&unit)
}

fn is_time(text: &str) -> bool {
    let (date, time) = match text.split_once('T') {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let time_fits = time.is_none_or(|time| {
        let time = time.strip_suffix('Z');
        time.is_some_and(|time| numbers(time, ':', &[(2, 0, 23), (2, 0, 59), (2, 0, 59)]))
    });
    time_fits && numbers(date, '-', &[(4, 0, 9999), (2, 1, 12), (2, 1, 31)])
}

/// Returns whether the parts are numbers with the required digits and bounds.
fn numbers(text: &str, between: char, bounds: &[(usize, u32, u32)]) -> bool {
    let parts: Vec<&str> = text.split(between).collect();
    parts.len() == bounds.len()
        && parts
            .iter()
            .zip(bounds)
            .all(|(part, (length, least, most))| {
                let digits =
                    part.len() == *length && part.bytes().all(|byte| byte.is_ascii_digit());
                let value = part.parse::<u32>();
                digits && value.is_ok_and(|value| (*least..=*most).contains(&value))
            })
}

impl<'de, const LONGEST: usize> Deserialize<'de> for Text<LONGEST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(text).map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = "must be a date (2026-01-31), a time (2026-01-31T12:00:00Z) or a length (7d)";
        Self::new(text).ok_or_else(|| D::Error::custom(wrong))
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for Whole<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_u64(WholeVisitor {
                least: LEAST,
                most: MOST,
            })
            .map(Self)
    }
}

impl<'de, const USUAL: u64, const MOST: u64> Deserialize<'de> for Limit<USUAL, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_u64(WholeVisitor {
                least: 1,
                most: MOST,
            })
            .map(Self)
    }
}

struct WholeVisitor {
    least: u64,
    most: u64,
}

impl Visitor<'_> for WholeVisitor {
    type Value = u64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "a whole number from {} to {}",
            self.least, self.most
        )
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<u64, E> {
        if (self.least..=self.most).contains(&value) {
            return Ok(value);
        }
        Err(E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<u64, E> {
        match u64::try_from(value) {
            Ok(value) => self.visit_u64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }

    /// JSON has one kind of number: `5.0` is five.
    fn visit_f64<E: Error>(self, value: f64) -> Result<u64, E> {
        let whole = value.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&value);
        if whole {
            return self.visit_u64(value as u64);
        }
        Err(E::invalid_value(Unexpected::Float(value), &self))
    }
}

impl<const LONGEST: usize> JsonSchema for Text<LONGEST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Text{LONGEST}").into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": LONGEST })
    }
}

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": MOMENT })
    }
}

impl<const LEAST: u64, const MOST: u64> JsonSchema for Whole<LEAST, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Whole{LEAST}To{MOST}").into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST })
    }
}

impl<const USUAL: u64, const MOST: u64> JsonSchema for Limit<USUAL, MOST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Limit{USUAL}To{MOST}").into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL })
    }
}
