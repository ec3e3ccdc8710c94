//! Random histories of several workers, with crashes, zombies and clock jumps, against a model of the permissions.
//! After every step the whole queue is checked.

use std::collections::{BTreeMap, BTreeSet};

use acreta_state::{
    Catalog, Completion, Enqueued, Heartbeat, Job, JobError, Lease, LeaseError, MAX_ATTEMPTS,
    ProjectId, Retry, TaskState,
};
use proptest::prelude::*;
use serde_json::json;

use crate::support::{
    DAY, HOUR, MINUTE, NOW, SECOND, TestCatalog, all_jobs, find, known, project, wanted,
};

const SESSIONS: usize = 6;
const PROJECTS: usize = 2;
const WORKERS: usize = 3;
const LEASE: u64 = MINUTE;

#[derive(Debug, Clone)]
enum ModelStep {
    /// Enqueues a session, at a new revision or the same.
    Enqueue {
        session: usize,
        grows: bool,
    },
    Claim {
        worker: usize,
    },
    /// A worker uses its lease, or a lost one if it is a zombie.
    Work {
        worker: usize,
        deed: Deed,
        zombie: bool,
    },
    /// The worker forgets its lease, which a zombie may use later.
    Crash {
        worker: usize,
    },
    Cancel {
        job: usize,
    },
    Retry {
        job: usize,
    },
    Skip {
        job: usize,
    },
    Clock {
        forward: bool,
        ms: u64,
    },
}

#[derive(Debug, Clone, Copy)]
enum Deed {
    Heartbeat,
    Begin,
    Complete,
    Fail(Retry),
    Release,
    Cancelled,
}

fn step() -> impl Strategy<Value = ModelStep> {
    let deed = prop_oneof![
        3 => Just(Deed::Heartbeat),
        2 => Just(Deed::Begin),
        4 => Just(Deed::Complete),
        3 => Just(Deed::Fail(Retry::Later)),
        1 => Just(Deed::Fail(Retry::Never)),
        1 => Just(Deed::Release),
        1 => Just(Deed::Cancelled),
    ];
    let length = prop_oneof![
        3 => 1..40 * SECOND,
        3 => Just(LEASE),
        2 => 2 * MINUTE..2 * HOUR,
        1 => DAY..3 * DAY,
    ];
    prop_oneof![
        6 => (0..SESSIONS, any::<bool>()).prop_map(|(session, grows)| ModelStep::Enqueue { session, grows }),
        6 => (0..WORKERS).prop_map(|worker| ModelStep::Claim { worker }),
        8 => (0..WORKERS, deed, proptest::bool::weighted(0.25))
            .prop_map(|(worker, deed, zombie)| ModelStep::Work { worker, deed, zombie }),
        2 => (0..WORKERS).prop_map(|worker| ModelStep::Crash { worker }),
        1 => (0..50_usize).prop_map(|job| ModelStep::Cancel { job }),
        1 => (0..50_usize).prop_map(|job| ModelStep::Retry { job }),
        1 => (0..50_usize).prop_map(|job| ModelStep::Skip { job }),
        4 => (proptest::bool::weighted(0.8), length).prop_map(|(forward, ms)| ModelStep::Clock { forward, ms }),
    ]
}

/// A lease as the model sees it.
#[derive(Debug, Clone, Copy)]
struct Right {
    token: u64,
    until_ms: u64,
}

struct QueueModel {
    /// Two processes: each worker and person uses one of them.
    catalogs: [Catalog; 2],
    projects: Vec<ProjectId>,
    now: u64,
    revisions: [u32; SESSIONS],
    /// The lease that each worker believes it has.
    hands: [Option<Lease>; WORKERS],
    zombies: Vec<Lease>,
    /// Valid leases by job.
    rights: BTreeMap<String, Right>,
    last_token: u64,
    runs: u32,
    /// Every job ever created.
    jobs: BTreeSet<String>,
    /// Number of completions of a session at a revision, and of requests to run it again.
    completions: BTreeMap<(String, String), u32>,
    retries: BTreeMap<String, u32>,
}

