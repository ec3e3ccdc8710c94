//! Definition of a route. Method, path, description, request, report and function of each are one row of [`table`], from
//! which the handlers are registered and the document is generated. A use case is a function of `acreta_service`: the
//! server adds the project to its request, checks the bounds of its schema, and sends exactly its report.

mod table;

use http::{Method, StatusCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use acreta_service::{Context, Failure, Kind};

use crate::api::{InProject, InProjects, NoBody, OfProject};
use crate::auth::RequiredAccess;
use crate::input::{RequestShape, typed};
use crate::refusal::Refusal;
use crate::server::{CallClass, Server};
use crate::service::{Call, Caller, RunUseCase, UseCase};

pub(crate) use table::table;

pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// Name of the operation in clients.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) access: RequiredAccess,
    pub(crate) patience: CallClass,
    pub(crate) success: StatusCode,
    /// The fields of the query of a `GET`, or of the body of any other method.
    shape: fn(&mut SchemaGenerator) -> RequestShape,
    request: fn(&mut SchemaGenerator) -> Schema,
    /// The fields that name the project, if the request has them, and their type.
    scope: Option<Scope>,
    pub(crate) response: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) handler: Handler,
}

#[derive(Clone, Copy)]
struct Scope {
    shape: fn(&mut SchemaGenerator) -> RequestShape,
    request: fn(&mut SchemaGenerator) -> Schema,
    all_projects: bool,
}

impl Scope {
    fn of<T: JsonSchema>(all_projects: bool) -> Self {
        Self {
            shape: RequestShape::of::<T>,
            request: SchemaGenerator::subschema_for::<T>,
            all_projects,
        }
    }
}

pub(crate) enum Handler {
    UseCase(UseCase),
    /// Answered by the server itself, on a thread that may block.
    Server(Box<Handle>),
    /// The stream of events.
    Events,
}

type Handle = dyn Fn(&RouteCall<'_>, Value) -> Result<Vec<u8>, Refusal> + Send + Sync;

/// One request while it is handled.
pub(crate) struct RouteCall<'a> {
    pub(crate) server: &'a Server,
    pub(crate) caller: Caller,
    /// The values in the path, by name.
    pub(crate) path: Vec<(String, String)>,
    /// The caller's token.
    pub(crate) token: Option<String>,
}

impl RouteCall<'_> {
    pub(crate) fn path(&self, name: &str) -> &str {
        let found = self.path.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Runs the handler of a route; blocks.
    pub(crate) fn answer(self, route: &Route, mut input: Value) -> Result<Vec<u8>, Refusal> {
        let project = input.get("project_root").and_then(Value::as_str);
        let project = project.map(str::to_owned);
        let use_case = match &route.handler {
            Handler::UseCase(use_case) => use_case,
            Handler::Server(handle) => {
                self.server.check_project(project.as_deref())?;
                return handle(&self, input);
            }
            Handler::Events => return Err(Refusal::broke_down()),
        };
        let mut scope = InProjects::default();
        if let (Some(named), Some(fields)) = (route.scope, input.as_object_mut()) {
            let names = ["project_root", "all_projects"];
            let own = names
                .iter()
                .filter(|name| named.all_projects || **name != "all_projects");
            let own = own.filter_map(|name| fields.remove_entry(*name));
            scope = typed(Value::Object(own.collect()))?;
        }
        self.server.check_project(project.as_deref())?;
        let call = Call {
            caller: self.caller,
            path: self.path,
            project_root: scope.project_root,
            all_projects: scope.all_projects,
            input,
        };
        Ok(self.server.service.answer(use_case, &call)?)
    }
}

impl Route {
    /// A use case that is told no more than its request.
    fn ask<Q, R>(
        method: Method,
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        run: impl Fn(&Q, &Context) -> Result<R, Failure> + Send + Sync + 'static,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        let run = move |_: &Call, request: &Q, context: &Context| run(request, context);
        Self::call(method, path, name, summary, run)
    }

