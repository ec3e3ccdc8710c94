//! The sentence model that search uses in addition to words: downloads a named one, whose files have known digests, or
//! uses a folder. Nothing is downloaded unless a person asks for it; until then search uses words only.

use acreta_config::set;
use acreta_fs::{Directory, NoFaults, canonical};
use acreta_plugin_registry::{Address, Digest, FetchError, FetchOptions, KnownFile, download};
use acreta_search::LocalModel;
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::{Context, Failure, Kind};

/// A model that can be downloaded by its name.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct NamedModel {
    pub name: &'static str,
    pub about: &'static str,
    pub licence: &'static str,
    /// Its repository on the hub.
    pub repository: &'static str,
    /// The commit of that repository: another one has other files.
    pub revision: &'static str,
    #[serde(skip)]
    files: &'static [ModelFile],
}

#[derive(Debug, Clone, Copy)]
struct ModelFile {
    name: &'static str,
    bytes: u64,
    sha256: &'static str,
}

/// The model in use.
#[derive(Debug, Clone, Serialize)]
pub struct SentenceModelReport {
    /// `None` if search uses words only.
    pub folder: Option<Utf8PathBuf>,
    pub known: &'static [NamedModel],
}

/// The named models. The first one is offered.
pub const MODELS: [NamedModel; 1] = [NamedModel {
    name: "all-MiniLM-L6-v2",
    about: "English, 22 M parameters, 384 dimensions",
    licence: "Apache-2.0",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
    files: &[
        ModelFile {
            name: "config.json",
            bytes: 612,
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        ModelFile {
            name: "tokenizer.json",
            bytes: 466_247,
            sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        ModelFile {
            name: "model.safetensors",
            bytes: 90_868_376,
            sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ],
}];

impl NamedModel {
    /// Returns the total size of its files.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// Returns the model in use, and those that can be downloaded.
pub fn report(context: &Context) -> SentenceModelReport {
    let folder = context.config.text("search.model");
    SentenceModelReport {
        folder: (!folder.is_empty()).then(|| context.home.expand(folder)),
        known: &MODELS,
    }
}

/// Returns the model with a name.
pub fn named(name: &str) -> Result<&'static NamedModel, Failure> {
    let known = || MODELS.map(|model| model.name).join(", ");
    MODELS.iter().find(|model| model.name == name).ok_or_else(|| {
        Failure::new(Kind::Usage, format!("unknown sentence model `{name}`")).hint(format!(
            "expected one of {}, or the path of a folder with `model.safetensors` and `tokenizer.json`",
            known()
        ))
    })
}

/// Downloads a model and configures search to use it. `progress` is called with the bytes downloaded of all its files.
/// An interrupted download resumes.
pub fn fetch(
    context: &Context,
    model: &NamedModel,
    progress: &mut dyn FnMut(u64),
) -> Result<Utf8PathBuf, Failure> {
    let hub = context.config.text("search.hub").trim_end_matches('/');
    let folder = context.home.folder().join("models").join(model.name);
    let into = Directory::open_or_create_private(&folder, NoFaults::shared())?;
    let mut done = 0;
    for file in model.files {
        let url = format!(
            "{hub}/{}/resolve/{}/{}",
            model.repository, model.revision, file.name
        );
        let address = Address::parse(&url)
            .map_err(|error| Failure::new(Kind::Usage, error.to_string()).hint(error.hint))?;
        let digest = Digest::from_hex(file.sha256).map_err(|error| Failure::from_error(&error))?;
        let known = KnownFile {
            name: file.name,
            bytes: file.bytes,
            digest,
        };
        let mut told = |bytes: u64| progress(done + bytes);
        download(&address, &known, &into, &FetchOptions::default(), &mut told).map_err(failure)?;
        done += file.bytes;
    }
    use_folder(context, &folder)
}

/// Configures search to use the model in a folder, if it is valid.
pub fn use_folder(context: &Context, folder: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let folder = canonical(folder)?;
    LocalModel::new(&folder).check().map_err(|error| {
        let hint = error.hint();
        Failure::from_error(&*error).hint(hint)
    })?;
    set(&context.home.config_file(), "search.model", folder.as_str())?;
    Ok(folder)
}

/// Configures search to use words only. The files stay.
pub fn off(context: &Context) -> Result<(), Failure> {
    set(&context.home.config_file(), "search.model", "")?;
    Ok(())
}

fn failure(error: FetchError) -> Failure {
    let hint = match &error {
        FetchError::HalfDownload { .. } | FetchError::Timeout { .. } => {
            Some("run the command again to resume the download".to_owned())
        }
        FetchError::Unreached { .. } => Some(
            "check the connection, set `search.hub` to a mirror, or copy the model and give its folder".to_owned(),
        ),
        FetchError::Digest { .. } | FetchError::TooLarge { .. } => {
            Some("nothing of it is used; try again, or copy the model and give its folder".to_owned())
        }
        error => error.hint(),
    };
    let mut failure = Failure::from_error(&error);
    failure.hints.extend(hint);
    failure
}
