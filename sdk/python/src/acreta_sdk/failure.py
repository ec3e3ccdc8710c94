"""The ways a call fails. Bad input is none of them: it is a diagnostic."""

from componentize_py_types import Err
from wit_world.imports.types import Failure


def failure(code: str, message: str, *, retryable: bool = False) -> Err[Failure]:
    """What to raise from an exported function; `code` is lower-case words with hyphens."""
    return Err(Failure(code, message, retryable))


def io_failure(path: str, error: OSError) -> Err[Failure]:
    """A file that cannot be read, or not now."""
    lasting = isinstance(error, (FileNotFoundError, PermissionError))
    return failure("io", f"could not read `{path}`: {error.strerror}", retryable=not lasting)
