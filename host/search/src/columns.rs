//! Columns of an index segment, which give access to a document without its text. Opened once per snapshot. Also the
//! filter that reads them.

use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocAddress, DocId, SegmentReader, TantivyError};

use crate::Status;
use crate::query::Filter;
use crate::schema::column;

/// The columns of one segment.
pub(crate) struct SegmentColumns {
    id: StrColumn,
    path: StrColumn,
    pub(crate) memory_type: Column<u64>,
    kind: Option<StrColumn>,
    tag: Option<StrColumn>,
    agent: Option<StrColumn>,
    pub(crate) created: Column<i64>,
    pub(crate) updated: Column<i64>,
    pub(crate) confidence: Column<f64>,
    pub(crate) trust: Column<u64>,
    pub(crate) status: Column<u64>,
    pub(crate) stale: Column<bool>,
    pub(crate) ordinal: Column<u64>,
    pub(crate) passages: Column<u64>,
    pub(crate) part_of: Column<u64>,
    pub(crate) names_time: Column<u64>,
    pub(crate) tie: Column<u64>,
    pub(crate) meaning: Column<u64>,
    pub(crate) fingerprint: Column<u64>,
    pub(crate) racy: Column<bool>,
}

impl SegmentColumns {
    pub(crate) fn open(reader: &SegmentReader) -> tantivy::Result<Self> {
        let fast = reader.fast_fields();
        let needed = |name: &str| {
            fast.str(name)?
                .ok_or_else(|| TantivyError::SchemaError(format!("no column `{name}`")))
        };
        Ok(Self {
            id: needed(column::ID)?,
            path: needed(column::PATH)?,
            memory_type: fast.u64(column::TYPE)?,
            kind: fast.str(column::KIND)?,
            tag: fast.str(column::TAG)?,
            agent: fast.str(column::AGENT)?,
            created: fast.i64(column::CREATED)?,
            updated: fast.i64(column::UPDATED)?,
            confidence: fast.f64(column::CONFIDENCE)?,
            trust: fast.u64(column::TRUST)?,
            status: fast.u64(column::STATUS)?,
            stale: fast.bool(column::STALE)?,
            ordinal: fast.u64(column::ORDINAL)?,
            passages: fast.u64(column::PASSAGES)?,
            part_of: fast.u64(column::PART_OF)?,
            names_time: fast.u64(column::NAMES_TIME)?,
            tie: fast.u64(column::TIE)?,
            meaning: fast.u64(column::MEANING)?,
            fingerprint: fast.u64(column::FINGERPRINT)?,
            racy: fast.bool(column::RACY)?,
        })
    }

    pub(crate) fn id_of(&self, doc: DocId) -> tantivy::Result<String> {
        text_of(&self.id, doc)
    }

    /// Returns every id of the segment.
    pub(crate) fn ids(&self) -> tantivy::Result<Vec<String>> {
        all(&self.id)
    }

    /// Returns every path and id of the segment by ordinal.
    pub(crate) fn dictionaries(&self) -> tantivy::Result<Dictionaries<'_>> {
        Ok(Dictionaries {
            columns: self,
            paths: all(&self.path)?,
            ids: all(&self.id)?,
        })
    }

    pub(crate) fn kind_of(&self, doc: DocId) -> tantivy::Result<String> {
        self.kind
            .as_ref()
            .map_or_else(|| Ok(String::new()), |kind| text_of(kind, doc))
    }

    /// Returns the first passage of the memory that contains `address`: its passages are adjacent.
    pub(crate) fn head(&self, address: DocAddress) -> DocAddress {
        let ordinal = self.ordinal.first(address.doc_id).unwrap_or(0) as DocId;
        DocAddress::new(address.segment_ord, address.doc_id.saturating_sub(ordinal))
    }
}

/// The paths and ids of a segment, read in one go, which is ten times faster than one by one.
pub(crate) struct Dictionaries<'a> {
    columns: &'a SegmentColumns,
    paths: Vec<String>,
    ids: Vec<String>,
}

