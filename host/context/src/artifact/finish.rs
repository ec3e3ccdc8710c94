//! The next artifact: graph, churn, slice and tables of what was examined, put together as bytes.
//! Facts of unchanged files come from the artifact before; when those are damaged there is none.

use std::collections::{BTreeMap, HashMap};

use acreta_symbols::{EntryKind, Roots};

use crate::ContextError;
use crate::answer::material::Material;
use crate::answer::slice;
use crate::artifact::bytes::{Fields, Writer};
use crate::artifact::churn::{self, Churn};
use crate::artifact::facts::{View, is_manifest};
use crate::artifact::format::{self, Artifact, Contents, Meta, Section};
use crate::artifact::graph::{Graph, Making};
use crate::artifact::sink::PIECE;
use crate::artifact::store::{FactsReader, Store};
use crate::options::History;
use crate::scan::compare::Place;
use crate::scan::examine::Examined;
use crate::scan::tree::{DraftFile, FactsAt, mark};

/// What an artifact is finished with.
pub(crate) struct Finishing<'a> {
    pub(crate) place: &'a Place<'a>,
    pub(crate) store: &'a Store,
    pub(crate) history: &'a History,
    pub(crate) redactor: &'a acreta_redact::Redactor,
    /// How often paths changed, when the head is another than before.
    pub(crate) churn: Option<HashMap<String, Churn>>,
    /// The meta of the next artifact, but for what is found here.
    pub(crate) meta: Meta,
}

impl Finishing<'_> {
    /// The bytes of the next artifact; `None` when facts that it needs are damaged.
    pub(crate) fn finish(
        mut self,
        mut before: Option<&mut Artifact>,
        examined: &Examined,
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
        let roots = Roots::from_manifests(&texts);
        let manifest_changed = examined.fresh.keys().any(|path| is_manifest(path))
            || examined.moved.iter().any(|path| is_manifest(path));
        let (old_graph, old_churn) = match &mut before {
            Some(artifact) => (old_graph(artifact), artifact.section(Section::Churn).ok()),
            None => (None, None),
        };
        let usable = old_graph.as_ref().filter(|_| !manifest_changed);
        let making = Making {
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
                    .map(|bytes| View::new(&bytes).declared().imports)
                    .unwrap_or_default(),
            }
        });
        let churn = match (old_churn, &self.churn) {
            (Some(bytes), None) => carried_churn(files, &bytes),
            (_, Some(asked)) => churn_of(files, asked),
            // What was kept of it is damaged.
            (None, None) => {
                let repository = self.place.repository;
                let asked = repository.map(|found| churn::churn(found, self.history));
                churn_of(files, &asked.unwrap_or_default())
            }
        };
        let entries = entry_kinds(examined, reader.as_mut());
        let slice = slice::build(&Material {
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
        let contents = Contents {
            meta: &self.meta,
            slice: slice.as_bytes(),
            tables: &tables,
            edges: &graph.encode_edges(),
            keys: &graph.encode_keys(),
            churn: &encode_churn(&churn),
        };
        let bytes = format::encode(&contents).map_err(|cause| ContextError::Request {
            message: format!("the artifact could not be put together: {cause}"),
        })?;
        let is_damaged = reader.is_some_and(|reader| reader.is_damaged);
        Ok((!is_damaged).then_some(bytes))
    }
}

impl Examined {
    /// Copies the facts that are still of use from the artifact before to the new facts file.
    pub(crate) fn copy_facts(
        &mut self,
        store: &Store,
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

fn churn_of(files: &[DraftFile], asked: &HashMap<String, Churn>) -> Vec<Churn> {
    files
        .iter()
        .map(|file| asked.get(&file.path).copied().unwrap_or_default())
        .collect()
}

fn old_graph(artifact: &mut Artifact) -> Option<Graph> {
    let edges = artifact.section(Section::Edges).ok()?;
    let keys = artifact.section(Section::Keys).ok()?;
    Some(Graph::decode(&edges, &keys))
}

fn carried_churn(files: &[DraftFile], bytes: &[u8]) -> Vec<Churn> {
    files
        .iter()
        .map(|file| match file.before.or(file.replaces) {
            Some(index) => churn(&mut Fields::record(bytes, index, CHURN_BYTES)),
            None => Churn::default(),
        })
        .collect()
}

/// The bytes of one record of the churn section.
const CHURN_BYTES: usize = 8;

fn encode_churn(churn: &[Churn]) -> Vec<u8> {
    let mut writer = Writer::with_capacity(churn.len() * CHURN_BYTES);
    for file in churn {
        writer.u32(file.changes);
        writer.u32(file.heat);
    }
    writer.done()
}

/// The churn of all files as it was stored.
pub(crate) fn decode_churn(bytes: &[u8]) -> Vec<Churn> {
    let mut fields = Fields::new(bytes);
    let count = bytes.len() / CHURN_BYTES;
    (0..count).map(|_| churn(&mut fields)).collect()
}

fn churn(fields: &mut Fields<'_>) -> Churn {
    Churn {
        changes: fields.u32(),
        heat: fields.u32(),
    }
}

/// The manifests of a project, redacted, in the order of their paths.
fn manifests(examined: &Examined, mut reader: Option<&mut FactsReader>) -> Vec<(String, String)> {
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
                .and_then(|bytes| View::new(&bytes).declared().manifest),
        };
        if let Some(text) = text {
            found.push((file.path.clone(), text));
        }
    }
    found
}

/// How programs start, by the number of the file.
fn entry_kinds(
    examined: &Examined,
    mut reader: Option<&mut FactsReader>,
) -> BTreeMap<u32, EntryKind> {
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
                .and_then(|bytes| View::new(&bytes).declared().entry),
        };
        if let Some(kind) = kind {
            kinds.insert(index as u32, kind);
        }
    }
    kinds
}
