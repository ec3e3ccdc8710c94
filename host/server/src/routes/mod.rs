//! Definition of a route. Method, path, description, types and handler of each are one row of [`table`], from which the
//! handlers are registered and the document is generated.

mod table;

use http::{Method, StatusCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::auth::RequiredAccess;
use crate::input::{RequestShape, typed};
use crate::refusal::Refusal;
use crate::server::{CallClass, Server};
use crate::service::{Caller, Service};

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
    pub(crate) shape: fn(&mut SchemaGenerator) -> RequestShape,
    pub(crate) request: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) response: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) handler: Handler,
}

pub(crate) enum Handler {
    /// Runs on a thread that may block; returns the body of the answer.
    Blocking(Box<Handle>),
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
    pub(crate) fn service(&self) -> &dyn Service {
        self.server.service.as_ref()
    }

    pub(crate) fn path(&self, name: &str) -> &str {
        let found = self.path.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

impl Route {
    fn get<Q, R>(
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        handle: impl Fn(&RouteCall<'_>, Q) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        Q: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        Self::new(Method::GET, path, name, summary, handle)
    }

    fn post<B, R>(
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        handle: impl Fn(&RouteCall<'_>, B) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        B: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        Self::new(Method::POST, path, name, summary, handle)
    }

    fn new<I, R>(
        method: Method,
        path: &'static str,
        name: &'static str,
        summary: &'static str,
        handle: impl Fn(&RouteCall<'_>, I) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        let handler = move |call: &RouteCall<'_>, input: Value| {
            let project = input.get("project_root").and_then(Value::as_str);
            let project = project.map(str::to_owned);
            let input: I = typed(input)?;
            call.server.check_project(project.as_deref())?;
            let answer = handle(call, input)?;
            serde_json::to_vec(&answer).map_err(|error| {
                tracing::error!(%error, "an answer could not be written as JSON");
                Refusal::broke_down()
            })
        };
        Self {
            method,
            path,
            name,
            summary,
            access: RequiredAccess::Token,
            patience: CallClass::Usual,
            success: StatusCode::OK,
            shape: RequestShape::of::<I>,
            request: SchemaGenerator::subschema_for::<I>,
            response: SchemaGenerator::subschema_for::<R>,
            handler: Handler::Blocking(Box::new(handler)),
        }
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
