# SPDX-License-Identifier: Apache-2.0
"""Objects that tests share: made again where anything that is compiled differs, and only there."""

import subprocess
from pathlib import Path

import pytest

import harness_support
from harness_support import compile_object, headers_in


def made(folder: Path, *, value: int = 1, flags: tuple[str, ...] = ()) -> Path:
    """Compile a function that returns what a header says."""
    folder.mkdir()
    (folder / "value.h").write_text(f"#define VALUE {value}\n", encoding="utf-8")
    source = folder / "value.c"
    source.write_text('#include "value.h"\nint value(void) { return VALUE; }\n', encoding="utf-8")
    return compile_object(source, ["gcc", *flags, f"-I{folder}"], headers_in([folder]))


def test_what_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same texts in another folder; not another header, not another flag."""
    monkeypatch.setattr(harness_support, "BUILD", tmp_path / "build")
    first = made(tmp_path / "one")
    calls: list[object] = []
    run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: (calls.append(a), run(*a, **k))[1])
    assert made(tmp_path / "two") == first and not calls
    others = {made(tmp_path / "three", value=2), made(tmp_path / "four", flags=("-O1",))}
    assert first not in others and len(others) == len(calls) == 2


def test_what_does_not_compile_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It fails each time."""
    monkeypatch.setattr(harness_support, "BUILD", tmp_path / "build")
    source = tmp_path / "wrong.c"
    source.write_text("int wrong(void) { return }\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(subprocess.CalledProcessError):
            compile_object(source, ["gcc"], [])