type Checked = Result<(), TestCaseError>;

impl QueueModel {
    fn new(place: &TestCatalog) -> Self {
        let catalogs = [place.open(), place.open()];
        let projects = (0..PROJECTS)
            .map(|number| project(&catalogs[0], &format!("/src/{number}")))
            .collect();
        Self {
            catalogs,
            projects,
            now: NOW,
            revisions: [0; SESSIONS],
            hands: Default::default(),
            zombies: Vec::new(),
            rights: BTreeMap::new(),
            last_token: 0,
            runs: 0,
            jobs: BTreeSet::new(),
            completions: BTreeMap::new(),
            retries: BTreeMap::new(),
        }
    }

    fn take(&mut self, step: &ModelStep) -> Checked {
        match *step {
            ModelStep::Enqueue { session, grows } => self.enqueue(session, grows)?,
            ModelStep::Claim { worker } => {
                if self.hands[worker].is_none() {
                    self.claim(worker)?;
                }
            }
            ModelStep::Work {
                worker,
                deed,
                zombie,
            } => {
                let lease = if zombie {
                    self.zombies.pop()
                } else {
                    self.hands[worker].take()
                };
                if let Some(lease) = lease {
                    self.work(worker, lease, deed)?;
                }
            }
            ModelStep::Crash { worker } => self.zombies.extend(self.hands[worker].take()),
            ModelStep::Cancel { job } => {
                drop(self.ask(job, |catalog, id, now| catalog.cancel(id, now))?)
            }
            ModelStep::Skip { job } => {
                drop(self.ask(job, |catalog, id, now| catalog.skip(id, now))?)
            }
            ModelStep::Retry { job } => {
                if let Some(job) = self.ask(job, |catalog, id, _| catalog.retry(id))? {
                    *self.retries.entry(job.session.id).or_default() += 1;
                }
            }
            ModelStep::Clock { forward: true, ms } => self.now += ms,
            ModelStep::Clock { forward: false, ms } => self.now -= ms,
        }
        self.look()
    }

    fn enqueue(&mut self, session: usize, grows: bool) -> Checked {
        self.revisions[session] += u32::from(grows);
        let (id, revision) = (
            format!("s{session}"),
            format!("r{}", self.revisions[session]),
        );
        let catalog = &self.catalogs[session % 2];
        find(
            catalog,
            &id,
            &revision,
            NOW + u64::from(self.revisions[session]),
        );
        let wanted = wanted(&id, self.projects[session % PROJECTS], &revision);
        let (now, before) = (self.now, all_jobs(catalog));
        let alive = |job: &&Job| {
            job.session.id == id && matches!(job.state, TaskState::Queued | TaskState::Running)
        };
        match catalog.enqueue(&wanted, now).unwrap() {
            Enqueued::New(job) => {
                prop_assert!(
                    before
                        .iter()
                        .filter(alive)
                        .all(|job| job.state == TaskState::Running && job.revision != revision)
                );
                prop_assert!(self.jobs.insert(job));
            }
            Enqueued::AlreadyQueued(job) => {
                prop_assert!(before.iter().filter(alive).any(|alive| alive.id == job));
            }
            Enqueued::AlreadyRan => {
                prop_assert_eq!(known(catalog, &id).ran_revision, Some(revision));
            }
            Enqueued::DeadLetter(job) => {
                let is_it = |dead: &Job| dead.id == job && dead.dead && dead.revision == revision;
                prop_assert!(before.iter().any(is_it));
            }
            Enqueued::Full => prop_assert!(false, "the queue is not full"),
        }
        Ok(())
    }

