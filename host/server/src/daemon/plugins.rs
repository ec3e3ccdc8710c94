//! Plugins: their permissions and their usage.

use crate::api::{PluginGrant, PluginRow, PluginUse};
use acreta_plugin_registry::inspect;
use acreta_service::{Failure, connect::permissions, plugins, plugins::used, projects::scopes};
use acreta_types::Limits;
use serde_json::Value;

use crate::daemon::Daemon;

impl Daemon {
    pub(crate) fn plugin_rows(&self) -> Result<Vec<PluginRow>, Failure> {
        let context = self.context(None)?;
        let catalog = scopes::open_catalog(&context)?;
        let mut used = used::plugins(&catalog)?;
        let roots = permissions::roots(&context)?;
        let mut rows = Vec::new();
        for (_, source) in plugins::all(&context)? {
            let Ok(source) = source else { continue };
            let Ok(inspection) = inspect(&source.bytes()) else {
                continue;
            };
            let own = roots.iter().filter(|root| root.asked.adapter == source.id);
            let grants = own.map(|root| PluginGrant {
                root: root.asked.wanted.name.clone(),
                candidates: root.asked.wanted.candidates.clone(),
                reason: root.asked.wanted.reason.clone(),
                granted: root.granted,
            });
            let role = inspection.role;
            let limits = context.config.limits(&source.id, Limits::for_role(role));
            rows.push(PluginRow {
                role: role.to_string(),
                origin: source.origin(),
                wit: format!("acreta:{role}@{}", inspection.wit),
                bytes: source.size() as u64,
                grants: grants.collect(),
                limits: match serde_json::to_value(limits) {
                    Ok(Value::Object(limits)) => limits,
                    _ => serde_json::Map::new(),
                },
                used: as_told(used.remove(&source.id).unwrap_or_default()),
                digest: source.digest,
                id: source.id,
            });
        }
        Ok(rows)
    }
}

fn as_told(used: used::PluginUse) -> PluginUse {
    PluginUse {
        runs: used.runs,
        calls: used.calls,
        guest_ms: used.guest_ms,
        peak_memory_bytes: used.peak_memory_bytes,
        failures: used.failures,
        denied: used.denied,
    }
}
