"""Builds example-plugin.wasm, the component that plugin.toml names.

Uses componentize-py from the PATH, from beside this Python, or the one that COMPONENTIZE_PY names.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMPONENT = "example-plugin.wasm"


def tool() -> str:
    beside = shutil.which("componentize-py", path=str(Path(sys.executable).parent))
    found = os.environ.get("COMPONENTIZE_PY") or beside or shutil.which("componentize-py")
    if found is None:
        sys.exit("componentize-py is not installed: pip install -r requirements.txt")
    return found


if __name__ == "__main__":
    world = ["-d", "wit", "-w", "example-role-plugin"]
    sources = ["-p", ".", "-p", "vendor"]
    subprocess.run(
        [tool(), "-q", *world, "componentize", "component", *sources, "-o", COMPONENT],
        cwd=HERE,
        check=True,
    )
    print(f"{COMPONENT}: {(HERE / COMPONENT).stat().st_size / 1e6:.1f} MB")
