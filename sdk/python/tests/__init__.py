"""Tests of the SDK: `python3 -m unittest` in `sdk/python`. Stands on the stubs of the adapter's world."""

import sys
from pathlib import Path

SDK = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(SDK / "src"), str(SDK / "stubs" / "adapter")]
