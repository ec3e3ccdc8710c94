//! The table of routes. No `GET` has effects.

use http::{Method, StatusCode};
use serde_json::{Map, Value};

use crate::api::{
    AskRequest, BriefsQuery, BrowserToken, ChosenModel, ContextCommand, ContextRequest,
    EventsQuery, ExcludedFolder, FindInSessionQuery, Health, HomeQuery, InProject, InProjects,
    JobList, KnownProject, LiveEvent, LoginCodes, LoginRequest, LoginUrl, MaintainRequest,
    MemoriesQuery, MemoryChange, MemoryEdit, MemoryNote, NewConnection, NewProject, NewSetting,
    NoBody, ProblemCode, ProjectChanged, ProjectTrust, QueueAction, QueueQuery, ReviewRequest,
    RowsQuery, RunsQuery, SearchQuery, SessionSearchQuery, SessionsQuery, StatusView, SyncRequest,
    TimelineQuery,
};
use crate::refusal::Refusal;
use crate::routes::{Handler, Route, RouteCall};
use crate::service::{Edited, JobRequest};

pub(crate) fn table() -> Vec<Route> {
    let mut routes = vec![
        Route::get(
            "/api/health",
            "health",
            "Health check of the server",
            health,
        )
        .open(),
        Route::get("/api/status", "status", "Status of the daemon", status),
        Route::get(
            "/api/openapi.json",
            "openapi",
            "This document",
            |call, _: NoBody| Ok(call.server.document.clone()),
        ),
        Route::get(
            "/api/overview",
            "overview",
            "Figures for charts",
            |call, query: InProject| Ok(call.service().overview(&query)?),
        ),
        Route::get(
            "/api/home",
            "home",
            "Home page: what was learnt, what needs a person, sessions about to be deleted, spending",
            |call, query: HomeQuery| Ok(call.service().home(&query)?),
        ),
        Route::get(
            "/api/timeline",
            "timeline",
            "Sessions, decisions and changes of mind of a project, newest first",
            |call, query: TimelineQuery| Ok(call.service().timeline(&query)?),
        ),
        events(),
    ];
    routes.extend(login_routes());
    routes.extend(job_routes());
    routes.extend(memory_routes());
    routes.extend(review_routes());
    routes.extend(search_routes());
    routes.extend(project_routes());
    routes.extend(setting_routes());
    routes.extend(run_routes());
    routes.extend(session_routes());
    routes.extend(context_routes());
    routes
}

fn health(call: &RouteCall<'_>, _: NoBody) -> Result<Health, Refusal> {
    Ok(Health {
        status: "ok".to_owned(),
        version: call.server.version.clone(),
    })
}

fn status(call: &RouteCall<'_>, query: InProjects) -> Result<StatusView, Refusal> {
    let known = call.service().status(&query)?;
    Ok(StatusView {
        version: call.server.version.clone(),
        started_ms: call.server.started_ms,
        projects: known.projects,
        sessions: known.sessions,
        queue: known.queue,
        memories: known.memories,
        review: known.review,
        schedule: call.server.schedule_view(),
    })
}

/// The type of the answer is the type of each event's data.
fn events() -> Route {
    let summary = "Live events as server-sent events; the data of each is one object";
    let route = Route::get("/api/events", "events", summary, |_, _: InProject| {
        Err::<LiveEvent, _>(Refusal::broke_down())
    });
    Route {
        handler: Handler::Events,
        ..route
    }
}

fn login_routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/login/code",
            "login_code",
            "Create a one-time login URL for a browser",
            |call, _: NoBody| {
                let code = call.server.secret()?;
                let url = format!("http://{}/#code={code}", call.server.own_name);
                call.server.logins.expect(code, call.server.now_ms());
                Ok(LoginUrl { url })
            },
        ),
        Route::get(
            "/api/login/codes",
            "login_codes",
            "Login codes that were not used yet",
            |call, _: NoBody| {
                let waiting = call.server.logins.waiting(call.server.now_ms()) as u64;
                Ok(LoginCodes { waiting })
            },
        ),
        Route::post(
            "/api/login",
            "login",
            "Exchange a login code for a token",
            login,
        )
        .open(),
        Route::post(
            "/api/logout",
            "logout",
            "Log the calling browser out",
            |call, _: NoBody| {
                if let Some(token) = &call.token {
                    call.server.logins.forget(token);
                }
                Ok(NoBody {})
            },
        ),
    ]
}

