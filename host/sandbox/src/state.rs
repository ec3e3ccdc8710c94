//! State of one call: its WASI context, its meter, the ports of its role, and the list of its refusals. Created for one
//! call and dropped with it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Instant;

use acreta_types::{Denial, Job, Limits, PluginInfo, Preopen, SharedSearch, SharedSink, Usage};
use camino::{Utf8Path, Utf8PathBuf};
use wasmtime::component::ResourceTable;
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::{Deterministic, FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use crate::granted_folder::GrantedFolder;
use crate::limits::{Meter, OverLimit};
use crate::streams::WriteBudget;
use crate::wall_clock::FixedWallClock;

/// The ports a role may call; those without an import in the role stay empty.
#[derive(Default)]
pub(crate) struct Ports {
    pub(crate) sink: Option<SharedSink>,
    pub(crate) search: Option<SharedSearch>,
}

pub(crate) struct HostState {
    pub(crate) wasi: WasiCtx,
    pub(crate) table: ResourceTable,
    pub(crate) meter: Meter,
    pub(crate) limits: Limits,
    pub(crate) plugin: Arc<PluginInfo>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) job: Job,
    pub(crate) ports: Ports,
    /// Read-only directories of this call.
    pub(crate) roots: Vec<Preopen>,
    pub(crate) scratch: Utf8PathBuf,
    pub(crate) monotonic: u64,
    pub(crate) write_budget: WriteBudget,
    /// Files, directories and links made in this call.
    pub(crate) created: u64,
    pub(crate) emitted: u64,
    pub(crate) log_used: u64,
    pub(crate) log_dropped: u64,
    /// Guest path of each open descriptor, by its number in the table.
    pub(crate) paths: HashMap<u32, KnownPath>,
    denied: BTreeMap<(String, String), u64>,
    stderr: MemoryOutputPipe,
}

/// Maximum number of distinct denials per call; further ones are counted under `…`.
const DENIALS: usize = 256;
/// Maximum length of a path in a report.
const PATH_BYTES: usize = 256;
const STDERR_BYTES: usize = 16 * 1024;

/// The part of the disk that a call may see.
pub(crate) struct Directories<'a> {
    read_only: &'a [Preopen],
    draft: Option<&'a Utf8Path>,
}

impl<'a> Directories<'a> {
    pub(crate) fn read_only(preopens: &'a [Preopen]) -> Self {
        Self {
            read_only: preopens,
            draft: None,
        }
    }

    /// The only writable folder of a guest: a fresh one whose content is checked before use.
    pub(crate) fn draft(draft: &'a Utf8Path) -> Self {
        Self {
            read_only: &[],
            draft: Some(draft),
        }
    }
}

/// Folders of the host itself.
pub(crate) struct Folders<'a> {
    /// Always empty: the guest's `/`.
    pub(crate) empty: &'a Utf8Path,
    /// Folder of snapshots while they are read.
    pub(crate) scratch: &'a Utf8Path,
}

