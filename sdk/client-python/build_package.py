"""Builds this package with the standard library alone (PEP 517): installing it fetches nothing."""

import base64
import hashlib
import io
import tarfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = ["build_package.py", "pyproject.toml", "README.md"]


def _project():
    return tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]


def _package(project):
    return project["name"].replace("-", "_")


def _metadata(project):
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {project['name']}\n"
        f"Version: {project['version']}\n"
        f"Summary: {project['description']}\n"
        f"Requires-Python: {project['requires-python']}\n"
        "Description-Content-Type: text/markdown\n\n" + (HERE / "README.md").read_text("utf-8")
    )


def _modules():
    paths = sorted(path for path in (HERE / "src").rglob("*") if path.is_file())
    return [path for path in paths if "__pycache__" not in path.parts]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    base = f"{_package(project)}-{project['version']}"
    info = f"{base}.dist-info"
    files = {path.relative_to(HERE / "src").as_posix(): path.read_bytes() for path in _modules()}
    files[f"{info}/METADATA"] = _metadata(project).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: acreta\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"{base}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path), content)
    return name


def build_sdist(sdist_directory, config_settings=None):
    project = _project()
    folder = f"{_package(project)}-{project['version']}"
    with tarfile.open(Path(sdist_directory) / f"{folder}.tar.gz", "w:gz") as archive:
        for path in [HERE / name for name in SOURCES] + _modules():
            archive.add(path, f"{folder}/{path.relative_to(HERE).as_posix()}")
        metadata = _metadata(project).encode()
        entry = tarfile.TarInfo(f"{folder}/PKG-INFO")
        entry.size = len(metadata)
        archive.addfile(entry, io.BytesIO(metadata))
    return f"{folder}.tar.gz"
