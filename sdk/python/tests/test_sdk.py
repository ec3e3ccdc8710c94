"""Lines and their places, objects in damaged lines, cursors, and what is acreta's own."""

import io
import tempfile
import unittest
from pathlib import Path
from typing import Any

from . import SDK as SDK

from acreta_sdk.adapter import Fields, overview, read_journal
from acreta_sdk.lines import lines
from acreta_sdk.objects import digest, instant, objects, shown, text
from acreta_sdk.event_writer import RecordSpan, EventWriter
from acreta_sdk.revision import revision
from acreta_sdk.testing import Told, start
from componentize_py_types import Err


def seen(content: bytes, offset: int = 0, limit: int = 100) -> list[tuple[Any, ...]]:
    found = lines(io.BytesIO(content), offset, limit=limit)
    return [(one.content, one.start, one.end, one.next, one.terminated, one.oversized) for one in found]


class LinesTest(unittest.TestCase):
    def test_lines_and_their_places(self) -> None:
        table: list[tuple[bytes, list[tuple[Any, ...]]]] = [
            (b"", []),
            (b"\n", [(b"", 0, 0, 1, True, False)]),
            (b"ab", [(b"ab", 0, 2, 2, False, False)]),
            (b"ab\ncd", [(b"ab", 0, 2, 3, True, False), (b"cd", 3, 5, 5, False, False)]),
            (
                b"ab\r\n\r\ncd\r",
                [
                    (b"ab", 0, 2, 4, True, False),
                    (b"", 4, 4, 6, True, False),
                    (b"cd\r", 6, 9, 9, False, False),
                ],
            ),
            (
                b"\xef\xbb\xbfab\n\xef\xbb\xbf\n",
                [(b"ab", 3, 5, 6, True, False), (b"\xef\xbb\xbf", 6, 9, 10, True, False)],
            ),
        ]
        for content, expected in table:
            with self.subTest(content):
                self.assertEqual(seen(content), expected)

    def test_a_line_over_the_limit_is_reported_and_the_next_one_read(self) -> None:
        for length in (11, 12, 13, 100, 70_000, 200_000):
            with self.subTest(length):
                end = 6 + length
                self.assertEqual(
                    seen(b"first\n" + b"x" * length + b"\nlast\n", limit=10),
                    [
                        (b"first", 0, 5, 6, True, False),
                        (b"", 6, end, end + 1, True, True),
                        (b"last", end + 1, end + 5, end + 6, True, False),
                    ],
                )
        self.assertEqual(seen(b"0123456789\n", limit=10), [(b"0123456789", 0, 10, 11, True, False)])
        self.assertEqual(seen(b"0123456789a", limit=10), [(b"", 0, 11, 11, False, True)])

    def test_reading_starts_and_ends_at_any_offset(self) -> None:
        self.assertEqual(seen(b"ab\ncd\n", 3), [(b"cd", 3, 5, 6, True, False)])
        found = lines(io.BytesIO(b"ab\ncd\n"), until=4)
        self.assertEqual([one.content for one in found], [b"ab", b"c"])


class ObjectsTest(unittest.TestCase):
    def test_damage_costs_only_itself(self) -> None:
        table: list[tuple[bytes, list[Any]]] = [
            (b'{"a":1}', [{"a": 1}]),
            (b' {"a":1} {"b":"}"} ', [{"a": 1}, {"b": "}"}]),
            (b"", []),
            (b"nonsense", [(0, 8)]),
            (b"[1]", [(0, 3)]),
            (b'{"a":1} rest', [{"a": 1}, (8, 12)]),
            (b'{"a":"cut {"type":"b"}', [(0, 10), {"type": "b"}]),
            (b'{"a":"cut {"b":1}', [(0, 17)]),
            (b'\0\0{"a":1}', [{"a": 1}]),
            (b"[" * 100_000, [(0, 100_000)]),
        ]
        for line, expected in table:
            with self.subTest(line[:40]):
                found = [
                    (one.start, one.end) if one.record is None else one.record
                    for one in objects(line)
                ]
                self.assertEqual(found, expected)

    def test_times_are_read_in_the_ways_agents_write_them(self) -> None:
        table: list[tuple[Any, int | None]] = [
            ("2026-01-17T06:05:27.522Z", 1768629927522),
            ("2026-01-17T06:05:27", 1768629927000),
            ("2026-01-17 08:05:27+02:00", 1768629927000),
            (1768629927, 1768629927000),
            (1768629927522, 1768629927522),
            ("yesterday", None),
            ("2026-13-45T00:00:00Z", None),
            (float("nan"), None),
            (-1, None),
            (True, None),
            (None, None),
        ]
        for value, expected in table:
            with self.subTest(value):
                self.assertEqual(instant(value), expected)

    def test_texts_are_what_everybody_can_read(self) -> None:
        self.assertEqual(text({"a": "half \ud83d pair"}, "a"), "half \ufffd pair")
        self.assertEqual(text({"a": 1}, "a"), "")
        self.assertEqual(shown({"b": "é"}), '{"b":"é"}')

    def test_a_digest_is_the_same_for_ever(self) -> None:
        self.assertEqual(digest(b""), "cbf29ce484222325")
        self.assertEqual(digest(b"foobar"), "85944171f73967e8")


