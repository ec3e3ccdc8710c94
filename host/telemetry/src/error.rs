//! Why logging did not start.

/// The log was not started, because what was asked for makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("`{endpoint}` is not an address of a receiver of traces")]
    Endpoint { endpoint: String },
    #[error("the header `{name}` cannot be sent to the receiver of traces")]
    Header { name: String },
    #[error("traces cannot be sent")]
    Otlp {
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("the log of this process was started already")]
    AlreadyStarted,
}

impl StartError {
    /// What a person can do about it.
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
