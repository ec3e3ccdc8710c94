"""Tests of the plugin: `python3 -m unittest`. The SDK and the stubs of the world lie beside it."""

import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT), str(PROJECT / "vendor"), str(PROJECT / "stubs")]
