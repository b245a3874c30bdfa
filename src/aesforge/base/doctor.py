# SPDX-License-Identifier: Apache-2.0
"""Which of the tools that aesforge needs are installed, and how to get the rest."""

import importlib.metadata
import importlib.util
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import ToolError
from aesforge.base.paths import ROOT

PACKAGES = ROOT / "setup" / "debian-packages.txt"
LOCK = ROOT / "requirements.lock"


@dataclass(frozen=True)
class Finding:
    """One requirement: whether it is installed, its version, and its purpose."""

    name: str
    present: bool
    version: str
    purpose: str
    remedy: str


def examine() -> list[Finding]:
    """Look for every Debian package and every pinned Python distribution."""
    return [*_debian(), *_python()]


def _debian() -> Iterator[Finding]:
    for line in PACKAGES.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        package, probe, purpose = line.split(maxsplit=2)
        present = _probe(probe)
        version = _version(probe) if present else ""
        yield Finding(package, present, version, purpose, f"apt-get install {package}")


def _probe(probe: str) -> bool:
    """Tell whether a file, some Python modules or a program exist."""
    if probe.startswith("/"):
        return Path(probe).exists()
    if probe.startswith("python3:"):
        modules = probe.removeprefix("python3:").split(",")
        return all(importlib.util.find_spec(module) for module in modules)
    return shutil.which(probe, path=proc.environment()["PATH"]) is not None


def _version(probe: str) -> str:
    """Return the version that a program prints, if it prints one."""
    if "/" in probe or ":" in probe:
        return "present"
    try:
        line = proc.version_line(probe, "-V" if probe == "iverilog" else "--version")
    except ToolError:
        return "present"
    found = re.search(r"\d+\.\d+(\.\d+)?", line)
    return found[0] if found else "present"


def _python() -> Iterator[Finding]:
    """Compare the environment with the lock file."""
    for name, wanted in re.findall(
        r"^([A-Za-z0-9._-]+)==(\S+)", LOCK.read_text(encoding="utf-8"), re.M
    ):
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            version = ""
        remedy = "make setup" + (f" (pinned: {wanted})" if version else "")
        yield Finding(name, version == wanted, version, "Python package", remedy)