class RevisionTest(unittest.TestCase):
    # The SDKs of Rust and JavaScript have the same table.
    def test_a_revision_is_the_same_in_every_language(self) -> None:
        table = [
            (b"", "0:0000000000000000"),
            (b"foobar", "6:540f51f29755e857"),
            (b"foobarfoo", "9:5b0467fd0818156f"),
            (bytes(at % 251 for at in range(40_003)), "40003:c4855d7690963857"),
        ]
        for content, expected in table:
            self.assertEqual(revision(io.BytesIO(content)), expected)

    def test_a_changed_letter_in_the_middle_is_another_revision(self) -> None:
        lines = ['{"text":"one"}\n'] * 1000
        found = []
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "s.jsonl"
            for middle in ("one", "two"):
                lines[500] = f'{{"text":"{middle}"}}\n'
                path.write_text("".join(lines))
                session = overview("a", str(path), Fields(), lambda _: "own")
                assert session is not None
                found.append(session.revision)
        self.assertNotEqual(*found)


class JournalTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "session.jsonl"

    def read(self, content: str, cursor: Any) -> tuple[list[str], Told, Any]:
        self.path.write_text(content)
        told = Told()
        end = read_journal(
            str(self.path),
            cursor,
            told,
            None,
            lambda writer, _state, record, place: writer.person(place, record["text"]),
        )
        return [event.text for event in told.events], told, end

    def test_what_is_unfinished_is_left_for_the_next_read(self) -> None:
        whole = '{"text":"one"}\n{"text":"two"}\n'
        texts, told, cursor = self.read(whole[:20], start())
        self.assertEqual(texts, ["one"])
        self.assertEqual(len(told.diagnostics), 1)
        self.assertEqual(self.read(whole, cursor)[0], ["two"])

    def test_a_cursor_of_another_file_is_refused(self) -> None:
        _, _, cursor = self.read('{"text":"one"}\n', start())
        foreign = type(cursor)(cursor.offset, b"\x07")
        for content, given in [
            ('{"text":"onf"}\n', cursor),
            ("{}", cursor),
            ('{"text":"one"}\n', foreign),
        ]:
            with self.subTest(content), self.assertRaises(Err) as raised:
                self.read(content, given)
            self.assertEqual(raised.exception.value.code, "invalid-cursor")

    def test_a_file_that_is_not_there_is_a_failure(self) -> None:
        with self.assertRaises(Err) as raised:
            read_journal(str(self.path), start(), Told(), None, lambda *_: None)
        self.assertEqual((raised.exception.value.code, raised.exception.value.retryable), ("io", False))

    def test_what_acreta_put_in_is_told_apart(self) -> None:
        told = Told()
        writer = EventWriter(told)
        writer.person(RecordSpan(0, 1), 'go <acreta-brief id="1">known</acreta-brief> on')
        writer.tool_call(RecordSpan(1, 2), "mcp__acreta__search", "c1", "{}")
        writer.tool_result(RecordSpan(2, 3), "c1", "found")
        writer.tool_result(RecordSpan(3, 4), "c2", "of a call nobody saw", is_error=True)
        writer.finish()
        self.assertEqual(
            [(event.kind, event.text) for event in told.events],
            [
                ("text", "go  on"),
                ("injected", '<acreta-brief id="1">known</acreta-brief>'),
                ("tool-call", "{}"),
                ("injected", "found"),
                ("tool-result", "of a call nobody saw"),
            ],
        )
        self.assertEqual(told.events[4].attrs, [("call_id", "c2"), ("is_error", "true")])

    def test_a_text_that_is_too_long_is_cut_at_a_character(self) -> None:
        told = Told()
        writer = EventWriter(told)
        writer.emit(RecordSpan(0, 1), "user", "text", "é" * 131073)
        writer.finish()
        self.assertEqual(len(told.events[0].text), 131072)
        self.assertEqual(told.events[0].attrs, [("truncated_bytes", "2")])
