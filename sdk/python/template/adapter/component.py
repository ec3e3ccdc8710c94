"""The component: hands the host's sink to the plugin."""

from wit_world import exports
from wit_world.exports.adapter import Cursor, Description
from wit_world.imports import sink
from wit_world.imports.types import Session

import plugin


class Adapter(exports.Adapter):
    def describe(self) -> Description:
        return plugin.describe()

    def sessions(self, path: str) -> list[Session]:
        return plugin.sessions(path)

    def read(self, session: Session, from_: Cursor) -> Cursor:
        return plugin.read(session, from_, sink)
