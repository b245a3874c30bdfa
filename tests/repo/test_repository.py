# SPDX-License-Identifier: Apache-2.0
"""The repository's own rules (docs/architecture.md), and a planted violation of each of them.

A rule is a function of a root folder and a list of files below it; it returns one line for each
violation. The real tree must give none, a small tree with one violation exactly that one.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.catalog import manifest
from aesforge.verify import check
from tree_support import tracked_files

pytestmark = pytest.mark.quick

CODE = {".py", ".sv", ".v", ".c", ".h", ".cpp", ".S", ".sh", ".inc", ".ld"}
# Data that cannot hold a comment, or that tools write.
WITHOUT_HEADER = {".json", ".jsonl", ".lock", ".txt", ".csv", ".svg", ".png", ".rsp"}
WITHOUT_HEADER_NAMES = {"LICENSE", ".gitignore"}

# Where a unit's or a core's name may be besides its folder: text for people. A comment in RTL
# may cite a core as the source of what it says about a bus. Code is never an exception. A paper's
# data says which units are beside its rows.
PROSE = ("docs/", "results/", "papers/", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
UNIT_PLACES = ("results/", "papers/", "CHANGELOG.md")
# A core comes from a Python package that has its name: the lists of packages must say so.
PLATFORM_PLACES = (*PROSE, "pyproject.toml", "requirements.lock", "requirements.in", "setup/")
# So must whatever instantiates a core in somebody else's design, or calls that design's tools.
PLATFORM_PLACES += ("src/aesforge/export/templates/hosts/",)
PLATFORM_PLACES += ("tests/tool/export/", "tests/tool/test_export.py")

GENERATED = re.compile(r"<!-- generated: .*?<!-- /generated -->", re.DOTALL)

COMMENT = re.compile(r"//.*")
TERM = re.compile(r"^term = true", re.MULTILINE)

Rule = Callable[[Path, Sequence[Path]], list[str]]


def read(path: Path) -> str:
    """Return a text file's text; a file that is not text has none."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def relative(root: Path, path: Path) -> str:
    """Return a path as printed."""
    return path.relative_to(root).as_posix()


def names_below(root: Path, folder: str, marker: str) -> list[str]:
    """List the folders below `folder` that hold `marker`."""
    return sorted(path.parent.name for path in (root / folder).glob(f"*/{marker}"))


def units_of_set(root: Path, path: Path) -> set[str]:
    """Name the units of the set in whose folder a file is: it may speak of them."""
    parts = path.relative_to(root).parts
    if len(parts) < 3 or parts[0] != "accelerators":
        return set()
    text = read(root / parts[0] / parts[1] / "accel.toml")
    lists = re.findall(r"^units = \[(.*)\]", text, re.MULTILINE)
    return {label for found in lists for label in re.findall(r'"(\w+)/', found)}


# The rules ----------------------------------------------------------------------------------------


def names_stay_home(root: Path, files: Sequence[Path]) -> list[str]:
    """No file outside its folder contains the name of an accelerator or of a platform."""
    homes = [("accelerators", "accel.toml", UNIT_PLACES)]
    homes += [("platforms", "platform.toml", PLATFORM_PLACES)]
    found: list[str] = []
    for folder, marker, places in homes:
        for name in names_below(root, folder, marker):
            word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")
            if TERM.search(read(root / folder / name / marker)):
                # A word of the field as well: only a path or a label means the unit.
                word = re.compile(rf"accelerators/{name}\b|(?<![\w/]){name}/\w")
            for path in files:
                place = relative(root, path)
                if place.startswith((f"{folder}/{name}/", *places)):
                    continue
                if folder == "accelerators" and name in units_of_set(root, path):
                    continue
                text = read(path)
                if path.suffix == ".md":
                    text = GENERATED.sub("", text)
                if folder == "platforms" and path.suffix == ".sv":
                    text = COMMENT.sub("", text)
                own = home_of(place, names_below(root, folder, marker))
                if own and word.search(own):  # a longer name that begins with this one
                    text, place = text.replace(own, ""), place.replace(own, "")
                if word.search(text) or word.search(place):
                    found.append(f"{relative(root, path)} contains the name {name}")
    return found


def home_of(place: str, names: Sequence[str]) -> str:
    """Name the accelerator or platform in whose folder a place is, if any."""
    parts = place.split("/")
    return parts[1] if len(parts) > 2 and parts[1] in names else ""


