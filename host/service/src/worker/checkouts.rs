//! The remotes of a team's projects as checkouts for memory. Settings say how a worker reaches them: users' own addresses
//! may need keys that a worker does not have.

use acreta_git_publish::{Author, Change, Checkout, Clones, ClonesError, Published, Settings};
use acreta_session_archive::Commands;
use acreta_sync::{CheckoutError, Checkouts, MemoryCheckout, PublishOutcome};
use acreta_types::with_causes;
use camino::Utf8Path;

use crate::{Context, Failure, Kind};

/// The setting with the address of a project's remote, in which `{remote}` is its `host/path`.
const CLONE_URL: &str = "team.clone_url";

/// The setting with the branch that memory is pushed to.
const BRANCH: &str = "team.branch";

const REMOTE: &str = "{remote}";

pub(super) struct RemoteClones {
    clones: Clones,
    pattern: String,
    branch: String,
}

impl RemoteClones {
    pub(super) fn open(context: &Context, folder: &Utf8Path) -> Result<Self, Failure> {
        let pattern = context.config.text(CLONE_URL).trim().to_owned();
        if !pattern.contains(REMOTE) {
            let message = format!("`{CLONE_URL}` does not contain `{REMOTE}`: `{pattern}`");
            return Err(Failure::new(Kind::Usage, message)
                .hint("write it as `https://{remote}.git` or `ssh://git@{remote}.git`"));
        }
        let settings = Settings {
            // A team member's remote must not name any folder of this machine, unless its user says so.
            folders: pattern.starts_with(REMOTE),
            // Messages of sessions are compared with them.
            beside: Some(Commands::may_be_in),
            ..Settings::default()
        };
        Ok(Self {
            clones: Clones::open(folder, settings).map_err(|error| Failure::from_error(&error))?,
            pattern,
            branch: context.config.text(BRANCH).to_owned(),
        })
    }
}

impl Checkouts for RemoteClones {
    fn checkout(&self, remote: &str) -> Result<Box<dyn MemoryCheckout>, CheckoutError> {
        let address = self.pattern.replace(REMOTE, remote);
        let checkout = self.clones.checkout(&address, &self.branch);
        Ok(Box::new(ClonedBranch(checkout.map_err(not_done)?)))
    }
}

struct ClonedBranch(Checkout);

impl MemoryCheckout for ClonedBranch {
    fn path(&self) -> &Utf8Path {
        self.0.path()
    }

    fn publish(&mut self, message: &str, now_ms: u64) -> Result<PublishOutcome, CheckoutError> {
        let change = Change {
            message: message.to_owned(),
            author: Author {
                name: "acreta".to_owned(),
                email: "acreta@localhost".to_owned(),
            },
            time_ms: now_ms,
        };
        match self.0.publish(&change).map_err(not_done)? {
            Published::Pushed(_) | Published::Unchanged => Ok(PublishOutcome::Published),
            Published::Moved => Ok(PublishOutcome::Moved),
        }
    }
}

fn not_done(error: ClonesError) -> CheckoutError {
    let mut message = with_causes(&error);
    if let Some(hint) = error.hint() {
        message = format!("{message} ({hint})");
    }
    CheckoutError {
        message,
        is_temporary: error.is_temporary(),
    }
}
