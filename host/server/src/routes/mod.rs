//! What a route is. Method, path, words, types and handler of each stand in one row of
//! [`table`], from which the handlers are registered and the document is generated.

mod table;

use std::cell::RefCell;

use http::{HeaderValue, Method, StatusCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::doors::Access;
use crate::input::{Shape, typed};
use crate::refusal::Refusal;
use crate::server::{Patience, Server};
use crate::service::{Caller, Service};

pub(crate) use table::table;

pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// What clients call it.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) access: Access,
    pub(crate) patience: Patience,
    pub(crate) success: StatusCode,
    /// The fields of the query of a `GET`, of the body of everything else.
    pub(crate) shape: fn(&mut SchemaGenerator) -> Shape,
    pub(crate) request: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) response: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) handler: Handler,
}

pub(crate) enum Handler {
    /// Runs where it may block; gives the body of the answer.
    Blocking(Box<Handle>),
    /// The stream of events.
    Events,
}

type Handle = dyn Fn(&Call<'_>, Value) -> Result<Vec<u8>, Refusal> + Send + Sync;

/// One request on its way.
pub(crate) struct Call<'a> {
    pub(crate) server: &'a Server,
    pub(crate) caller: Caller,
    /// The values in the path, by name.
    pub(crate) path: Vec<(String, String)>,
    /// The browser's cookie, if it brought one.
    pub(crate) browser: Option<String>,
    /// What goes into `Set-Cookie`.
    pub(crate) set_cookie: RefCell<Option<HeaderValue>>,
}

impl Call<'_> {
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
        handle: impl Fn(&Call<'_>, Q) -> Result<R, Refusal> + Send + Sync + 'static,
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
        handle: impl Fn(&Call<'_>, B) -> Result<R, Refusal> + Send + Sync + 'static,
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
        handle: impl Fn(&Call<'_>, I) -> Result<R, Refusal> + Send + Sync + 'static,
    ) -> Self
    where
        I: DeserializeOwned + JsonSchema + 'static,
        R: Serialize + JsonSchema + 'static,
    {
        let handler = move |call: &Call<'_>, input: Value| {
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
            access: Access::Token,
            patience: Patience::Usual,
            success: StatusCode::OK,
            shape: Shape::of::<I>,
            request: SchemaGenerator::subschema_for::<I>,
            response: SchemaGenerator::subschema_for::<R>,
            handler: Handler::Blocking(Box::new(handler)),
        }
    }

    fn open(self) -> Self {
        let access = Access::Open;
        Self { access, ..self }
    }

    fn long(self) -> Self {
        let patience = Patience::Long;
        Self { patience, ..self }
    }

    fn accepted(self) -> Self {
        let success = StatusCode::ACCEPTED;
        Self { success, ..self }
    }

    /// Names in the path, in their order.
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