def licence_in_every_file(root: Path, files: Sequence[Path]) -> list[str]:
    """Every file that can hold a comment says its licence in the first three lines."""
    wanted = "SPDX-License-Identifier: Apache-2.0"
    return [
        f"{relative(root, path)} has no SPDX line"
        for path in files
        if path.suffix not in WITHOUT_HEADER
        and path.name not in WITHOUT_HEADER_NAMES
        and wanted not in "\n".join(read(path).splitlines()[:3])
    ]


def purpose_in_every_source(root: Path, files: Sequence[Path]) -> list[str]:
    """After its licence line a source says in one line what it is."""
    comment = re.compile(r"^(//|/\*|#|\*)\s*\S|^\"\"\"\S")
    found: list[str] = []
    for path in files:
        if path.suffix not in {".py", ".sv", ".c", ".h", ".cpp", ".S", ".sh"}:
            continue
        lines = [line for line in read(path).splitlines() if not line.startswith("#!")]
        behind = [line for line in lines[:3] if "SPDX" not in line and line.strip()]
        if not behind or not comment.match(behind[0]):
            found.append(f"{relative(root, path)} does not say what it is")
    return found


def no_machine_paths(root: Path, files: Sequence[Path]) -> list[str]:
    """No path of somebody's machine."""
    places = re.compile("/" + "work/|/" + "root/|/" + "tmp/w" + r"\b|/home/\w")
    return _lines(root, files, places, "a machine's path")


def nothing_left_to_do(root: Path, files: Sequence[Path]) -> list[str]:
    """No notes to oneself."""
    words = re.compile(r"\b(" + "TO" + "DO|FIX" + "ME|X" + "XX|HA" + r"CK)\b")
    return _lines(root, files, words, "a note of work left to do")


def width_of_code(root: Path, files: Sequence[Path]) -> list[str]:
    """Code has at most 100 columns."""
    code = [path for path in files if path.suffix in CODE]
    return _lines(root, code, re.compile(r"^.{101,}$"), "more than 100 columns")


def no_tabs_or_trailing_space(root: Path, files: Sequence[Path]) -> list[str]:
    """White space is plain, and a file ends with one line feed."""
    code = [path for path in files if path.suffix in CODE]
    found = _lines(root, code, re.compile(r"\t|[ \t]$"), "a tab or space at the end of a line")
    for path in code:
        if (text := read(path)) and (not text.endswith("\n") or text.endswith("\n\n")):
            found.append(f"{relative(root, path)} does not end with one line feed")
    return found


