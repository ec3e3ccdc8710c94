"""The component: hands the draft and the host's table of memory types to the plugin."""

from pathlib import Path

from wit_world import exports
from wit_world.exports.memory_writer import Action, Context, Written
from wit_world.imports import registry

import plugin


class MemoryWriter(exports.MemoryWriter):
    def apply(self, context: Context, actions: list[Action]) -> list[Written]:
        return plugin.apply(Path("/draft"), context, actions, registry.memory_types())
