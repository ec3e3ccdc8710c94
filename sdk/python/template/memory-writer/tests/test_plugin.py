"""The memory-writer through its public door: actions in, files out."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from . import PROJECT as PROJECT

import plugin
from acreta_sdk.testing import session
from componentize_py_types import Err
from wit_world.exports.memory_writer import Action, Context
from wit_world.imports.registry import MemoryType
from wit_world.imports.types import Candidate, Summary

TYPES = [
    MemoryType("learning", ["convention"], "learnings", "", ""),
    MemoryType("summary", [], "summaries", "", ""),
]
MOMENT = 1771582272000
CONTEXT = Context("run-1", MOMENT, "boat", "meta/traces/sessions/agent/session.jsonl", "agent", [])


def add(memory_id: str, title: str, body: str) -> Action:
    return Action(
        id=memory_id,
        operation="add",
        memory_id=memory_id,
        target=None,
        current=None,
        sources=[],
        created_ms=MOMENT,
        updated_ms=MOMENT,
        related=[],
        candidate=Candidate("c1", "learning", "convention", title, body, 0.8, ["build"], [], []),
        summary=None,
        session=session(),
        attrs=[],
    )


class PluginTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.draft = Path(folder.name)

    def test_every_action_has_a_file_of_its_own(self) -> None:
        summary = Summary("Fixed the tide table", "", "Asked.", [], [], [])
        actions = [
            add("m1", "Run `make check` first", 'Before "done".'),
            add("m2", "Run `make check` first", "The same title."),
            replace(add("m3", "", ""), candidate=None, summary=summary),
        ]
        paths = [one.path for one in plugin.apply(self.draft, CONTEXT, actions, TYPES)]
        self.assertEqual(
            paths,
            [
                "learnings/20260220-run-make-check-first.md",
                "learnings/20260220-run-make-check-first-2.md",
                "summaries/20260220-101112-fixed-the-tide-table.md",
            ],
        )
        self.assertEqual(
            (self.draft / paths[0]).read_text(),
            '---\nid: "m1"\ntitle: "Run `make check` first"\nkind: "convention"\n'
            "created: 2026-02-20T10:11:12Z\nupdated: 2026-02-20T10:11:12Z\n"
            'source: "agent/session"\nconfidence: 0.80\ntags: ["build"]\nrelated: []\n---\n'
            '# Run `make check` first\n\nBefore "done".\n',
        )

    def test_a_file_keeps_its_name(self) -> None:
        action = replace(add("m1", "Another title", "Body"), target="learnings/20250101-old.md")
        [written] = plugin.apply(self.draft, CONTEXT, [action], TYPES)
        self.assertEqual(written.path, "learnings/20250101-old.md")

    def test_a_type_that_the_host_does_not_know_is_refused(self) -> None:
        with self.assertRaises(Err) as raised:
            plugin.apply(self.draft, CONTEXT, [add("m1", "Title", "Body")], [])
        self.assertEqual(raised.exception.value.code, "unknown-type")
