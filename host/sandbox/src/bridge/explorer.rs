//! An explorer in its sandbox: `/memory`, read-only, and search.

use acreta_types::{
    Attrs, Call, Candidate, Explorer, Finding, Job, PluginInfo, Preopen, Role, SharedSearch,
};
use camino::Utf8Path;

use super::convert::candidate_to_wit;
use crate::bindings::explorer::ExplorerPluginPre;
use crate::bindings::explorer::exports::acreta::explorer::explorer as wit;
use crate::fault::failure_to_model;
use crate::plugin::{LoadError, Plugin};
use crate::state::{Directories, HostState, Ports};

pub(crate) struct ExplorerBridge {
    plugin: Plugin,
    instance: ExplorerPluginPre<HostState>,
}

impl ExplorerBridge {
    pub(crate) fn new(plugin: Plugin) -> Result<Self, LoadError> {
        plugin.expect_role(Role::Explorer)?;
        let instance = ExplorerPluginPre::new(plugin.instance.clone())
            .map_err(|error| plugin.mismatch(&error))?;
        Ok(Self { plugin, instance })
    }
}

impl Explorer for ExplorerBridge {
    fn info(&self) -> &PluginInfo {
        self.plugin.info()
    }

    fn explore(
        &self,
        job: &Job,
        memory_root: &Utf8Path,
        search: SharedSearch,
        batch: &[Candidate],
    ) -> Call<Vec<Finding>> {
        let roots = [Preopen {
            host: acreta_fs::canonical(memory_root).unwrap_or_else(|_| memory_root.to_owned()),
            guest: "/memory".to_owned(),
        }];
        let ports = Ports {
            search: Some(search),
            ..Ports::default()
        };
        self.plugin
            .call(job, Directories::read_only(&roots), ports, |store| {
                let guest = self.instance.instantiate(&mut *store)?;
                let batch: Vec<_> = batch.iter().map(candidate_to_wit).collect();
                let findings = guest
                    .acreta_explorer_explorer()
                    .call_explore(store, &batch)?;
                Ok(findings
                    .map(|findings| findings.into_iter().map(finding_to_model).collect())
                    .map_err(failure_to_model))
            })
    }
}

fn finding_to_model(finding: wit::Finding) -> Finding {
    Finding {
        candidate_id: finding.candidate_id,
        action_hint: finding.action_hint,
        matched_file: finding.matched_file,
        overlap: finding.overlap,
        evidence: finding.evidence,
        attrs: Attrs(finding.attrs),
    }
}