    /// A use case about what the path names.
    fn call<Q, R>(
        method: Method,
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        run: impl Fn(&Call, &Q, &Context) -> Result<R, Failure> + Send + Sync + 'static,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        let run: Box<RunUseCase> = Box::new(move |call, context| {
            let request: Q = typed(call.input.clone())
                .map_err(|refusal| Failure::new(Kind::Usage, refusal.problem.message))?;
            let report = run(call, &request, context)?;
            serde_json::to_vec(&report).map_err(|error| Failure::from_error(&error))
        });
        Self::new::<Q, R>(
            method,
            path,
            name,
            summary,
            Handler::UseCase(UseCase { name, run }),
        )
    }

    /// A question to the server itself.
    fn own<Q, R>(
        method: Method,
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        handle: impl Fn(&RouteCall<'_>, Q) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        let handler = move |call: &RouteCall<'_>, input: Value| {
            let answer = handle(call, typed(input)?)?;
            serde_json::to_vec(&answer).map_err(|error| {
                tracing::error!(%error, "an answer could not be written as JSON");
                Refusal::broke_down()
            })
        };
        Self::new::<Q, R>(
            method,
            path,
            name,
            summary,
            Handler::Server(Box::new(handler)),
        )
    }

    fn new<Q: JsonSchema, R: JsonSchema>(
        method: Method,
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        handler: Handler,
    ) -> Self {
        Self {
            method,
            path,
            name,
            summary,
            access: RequiredAccess::Token,
            patience: CallClass::Usual,
            success: StatusCode::OK,
            shape: RequestShape::of::<Q>,
            request: SchemaGenerator::subschema_for::<Q>,
            scope: None,
            response: SchemaGenerator::subschema_for::<R>,
            handler,
        }
    }

    /// The request may name a project.
    fn in_project(self) -> Self {
        let scope = Some(Scope::of::<InProject>(false));
        Self { scope, ..self }
    }

    /// The request may name a project, or mean all.
    fn in_projects(self) -> Self {
        let scope = Some(Scope::of::<InProjects>(true));
        Self { scope, ..self }
    }

    /// The request has to name a project.
    fn of_project(self) -> Self {
        let scope = Some(Scope::of::<OfProject>(false));
        Self { scope, ..self }
    }

    fn open(self) -> Self {
        let access = RequiredAccess::Open;
        Self { access, ..self }
    }

    fn long(self) -> Self {
        let patience = CallClass::Long;
        Self { patience, ..self }
    }

    fn accepted(self) -> Self {
        let success = StatusCode::ACCEPTED;
        Self { success, ..self }
    }

    pub(crate) fn shape(&self, generator: &mut SchemaGenerator) -> RequestShape {
        let mut shape = (self.shape)(generator);
        if let Some(scope) = &self.scope {
            shape.fields.extend((scope.shape)(generator).fields);
        }
        shape
    }

    /// Returns the schema of the body, a reference to a definition.
    pub(crate) fn request(&self, generator: &mut SchemaGenerator) -> Schema {
        let own = (self.request)(generator);
        let Some(scope) = &self.scope else {
            return own;
        };
        let project = (scope.request)(generator);
        let (Some(own_name), Some(project_name)) = (defined(&own), defined(&project)) else {
            return own;
        };
        if own_name == NoBody::schema_name() {
            return project;
        }
        let definitions = generator.definitions_mut();
        let added = definitions.get(&project_name).cloned().unwrap_or_default();
        if let Some(definition) = definitions.get_mut(&own_name) {
            for (name, property) in added["properties"].as_object().into_iter().flatten() {
                definition["properties"][name] = property.clone();
            }
            let required = added["required"].as_array().cloned().unwrap_or_default();
            if let (false, Some(definition)) = (required.is_empty(), definition.as_object_mut()) {
                let known = definition
                    .entry("required")
                    .or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(known) = known {
                    known.extend(required);
                    known.dedup();
                }
            }
        }
        own
    }

    /// Returns the names in the path, in order.
    pub(crate) fn path_names(&self) -> Vec<&'static str> {
        let parts = self.path.split('/');
        parts
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .collect()
    }

    pub(crate) fn has_effects(&self) -> bool {
        self.method != Method::GET
    }
}

/// Returns the name of the definition that a schema refers to.
fn defined(schema: &Schema) -> Option<String> {
    let place = schema.get("$ref")?.as_str()?;
    Some(place.rsplit('/').next()?.to_owned())
}
