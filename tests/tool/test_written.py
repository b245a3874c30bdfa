# SPDX-License-Identifier: Apache-2.0
"""RTL that is made from templates: it is current, and a wrong template is an error."""

from pathlib import Path

import pytest

from aesforge.build import written

pytestmark = pytest.mark.quick

MACROS = "<% macro sum(a) %>\nassign sum_o = {{8{1'b0}}, ${a}};\n<% endmacro %>\n"
MODULE = """<% import "sum.j2" as parts %>
// Made from ${source}.
module adder (input a_i);
${parts.sum("a_i")}
endmodule
"""


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """A tree with one template."""
    folder = tmp_path / "rtl" / "field"
    folder.mkdir(parents=True)
    (folder / "sum.j2").write_text(MACROS, encoding="utf-8")
    (folder / "adder.sv.j2").write_text(MODULE, encoding="utf-8")
    return folder / "adder.sv.j2"


def test_modules_are_current() -> None:
    """After a change of a template: `aesforge modules`."""
    assert len(written.templates()) >= 9
    assert written.stale() == []


def test_a_module_is_written(template: Path, tmp_path: Path) -> None:
    """Braces of SystemVerilog stay; a change of macro or module is seen, and only then written."""
    assert written.templates(tmp_path) == [template]
    assert written.write(tmp_path) == [template.with_suffix("")]
    assert written.target(template).read_text(encoding="utf-8") == (
        "// Made from adder.sv.j2.\nmodule adder (input a_i);\n"
        "assign sum_o = {{8{1'b0}}, a_i};\n\nendmodule\n"
    )
    assert written.write(tmp_path) == []
    macros = template.with_name("sum.j2")
    macros.write_text(MACROS.replace("8", "7"), encoding="utf-8")
    assert written.stale(tmp_path) == [written.target(template)]
    written.write(tmp_path)
    written.target(template).write_text("module other;\n", encoding="utf-8")
    assert written.stale(tmp_path) == [written.target(template)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("source", "sauce", "'sauce' is undefined"), ("sum.j2", "some.j2", "some.j2")],
)
def test_a_wrong_template_is_an_error(template: Path, old: str, new: str, message: str) -> None:
    """It names the file and what is missing."""
    template.write_text(MODULE.replace(old, new), encoding="utf-8")
    with pytest.raises(written.TemplateFault, match=rf"adder\.sv\.j2: .*{message}"):
        written.text(template)
