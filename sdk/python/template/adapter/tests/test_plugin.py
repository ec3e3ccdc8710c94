"""The adapter through its public door: files in, sessions and events out."""

import tempfile
import unittest
from pathlib import Path

from . import PROJECT

import plugin
from acreta_sdk.testing import Told, conforms, start

FIXTURES = PROJECT / "fixtures"
OWN = FIXTURES / "example-plugin" / "session.jsonl"


def told(path: Path) -> Told:
    sink = Told()
    plugin.read(plugin.sessions(str(path))[0], start(), sink)
    return sink


class PluginTest(unittest.TestCase):
    def test_a_session_is_known_by_its_first_line(self) -> None:
        [session] = plugin.sessions(str(OWN))
        self.assertEqual(session.id, "2f6c1d")
        self.assertEqual(session.project_dir, "/home/mira/boat")
        self.assertEqual(session.started_ms, 1772359200000)
        self.assertEqual(session.updated_ms, 1772359230000)

    def test_everything_said_and_done_is_told(self) -> None:
        found = told(OWN)
        self.assertEqual(
            [f"{event.role}/{event.kind}" for event in found.events],
            ["user/text", "assistant/text", "assistant/tool-call", "tool/tool-result", "assistant/text"],
        )
        self.assertEqual(found.diagnostics, [])
        # A result is known by its call.
        self.assertEqual(found.events[3].attrs[0], ("tool", "shell"))

    def test_another_agents_file_is_left_alone(self) -> None:
        self.assertEqual(plugin.sessions(str(FIXTURES / "other" / "notes.jsonl")), [])

    def test_a_damaged_line_costs_itself(self) -> None:
        lines = [
            '{"type":"session","agent":"example-plugin","session":"s1"}',
            '{"type":"user","text":"cut o',
            '{"type":"user","text":"whole"}',
            "",
        ]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s1.jsonl"
            path.write_text("\n".join(lines))
            found = told(path)
        self.assertEqual([event.text for event in found.events], ["whole"])
        self.assertEqual(len(found.diagnostics), 1)

    def test_it_holds_what_every_adapter_holds(self) -> None:
        conforms(plugin, OWN)
