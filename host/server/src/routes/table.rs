//! The table of routes. No `GET` has effects.

use acreta_service::codebase::{self, ContextCommand};
use acreta_service::connect::permissions::{
    self, ExcludedFolder, ExcludedFolders, Exclusions, NewConnection,
};
use acreta_service::find::answer::{self, AskRequest};
use acreta_service::find::for_people::{self, SearchQuery};
use acreta_service::find::{pages, provenance, show, timeline};
use acreta_service::learn::queue::{self, JobChange};
use acreta_service::learn::runs::{self, RunListRequest};
use acreta_service::learn::sync_options;
use acreta_service::models::choice::{self, NoProgress};
use acreta_service::overview::{figures, home, status};
use acreta_service::plugins::inspect;
use acreta_service::process::clock;
use acreta_service::projects::{configure, registry, scopes};
use acreta_service::recall::told;
use acreta_service::remember::add;
use acreta_service::remember::amend::{self, Amendment};
use acreta_service::review::{self, ReviewRequest};
use acreta_service::sessions::reader::{self, FindRequest};
use acreta_service::sessions::usage::{self, UsageRequest};
use acreta_service::sessions::{self, SessionListRequest, SessionSearch};
use http::{Method, StatusCode};

use crate::api::{
    Accepted, BrowserToken, DaemonStatus, Health, InProject, JobList, LiveEvent, LoginCodes,
    LoginRequest, LoginUrl, MaintainRequest, NoBody, ProblemCode, SyncRequest,
};
use crate::refusal::Refusal;
use crate::routes::{Handler, Route, RouteCall};
use crate::service::JobRequest;

const GET: Method = Method::GET;
const POST: Method = Method::POST;

pub(crate) fn table() -> Vec<Route> {
    let mut routes = server_routes();
    routes.extend(overview_routes());
    routes.extend(memory_routes());
    routes.extend(review_routes());
    routes.extend(project_routes());
    routes.extend(setting_routes());
    routes.extend(run_routes());
    routes.extend(session_routes());
    routes.extend(context_routes());
    routes
}

