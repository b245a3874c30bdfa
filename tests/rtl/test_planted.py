# SPDX-License-Identifier: Apache-2.0
"""Planted bugs: what is declared fits the RTL, is used, and every mistake in it is named."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from aesforge.base.errors import ManifestError
from aesforge.base.paths import ROOT
from aesforge.catalog import manifest, planted
from aesforge.catalog.planted import Bug
from aesforge.verify import prove
from tree_support import tracked_files

pytestmark = pytest.mark.quick

GOOD = """\
[[bug]]
name = "BUG_ONE"
what = "one in place of zero"
file = "rtl/unit.sv"
find = "assign a = 1'b0;"
replace = "assign a = 1'b1;"
"""
UNIT = "module unit (output logic a, b);\n  assign a = 1'b0;\n  assign b = 1'b0;\nendmodule\n"


@pytest.fixture
def shared(tmp_path: Path) -> Callable[[str], dict[str, Bug]]:
    """Return a function that reads a formal/bugs.toml beside a module."""
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl/unit.sv").write_text(UNIT)
    (tmp_path / "formal").mkdir()

    def read(text: str) -> dict[str, Bug]:
        (tmp_path / planted.BUGS_FILE).write_text(text)
        return planted.shared(tmp_path)

    return read


def test_every_declared_bug_fits_the_rtl() -> None:
    """Each text to replace is once in its file: a change of RTL takes its bugs along."""
    shared = planted.shared()
    assert len(shared) > 50
    for bug in shared.values():
        assert bug.texts()
    for accelerator in manifest.discover():
        for bug in accelerator.bugs().values():
            assert all(text != path.read_text() for path, text in bug.texts().items()), bug.name


def test_every_declared_bug_is_used() -> None:
    """A bench, a proof or a test names it."""
    tests = [*tracked_files(ROOT / "tests"), *(ROOT / "accelerators").glob("*/test/*.py")]
    words = set(re.findall(r"BUG_\w+", "".join(p.read_text() for p in tests if p.suffix == ".py")))
    words |= {bug for proof in prove.load(ROOT / prove.PROOFS_FILE) for bug in proof.bugs}
    for accelerator in manifest.discover():
        found = accelerator.manifest
        proved = {bug for proof in found.proof for bug in proof.bugs}
        own = {bug.name for bug in found.bug if bug.bench == "none"}
        assert own <= proved | words, own - proved - words
        words |= proved | {bug.name for bug in found.bug if bug.bench != "none"}
    assert set(planted.shared()) <= words, set(planted.shared()) - words


def test_copies_take_the_place_of_what_a_bug_changes(
    tmp_path: Path, shared: Callable[[str], dict[str, Bug]]
) -> None:
    """Order and names stay, other files are read where they are; without a bug all are."""
    bugs = shared(GOOD)
    other = tmp_path / "other.sv"
    other.write_text("module other;\nendmodule\n")
    files = [tmp_path / "rtl/unit.sv", other]
    assert planted.plant("", bugs, files, tmp_path / "copies") == files
    assert not (tmp_path / "copies").exists()
    first, second = planted.plant("BUG_ONE", bugs, files, tmp_path / "copies")
    assert (first.name, second) == ("unit.sv", other)
    assert first.is_relative_to(tmp_path / "copies")
    assert first.read_text() == UNIT.replace("a = 1'b0", "a = 1'b1")
    assert files[0].read_text() == UNIT
    with pytest.raises(ManifestError, match="BUG_ONE changes none of the files"):
        planted.plant("BUG_ONE", bugs, [other], tmp_path / "copies")
    with pytest.raises(ManifestError, match="proof x: there is no planted bug 'BUG_TWO'"):
        planted.plant("BUG_TWO", bugs, files, tmp_path / "copies", "proof x: ")


def test_several_edits(tmp_path: Path, shared: Callable[[str], dict[str, Bug]]) -> None:
    """All edits of a bug are made."""
    edit = '[[bug.edit]]\nfile = "rtl/unit.sv"\nfind = "{0} = 1\'b0"\nreplace = "{0} = 1\'b1"\n'
    text = '[[bug]]\nname = "BUG_ONE"\nwhat = "ones"\n' + edit.format("a") + edit.format("b")
    (broken,) = shared(text)["BUG_ONE"].texts().values()
    assert broken == UNIT.replace("1'b0", "1'b1")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("assign a =", "assign c =", "BUG_ONE: rtl/unit.sv holds the text to replace 0 times"),
        ("assign a = 1'b0;", "1'b0;", "BUG_ONE: rtl/unit.sv holds the text to replace 2 times"),
        ("rtl/unit.sv", "rtl/gone.sv", "BUG_ONE: there is no file rtl/gone.sv"),
        ("rtl/unit.sv", "../../unit.sv", "'../../unit.sv' leaves the repository"),
        ("rtl/unit.sv", "/etc/passwd", "'/etc/passwd' is no relative path"),
        ("find =", "fnd =", "unknown key"),
        ("find =", "#", "BUG_ONE: file, find and replace, or [[bug.edit]] with these"),
        ('what = "one in place of zero"\n', "", "bug.0.what: Field required"),
        ('"BUG_ONE"', '"one"', "bug.0.name: String should match pattern"),
        ("\nreplace", '\n#\n[[bug]]\nname = "BUG_TWO"\nwhat = "x"\n#', "BUG_ONE: file, find"),
        ("[[bug]]", GOOD + "[[bug]]", "bug named twice: BUG_ONE"),
    ],
)
def test_mistakes(
    shared: Callable[[str], dict[str, Bug]], old: str, new: str, message: str
) -> None:
    """The message names the bug, the file and what is wrong."""
    assert old in GOOD
    with pytest.raises(ManifestError) as caught:
        shared(GOOD.replace(old, new, 1))["BUG_ONE"].texts()
    assert message in str(caught.value)


def test_a_bug_without_an_edit(shared: Callable[[str], dict[str, Bug]]) -> None:
    """It says nothing in formal/bugs.toml, and stands for a shared one in a manifest."""
    with pytest.raises(ManifestError, match="BUG_ONE: no edit"):
        shared('[[bug]]\nname = "BUG_ONE"\nwhat = "nothing"\n')


def test_bugs_of_an_accelerator(tmp_path: Path, shared: Callable[[str], dict[str, Bug]]) -> None:
    """They join the shared ones; edits of the same name are made beside those of the shared bug."""
    shared(GOOD)
    home = tmp_path / "unit"
    home.mkdir()
    (home / "props.sv").write_text("assert (x);\n")
    given = {"file": "props.sv", "find": "x", "replace": "y"}
    own = [planted.Fault.model_validate({"name": "BUG_OWN", "what": "wrong name", **given})]
    bugs = planted.known(own, home, tmp_path)
    assert set(bugs) == {"BUG_ONE", "BUG_OWN"}
    assert bugs["BUG_OWN"].texts() == {home / "props.sv": "assert (y);\n"}
    more = [planted.Fault.model_validate({"name": "BUG_ONE", "edit": [given]})]
    texts = planted.known(more, home, tmp_path)["BUG_ONE"].texts()
    assert set(texts) == {home / "props.sv", tmp_path / "rtl/unit.sv"}
    twin = [planted.Fault.model_validate({"name": "BUG_ONE", "what": "another", **given})]
    with pytest.raises(ManifestError, match=r"BUG_ONE is also in formal/bugs\.toml"):
        planted.known(twin, home, tmp_path)
    for fields, lacks in (({}, "an edit"), (given, "what")):
        nameless = [planted.Fault.model_validate({"name": "BUG_NEW", **fields})]
        with pytest.raises(ManifestError, match=f"BUG_NEW is not in .* lacks {lacks}"):
            planted.known(nameless, home, tmp_path)
