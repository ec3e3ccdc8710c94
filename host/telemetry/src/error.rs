//! Errors that keep logging from starting.

/// Logging could not start because its options are invalid.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("`{endpoint}` is not a valid OTLP endpoint")]
    Endpoint { endpoint: String },
    #[error("the header `{name}` is not a valid HTTP header")]
    Header { name: String },
    #[error("the OTLP exporter could not be created")]
    Otlp {
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("the log of this process was started already")]
    AlreadyStarted,
}

impl StartError {
    /// Returns what a person can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            StartError::Endpoint { .. } => Some("write it as `http://localhost:4318`"),
            StartError::Header { .. } => {
                Some("a header is a name and a value of visible characters")
            }
            StartError::Otlp { .. } | StartError::AlreadyStarted => None,
        }
    }
}