    /// Claims, and checks that it got the first of the free jobs.
    fn claim(&mut self, worker: usize) -> Checked {
        let catalog = &self.catalogs[worker % 2];
        let expected = self.next_free(all_jobs(catalog));
        let owner = format!("worker-{worker}");
        let claimed = catalog
            .claim(&owner, LEASE, self.now, &Default::default())
            .unwrap();
        prop_assert_eq!(claimed.as_ref().map(|lease| lease.job.clone()), expected);
        let now = self.now;
        self.rights.retain(|_, right| right.is_alive(now));
        if let Some(lease) = claimed {
            prop_assert!(lease.token > self.last_token, "tokens must grow");
            self.last_token = lease.token;
            let right = Right {
                token: lease.token,
                until_ms: now + LEASE,
            };
            prop_assert!(self.rights.insert(lease.job.clone(), right).is_none());
            self.hands[worker] = Some(lease);
        }
        Ok(())
    }

    fn next_free(&self, mut jobs: Vec<Job>) -> Option<String> {
        let waiting: BTreeSet<String> = jobs
            .iter()
            .filter(|job| job.state == TaskState::Queued)
            .map(|job| job.session.id.clone())
            .collect();
        for job in jobs
            .iter_mut()
            .filter(|job| job.state == TaskState::Running)
        {
            if !self.rights[&job.id].is_alive(self.now) {
                let ends = job.cancel_requested
                    || job.attempt == MAX_ATTEMPTS
                    || waiting.contains(&job.session.id);
                job.state = if ends {
                    TaskState::Failed
                } else {
                    TaskState::Queued
                };
                job.not_before_ms = 0;
            }
        }
        let busy: BTreeSet<ProjectId> = jobs
            .iter()
            .filter(|job| job.state == TaskState::Running)
            .map(|job| job.project)
            .collect();
        jobs.into_iter()
            .find(|job| {
                job.state == TaskState::Queued
                    && !busy.contains(&job.project)
                    && (job.not_before_ms <= self.now || job.not_before_ms > self.now + DAY + HOUR)
            })
            .map(|job| job.id)
    }

    fn work(&mut self, worker: usize, lease: Lease, deed: Deed) -> Checked {
        let catalog = &self.catalogs[worker % 2];
        let now = self.now;
        let is_right = self
            .rights
            .get(&lease.job)
            .is_some_and(|right| right.token == lease.token);
        prop_assert_eq!(catalog.check(&lease).unwrap(), is_right);
        self.runs += 1;
        let run_id = format!("run-{}", self.runs);
        let begin = || catalog.begin_leased_run(&lease, &run_id, "/run".into(), now);
        let completion = Completion {
            run_id: run_id.clone(),
            ran_revision: lease.revision.clone(),
            cursor: None,
            counts: json!({}),
            reading: None,
        };
        let (result, keeps) = match deed {
            Deed::Heartbeat => {
                let beat = catalog.heartbeat(&lease, now);
                if let Ok(beat) = &beat {
                    let job = catalog.job(&lease.job).unwrap().one().unwrap();
                    prop_assert_eq!(*beat == Heartbeat::Cancel, job.cancel_requested);
                    prop_assert_eq!(job.lease_until_ms, Some(now + LEASE));
                }
                (beat.map(drop), true)
            }
            Deed::Begin => (begin(), true),
            Deed::Complete => {
                let begun = begin();
                prop_assert_eq!(begun.is_ok(), is_right);
                (catalog.complete(&lease, &completion, now), false)
            }
            Deed::Fail(retry) => (catalog.fail(&lease, "no", retry, now).map(drop), false),
            Deed::Release => (catalog.release(&lease, now).map(drop), false),
            Deed::Cancelled => (catalog.cancelled(&lease, now).map(drop), false),
        };
        match result {
            Ok(()) => prop_assert!(is_right, "a stale token was good for {deed:?}"),
            Err(LeaseError::Lost { .. }) => {
                prop_assert!(!is_right, "a good token was refused for {deed:?}");
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(format!("{deed:?}: {error:?}"))),
        }
        if let Deed::Complete = deed {
            let revision = (lease.session.id.clone(), lease.revision.clone());
            *self.completions.entry(revision).or_default() += 1;
        }
        match (deed, self.rights.get_mut(&lease.job)) {
            (Deed::Heartbeat, Some(right)) => right.until_ms = now + LEASE,
            (Deed::Begin, _) => {}
            _ => drop(self.rights.remove(&lease.job)),
        }
        if keeps {
            // The job now belongs to this worker; its previous lease becomes a zombie's.
            self.zombies.extend(self.hands[worker].replace(lease));
        }
        Ok(())
    }

