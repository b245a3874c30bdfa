# SPDX-License-Identifier: Apache-2.0
"""Lint of RTL in four tools: Verilator, Yosys, slang and Icarus Verilog; every warning counts.

Yosys is the native `pyosys`: it starts as fast as the WebAssembly build of the same version (0.2 s)
and, other than that one, sees files in the system's temporary folder.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import ToolError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import codegen, library
from aesforge.build.simulate import verilator_root
from aesforge.catalog.manifest import Accelerator, Variant

TOOLS = ("verilator", "yosys", "slang", "icarus")
UNIT_TOP = ROOT / "sim" / "unit" / "unit_bench_top.sv"
SECONDS = 300.0  # bound of one tool's run, wall time

Params = Mapping[str, str | int]


@dataclass(frozen=True)
class Allowed:
    """A message that is no fault: text that it contains (regular expression), and why."""

    tool: str
    pattern: str
    because: str


ALLOWED = (
    Allowed(
        "icarus",
        r"sorry: constant selects in always_\* processes are not (currently|fully) supported",
        "the process becomes sensitive to the whole vector instead: slower, the same values",
    ),
    Allowed(
        "icarus",
        r"warning: Some design elements have no explicit time unit",
        "the RTL has no delays",
    ),
    Allowed(
        "verilator",
        r"WIDTHEXPAND: .*Operator EQ expects \d+ bits on the LHS, but LHS's VARREF '[A-Z]",
        "a string parameter compared with a longer string: the shorter one is extended with zeros",
    ),
    Allowed(
        "verilator",
        r"UNUSEDPARAM: \S*_pkg\.sv",
        "a package of constants is used in parts",
    ),
)


@dataclass(frozen=True)
class LintResult:
    """What one tool said about one top module; no messages means clean."""

    what: str
    tool: str
    messages: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """Tell whether the tool had nothing to say beyond the allow-list."""
        return not self.messages


# One tool, one top module -------------------------------------------------------------------------

_YOSYS_RUNNER = """
import sys
from pyosys import libyosys
design = libyosys.Design()
for line in open(sys.argv[1], encoding="utf-8").read().splitlines():
    design.run_pass(line)
"""

_SLANG_RUNNER = """
import sys
from pyslang.driver import Driver
driver = Driver()
driver.addStandardArgs()
quoted = " ".join('"' + word.replace('"', chr(92) + '"') + '"' for word in sys.argv)
ok = driver.parseCommandLine(quoted) and driver.processOptions()
ok = ok and driver.parseAllSources() and driver.runFullCompilation()
sys.exit(0 if ok else 1)
"""


def lint(
    tool: str,
    files: Sequence[Path],
    top: str,
    *,
    params: Params | None = None,
    defines: Sequence[str] = (),
    scratch: Path,
    what: str = "",
) -> LintResult:
    """Run one of TOOLS on `files` (compile order) with `top`; `scratch` takes scripts and logs.

    ToolError if the tool is not installed or did not finish.
    """
    runners = {"verilator": _verilator, "yosys": _yosys, "slang": _slang, "icarus": _icarus}
    done = runners[tool](files, top, params or {}, defines, scratch / f"{tool}-{top}")
    text = done.stdout + "\n" + done.stderr
    if "No module named" in text:
        raise ToolError(f"the Python package of {tool} is not installed", "run `make setup`")
    messages = tuple(_messages(tool, text))
    if done.status != 0 and not messages:
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        messages = (lines[-1] if lines else f"exit status {done.status} without a word",)
    return LintResult(what or top, tool, messages, done.seconds)


def _messages(tool: str, text: str) -> Iterable[str]:
    """Pick warnings and errors from a tool's output, without the allowed ones."""
    allowed = [re.compile(entry.pattern) for entry in ALLOWED if entry.tool == tool]
    wanted = re.compile(r"%(Warning|Error)|\b(warning|error|sorry)\b:?", re.IGNORECASE)
    # Explanations on lines of their own, counts at the end, and Yosys's summary.
    closing = re.compile(
        r"^%Error: Exiting due to|^\.\.\. |^Build (succeeded|failed)|^Warnings: \d+ unique"
        r"|^Found and reported 0 problems"
    )
    seen: set[str] = set()
    for line in text.splitlines():
        line = line.strip().replace(str(ROOT) + "/", "")
        if not wanted.search(line) or closing.search(line) or line in seen:
            continue
        if any(pattern.search(line) for pattern in allowed):
            continue
        seen.add(line)
        yield line


