//! Errors of shared storage. Each names the store, and no text contains a key.

use acreta_fs::FsError;

/// An object could not be stored, read or deleted.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("the folder of `{store}` cannot be used")]
    Folder {
        store: String,
        #[source]
        cause: FsError,
    },
    #[error("`{store}` has no `{name}`")]
    Missing { store: String, name: String },
    /// No complete answer after all attempts.
    #[error("`{store}` does not answer: {cause}")]
    Unreachable { store: String, cause: String },
    /// The server answered with an error that a retry does not change.
    #[error("`{store}` refuses to {action} `{name}`: {status} {code}")]
    Refused {
        store: String,
        action: &'static str,
        name: String,
        status: u16,
        /// The server's name for the error, if it sent one.
        code: String,
    },
    #[error("`{name}` in `{store}` is not what was stored")]
    Damaged { store: String, name: String },
    #[error("invalid address `{address}`: {reason}")]
    Address { address: String, reason: String },
}

impl ObjectError {
    /// Returns true if the same call may succeed later, without a change of settings.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            ObjectError::Unreachable { .. }
                | ObjectError::Missing { .. }
                | ObjectError::Folder { .. }
        )
    }

    /// Returns advice on how to resolve the error.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            ObjectError::Folder { .. } => {
                "create the folder, or mount it: acreta does not create it, because it may be a mount point"
            }
            ObjectError::Unreachable { .. } => {
                "check the network and `AWS_ENDPOINT_URL`; uploads are retried by the next sync"
            }
            ObjectError::Missing { .. } => {
                "the machine that recorded the session uploads it with its next sync"
            }
            ObjectError::Refused { code, status, .. } => match (code.as_str(), status) {
                ("NoSuchBucket", _) => "create the bucket, or correct `archive.url`",
                (
                    "InvalidAccessKeyId"
                    | "SignatureDoesNotMatch"
                    | "InvalidToken"
                    | "ExpiredToken",
                    _,
                ) => "check `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`",
                ("RequestTimeTooSkewed", _) => "set this machine's clock",
                ("PermanentRedirect" | "AuthorizationHeaderMalformed", _) | (_, 301 | 307) => {
                    "set `AWS_REGION` to the region of the bucket"
                }
                (_, 401 | 403) => {
                    "the key needs `s3:PutObject`, `s3:GetObject` and `s3:DeleteObject` for this prefix"
                }
                _ => return None,
            },
            ObjectError::Address { .. } => {
                "an address looks like `s3://bucket/prefix` or `file:///folder`"
            }
            ObjectError::Fs(error) => return error.hint().map(str::to_owned),
            ObjectError::Damaged { .. } => return None,
        };
        Some(hint.to_owned())
    }
}
