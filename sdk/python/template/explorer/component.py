"""The component: hands the host's search to the plugin."""

from wit_world import exports
from wit_world.exports.explorer import Finding
from wit_world.imports import search
from wit_world.imports.types import Candidate

import plugin


class Explorer(exports.Explorer):
    def explore(self, batch: list[Candidate]) -> list[Finding]:
        return plugin.explore(batch, search.find)