def _verilator(
    files: Sequence[Path], top: str, params: Params, defines: Sequence[str], log: Path
) -> proc.Finished:
    settings = [
        f"-G{name}=" + (f'"{value}"' if isinstance(value, str) else str(value))
        for name, value in params.items()
    ]
    root = verilator_root()
    return proc.run(
        [
            *(root / "bin" / "verilator", "--lint-only", "-Wall", "-Wno-fatal"),
            *("--top-module", top),
            *settings,
            *(f"-D{word}" for word in defines),
            *files,
        ],
        timeout=SECONDS,
        env={"VERILATOR_ROOT": str(root)},
        log=log.with_suffix(".log"),
        check=False,
    )


def _yosys(
    files: Sequence[Path], top: str, params: Params, defines: Sequence[str], log: Path
) -> proc.Finished:
    macros = "".join(f" -D{word}" for word in defines)
    # Below the top only what it uses is elaborated: every shared module is a top once.
    lines = []
    for path in files:
        how = "" if path.stem == top else " -defer"
        if path.stem != top and (ports := _memory_ports(path)):
            path = log.parent / f"{path.stem}_ports.sv"
            codegen.write_if_changed(path, ports)
            how = " -lib"
        lines.append(f'read_verilog -sv{how}{macros} "{path}"')
    lines += [f"chparam -set {name} {json.dumps(value)} {top}" for name, value in params.items()]
    lines += [
        f"hierarchy -check -top {top}",
        "proc",
        "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr",
        "flatten",  # so that loops across modules are seen
        "check -assert",
    ]
    script = log.with_suffix(".ys")
    codegen.write_if_changed(script, "\n".join(lines) + "\n")
    return proc.run(
        [sys.executable, "-c", _YOSYS_RUNNER, script],
        timeout=SECONDS,
        log=log.with_suffix(".log"),
        check=False,
    )


def _memory_ports(path: Path) -> str:
    """Return the header of a shared memory of constants as a module, "" for any other file.

    Yosys takes a second for each table of contents. Both ports of such a memory end in registers,
    so it is part of no loop; it is read whole where it is the top.
    """
    if not path.is_relative_to(ROOT / "rtl"):
        return ""
    text = path.read_text(encoding="utf-8")
    if "\n  initial begin\n" not in text:
        return ""
    header = re.search(rf"^module {path.stem} .*?^\);\n", text, re.MULTILINE | re.DOTALL)
    return f"{header[0]}endmodule\n" if header else ""


def _slang(
    files: Sequence[Path], top: str, params: Params, defines: Sequence[str], log: Path
) -> proc.Finished:
    settings = [
        f"-G{name}=" + (f'"{value}"' if isinstance(value, str) else str(value))
        for name, value in params.items()
    ]
    return proc.run(
        [
            *(sys.executable, "-c", _SLANG_RUNNER, "-Wextra", "--top", top),
            *settings,
            *(f"-D{word}" for word in defines),
            *files,
        ],
        timeout=SECONDS,
        log=log.with_suffix(".log"),
        check=False,
    )


def _icarus(
    files: Sequence[Path], top: str, params: Params, defines: Sequence[str], log: Path
) -> proc.Finished:
    settings = [
        f"-P{top}.{name}=" + (f'"{value}"' if isinstance(value, str) else str(value))
        for name, value in params.items()
    ]
    return proc.run(
        [
            *("iverilog", "-g2012", "-Wall", "-t", "null", "-s", top),
            *settings,
            *(f"-D{word}" for word in defines),
            *files,
        ],
        timeout=SECONDS,
        log=log.with_suffix(".log"),
        check=False,
    )


