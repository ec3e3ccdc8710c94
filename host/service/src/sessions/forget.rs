//! A session that is not to be kept: `sessions forget`, and the tool `session_forget`. What it left is purged, and it is not read
//! again; one that acreta has not seen yet will not be read at all.

use acreta_state::SessionKey;
use acreta_sync::SyncReport;

use super::{SessionMatch, find};
use crate::remember::purge::{Purge, Purged, purge};
use crate::{Context, Failure, Kind};

/// A session that was forgotten.
pub struct Forgotten {
    pub session: String,
    /// acreta knew it; otherwise it is only noted that it must not be read.
    pub is_known: bool,
    pub purged: Purged,
}

/// Forgets a session. With `dry_run`, only says what would be removed.
pub fn forget(id: &str, dry_run: bool, context: &Context) -> Result<Forgotten, Failure> {
    let (session, is_known) = match find(id, context) {
        Ok(SessionMatch::Known(known, _)) => (known.key().to_string(), true),
        Ok(SessionMatch::Recovered(session)) => {
            (format!("{}/{}", session.row().agent, session.id), true)
        }
        // The whole name of a session that is not known yet.
        Err(failure) if failure.kind == Kind::Missing => match id.split_once('/') {
            Some((agent, id)) if !agent.is_empty() && !id.is_empty() => {
                (format!("{agent}/{id}"), false)
            }
            _ => {
                return Err(failure.hint(
                    "`AGENT/ID`, with the whole id, forgets a session before acreta has seen it",
                ));
            }
        },
        Err(failure) => return Err(failure),
    };
    let purged = purge(
        &Purge {
            session: Some(session.clone()),
            also_unseen: true,
            dry_run,
            ..Purge::default()
        },
        context,
    )?;
    Ok(Forgotten {
        session,
        is_known,
        purged,
    })
}

/// Forgets the sessions of a sync in which the person asked for that. Their runs learnt nothing.
pub(crate) fn forget_asked(report: &SyncReport, context: &Context) -> Result<(), Failure> {
    for run in report.runs.iter().filter(|run| run.is_unwanted) {
        let key = SessionKey::new(&run.agent, &run.session);
        let request = Purge {
            session: Some(key.to_string()),
            ..Purge::default()
        };
        purge(&request, context)?;
    }
    Ok(())
}
