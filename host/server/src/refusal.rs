//! A refused call and its answer. Every refusal has a code and a message, and names the request.

use acreta_service::{Failure, Kind};
use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use crate::api::{Problem, ProblemBody, ProblemCode};

#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) problem: Box<Problem>,
    /// A header of the answer.
    header: Option<Box<(header::HeaderName, HeaderValue)>>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: ProblemCode, message: impl Into<String>) -> Self {
        let problem = Problem {
            code,
            message: message.into(),
            causes: Vec::new(),
            hints: Vec::new(),
        };
        Self {
            status,
            problem: Box::new(problem),
            header: None,
        }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ProblemCode::Invalid, message)
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, ProblemCode::Malformed, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, ProblemCode::NotFound, message)
    }

    pub(crate) fn busy(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, ProblemCode::Busy, message)
            .header(header::RETRY_AFTER, HeaderValue::from_static("1"))
            .hint("try again in a moment")
    }

    pub(crate) fn timed_out() -> Self {
        let message = "the call timed out";
        Self::new(StatusCode::GATEWAY_TIMEOUT, ProblemCode::TimedOut, message)
    }

    /// Returns the refusal for a panic of the service; its message is only in the log.
    pub(crate) fn broke_down() -> Self {
        let message = "internal error; see the log";
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            ProblemCode::Failed,
            message,
        )
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.problem.hints.push(hint.into());
        self
    }

    pub(crate) fn header(mut self, name: header::HeaderName, value: HeaderValue) -> Self {
        self.header = Some(Box::new((name, value)));
        self
    }

    pub(crate) fn into_response(self, request_id: &str) -> Response {
        let body = ProblemBody {
            error: *self.problem,
            request_id: request_id.to_owned(),
        };
        let bytes = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = Response::new(Body::from(bytes));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, JSON);
        if let Some((name, value)) = self.header.map(|header| *header) {
            headers.insert(name, value);
        }
        response
    }
}

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let (status, code) = match failure.kind {
            Kind::Missing => (StatusCode::NOT_FOUND, ProblemCode::NotFound),
            Kind::Usage => (StatusCode::BAD_REQUEST, ProblemCode::Invalid),
            Kind::Refused => (StatusCode::FORBIDDEN, ProblemCode::Refused),
            Kind::Changed => (StatusCode::CONFLICT, ProblemCode::ChangedMeanwhile),
            Kind::Busy => (StatusCode::SERVICE_UNAVAILABLE, ProblemCode::Busy),
            Kind::Failure | Kind::Partial => {
                (StatusCode::INTERNAL_SERVER_ERROR, ProblemCode::Failed)
            }
        };
        let mut refusal = Self::new(status, code, failure.message);
        refusal.problem.causes = failure.causes;
        refusal.problem.hints = failure.hints;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            let soon = HeaderValue::from_static("1");
            refusal = refusal.header(header::RETRY_AFTER, soon);
        }
        refusal
    }
}

pub(crate) fn wrong_method<'a>(allowed: impl Iterator<Item = &'a str>) -> Refusal {
    let allowed = allowed.collect::<Vec<_>>().join(", ");
    let message = format!("this path allows only {allowed}");
    let code = ProblemCode::MethodNotAllowed;
    let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, code, message);
    match HeaderValue::try_from(allowed) {
        Ok(allowed) => refusal.header(header::ALLOW, allowed),
        Err(_) => refusal,
    }
}