# Units and shared RTL -----------------------------------------------------------------------------


def lint_variant(
    accelerator: Accelerator, variant: Variant, *, defines: Sequence[str] = ()
) -> list[LintResult]:
    """Lint a variant in every tool: a unit with its decoder and wrapper, others alone."""
    folder = BUILD / "lint" / f"{accelerator.name}-{variant.name}"
    if accelerator.manifest.outside_core:
        return _lint_block(accelerator, variant, defines, folder)
    generated = codegen.generate(folder, accelerator, variant)
    files = library.with_shared([*generated.rtl, UNIT_TOP], accelerator)
    what = f"{accelerator.name}/{variant.name}"
    return [
        lint(tool, files, UNIT_TOP.stem, defines=defines, scratch=folder, what=what)
        for tool in TOOLS
    ]


def _lint_block(
    accelerator: Accelerator, variant: Variant, defines: Sequence[str], folder: Path
) -> list[LintResult]:
    """Lint a variant's top with its parameters, in every tool."""
    top, params = accelerator.manifest.circuit(variant)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        lint(
            tool,
            library.rtl_files(accelerator, top),
            top,
            params=params,
            defines=defines,
            scratch=folder,
            what=f"{accelerator.name}/{variant.name}",
        )
        for tool in TOOLS
    ]


@dataclass(frozen=True)
class SharedTop:
    """A shared module as a top, with one choice of its string parameters."""

    path: Path
    params: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """Module and choice, as printed."""
        choice = ",".join(f"{name}={value}" for name, value in self.params)
        return self.path.stem + (f"[{choice}]" if choice else "")


_CHOICE = re.compile(r'\b([A-Z]\w*) *== *"(\w+)"')


def shared_tops(root: Path = ROOT) -> list[SharedTop]:
    """List every module of rtl/, once for each value its string parameters are compared with."""
    tops: list[SharedTop] = []
    for path in shared_files(root):
        if path.stem.endswith("_pkg"):
            continue
        choices = list(dict.fromkeys(_CHOICE.findall(path.read_text(encoding="utf-8"))))
        tops += [SharedTop(path, ((name, value),)) for name, value in choices] or [
            SharedTop(path, ())
        ]
    return tops


def shared_files(root: Path = ROOT) -> list[Path]:
    """Return all shared RTL, packages first."""
    files = sorted((root / "rtl").rglob("*.sv"))
    return sorted(files, key=lambda path: (not path.stem.endswith("_pkg"), path))


def lint_shared(top: SharedTop, root: Path = ROOT) -> list[LintResult]:
    """Lint one shared module, with what it needs of the others, in every tool."""
    scratch = BUILD / "lint" / "shared" / re.sub(r"\W+", "-", top.name).strip("-")
    files = library.Library([root / "rtl"]).files([top.path.stem])
    return [
        lint(tool, files, top.path.stem, params=dict(top.params), scratch=scratch, what=top.name)
        for tool in TOOLS
    ]


def lint_simulation(root: Path = ROOT) -> list[LintResult]:
    """Lint the RTL of the test bench, which calls C++ and is read by Verilator and slang only.

    The cores' bus is linted with nothing on it; what an accelerator puts there is linted with it.
    """
    scratch = BUILD / "lint" / "sim"
    package, block = codegen.generate_peripheral(scratch, None, None)
    bench = sorted((root / "sim").glob("*.sv"), key=lambda path: (path.stem != "sim_pkg", path))
    files = [*shared_files(root), package, *bench, block]
    return [
        lint(tool, files, path.stem, scratch=scratch)
        for path in bench
        if not path.stem.endswith("_pkg")
        for tool in ("verilator", "slang")
    ]
