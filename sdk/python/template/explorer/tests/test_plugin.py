"""The explorer through its public door: candidates in, findings out."""

import unittest

from . import PROJECT as PROJECT

import plugin
from wit_world.imports.search import Hit
from wit_world.imports.types import Candidate


def candidate(id: str, title: str) -> Candidate:
    return Candidate(id, "learning", "convention", title, title, 0.8, [], [], [])


def hit(path: str, snippet: str) -> Hit:
    return Hit(path, path, 1.0, snippet, [])


class PluginTest(unittest.TestCase):
    def test_the_nearest_memory_is_named(self) -> None:
        hits = [
            hit("learnings/a.md", "Tests share one port"),
            hit("learnings/b.md", "Run the linter before every commit"),
        ]
        table = [
            ("Run the linter before every commit", "no-op", "learnings/b.md"),
            ("Run the linter and the tests before every merge", "update", "learnings/b.md"),
            ("Deploy on Mondays", "add", None),
        ]
        for title, hint, file in table:
            with self.subTest(title):
                [found] = plugin.explore([candidate("c1", title)], lambda *_: hits)
                self.assertEqual((found.action_hint, found.matched_file), (hint, file))

    def test_every_candidate_has_a_finding(self) -> None:
        batch = [candidate("c1", "Use tabs"), candidate("c2", "")]
        found = plugin.explore(batch, lambda *_: [])
        self.assertEqual([one.candidate_id for one in found], ["c1", "c2"])