fn login(call: &RouteCall<'_>, request: LoginRequest) -> Result<BrowserToken, Refusal> {
    let token = call.server.secret()?;
    let now_ms = call.server.now_ms();
    if !call
        .server
        .logins
        .burn(&request.code, token.clone(), now_ms)
    {
        let message = "the code was used, has expired, or never existed";
        let refusal = Refusal::new(StatusCode::FORBIDDEN, ProblemCode::WrongCode, message);
        return Err(refusal.hint("run `acreta dashboard` again"));
    }
    Ok(BrowserToken { token })
}

fn job_routes() -> Vec<Route> {
    vec![
        Route::post(
            "/api/sync",
            "sync",
            "Start a sync: learn from new sessions",
            |call, body: SyncRequest| call.server.jobs.ask(JobRequest::Sync(body), &call.caller),
        )
        .accepted(),
        Route::post(
            "/api/maintain",
            "maintain",
            "Consolidate, verify and fade memories",
            |call, body: MaintainRequest| {
                call.server
                    .jobs
                    .ask(JobRequest::Maintain(body), &call.caller)
            },
        )
        .accepted(),
        Route::get(
            "/api/jobs",
            "list_jobs",
            "The last jobs of this server, newest first",
            |call, _: NoBody| {
                let jobs = call.server.jobs.list();
                Ok(JobList { jobs })
            },
        ),
        Route::get("/api/jobs/{id}", "get_job", "One job", |call, _: NoBody| {
            call.server.jobs.get(call.path("id"))
        }),
        Route::post(
            "/api/jobs/{id}/cancel",
            "cancel_job",
            "Cancel a job; a running one stops at its next step",
            |call, _: NoBody| call.server.jobs.cancel(call.path("id")),
        ),
    ]
}

fn memory_routes() -> Vec<Route> {
    let change = |path, name, summary, change| {
        Route::post(path, name, summary, move |call, project: InProject| {
            let id = call.path("id");
            Ok(call
                .service()
                .change_memory(&call.caller, id, change, &project)?)
        })
    };
    vec![
        Route::get(
            "/api/memories",
            "list_memories",
            "Memories by filters, in pages",
            |call, query: MemoriesQuery| Ok(call.service().memories(&query)?),
        ),
        Route::get(
            "/api/memories/{id}",
            "get_memory",
            "One memory with its evidence",
            |call, query: InProject| Ok(call.service().memory(call.path("id"), &query)?),
        ),
        Route::get(
            "/api/memories/{id}/provenance",
            "memory_provenance",
            "Evidence in its conversation, earlier texts, and use of a memory",
            |call, query: InProject| Ok(call.service().provenance(call.path("id"), &query)?),
        ),
        Route::post(
            "/api/memories",
            "add_memory",
            "Add a person's note",
            |call, note: MemoryNote| {
                check_tags(note.tags.len())?;
                Ok(call.service().add_memory(&call.caller, &note)?)
            },
        ),
        Route::new(
            Method::PUT,
            "/api/memories/{id}",
            "edit_memory",
            "Edit a memory that has not changed since it was read",
            edit,
        ),
        change(
            "/api/memories/{id}/confirm",
            "confirm_memory",
            "Confirm a memory",
            MemoryChange::Confirm,
        ),
        change(
            "/api/memories/{id}/reject",
            "reject_memory",
            "Reject a memory as wrong",
            MemoryChange::Reject,
        ),
        change(
            "/api/memories/{id}/archive",
            "archive_memory",
            "Archive a memory",
            MemoryChange::Archive,
        ),
        change(
            "/api/memories/{id}/restore",
            "restore_memory",
            "Restore a memory",
            MemoryChange::Restore,
        ),
        change(
            "/api/memories/{id}/accept",
            "accept_proposal",
            "Accept the first proposal for a memory",
            MemoryChange::Accept,
        ),
    ]
}

fn edit(call: &RouteCall<'_>, edit: MemoryEdit) -> Result<crate::api::MemoryChanged, Refusal> {
    check_tags(edit.tags.as_ref().map_or(0, Vec::len))?;
    match call
        .service()
        .edit_memory(&call.caller, call.path("id"), &edit)?
    {
        Edited::Done(changed) => Ok(changed),
        Edited::ChangedMeanwhile { digest } => {
            let message =
                format!("the memory has changed since it was read; its digest is now {digest}");
            let refusal =
                Refusal::new(StatusCode::CONFLICT, ProblemCode::ChangedMeanwhile, message);
            Err(refusal.hint("read it again and repeat the edit"))
        }
    }
}

/// Checks the limit that the schema states.
fn check_tags(count: usize) -> Result<(), Refusal> {
    match count {
        0..=12 => Ok(()),
        _ => Err(Refusal::invalid(format!(
            "`tags` has {count} items; at most 12"
        ))),
    }
}

