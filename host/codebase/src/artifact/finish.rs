//! Assembles the next artifact: graph, churn, slice and tables of the examined project, encoded as bytes. Facts of
//! unchanged files come from the previous artifact; if those are damaged, no artifact results.

use std::collections::{BTreeMap, HashMap};

use acreta_symbols::{EntryPointKind, SourceRoots};

use crate::ContextError;
use crate::answer::material::SliceInput;
use crate::answer::slice;
use crate::artifact::bytes::{ByteReader, ByteWriter};
use crate::artifact::churn::{self, Churn};
use crate::artifact::facts::{FactsView, is_manifest};
use crate::artifact::format::{self, Artifact, ArtifactMeta, ArtifactSection, ArtifactSections};
use crate::artifact::graph::{Graph, GraphBuilder};
use crate::artifact::sink::PIECE;
use crate::artifact::store::{ArtifactStore, FactsReader};
use crate::options::History;
use crate::scan::compare::ProjectScan;
use crate::scan::examine::Examination;
use crate::scan::tree::{ArtifactFile, FactsAt, mark};

/// Builds the next artifact.
pub(crate) struct ArtifactBuilder<'a> {
    pub(crate) place: &'a ProjectScan<'a>,
    pub(crate) store: &'a ArtifactStore,
    pub(crate) history: &'a History,
    pub(crate) redactor: &'a acreta_redact::Redactor,
    /// Change frequency of paths, if the head commit is not the one of the previous artifact.
    pub(crate) churn: Option<HashMap<String, Churn>>,
    /// Metadata of the next artifact, except for the fields computed here.
    pub(crate) meta: ArtifactMeta,
}

impl ArtifactBuilder<'_> {
    /// Encodes the next artifact; returns `None` if facts it needs are damaged.
    pub(crate) fn finish(
        mut self,
        mut before: Option<&mut Artifact>,
        examined: &Examination,
    ) -> Result<Option<Vec<u8>>, ContextError> {
        let files = &examined.draft.files;
        let mut reader = before
            .as_ref()
            .and_then(|artifact| self.store.facts(&artifact.meta.facts));
        let manifests = manifests(examined, reader.as_mut());
        let texts: Vec<(&str, &str)> = manifests
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let roots = SourceRoots::from_manifests(&texts);
        let manifest_changed = examined.fresh.keys().any(|path| is_manifest(path))
            || examined.moved.iter().any(|path| is_manifest(path));
        let (old_graph, old_churn) = match &mut before {
            Some(artifact) => (
                old_graph(artifact),
                artifact.section(ArtifactSection::Churn).ok(),
            ),
            None => (None, None),
        };
        let usable = old_graph.as_ref().filter(|_| !manifest_changed);
        let making = GraphBuilder {
            files,
            roots: &roots,
            before: usable.map(|graph| (graph, examined.moved.as_slice())),
        };
        let graph = making.make(|index| {
            let file = &files[index as usize];
            match examined.fresh.get(&file.path) {
                Some(fresh) => fresh.imports.clone(),
                None => reader
                    .as_mut()
                    .filter(|_| file.facts.bytes > 0)
                    .and_then(|reader| reader.read(file.facts))
                    .map(|bytes| FactsView::new(&bytes).declared().imports)
                    .unwrap_or_default(),
            }
        });
        let churn = match (old_churn, &self.churn) {
            (Some(bytes), None) => carried_churn(files, &bytes),
            (_, Some(asked)) => churn_of(files, asked),
            // The stored churn is damaged.
            (None, None) => {
                let repository = self.place.repository;
                let asked = repository.map(|found| churn::churn(found, self.history));
                churn_of(files, &asked.unwrap_or_default())
            }
        };
        let entries = entry_kinds(examined, reader.as_mut());
        let slice = slice::build(&SliceInput {
            files,
            graph: &graph,
            churn: &churn,
            manifests: &manifests,
            entries: &entries,
        });
        let slice = serde_json::to_string(&slice).unwrap_or_default();
        let slice = self.redactor.redact(&slice).text.into_owned();
        self.meta.facts.clone_from(&examined.facts.name);
        self.meta.facts_bytes = examined.facts.bytes;
        self.meta.facts_used = files.iter().map(|file| u64::from(file.facts.bytes)).sum();
        self.meta.bytes = files.iter().map(|file| file.node.stamp.bytes).sum();
        self.meta.skipped_count = examined.skipped.len() as u64;
        self.meta.skipped = examined.stats.skipped.clone();
        let tables = examined.draft.encode();
        let contents = ArtifactSections {
            meta: &self.meta,
            slice: slice.as_bytes(),
            tables: &tables,
            edges: &graph.encode_edges(),
            keys: &graph.encode_keys(),
            churn: &encode_churn(&churn),
        };
        let bytes = format::encode(&contents).map_err(|cause| ContextError::Request {
            message: format!("could not encode the artifact: {cause}"),
        })?;
        let is_damaged = reader.is_some_and(|reader| reader.is_damaged);
        Ok((!is_damaged).then_some(bytes))
    }
}

