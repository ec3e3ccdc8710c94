"""The component: hands the host's table of memory types to the plugin."""

from wit_world import exports
from wit_world.imports import registry
from wit_world.imports.trace import Reader
from wit_world.imports.types import Candidate, Session, Summary

import plugin


class Extractor(exports.Extractor):
    def extract(self, session: Session, events: Reader) -> list[Candidate]:
        return plugin.extract(events, registry.memory_types())

    def summarise(self, session: Session, events: Reader) -> Summary:
        return plugin.summarise(events)