fn review_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/review",
            "list_review",
            "Everything that waits for a person",
            |call, query: InProjects| Ok(call.service().review(&query)?),
        ),
        Route::get(
            "/api/review/{id}",
            "get_review_item",
            "One item with its evidence and the effect of each action",
            |call, query: InProjects| Ok(call.service().review_item(call.path("id"), &query)?),
        ),
        Route::post(
            "/api/review",
            "decide_review",
            "Decide on items, or preview decisions",
            |call, request: ReviewRequest| {
                let count = request.decisions.len();
                match count {
                    1..=MOST_DECISIONS => Ok(call.service().decide(&call.caller, &request)?),
                    _ => Err(Refusal::invalid(format!(
                        "`decisions` has {count} items; 1 to {MOST_DECISIONS}"
                    ))),
                }
            },
        ),
        Route::post(
            "/api/review/undo",
            "undo_review",
            "Undo the latest decisions",
            |call, project: InProjects| Ok(call.service().undo_review(&call.caller, &project)?),
        ),
    ]
}

/// Must equal the limit in the schema.
const MOST_DECISIONS: usize = 500;

fn search_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/search",
            "search",
            "Find memories",
            |call, query: SearchQuery| Ok(call.service().search(&query)?),
        ),
        Route::post(
            "/api/ask",
            "ask",
            "Ask memory a question",
            |call, request: AskRequest| Ok(call.service().ask(&call.caller, &request)?),
        )
        .long(),
    ]
}

fn project_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/connect",
            "list_connections",
            "Agents and whether their sessions may be read",
            |call, _: NoBody| Ok(call.service().connections()?),
        ),
        Route::post(
            "/api/connect",
            "connect",
            "Start reading an agent's sessions",
            |call, request: NewConnection| Ok(call.service().connect(&call.caller, &request)?),
        ),
        Route::post(
            "/api/connect/{agent}/remove",
            "disconnect",
            "Stop reading an agent's sessions",
            |call, _: NoBody| {
                Ok(call
                    .service()
                    .disconnect(&call.caller, call.path("agent"))?)
            },
        ),
        Route::get(
            "/api/project/list",
            "list_projects",
            "Known projects",
            |call, _: NoBody| Ok(call.service().projects()?),
        ),
        Route::post(
            "/api/project/add",
            "add_project",
            "Register a project",
            |call, request: NewProject| Ok(call.service().add_project(&call.caller, &request)?),
        ),
        Route::post(
            "/api/project/remove",
            "remove_project",
            "Unregister a project",
            |call, request: KnownProject| {
                Ok(call.service().remove_project(&call.caller, &request)?)
            },
        ),
        Route::post(
            "/api/project/trust",
            "trust_project",
            "Trust a project's settings, or revoke that",
            trust_project,
        ),
        Route::get(
            "/api/exclude",
            "list_excluded",
            "Folders whose sessions are not read",
            |call, _: NoBody| Ok(call.service().excluded()?),
        ),
        Route::post(
            "/api/exclude",
            "exclude",
            "Stop reading sessions of a folder",
            |call, request: ExcludedFolder| Ok(call.service().exclude(&call.caller, &request)?),
        ),
        Route::post(
            "/api/exclude/remove",
            "include",
            "Resume reading sessions of a folder",
            |call, request: ExcludedFolder| Ok(call.service().include(&call.caller, &request)?),
        ),
        Route::get(
            "/api/plugins",
            "list_plugins",
            "Plugins with their grants, limits and use",
            |call, _: NoBody| Ok(call.service().plugins()?),
        ),
    ]
}

/// Requires a registered project: settings of any other folder are never used.
fn trust_project(call: &RouteCall<'_>, request: ProjectTrust) -> Result<ProjectChanged, Refusal> {
    call.server.check_project(Some(request.path.as_str()))?;
    Ok(call.service().trust_project(&call.caller, &request)?)
}

fn setting_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/model",
            "get_model",
            "The model that reads sessions, available models, and the spending of today",
            |call, _: NoBody| Ok(call.service().model()?),
        )
        .long(),
        Route::post(
            "/api/model",
            "choose_model",
            "Choose the model that reads sessions, or none",
            |call, request: ChosenModel| Ok(call.service().choose_model(&call.caller, &request)?),
        )
        .long(),
        Route::post(
            "/api/model/test",
            "test_model",
            "Try the model on one session, without storing anything",
            |call, _: NoBody| Ok(call.service().test_model(&call.caller)?),
        )
        .long(),
        Route::get(
            "/api/settings",
            "list_settings",
            "All settings, and where each comes from",
            |call, query: InProject| Ok(call.service().settings(&query)?),
        ),
        Route::post(
            "/api/settings",
            "set_setting",
            "Change a setting that is a number, a boolean or one of several words",
            |call, request: NewSetting| Ok(call.service().set_setting(&call.caller, &request)?),
        ),
    ]
}