impl HostState {
    pub(crate) fn new(
        plugin: Arc<PluginInfo>,
        limits: &Limits,
        settings: Arc<Settings>,
        job: &Job,
        folders: Folders<'_>,
        directories: &Directories<'_>,
        ports: Ports,
    ) -> wasmtime::Result<Self> {
        let stderr = MemoryOutputPipe::new(STDERR_BYTES);
        let mut builder = WasiCtxBuilder::new();
        // Copied into each preopen on creation, so it comes first.
        builder.allow_blocking_current_thread(true);
        builder
            .stderr(stderr.clone())
            .wall_clock(FixedWallClock(job.now_ms))
            .secure_random(random_bytes(job.seed))
            .insecure_random(random_bytes(job.seed.rotate_left(17)))
            .insecure_random_seed(u128::from(job.seed) << 64 | u128::from(!job.seed))
            .max_random_size(1024 * 1024);
        // An empty root, so that every path a guest tries reaches the host and is counted.
        builder.preopened_dir(folders.empty, "/", FsPerms::ReadOnly)?;
        for preopen in directories.read_only {
            let folder = GrantedFolder::open(&preopen.host)?;
            builder.preopened_dir(folder.path(), &preopen.guest, FsPerms::ReadOnly)?;
        }
        if let Some(draft) = directories.draft {
            builder.preopened_dir(draft, "/draft", FsPerms::ReadWrite)?;
        }
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles as usize);
        Ok(Self {
            wasi: builder.build(),
            table,
            meter: Meter::new(limits),
            limits: limits.clone(),
            plugin,
            settings,
            job: job.clone(),
            ports,
            roots: directories.read_only.to_vec(),
            scratch: folders.scratch.to_owned(),
            monotonic: 0,
            write_budget: WriteBudget::new(limits.draft_bytes),
            created: 0,
            emitted: 0,
            log_used: 0,
            log_dropped: 0,
            paths: HashMap::new(),
            denied: BTreeMap::new(),
            stderr,
        })
    }

    /// Counts an operation that was refused.
    pub(crate) fn deny(&mut self, operation: &str, path: &str) {
        let mut key = (
            operation.to_owned(),
            acreta_text::head(path, PATH_BYTES).to_owned(),
        );
        if self.denied.len() >= DENIALS && !self.denied.contains_key(&key) {
            key = (operation.to_owned(), "…".to_owned());
        }
        *self.denied.entry(key).or_default() += 1;
    }

    /// Runs host work on the guest's behalf.
    pub(crate) fn serve<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Result<T, OverLimit> {
        let started = Instant::now();
        let result = work(self);
        self.meter.served(started)?;
        Ok(result)
    }

    /// Counts bytes that a guest hands over to be kept.
    pub(crate) fn count_emitted(&mut self, bytes: u64) -> Result<(), OverLimit> {
        self.emitted = self.emitted.saturating_add(bytes);
        let allowed = self.limits.emitted_bytes;
        match self.emitted > allowed {
            true => Err(self.meter.refuse("emitted_bytes", allowed, self.emitted)),
            false => Ok(()),
        }
    }

    pub(crate) fn over_limit(&self) -> Option<OverLimit> {
        self.meter.over
    }

    /// Returns what the guest wrote to stderr, up to a limit.
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr.contents()).into_owned()
    }

    pub(crate) fn stderr_tail(&self) -> String {
        acreta_text::one_line(&self.stderr())
    }

    pub(crate) fn usage(&self) -> Usage {
        let mut denied: Vec<Denial> = self
            .denied
            .iter()
            .map(|((operation, path), count)| Denial {
                operation: operation.clone(),
                path: path.clone(),
                count: *count,
            })
            .collect();
        denied.sort_by_key(|denial| std::cmp::Reverse(denial.count));
        Usage {
            calls: 1,
            guest_ms: self.meter.guest_time().as_millis() as u64,
            host_ms: self.meter.host_time().as_millis() as u64,
            peak_memory_bytes: self.meter.memory_peak,
            emitted_bytes: self.emitted,
            log_bytes_dropped: self.log_dropped,
            denied,
        }
    }
}

impl WasiView for HostState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

/// Returns a repeatable sequence, long enough that no guest sees it repeat by accident.
fn random_bytes(seed: u64) -> Deterministic {
    let mut state = seed;
    let bytes = (0..8192)
        .flat_map(|_| {
            // splitmix64
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = state;
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (word ^ (word >> 31)).to_le_bytes()
        })
        .collect();
    Deterministic::new(bytes)
}

/// A plugin's own settings: key to JSON text.
pub type Settings = BTreeMap<String, String>;

/// Location of an open descriptor.
#[derive(Clone)]
pub(crate) struct KnownPath {
    pub(crate) path: String,
    /// Under the empty `/`: everything there was never granted.
    pub(crate) ungranted: bool,
}