impl Dictionaries<'_> {
    pub(crate) fn path(&self, doc: DocId) -> &str {
        let number = self.columns.path.ords().first(doc);
        number.map_or("", |number| &self.paths[number as usize])
    }

    pub(crate) fn id(&self, doc: DocId) -> &str {
        let number = self.columns.id.ords().first(doc);
        number.map_or("", |number| &self.ids[number as usize])
    }
}

fn all(column: &StrColumn) -> tantivy::Result<Vec<String>> {
    let mut texts = Vec::with_capacity(column.num_terms());
    let mut stream = column.dictionary().stream()?;
    while stream.advance() {
        texts.push(String::from_utf8_lossy(stream.key()).into_owned());
    }
    Ok(texts)
}

fn text_of(column: &StrColumn, doc: DocId) -> tantivy::Result<String> {
    let mut text = String::new();
    if let Some(ord) = column.ords().first(doc) {
        column.ord_to_str(ord, &mut text)?;
    }
    Ok(text)
}

/// A filter, prepared for the segments of an index.
pub(crate) struct DocumentFilter<'a> {
    filter: &'a Filter,
    segments: Vec<SegmentFilter<'a>>,
}

struct SegmentFilter<'a> {
    columns: &'a SegmentColumns,
    kinds: Vec<u64>,
    tags: Vec<u64>,
    agents: Vec<u64>,
}

impl<'a> DocumentFilter<'a> {
    pub(crate) fn new(columns: &'a [SegmentColumns], filter: &'a Filter) -> tantivy::Result<Self> {
        let segments = columns
            .iter()
            .map(|columns| {
                Ok(SegmentFilter {
                    columns,
                    kinds: ords(columns.kind.as_ref(), &filter.kinds)?,
                    tags: ords(columns.tag.as_ref(), &filter.tags)?,
                    agents: ords(columns.agent.as_ref(), &filter.agents)?,
                })
            })
            .collect::<tantivy::Result<_>>()?;
        Ok(Self { filter, segments })
    }

    pub(crate) fn accepts(&self, segment: usize, doc: DocId) -> bool {
        let SegmentFilter {
            columns,
            kinds,
            tags,
            agents,
        } = &self.segments[segment];
        let filter = self.filter;
        let status = columns.status.first(doc).unwrap_or(0);
        let shown = match filter.statuses.is_empty() {
            true => status == Status::Active as u64,
            false => filter
                .statuses
                .iter()
                .any(|wanted| *wanted as u64 == status),
        };
        let updated = || columns.updated.first(doc).or(columns.created.first(doc));
        shown
            && (filter.types.is_empty()
                || filter
                    .types
                    .iter()
                    .any(|wanted| columns.memory_type.first(doc) == Some(*wanted as u64)))
            && (filter.trusts.is_empty()
                || filter
                    .trusts
                    .iter()
                    .any(|wanted| columns.trust.first(doc) == Some(*wanted as u64)))
            && filter.since_ms.is_none_or(|since| updated() >= Some(since))
            && filter
                .until_ms
                .is_none_or(|until| updated().is_some_and(|time| time < until))
            && (filter.kinds.is_empty() || has(columns.kind.as_ref(), doc, kinds) > 0)
            && (filter.agents.is_empty() || has(columns.agent.as_ref(), doc, agents) > 0)
            && has(columns.tag.as_ref(), doc, tags) >= filter.tags.len()
    }
}

/// Returns the ordinals of those wanted labels that the column contains.
fn ords<'a>(
    column: Option<&StrColumn>,
    wanted: impl IntoIterator<Item = &'a String>,
) -> tantivy::Result<Vec<u64>> {
    let Some(column) = column else {
        return Ok(Vec::new());
    };
    let mut ords = Vec::new();
    for label in wanted {
        ords.extend(column.dictionary().term_ord(label.as_bytes())?);
    }
    Ok(ords)
}

/// Counts the wanted labels that a document has.
fn has(column: Option<&StrColumn>, doc: DocId, wanted: &[u64]) -> usize {
    if wanted.is_empty() {
        return 0;
    }
    column.map_or(0, |column| {
        let labels: Vec<u64> = column.term_ords(doc).collect();
        wanted.iter().filter(|ord| labels.contains(ord)).count()
    })
}
