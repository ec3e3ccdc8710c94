//! Keys in the paths of URLs: nodes of blockchains, webhooks, collectors of logs. Only hosts that are known for it; the
//! first random segment of the path is the key.

use std::ops::Range;

use crate::judge::is_placeholder;
use crate::letters::is_uuid;
use crate::value::Likeness;
use crate::view::RangeSink;

/// Hosts, with the part of the path before the key where that is fixed.
pub(crate) const HOSTS: &[&str] = &[
    "alchemy.com/v2/",
    "alchemyapi.io/v2/",
    "blastapi.io/",
    "blockpi.network/v1/rpc/",
    "chainstack.com/",
    "events.pagerduty.com/integration/",
    "getblock.io/",
    "hooks.airtable.com/",
    "hooks.glip.com/webhook/",
    "hooks.zapier.com/hooks/",
    "infura.io/v3/",
    "infura.io/ws/v3/",
    "larksuite.com/open-apis/bot/v2/hook/",
    "feishu.cn/open-apis/bot/v2/hook/",
    "logs.loggly.com/inputs/",
    "logs-01.loggly.com/",
    "maker.ifttt.com/trigger/",
    "make.com/",
    "moralis-nodes.com/",
    "nodereal.io/v1/",
    "quiknode.pro/",
    "rpc.ankr.com/",
    "tenderly.co/",
    "trycloudflare.com/hook/",
];

/// Maximum length of a path, and number of its segments.
const LONGEST: usize = 240;
const SEGMENTS: usize = 6;

/// Finds the key in the path after a host that ends with `keyword`.
pub(crate) fn key(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let bytes = text.as_bytes();
    let path = bytes[keyword.end..].iter().take(LONGEST);
    let is_path = |it: &&u8| it.is_ascii_alphanumeric() || b"/_-.~@%".contains(it);
    let end = keyword.end + path.take_while(is_path).count();
    let mut at = keyword.end;
    for segment in text[keyword.end..end].split('/').take(SEGMENTS) {
        let value = segment.trim_end_matches(['.', ',']);
        if is_key(value) {
            return found(at..at + value.len());
        }
        at += segment.len() + 1;
    }
}

/// Reports whether a segment of a path is random.
fn is_key(segment: &str) -> bool {
    is_uuid(segment)
        || segment.len() >= 16
            && !segment.contains('.')
            && !is_placeholder(segment)
            && Likeness::Random(2.8).holds(segment)
}