fn run_routes() -> Vec<Route> {
    let change = |path, name, summary, action| {
        Route::post(path, name, summary, move |call, _: NoBody| {
            Ok(call
                .service()
                .change_queue(&call.caller, call.path("id"), action)?)
        })
    };
    vec![
        Route::get(
            "/api/briefs",
            "list_briefs",
            "Briefs that agents got in a project, newest first, with the reason for each line",
            |call, query: BriefsQuery| Ok(call.service().briefs(&query)?),
        ),
        Route::get(
            "/api/runs",
            "list_runs",
            "Runs, newest first",
            |call, query: RunsQuery| Ok(call.service().runs(&query)?),
        ),
        Route::get(
            "/api/runs/{id}",
            "get_run",
            "One run with its artifacts",
            |call, _: NoBody| Ok(call.service().run(call.path("id"))?),
        ),
        Route::get(
            "/api/queue",
            "list_queue",
            "Jobs of the durable queue",
            |call, query: QueueQuery| Ok(call.service().queue(&query)?),
        ),
        change(
            "/api/queue/{id}/retry",
            "retry_queued",
            "Retry a job now",
            QueueAction::Retry,
        ),
        change(
            "/api/queue/{id}/skip",
            "skip_queued",
            "Never run this revision of the session",
            QueueAction::Skip,
        ),
        change(
            "/api/queue/{id}/cancel",
            "cancel_queued",
            "Cancel a job of the queue",
            QueueAction::Cancel,
        ),
    ]
}

fn session_routes() -> Vec<Route> {
    vec![
        Route::get(
            "/api/sessions",
            "list_sessions",
            "Sessions by filters, in pages",
            |call, query: SessionsQuery| Ok(call.service().sessions(&query)?),
        ),
        Route::get(
            "/api/sessions/search",
            "search_sessions",
            "Find something in conversations",
            |call, query: SessionSearchQuery| Ok(call.service().search_sessions(&query)?),
        )
        .long(),
        Route::get(
            "/api/sessions/{agent}/{id}",
            "get_session",
            "One session with its runs and memories",
            |call, _: NoBody| {
                Ok(call
                    .service()
                    .session(call.path("agent"), call.path("id"))?)
            },
        ),
        Route::get(
            "/api/sessions/{agent}/{id}/events",
            "session_events",
            "The conversation, in pages",
            |call, query: EventsQuery| {
                Ok(call
                    .service()
                    .session_events(call.path("agent"), call.path("id"), &query)?)
            },
        ),
        Route::get(
            "/api/sessions/{agent}/{id}/outline",
            "session_outline",
            "Prompts and size of a conversation",
            |call, _: NoBody| {
                Ok(call
                    .service()
                    .session_outline(call.path("agent"), call.path("id"))?)
            },
        )
        .long(),
        Route::get(
            "/api/sessions/{agent}/{id}/rows",
            "session_rows",
            "The conversation as a person reads it, in pages",
            |call, query: RowsQuery| {
                Ok(call
                    .service()
                    .session_rows(call.path("agent"), call.path("id"), &query)?)
            },
        )
        .long(),
        Route::get(
            "/api/sessions/{agent}/{id}/rows/{event}",
            "session_row",
            "All of one row: input and output of a call, or a long text",
            |call, _: NoBody| {
                Ok(call.service().session_row(
                    call.path("agent"),
                    call.path("id"),
                    call.path("event"),
                )?)
            },
        )
        .long(),
        Route::get(
            "/api/sessions/{agent}/{id}/find",
            "find_in_session",
            "Find a text in one conversation",
            |call, query: FindInSessionQuery| {
                Ok(call
                    .service()
                    .find_in_session(call.path("agent"), call.path("id"), &query)?)
            },
        )
        .long(),
    ]
}

fn context_routes() -> Vec<Route> {
    let route = |path, name, summary, command| {
        Route::post(path, name, summary, move |call, request: ContextRequest| {
            let report: Map<String, Value> =
                call.service().context(&call.caller, command, &request)?;
            Ok(report)
        })
    };
    vec![
        route(
            "/v1/explore",
            "explore",
            "Explore a codebase",
            ContextCommand::Explore,
        ),
        route(
            "/v1/delta",
            "delta",
            "Changes in a codebase",
            ContextCommand::Delta,
        ),
        route(
            "/v1/context",
            "context",
            "Files to read for a task",
            ContextCommand::Context,
        ),
        route(
            "/v1/refresh",
            "refresh",
            "Explore a codebase again and read every file",
            ContextCommand::Refresh,
        ),
    ]
}
