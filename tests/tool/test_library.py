# SPDX-License-Identifier: Apache-2.0
"""RTL by name: what a top needs, in compile order; what is missing or declared twice."""

from pathlib import Path

import pytest

from aesforge.base.errors import ManifestError
from aesforge.build.library import Library

TOP = """module top #(parameter Impl = "a") (input logic x);
  import top_pkg::*;
  if (Impl == "a") begin : gen_a
    part_a #(.N(1)) u_part (.x);
  end else if (Impl == "b") begin : gen_b
    part_b u_part (.x);
  end else begin : gen_unknown
    aesforge_unknown_impl u_unknown ();
  end
endmodule
"""
PART = "module part_{} (input logic x);\n  logic y;\n  leaf u_leaf (.x);\nendmodule\n"
LEAF = "module leaf (input logic x);\n  localparam N = leaf_pkg::N;\n  SB_X u_x (x);\nendmodule\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a top, two parts that it chooses from, packages, and what nobody needs."""
    texts = {
        "a/top.sv": TOP,
        "b/part_a.sv": PART.format("a"),
        "b/part_b.sv": PART.format("b"),
        "leaf.sv": LEAF,
        "leaf_pkg.sv": "package leaf_pkg;\n  localparam N = 1;\nendpackage\n",
        "z/top_pkg.sv": "package top_pkg;\n  localparam M = leaf_pkg::N;\nendpackage\n",
        "other.sv": "module other (input logic x);\n  nobody u_nobody (.x);\nendmodule\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def names(paths: list[Path]) -> list[str]:
    """Return the files' names without endings."""
    return [path.stem for path in paths]


def test_users_come_after_what_they_use(folder: Path) -> None:
    """Packages too; every branch of a generate condition counts, and nothing else."""
    found = names(Library([folder]).files(["top"]))
    assert sorted(found) == ["leaf", "leaf_pkg", "part_a", "part_b", "top", "top_pkg"]
    for first, second in (("leaf_pkg", "top_pkg"), ("top_pkg", "top"), ("leaf", "part_a")):
        assert found.index(first) < found.index(second)
    assert found[-1] == "top"


def test_a_parameter_that_is_not_there(folder: Path) -> None:
    """A name that the module does not have is refused: a tool could ignore its value."""
    library = Library([folder])
    library.require_params("top", ["Impl"], "unit/accel.toml")
    message = "unit/accel.toml: module 'top' has no parameter 'Imp'"
    with pytest.raises(ManifestError, match=message):
        library.require_params("top", ["Impl", "Imp"], "unit/accel.toml")
    with pytest.raises(ManifestError, match="module 'leaf' has no parameter 'N'"):
        library.require_params("leaf", ["N"], "unit/accel.toml")


def test_choices_leave_branches_out(folder: Path) -> None:
    """Where a parameter is known; a choice that the module does not have is an error."""
    library = Library([folder])
    assert "part_b" not in names(library.files(["top"], choices={"top": ["part_a"]}))
    with pytest.raises(ManifestError, match="a proof: top instantiates no part_c"):
        library.files(["top"], choices={"top": ["part_c"]}, owner="a proof")


def test_a_missing_module_is_named_with_its_line(folder: Path) -> None:
    """File, line, module and the folders that were searched."""
    (folder / "b" / "part_b.sv").unlink()
    with pytest.raises(ManifestError) as caught:
        Library([folder]).files(["top"])
    assert f"{folder}/a/top.sv:6: no module or package 'part_b' in {folder}" in str(caught.value)
    with pytest.raises(ManifestError, match=r"part_a\.sv:3: no module or package 'leaf'"):
        (folder / "leaf.sv").unlink()
        Library([folder]).files(["part_a"])
    with pytest.raises(ManifestError, match=r"unit/accel\.toml: no module or package 'gone'"):
        Library([folder]).files(["gone"], owner="unit/accel.toml")
    assert names(Library([folder]).files(["other"], elsewhere={"nobody"})) == ["other"]


def test_one_name_twice_is_an_error(folder: Path) -> None:
    """Both files are named, whichever folder they are in."""
    (folder / "z" / "leaf.sv").write_text(LEAF, encoding="utf-8")
    with pytest.raises(ManifestError, match=r"two files declare 'leaf': \S*leaf.sv and \S*z/leaf"):
        Library([folder])


def test_a_stand_in_takes_effect_where_it_is_named(folder: Path) -> None:
    """A file without a module of its own name."""
    simple = folder / "leaf_any.sv"
    simple.write_text("module leaf (input logic x);\nendmodule\n", encoding="utf-8")
    library = Library([folder])
    assert folder / "leaf.sv" in library.files(["part_a"])
    assert library.files(["part_a"], [simple]) == [simple, folder / "b" / "part_a.sv"]


def test_macros_decide_what_is_instantiated(folder: Path) -> None:
    """Those in effect where the RTL is read."""
    text = "module m;\n`ifdef WITH_A\n  part_a u_part (.x(1'b0));\n`endif\nendmodule\n"
    (folder / "m.sv").write_text(text, encoding="utf-8")
    assert names(Library([folder]).files(["m"])) == ["m"]
    assert "part_a" in names(Library([folder], ("WITH_A=1",)).files(["m"]))
