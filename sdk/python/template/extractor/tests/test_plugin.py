"""The extractor through its public door: events in, candidates and a summary out."""

import unittest

from . import PROJECT as PROJECT

import plugin
from acreta_sdk.testing import EventList, event
from componentize_py_types import Err
from wit_world.imports.registry import MemoryType

TYPES = [MemoryType("learning", ["convention"], "learnings", "", "")]


def session() -> EventList:
    return EventList(
        [
            event("e1", "user", "text", "Fix the tide table. Always run `make check` first."),
            event("e2", "tool", "tool-result", "always a tool, never a person"),
            event("e3", "assistant", "text", "Fixed, and the checks pass."),
        ]
    )


class PluginTest(unittest.TestCase):
    def test_what_a_person_lays_down_is_found_and_cited(self) -> None:
        events = session()
        found = plugin.extract(events, TYPES)
        self.assertEqual([one.body for one in found], ["Always run `make check` first"])
        for one in found:
            for cited in one.evidence:
                named = events.read(cited.event_id)
                assert named is not None
                self.assertIn(cited.quote, named.text)

    def test_a_type_that_the_host_does_not_know_is_not_proposed(self) -> None:
        self.assertEqual(plugin.extract(session(), []), [])

    def test_a_summary_says_what_was_asked_and_how_it_ended(self) -> None:
        body = plugin.summarise(session()).body
        self.assertIn("Fix the tide table", body)
        self.assertIn("the checks pass", body)

    def test_a_session_without_words_has_no_summary(self) -> None:
        with self.assertRaises(Err) as raised:
            plugin.summarise(EventList([]))
        self.assertEqual(raised.exception.value.code, "nothing-said")