/// Routes that the server answers itself.
fn server_routes() -> Vec<Route> {
    vec![
        Route::own(
            GET,
            "/api/health",
            "health",
            "Health check of the server",
            health,
        )
        .open(),
        Route::own(
            GET,
            "/api/daemon",
            "daemon",
            "The daemon and its schedule",
            daemon,
        ),
        Route::own(
            GET,
            "/api/openapi.json",
            "openapi",
            "This document",
            |call, _: NoBody| Ok(call.server.document.clone()),
        ),
        events(),
        Route::own(
            POST,
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
        Route::own(
            GET,
            "/api/login/codes",
            "login_codes",
            "Login codes that were not used yet",
            |call, _: NoBody| {
                let waiting = call.server.logins.waiting(call.server.now_ms()) as u64;
                Ok(LoginCodes { waiting })
            },
        ),
        Route::own(
            POST,
            "/api/login",
            "login",
            "Exchange a login code for a token",
            login,
        )
        .open(),
        Route::own(
            POST,
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
        Route::own(
            POST,
            "/api/sync",
            "sync",
            "Start a sync: learn from new sessions",
            sync,
        )
        .accepted(),
        Route::own(
            POST,
            "/api/maintain",
            "maintain",
            "Consolidate, verify and fade memories",
            |call, body: MaintainRequest| {
                let job = JobRequest::Maintain(body);
                call.server.jobs.ask(job, &call.caller)
            },
        )
        .accepted(),
        Route::own(
            GET,
            "/api/jobs",
            "list_jobs",
            "The last jobs of this server, newest first",
            |call, _: NoBody| {
                let jobs = call.server.jobs.list();
                Ok(JobList { jobs })
            },
        ),
        Route::own(
            GET,
            "/api/jobs/{id}",
            "get_job",
            "One job",
            |call, _: NoBody| call.server.jobs.get(call.path("id")),
        ),
        Route::own(
            POST,
            "/api/jobs/{id}/cancel",
            "cancel_job",
            "Cancel a job; a running one stops at its next step",
            |call, _: NoBody| call.server.jobs.cancel(call.path("id")),
        ),
    ]
}

fn health(call: &RouteCall<'_>, _: NoBody) -> Result<Health, Refusal> {
    Ok(Health {
        status: "ok".to_owned(),
        version: call.server.version.clone(),
    })
}

fn daemon(call: &RouteCall<'_>, _: NoBody) -> Result<DaemonStatus, Refusal> {
    Ok(DaemonStatus {
        version: call.server.version.clone(),
        started_ms: call.server.started_ms,
        schedule: call.server.schedule_view(),
    })
}

/// The type of the answer is the type of each event's data.
fn events() -> Route {
    let summary = "Live events as server-sent events; the data of each is one object";
    let route = Route::own(GET, "/api/events", "events", summary, |_, _: InProject| {
        Err::<LiveEvent, _>(Refusal::broke_down())
    });
    Route {
        handler: Handler::Events,
        ..route
    }
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

fn sync(call: &RouteCall<'_>, body: SyncRequest) -> Result<Accepted, Refusal> {
    if let Some(since) = &body.since {
        clock::moment(since, call.server.now_ms())
            .map_err(|failure| Refusal::invalid(format!("`since`: {failure}")))?;
    }
    call.server.jobs.ask(JobRequest::Sync(body), &call.caller)
}

fn overview_routes() -> Vec<Route> {
    vec![
        Route::ask(
            GET,
            "/api/status",
            "status",
            "Sessions, queue, models and everything that waits",
            |_: &NoBody, context| status::status(context),
        )
        .in_projects(),
        Route::call(
            GET,
            "/api/overview",
            "overview",
            "Figures for charts",
            |call, _: &NoBody, context| figures::overview(call.project(), context),
        )
        .in_project(),
        Route::ask(
            GET,
            "/api/home",
            "home",
            "Home page: what was learnt, what needs a person, sessions about to be deleted, spending",
            home::home,
        )
        .in_projects(),
        Route::ask(
            GET,
            "/api/timeline",
            "timeline",
            "Sessions, decisions and changes of mind of a project, newest first",
            timeline::timeline,
        )
        .in_projects(),
    ]
}

fn memory_routes() -> Vec<Route> {
    let change = |path, name, summary, amendment: Amendment| {
        Route::call(
            POST,
            path,
            name,
            summary,
            move |call, _: &NoBody, context| amend::amend_one(call.path("id"), &amendment, context),
        )
        .in_project()
    };
    vec![
        Route::ask(
            GET,
            "/api/memories",
            "list_memories",
            "Memories by filters, in pages",
            pages::list,
        )
        .in_projects(),
        Route::call(
            GET,
            "/api/memories/{id}",
            "get_memory",
            "One memory with its evidence",
            |call, _: &NoBody, context| {
                show::show(call.path("id"), &scopes::browsed(context)?, context)
            },
        )
        .in_project(),
        Route::call(
            GET,
            "/api/memories/{id}/provenance",
            "memory_provenance",
            "Evidence in its conversation, earlier texts, and use of a memory",
            |call, _: &NoBody, context| {
                provenance::provenance(call.path("id"), &scopes::browsed(context)?, context)
            },
        )
        .in_project(),
        Route::ask(
            POST,
            "/api/memories",
            "add_memory",
            "Add a person's note",
            add::remember,
        )
        .in_project(),
        Route::call(
            Method::PUT,
            "/api/memories/{id}",
            "edit_memory",
            "Edit a memory that has not changed since it was read",
            |call, edit, context| amend::edit_if_unchanged(call.path("id"), edit, context),
        )
        .in_project(),
        change(
            "/api/memories/{id}/confirm",
            "confirm_memory",
            "Confirm a memory",
            Amendment::Confirm,
        ),
        change(
            "/api/memories/{id}/reject",
            "reject_memory",
            "Reject a memory as wrong",
            Amendment::Reject,
        ),
        change(
            "/api/memories/{id}/archive",
            "archive_memory",
            "Archive a memory",
            Amendment::Archive,
        ),
        change(
            "/api/memories/{id}/restore",
            "restore_memory",
            "Restore a memory",
            Amendment::Restore,
        ),
        change(
            "/api/memories/{id}/accept",
            "accept_proposal",
            "Accept the first proposal for a memory",
            Amendment::Accept(1),
        ),
        Route::call(
            GET,
            "/api/search",
            "search",
            "Find memories",
            |call, query: &SearchQuery, context| {
                for_people::search(&query.request(call.all_projects), context)
            },
        )
        .in_projects(),
        Route::ask(
            POST,
            "/api/ask",
            "ask",
            "Ask memory a question",
            |request: &AskRequest, context| answer::ask(request, &Default::default(), context),
        )
        .in_project()
        .long(),
    ]
}

fn review_routes() -> Vec<Route> {
    vec![
        Route::ask(
            GET,
            "/api/review",
            "list_review",
            "Everything that waits for a person",
            |_: &NoBody, context| review::list(context),
        )
        .in_projects(),
        Route::call(
            GET,
            "/api/review/{id}",
            "get_review_item",
            "One item with its evidence and the effect of each action",
            |call, _: &NoBody, context| review::show(call.path("id"), context),
        )
        .in_projects(),
        Route::ask(
            POST,
            "/api/review",
            "decide_review",
            "Decide on items, or preview decisions",
            |request: &ReviewRequest, context| {
                review::decide(&request.decisions, request.dry_run, context)
            },
        )
        .in_projects(),
        Route::ask(
            POST,
            "/api/review/undo",
            "undo_review",
            "Undo the latest decisions",
            |_: &NoBody, context| review::undo(context),
        )
        .in_projects(),
    ]
}

fn project_routes() -> Vec<Route> {
    vec![
        Route::ask(
            GET,
            "/api/connect",
            "list_connections",
            "Folders of agents' sessions, and whether they may be read",
            |_: &NoBody, context| permissions::list(context),
        ),
        Route::ask(
            POST,
            "/api/connect",
            "connect",
            "Start reading an agent's sessions",
            |request: &NewConnection, context| permissions::connect(request, context),
        ),
        Route::call(
            POST,
            "/api/connect/{agent}/remove",
            "disconnect",
            "Stop reading an agent's sessions",
            |call, _: &NoBody, context| permissions::disconnect(call.path("agent"), context),
        ),
        Route::ask(
            GET,
            "/api/project/list",
            "list_projects",
            "Known projects",
            |_: &NoBody, context| registry::list(context),
        ),
        Route::ask(
            POST,
            "/api/project/add",
            "add_project",
            "Register a project",
            registry::register,
        ),
        Route::ask(
            POST,
            "/api/project/remove",
            "remove_project",
            "Unregister a project",
            registry::unregister,
        ),
        // Settings of a project that is not registered are never used.
        Route::ask(
            POST,
            "/api/project/trust",
            "trust_project",
            "Trust a project's settings, or revoke that",
            registry::set_trust,
        )
        .of_project(),
        Route::ask(
            GET,
            "/api/exclude",
            "list_excluded",
            "Folders whose sessions are not read",
            |_: &NoBody, context| {
                Ok(ExcludedFolders {
                    folders: sync_options::excluded(context),
                })
            },
        ),
        Route::ask(
            POST,
            "/api/exclude",
            "exclude",
            "Stop reading sessions of a folder",
            |request: &ExcludedFolder, context| -> Result<Exclusions, _> {
                permissions::exclude(&request.folder, context)
            },
        ),
        Route::ask(
            POST,
            "/api/exclude/remove",
            "include",
            "Resume reading sessions of a folder",
            |request: &ExcludedFolder, context| permissions::include(&request.folder, context),
        ),
        Route::ask(
            GET,
            "/api/plugins",
            "list_plugins",
            "Plugins with their grants, limits and use",
            |_: &NoBody, context| inspect::list_with_grants(context),
        ),
    ]
}

fn setting_routes() -> Vec<Route> {
    vec![
        Route::ask(
            GET,
            "/api/model",
            "get_model",
            "The model that reads sessions, available models, and the spending of today",
            |_: &NoBody, context| choice::list(context),
        )
        .long(),
        Route::ask(
            POST,
            "/api/model",
            "choose_model",
            "Choose the model that reads sessions, or none",
            choice::choose,
        )
        .long(),
        Route::ask(
            POST,
            "/api/model/test",
            "test_model",
            "Try the model on one session, without storing anything",
            |_: &NoBody, context| choice::trial(context, None, None, &NoProgress),
        )
        .long(),
        Route::ask(
            GET,
            "/api/settings",
            "list_settings",
            "All settings, and where each comes from",
            |_: &NoBody, context| Ok(configure::form(context)),
        )
        .in_project(),
        Route::ask(
            POST,
            "/api/settings",
            "set_setting",
            "Change a setting that is a number, a boolean or one of several words",
            configure::set_plain,
        ),
    ]
}

fn run_routes() -> Vec<Route> {
    let change = |path, name, summary, change| {
        Route::call(
            POST,
            path,
            name,
            summary,
            move |call, _: &NoBody, context| queue::change(call.path("id"), change, context),
        )
    };
    vec![
        Route::ask(
            GET,
            "/api/briefs",
            "list_briefs",
            "Briefs that agents got in a project, newest first, with the reason for each line",
            told::given,
        )
        .in_project(),
        Route::call(
            GET,
            "/api/runs",
            "list_runs",
            "Runs, newest first",
            |call, request: &RunListRequest, context| {
                let project = call.project();
                runs::list(
                    &RunListRequest {
                        project,
                        ..request.clone()
                    },
                    context,
                )
            },
        )
        .in_project(),
        Route::call(
            GET,
            "/api/runs/{id}",
            "get_run",
            "One run with its artifacts",
            |call, _: &NoBody, context| runs::show(call.path("id"), context),
        ),
        Route::ask(
            GET,
            "/api/queue",
            "list_queue",
            "Jobs of the durable queue",
            queue::list,
        ),
        change(
            "/api/queue/{id}/retry",
            "retry_queued",
            "Retry a job now",
            JobChange::Retry,
        ),
        change(
            "/api/queue/{id}/skip",
            "skip_queued",
            "Never run this revision of the session",
            JobChange::Skip,
        ),
        change(
            "/api/queue/{id}/cancel",
            "cancel_queued",
            "Cancel a job of the queue",
            JobChange::Cancel,
        ),
    ]
}

fn session_routes() -> Vec<Route> {
    vec![
        Route::call(
            GET,
            "/api/sessions",
            "list_sessions",
            "Sessions by filters, in pages",
            |call, request: &SessionListRequest, context| {
                let project = call.project();
                sessions::list(
                    &SessionListRequest {
                        project,
                        ..request.clone()
                    },
                    context,
                )
            },
        )
        .in_project(),
        Route::call(
            GET,
            "/api/sessions/search",
            "search_sessions",
            "Find something in conversations",
            |call, request: &SessionSearch, context| {
                let request = SessionSearch {
                    project: call.project(),
                    ..request.clone()
                };
                sessions::search(&request, context)
            },
        )
        .in_project()
        .long(),
        Route::call(
            GET,
            "/api/usage",
            "usage",
            "What agents used, as they recorded it: tokens, calls, time, estimated dollars",
            |call, request: &UsageRequest, context| {
                let request = UsageRequest {
                    project: call.project(),
                    ..request.clone()
                };
                usage::usage(&request, context)
            },
        )
        .in_project()
        .long(),
        Route::call(
            GET,
            "/api/sessions/{agent}/{id}",
            "get_session",
            "One session with its runs and memories",
            |call, _: &NoBody, context| {
                sessions::detail(call.path("agent"), call.path("id"), context)
            },
        ),
        Route::call(
            GET,
            "/api/sessions/{agent}/{id}/events",
            "session_events",
            "The conversation, in pages",
            |call, request, context| {
                sessions::page(call.path("agent"), call.path("id"), request, context)
            },
        ),
        Route::call(
            GET,
            "/api/sessions/{agent}/{id}/outline",
            "session_outline",
            "Prompts and size of a conversation",
            |call, _: &NoBody, context| {
                reader::outline(call.path("agent"), call.path("id"), context)
            },
        )
        .long(),
        Route::call(
            GET,
            "/api/sessions/{agent}/{id}/rows",
            "session_rows",
            "The conversation as a person reads it, in pages",
            |call, request, context| {
                reader::rows(call.path("agent"), call.path("id"), request, context)
            },
        )
        .long(),
        Route::call(
            GET,
            "/api/sessions/{agent}/{id}/rows/{event}",
            "session_row",
            "All of one row: input and output of a call, or a long text",
            |call, _: &NoBody, context| {
                let (agent, id) = (call.path("agent"), call.path("id"));
                reader::body(agent, id, call.path("event"), context)
            },
        )
        .long(),
        Route::call(
            GET,
            "/api/sessions/{agent}/{id}/find",
            "find_in_session",
            "Find a text in one conversation",
            |call, request: &FindRequest, context| {
                reader::find_text(call.path("agent"), call.path("id"), &request.q, context)
            },
        )
        .long(),
    ]
}

fn context_routes() -> Vec<Route> {
    let route = |path, name, summary, command| {
        Route::ask(POST, path, name, summary, move |request, context| {
            codebase::answer(command, request, context)
        })
        .of_project()
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
