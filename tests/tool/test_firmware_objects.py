# SPDX-License-Identifier: Apache-2.0
"""Objects of firmware are used again where flags and texts are the same, and only there."""

import subprocess
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.errors import ToolError
from aesforge.base.paths import ROOT
from aesforge.build import objects, simulate, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator

COMPILER = f"{simulate.CROSS}gcc"
PLATFORM = next(found for found in platform.discover() if found.manifest.operands == 3)


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keep objects in a folder of the test; return a list that grows with each compiler run."""
    monkeypatch.setattr(objects, "KEPT", tmp_path / "kept")
    calls: list[str] = []
    run = proc.run

    def counted(command: list[str | Path], **words: object) -> proc.Finished:
        calls.append(str(command[0]))
        return run(command, **words)  # type: ignore[arg-type]

    proc.version_line(COMPILER)
    monkeypatch.setattr(proc, "run", counted)
    return calls


SOURCE = '#include "outer.h"\nint value(void) { return VALUE; }\n'
FILES = {
    "source.c": SOURCE,
    "inc/outer.h": '#include "inner.h"',
    "inc/inner.h": "#define VALUE 1",
    "first/other.h": "",
}


def made(folder: Path, *flags: str, **changed: str) -> bytes:
    """Write FILES, some of them changed, and return the object; `first__x` is first/x.h."""
    texts = FILES | {f"{name.replace('__', '/')}.h": text for name, text in changed.items()}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{text}\n", encoding="utf-8")
    objects.compile_object(
        [COMPILER, "-march=rv32im", "-mabi=ilp32", *flags],
        folder / "source.c",
        [folder / "first", folder / "inc"],
        folder / "made.o",
        timeout=60,
        log=folder / "log",
    )
    return (folder / "made.o").read_bytes()


def test_equal_texts_are_compiled_once(tmp_path: Path, compiled: list[str]) -> None:
    """In another folder too."""
    assert made(tmp_path / "one") == made(tmp_path / "two")
    assert len(compiled) == 1


@pytest.mark.parametrize(
    ("flags", "changed"),
    [
        (["-O1"], {}),
        (["-DOTHER"], {}),
        (["-DVALUE=3"], {"inc__inner": ""}),
        ([], {"inc__outer": "#define VALUE 4"}),
        ([], {"inc__inner": "#define VALUE 2"}),
        ([], {"first__outer": "#define VALUE 2"}),  # found before that of inc/
        ([], {"first__inner": "#define VALUE 2"}),  # not: beside outer.h there is one
    ],
    ids=str,
)
def test_other_texts_are_compiled(
    tmp_path: Path, compiled: list[str], flags: list[str], changed: dict[str, str]
) -> None:
    """Flags, the source, a header of a header, and which of two headers comes first."""
    first, kept = made(tmp_path / "one"), len(compiled)
    other = made(tmp_path / "two", *flags, **changed)
    fresh = subprocess.run(
        [COMPILER, "-march=rv32im", "-mabi=ilp32", *flags, "-Ifirst", "-Iinc", "-c", "source.c"],
        cwd=tmp_path / "two",
        check=True,
    )
    assert fresh.returncode == 0
    assert other == (tmp_path / "two" / "source.o").read_bytes()
    same = changed.keys() == {"first__inner"}
    assert (other == first) == (same or flags == ["-DOTHER"])
    assert len(compiled) - kept == (0 if same else 1)


@pytest.mark.parametrize(
    "text",
    [
        '#define NAME "other.h"\n#include NAME\n#define VALUE 1',
        "#define VALUE __LINE__ + (int)sizeof __DATE__",
        '#if __has_include("new.h")\n#endif\n#define VALUE 1',
    ],
)
def test_what_names_no_file_is_compiled_each_time(
    tmp_path: Path, compiled: list[str], text: str
) -> None:
    """Includes by a macro, questions for files, and dates."""
    for _ in range(2):
        made(tmp_path, inc__inner=text)
    assert len(compiled) == 2


@pytest.mark.parametrize("text", ["#define VALUE sizeof __FILE__", '#include "assert.h"'])
def test_names_of_files_are_those_of_one_place(
    tmp_path: Path, compiled: list[str], text: str
) -> None:
    """They may be in the object: a text in another folder is compiled."""
    for place in ("one", "one", "another"):
        made(tmp_path / place, inc__inner=text, first__assert="#define VALUE sizeof __FILE__")
    assert len(compiled) == 2


def test_flags_that_include_are_compiled_each_time(tmp_path: Path, compiled: list[str]) -> None:
    """The compiler reads a file that no text names."""
    (tmp_path / "more.h").write_text("", encoding="utf-8")
    for _ in range(2):
        made(tmp_path, "-include", str(tmp_path / "more.h"))
    assert len(compiled) == 2


def test_what_changed_meanwhile_is_not_kept(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The object may be of either text."""
    run = proc.run

    def edited(command: list[str | Path], **words: object) -> proc.Finished:
        (tmp_path / "inc" / "inner.h").write_text("#define VALUE 5\n", encoding="utf-8")
        return run(command, **words)  # type: ignore[arg-type]

    monkeypatch.setattr(proc, "run", edited)
    made(tmp_path)
    assert len(compiled) == 1
    assert not objects.KEPT.exists()


def test_what_does_not_compile_is_not_kept(tmp_path: Path, compiled: list[str]) -> None:
    """It fails each time."""
    for _ in range(2):
        with pytest.raises(ToolError):
            made(tmp_path, inc__inner="")
    assert len(compiled) == 2
    assert not objects.KEPT.exists()


OWN = [unit for unit in manifest.on_cores() if unit.manifest.source is None]


@pytest.mark.parametrize("unit", OWN, ids=lambda unit: unit.name)
def test_no_header_is_missed(unit: Accelerator) -> None:
    """What the compiler says that it reads is among what counts."""
    variant = unit.manifest.variant[0]
    include = ROOT / "sw" / "include"
    groups = system.kernel_sources(unit, variant, PLATFORM)
    groups += [simulate.Sources((system.HARNESS / "secrets.c", *system.SEALED))]
    for group in groups:
        folders = [*group.includes, system.HARNESS, system.ECC, include]
        for source in group.files:
            found = objects.included(source, folders)
            assert found is not None
            said = subprocess.run(
                [
                    *(COMPILER, "--specs=picolibc.specs", *PLATFORM.manifest.sw.arch, "-MM"),
                    *(f"-D{word}" for word in group.defines),
                    *(f"-I{path}" for path in folders),
                    source,
                ],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            read = {Path(word).resolve() for word in said.replace("\\\n", "").split()[1:]}
            assert read <= {source.resolve(), *(path.resolve() for _, path in found if path)}