    /// A person's request on a job: done, or refused because of its state.
    fn ask(
        &mut self,
        job: usize,
        action: impl Fn(&Catalog, &str, u64) -> Result<Job, JobError>,
    ) -> Result<Option<Job>, TestCaseError> {
        let Some(id) = self.jobs.iter().nth(job % self.jobs.len().max(1)) else {
            return Ok(None);
        };
        match action(&self.catalogs[job % 2], id, self.now) {
            Ok(job) => Ok(Some(job)),
            Err(JobError::State { .. } | JobError::Superseded { .. }) => Ok(None),
            Err(error) => Err(TestCaseError::fail(format!("{error:?}"))),
        }
    }

    /// Invariants of the queue.
    fn look(&self) -> Checked {
        let jobs = all_jobs(&self.catalogs[0]);
        let ids: BTreeSet<String> = jobs.iter().map(|job| job.id.clone()).collect();
        prop_assert_eq!(&ids, &self.jobs, "a job was lost, or came from nowhere");

        let running: Vec<&Job> = jobs
            .iter()
            .filter(|job| job.state == TaskState::Running)
            .collect();
        let projects: BTreeSet<_> = running.iter().map(|job| job.project).collect();
        prop_assert_eq!(projects.len(), running.len(), "two leases in a project");
        for job in &running {
            let right = self.rights.get(&job.id);
            prop_assert_eq!(right.map(|right| right.token), job.token);
        }
        prop_assert_eq!(self.rights.len(), running.len());

        let queued: Vec<_> = jobs
            .iter()
            .filter(|job| job.state == TaskState::Queued)
            .collect();
        let sessions: BTreeSet<_> = queued.iter().map(|job| &job.session).collect();
        prop_assert_eq!(
            sessions.len(),
            queued.len(),
            "two waiting jobs of a session"
        );

        for job in &jobs {
            prop_assert!(job.attempt <= MAX_ATTEMPTS);
            prop_assert!(!job.dead || job.state == TaskState::Failed);
            let ended = !matches!(job.state, TaskState::Queued | TaskState::Running);
            prop_assert_eq!(job.finished_ms.is_some(), ended);
        }
        for ((session, revision), times) in &self.completions {
            let asked = self.retries.get(session).copied().unwrap_or(0);
            prop_assert!(
                *times <= 1 + asked,
                "{session} was completed {times} times at {revision}"
            );
        }
        Ok(())
    }

    /// All workers crash and one worker drains the queue: everything that can be done is done in the end.
    fn drain(&mut self) -> Checked {
        for worker in 0..WORKERS {
            self.take(&ModelStep::Crash { worker })?;
        }
        loop {
            self.now += DAY;
            self.claim(0)?;
            let Some(lease) = self.hands[0].take() else {
                break;
            };
            self.work(0, lease, Deed::Complete)?;
            self.look()?;
        }
        let open = all_jobs(&self.catalogs[0])
            .into_iter()
            .find(|job| matches!(job.state, TaskState::Queued | TaskState::Running));
        prop_assert!(open.is_none(), "blocked: {open:#?}");
        Ok(())
    }
}

impl Right {
    fn is_alive(self, now: u64) -> bool {
        self.until_ms > now && self.until_ms <= now + 2 * LEASE
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 32,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_job_is_in_one_hand_and_never_lost(steps in proptest::collection::vec(step(), 1..100)) {
        let place = TestCatalog::new();
        let mut world = QueueModel::new(&place);
        for step in &steps {
            world.take(step)?;
        }
        world.drain()?;
    }
}