impl Examination {
    /// Copies the facts still in use from the previous artifact to the new facts file.
    pub(crate) fn copy_facts(
        &mut self,
        store: &ArtifactStore,
        before: Option<&Artifact>,
    ) -> Result<(), ContextError> {
        let Some(mut reader) = before.and_then(|artifact| store.facts(&artifact.meta.facts)) else {
            return Ok(());
        };
        let mut pending = Vec::new();
        for file in &mut self.draft.files {
            if file.before.is_none() || file.facts.bytes == 0 {
                continue;
            }
            match reader.read(file.facts) {
                Some(bytes) => {
                    file.facts.offset = self.facts.bytes;
                    self.facts.bytes += bytes.len() as u64;
                    pending.extend_from_slice(&bytes);
                }
                None => file.facts = FactsAt::default(),
            }
            if pending.len() >= PIECE {
                store.append_facts(&self.facts.name, &pending)?;
                pending.clear();
            }
        }
        store.append_facts(&self.facts.name, &pending)
    }
}

fn churn_of(files: &[ArtifactFile], asked: &HashMap<String, Churn>) -> Vec<Churn> {
    files
        .iter()
        .map(|file| asked.get(&file.path).copied().unwrap_or_default())
        .collect()
}

fn old_graph(artifact: &mut Artifact) -> Option<Graph> {
    let edges = artifact.section(ArtifactSection::Edges).ok()?;
    let keys = artifact.section(ArtifactSection::Keys).ok()?;
    Some(Graph::decode(&edges, &keys))
}

fn carried_churn(files: &[ArtifactFile], bytes: &[u8]) -> Vec<Churn> {
    files
        .iter()
        .map(|file| match file.before.or(file.replaces) {
            Some(index) => churn(&mut ByteReader::record(bytes, index, CHURN_BYTES)),
            None => Churn::default(),
        })
        .collect()
}

/// Size of one record in the churn section.
const CHURN_BYTES: usize = 8;

fn encode_churn(churn: &[Churn]) -> Vec<u8> {
    let mut writer = ByteWriter::with_capacity(churn.len() * CHURN_BYTES);
    for file in churn {
        writer.u32(file.changes);
        writer.u32(file.heat);
    }
    writer.done()
}

/// Decodes the stored churn of all files.
pub(crate) fn decode_churn(bytes: &[u8]) -> Vec<Churn> {
    let mut fields = ByteReader::new(bytes);
    let count = bytes.len() / CHURN_BYTES;
    (0..count).map(|_| churn(&mut fields)).collect()
}

fn churn(fields: &mut ByteReader<'_>) -> Churn {
    Churn {
        changes: fields.u32(),
        heat: fields.u32(),
    }
}

/// Returns the redacted manifests of a project, ordered by path.
fn manifests(
    examined: &Examination,
    mut reader: Option<&mut FactsReader>,
) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in &examined.draft.files {
        if !is_manifest(&file.path) {
            continue;
        }
        let text = match examined.fresh.get(&file.path) {
            Some(fresh) => fresh.manifest.clone(),
            None => reader
                .as_deref_mut()
                .filter(|_| file.facts.bytes > 0)
                .and_then(|reader| reader.read(file.facts))
                .and_then(|bytes| FactsView::new(&bytes).declared().manifest),
        };
        if let Some(text) = text {
            found.push((file.path.clone(), text));
        }
    }
    found
}

/// Returns the kind of entry point of each file that has one, by file number.
fn entry_kinds(
    examined: &Examination,
    mut reader: Option<&mut FactsReader>,
) -> BTreeMap<u32, EntryPointKind> {
    let mut kinds = BTreeMap::new();
    for (index, file) in examined.draft.files.iter().enumerate() {
        if file.marks & mark::ENTRY == 0 {
            continue;
        }
        let kind = match examined.fresh.get(&file.path) {
            Some(fresh) => fresh.entry,
            None => reader
                .as_deref_mut()
                .and_then(|reader| reader.read(file.facts))
                .and_then(|bytes| FactsView::new(&bytes).declared().entry),
        };
        if let Some(kind) = kind {
            kinds.insert(index as u32, kind);
        }
    }
    kinds
}