def generated_regions_close(root: Path, files: Sequence[Path]) -> list[str]:
    """Each generated region has a beginning and an end."""
    found: list[str] = []
    for path in files:
        if path.suffix != ".md":
            continue
        marks = re.findall(r"^<!-- (generated:|/generated)", read(path), re.MULTILINE)
        pairs = ["generated:", "/generated"] * (len(marks) // 2)
        if marks != pairs:
            found.append(f"{relative(root, path)}: generated regions do not close")
    return found


def units_are_complete(root: Path, files: Sequence[Path]) -> list[str]:
    """Every accelerator's folder has what the map promises; every claim's test exists."""
    return [
        f"{accelerator.name}: {problem}"
        for accelerator in manifest.discover(root)
        for problem in check.folder_problems(accelerator, root)
    ]


def one_place_for_build_code(root: Path, files: Sequence[Path]) -> list[str]:
    """An accelerator has no build code of its own."""
    words = ("Makefile", "CMakeLists.txt", "setup.py", "build.sh")
    return [
        f"{relative(root, path)}: build code in an accelerator's folder"
        for path in files
        if relative(root, path).startswith("accelerators/") and path.name in words
    ]


def units_do_not_reach_into_each_other(root: Path, files: Sequence[Path]) -> list[str]:
    """No include leaves the folder; modules of other folders are not found in the first place."""
    inside = [path for path in files if relative(root, path).startswith("accelerators/")]
    return _lines(root, inside, re.compile(r'[#`]include ".*\.\./'), "an include of ..")


# Packages of src/aesforge, each of which imports itself and those before it.
PACKAGES = (
    *("base", "model", "catalog", "records", "reference", "build", "verify", "programs"),
    *("bench", "synth", "faults", "probing", "boards", "stacks", "export", "report", "cli"),
)
_OWN_IMPORT = re.compile(r"^\s*(?:from|import) aesforge\.(\w+)", re.MULTILINE)


def imports_go_one_way(root: Path, files: Sequence[Path]) -> list[str]:
    """What a package imports comes before it in PACKAGES, which docs/architecture.md explains."""
    tool = root / "src" / "aesforge"
    found: list[str] = []
    for path in files:
        if path.suffix != ".py" or tool not in path.parents[1:]:
            continue
        package = path.relative_to(tool).parts[0]
        if package not in PACKAGES:
            found.append(f"{relative(root, path)}: {package} is not in PACKAGES")
            continue
        allowed = PACKAGES[: PACKAGES.index(package) + 1]
        found += [
            f"{relative(root, path)}: {package} imports {name}"
            for name in _OWN_IMPORT.findall(read(path))
            if name not in allowed
        ]
    return found


# Folders whose own folders the map lists too.
MAPPED = ("rtl", "sim", "src/aesforge", "sw")


def every_folder_is_on_the_map(root: Path, files: Sequence[Path]) -> list[str]:
    """docs/architecture.md lists every folder at the top, and in those of MAPPED."""
    text = read(root / "docs" / "architecture.md")
    block = re.search(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    entries: list[str] = []
    parent = ""
    for line in block[1].splitlines() if block else []:
        if entry := re.match(r"( {0,2})([^\s]+)/( |$)", line):
            parent = parent if entry[1] else f"{entry[2]}/"
            entries.append(f"{parent}{entry[2]}/" if entry[1] else parent)
    folders: set[str] = set()
    for path in files:
        place = relative(root, path)
        folders |= {place.split("/")[0]} if "/" in place else set()
        for above in MAPPED:
            if place.startswith(f"{above}/") and "/" in (rest := place[len(above) + 1 :]):
                folders.add(f"{above}/{rest.split('/')[0]}")
    return [
        f"docs/architecture.md: {folder}/ is not on the map"
        for folder in sorted(folders)
        if not any(entry.startswith(f"{folder}/") for entry in entries)
    ]


FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")  # with a colon: elsewhere


def links_lead_somewhere(root: Path, files: Sequence[Path]) -> list[str]:
    """What a page links to, other than the web, is in the repository."""
    return [
        f"{relative(root, path)}: a link to {target}, which does not exist"
        for path in files
        if path.suffix == ".md"
        for target in LINK.findall(FENCED.sub("", read(path)))
        if not (path.parent / target).exists()
    ]


def _lines(root: Path, files: Sequence[Path], pattern: re.Pattern[str], what: str) -> list[str]:
    """List the lines that match a pattern."""
    return [
        f"{relative(root, path)}:{number}: {what}"
        for path in files
        for number, line in enumerate(read(path).splitlines(), 1)
        if pattern.search(line)
    ]


def assembly_needs_no_executable_stack(root: Path, files: Sequence[Path]) -> list[str]:
    """Assembly says so to the linker; without it whatever it is linked into gets one."""
    return [
        f"{relative(root, path)} lacks the section .note.GNU-stack"
        for path in files
        if path.suffix == ".S" and ".section .note.GNU-stack" not in read(path)
    ]


def rtl_reads_as_the_circuit(root: Path, files: Sequence[Path]) -> list[str]:
    """Planted bugs are texts in TOML files: no source mentions one."""
    rtl = [path for path in files if {".sv", ".svh", ".v", ".vh"} & set(path.suffixes)]
    return _lines(root, rtl, re.compile(r"BUG_"), "a planted bug in RTL")


# The real tree ------------------------------------------------------------------------------------

RULES: list[Rule] = [
    names_stay_home,
    licence_in_every_file,
    purpose_in_every_source,
    no_machine_paths,
    nothing_left_to_do,
    width_of_code,
    no_tabs_or_trailing_space,
    generated_regions_close,
    units_are_complete,
    one_place_for_build_code,
    units_do_not_reach_into_each_other,
    assembly_needs_no_executable_stack,
    rtl_reads_as_the_circuit,
    imports_go_one_way,
    every_folder_is_on_the_map,
    links_lead_somewhere,
]


@pytest.fixture(scope="module")
def tracked() -> list[Path]:
    """Every file of the repository that is under version control."""
    return tracked_files(ROOT)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps_the_rule(rule: Rule, tracked: list[Path]) -> None:
    """No violation."""
    assert rule(ROOT, tracked) == []


# Planted violations -------------------------------------------------------------------------------

SPDX = "SPDX-License-Identifier: Apache-2.0"
UNIT = f"""# {SPDX}
name = "blue"
kind = "software"
summary = "for tests"
refs = ["none"]
[[variant]]
name = "full"
[sw]
kernel = ["sw/kernel.c"]
"""

GOOD_TREE = {
    "README.md": f"<!-- {SPDX} -->\n# x\n<!-- generated: t -->\nblue red\n<!-- /generated -->\n",
    "docs/text.md": f"<!-- {SPDX} -->\nAbout red, a core.\n",
    "docs/architecture.md": f"<!-- {SPDX} -->\n```\naccelerators/<name>/  x\nplatforms/  x\n"
    "docs/  x\nsim/  x\nsrc/aesforge/  x\n  base/  x\nrtl/  x\npapers/  x\nsw/harness/  x\n```\n",
    "src/tool.py": f'# {SPDX}\n"""A tool."""\n',
    "rtl/part.sv": f"// {SPDX}\n// A part.\n",
    "CHANGELOG.md": f"<!-- {SPDX} -->\nAdded blue.\n",
    "papers/green2004.toml": f'# {SPDX}\nof = ["blue/full"]\nplatforms = ["red"]\n',
    "LICENSE": "text\n",
    "pyproject.toml": f'# {SPDX}\ndependencies = ["cores-red==1"]\n',
    "accelerators/blue/accel.toml": UNIT,
    "accelerators/blue/README.md": f"<!-- {SPDX} -->\n# blue\n",
    "accelerators/blue/sw/kernel.c": f"// {SPDX}\n// The kernel of blue.\n",
    "platforms/red/platform.toml": f'# {SPDX}\nname = "red"\n',
    "sw/harness/ct.c": f"// {SPDX}\n// A question.\n",
}


def plant(root: Path, texts: dict[str, str]) -> Iterator[Path]:
    """Write files below `root`."""
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield path


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_good_tree_passes(tmp_path: Path, rule: Rule) -> None:
    """The small tree breaks no rule, so that what is planted below is what is found."""
    assert rule(tmp_path, list(plant(tmp_path, GOOD_TREE))) == []


@pytest.mark.parametrize(
    ("rule", "file", "text", "found"),
    [
        (names_stay_home, "src/tool.py", "blue = 1\n", "src/tool.py contains the name blue"),
        (names_stay_home, "tests/test_blue.py", "", "tests/test_blue.py contains the name blue"),
        (names_stay_home, "README.md", "blue\n", "README.md contains the name blue"),
        (names_stay_home, "docs/text.md", "use blue_pkg\n", "docs/text.md contains the name blue"),
        (names_stay_home, "rtl/part.sv", "red u_red ();\n", "rtl/part.sv contains the name red"),
        (names_stay_home, "rtl/part.sv", "// blue\n", "rtl/part.sv contains the name blue"),
        (names_stay_home, "sw/harness/ct.c", "#if red\n", "sw/harness/ct.c contains the name red"),
        (licence_in_every_file, "src/new.py", '"""x"""\n', "src/new.py has no SPDX line"),
        (licence_in_every_file, "Makefile", "all:\n", "Makefile has no SPDX line"),
        (licence_in_every_file, "docs/b.md", "\n\n\n" + SPDX, "docs/b.md has no SPDX line"),
        (purpose_in_every_source, "src/n.py", f"# {SPDX}\nx = 1\n", "src/n.py does not say"),
        (purpose_in_every_source, "rtl/n.sv", f"// {SPDX}\nmodule n;\n", "rtl/n.sv does not say"),
        (purpose_in_every_source, "rtl/m.sv", f"// {SPDX}\n//\n", "rtl/m.sv does not say"),
        (no_machine_paths, "src/tool.py", 'x = "/' + 'work/main"\n', "src/tool.py:1: a machine"),
        (no_machine_paths, "docs/text.md", "\nsee /" + "root/x\n", "docs/text.md:2: a machine"),
        (nothing_left_to_do, "rtl/part.sv", "// TO" + "DO: all\n", "rtl/part.sv:1: a note"),
        (width_of_code, "src/tool.py", "#" * 101 + "\n", "src/tool.py:1: more than 100"),
        (no_tabs_or_trailing_space, "rtl/part.sv", "\tx\n", "rtl/part.sv:1: a tab"),
        (no_tabs_or_trailing_space, "rtl/part.sv", "x", "rtl/part.sv does not end"),
        (generated_regions_close, "README.md", "<!-- generated: t -->\n", "README.md: generated"),
        (
            units_are_complete,
            "accelerators/blue/accel.toml",
            UNIT + '[[claim]]\ntext = "fast"\ntest = "race"\n',
            "blue: claim 'fast': there is no question or proof 'race'",
        ),
        (
            units_are_complete,
            "accelerators/blue/accel.toml",
            UNIT.replace("kernel.c", "other.c"),
            "blue: sw/other.c is missing",
        ),
        (
            one_place_for_build_code,
            "accelerators/blue/Makefile",
            "",
            "accelerators/blue/Makefile: build code",
        ),
        (
            units_do_not_reach_into_each_other,
            "accelerators/blue/sw/kernel.c",
            '#include "../../green/k.h"\n',
            "accelerators/blue/sw/kernel.c:1: an include of ..",
        ),
        (rtl_reads_as_the_circuit, "rtl/n.sv", "`ifdef BUG_A\n", "rtl/n.sv:1: a planted bug"),
        (rtl_reads_as_the_circuit, "src/n.sv.j2", "\n// BUG_A\n", "src/n.sv.j2:2: a planted bug"),
        (
            assembly_needs_no_executable_stack,
            "sw/hal/start.S",
            f"// {SPDX}\n// Start.\n",
            "sw/hal/start.S lacks the section",
        ),
        (
            every_folder_is_on_the_map,
            "sw/new/part.c",
            f"// {SPDX}\n// A part.\n",
            "docs/architecture.md: sw/new/ is not on the map",
        ),
        (
            every_folder_is_on_the_map,
            "sim/new/part.sv",
            f"// {SPDX}\n// A part.\n",
            "docs/architecture.md: sim/new/ is not on the map",
        ),
        (
            links_lead_somewhere,
            "docs/links.md",
            "[x](text.md#a) [y](https://a.b/c)\n```\n[t](no.md)\n```\n[u](../no.md)\n",
            "docs/links.md: a link to ../no.md, which does not exist",
        ),
        (
            imports_go_one_way,
            "src/aesforge/base/low.py",
            "from aesforge.cli import app\n",
            "src/aesforge/base/low.py: base imports cli",
        ),
        (
            imports_go_one_way,
            "src/aesforge/extra/new.py",
            "",
            "src/aesforge/extra/new.py: extra is not in PACKAGES",
        ),
    ],
)
def test_a_planted_violation_is_found(
    tmp_path: Path, rule: Rule, file: str, text: str, found: str
) -> None:
    """One violation, one line that names it."""
    files = list(plant(tmp_path, {**GOOD_TREE, file: text}))
    problems = rule(tmp_path, files)
    assert len(problems) == 1, problems
    assert problems[0].startswith(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("int blue_hash; // of blue\n", 0),
        ("run blue/full\n", 1),
        ("see accelerators/blue\n", 1),
        ("x/blue/full\n", 0),
    ],
)
def test_a_name_that_is_a_word_of_the_field(tmp_path: Path, text: str, found: int) -> None:
    """Only a label or a path of such a unit is its name."""
    tree = GOOD_TREE | {"accelerators/blue/accel.toml": f"{UNIT}term = true\n"}
    paths = list(plant(tmp_path, tree | {"src/tool.py": text}))
    assert len(names_stay_home(tmp_path, paths)) == found


@pytest.mark.parametrize(("units", "found"), [('"blue/full", "x/y"', 0), ('"x/y"', 1)])
def test_a_set_may_name_its_units(tmp_path: Path, units: str, found: int) -> None:
    """Those that its manifest lists, in its own folder."""
    texts = {
        "accelerators/both/accel.toml": f"# {SPDX}\nunits = [{units}]\n",
        "accelerators/both/README.md": f"<!-- {SPDX} -->\nblue\n",
    }
    paths = list(plant(tmp_path, GOOD_TREE | texts))
    assert len(names_stay_home(tmp_path, paths)) == found


def test_every_rule_has_been_seen_to_fail() -> None:
    """A rule without a planted violation would be worth nothing."""
    marks = test_a_planted_violation_is_found.pytestmark  # type: ignore[attr-defined]
    planted = {case[0] for mark in marks for case in mark.args[1]}
    assert planted == set(RULES)
