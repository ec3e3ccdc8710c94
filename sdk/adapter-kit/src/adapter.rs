//! An adapter as a plain type, and the few lines that make a component of it.

use acreta_sdk::adapter::{Cursor, Description, Failure, Session, Sink};

/// Reads one agent's session files. Opens what it is pointed at with `std::fs`, which in a
/// component reaches the granted roots and nothing else.
pub trait Adapter {
    /// What the adapter reads and what it asks for.
    fn describe() -> Description;

    /// The sessions in one file; empty when the file is not this agent's. Looks at the content,
    /// never trusts a name.
    fn sessions(path: &str) -> Result<Vec<Session>, Failure>;

    /// Emits the session's events from `from` on and returns where it stopped. Fails with
    /// `invalid-cursor` when the session was rewritten since.
    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure>;
}

/// Exports a type that implements [`Adapter`] as the component's adapter.
#[macro_export]
macro_rules! component {
    ($adapter:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::acreta_sdk::adapter as role;

            struct Component;

            impl role::Guest for Component {
                fn describe() -> role::Description {
                    <$adapter as $crate::Adapter>::describe()
                }

                fn sessions(path: String) -> Result<Vec<role::Session>, role::Failure> {
                    <$adapter as $crate::Adapter>::sessions(&path)
                }

                fn read(
                    session: role::Session,
                    from: role::Cursor,
                ) -> Result<role::Cursor, role::Failure> {
                    <$adapter as $crate::Adapter>::read(&session, &from, &mut role::HostSink)
                }
            }

    role::export!(Component with_types_in role::bindings);
        };
    };
}
