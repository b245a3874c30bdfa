# SPDX-License-Identifier: Apache-2.0
"""`aesforge new`: what it writes passes every check as it is, and bad names are refused."""

import re
from pathlib import Path

import pytest

from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.build import new
from aesforge.catalog import manifest
from tree_support import Tree, make_tree


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """A tree without accelerators."""
    return make_tree(tmp_path)


def test_a_new_accelerator_passes_every_check(tree: Tree) -> None:
    """The template is complete: lint, model = emulation = RTL, AES, planted bugs."""
    made = tree.run("new", "fresh_unit")
    assert made.returncode == 0, made.stderr
    assert "accelerators/fresh_unit" in made.stdout
    checked = tree.run("check", "fresh_unit")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    total = 2 + 6 * 2 + 3  # folder, encodings; six checks of two variants; three planted bugs
    assert f"{total} of {total} checks pass" in checked.stdout
    assert "skip" not in checked.stdout
    listed = tree.run("list")
    assert "fresh_unit" in listed.stdout


def test_the_walk_through_of_a_second_instruction_passes(tree: Tree) -> None:
    """What docs/adding-a-unit.md says, done to the letter: encodings, lint, model, C and RTL."""
    folder = new.create("my_unit", tree.root)
    page = (ROOT / "docs" / "adding-a-unit.md").read_text(encoding="utf-8")
    _, walk = page.split("## 7. A second instruction")
    blocks = dict(re.findall(r"```(\w+)\n(.*?)```", walk, re.DOTALL))
    for kind, name in (
        *(("toml", "accel.toml"), ("python", "test/model.py"), ("c", "sw/emul.c")),
        ("text", "test/encodings.txt"),
    ):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{blocks[kind]}")
    rtl = folder / "rtl" / "my_unit.sv"
    kept, _ = rtl.read_text(encoding="utf-8").split("  logic inv;\n")
    rtl.write_text(kept + blocks["systemverilog"], encoding="utf-8")
    checked = tree.run("check", "my_unit", "--variant", "full", "--no-bugs")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "8 of 8 checks pass" in checked.stdout


@pytest.mark.slow
def test_a_new_peripheral_passes_every_check(tree: Tree) -> None:
    """Lint and bench of two variants, three planted bugs."""
    made = tree.run("new", "fresh_block", "--kind", "peripheral")
    assert made.returncode == 0, made.stderr
    checked = tree.run("check", "fresh_block")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "8 of 8 checks pass" in checked.stdout


@pytest.mark.slow
def test_a_new_stream_passes_every_check(tree: Tree, tmp_path: Path) -> None:
    """Lint, bench, planted bugs and proof; a file through it equals OpenSSL's result."""
    made = tree.run("new", "fresh_stream", "--kind", "stream")
    assert made.returncode == 0, made.stderr
    checked = tree.run("check", "fresh_stream", "--proofs")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    total = (
        1 + 2 * 2 + 4 + 1 + 4
    )  # folder; lint, bench; planted bugs; the proof, alone and with each
    assert f"{total} of {total} checks pass" in checked.stdout
    (tmp_path / "in").write_bytes(bytes(range(256)) * 4)
    for variant, cycles in (("small", 41), ("wide", 11)):
        words = ("--accel", f"fresh_stream/{variant}", "--key", "00" * 16, "--verify")
        played = tree.run("stream", str(tmp_path / "in"), str(tmp_path / "out"), *words)
        assert played.returncode == 0, played.stderr
        assert f"64 beats in {64 * cycles + 1} cycles" in played.stderr


def test_an_unknown_kind(tree: Tree) -> None:
    """It says which there are."""
    with pytest.raises(
        UsageError, match=r"no template of kind 'board'.*instruction, peripheral, stream"
    ):
        new.create("fresh_unit", tree.root, "board")


@pytest.mark.parametrize(("kind", "count"), [("instruction", 9), ("peripheral", 7), ("stream", 8)])
def test_its_text_keeps_the_house_style(tree: Tree, kind: str, count: int) -> None:
    """Every generated file has a licence line, and no line of code is too long."""
    folder = new.create("a_name_of_thirty_one_characters", tree.root, kind)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == count
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert "SPDX-License-Identifier: Apache-2.0" in text.splitlines()[0]
        assert "{{" not in text.replace("[256] = {{", "") and "{%" not in text
    assert manifest.load(folder).manifest.stateless


@pytest.mark.parametrize(
    "name",
    ["", "x", "Upper", "1st", "with-dash", "two__lines", "a" * 32, "../up", "\u00fcm", "a b"],
)
def test_malformed_names(tree: Tree, name: str) -> None:
    """A name is a module's, a folder's and a C prefix at once."""
    with pytest.raises(UsageError, match="not a name for an accelerator"):
        new.create(name, tree.root)
    assert list((tree.root / "accelerators").iterdir()) == []


@pytest.mark.parametrize("name", ["module", "aes_sbox", "accel_unit", "while"])
def test_names_of_modules_and_languages(tree: Tree, name: str) -> None:
    """Keywords and modules that exist are refused before anything is written."""
    with pytest.raises(UsageError, match="taken"):
        new.create(name, tree.root)
    assert not (tree.root / "accelerators" / name).exists()


def test_existing_names(tree: Tree) -> None:
    """Nothing is overwritten: accelerators, baselines and platforms keep their names."""
    new.create("twice", tree.root)
    kept = (tree.root / "accelerators" / "twice" / "accel.toml").read_text(encoding="utf-8")
    baseline = next(a for a in manifest.discover() if a.manifest.kind == "software")
    platform = next(path.parent.name for path in tree.root.glob("platforms/*/platform.toml"))
    for name in ("twice", baseline.name, platform):
        with pytest.raises(UsageError, match="exists already"):
            new.create(name, tree.root)
    assert (tree.root / "accelerators" / "twice" / "accel.toml").read_text(encoding="utf-8") == kept


def test_the_command_line_says_what_is_wrong(tree: Tree) -> None:
    """One line, status 2."""
    done = tree.run("new", "9lives")
    assert done.returncode == 2
    assert "not a name for an accelerator" in done.stderr
    assert "Traceback" not in done.stderr
