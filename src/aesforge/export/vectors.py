# SPDX-License-Identifier: Apache-2.0
"""Requests of the exported test bench to the unit, and the expected answers.

First the standards: the exported kernel runs their examples on this machine with emulated
operations, and every operation is recorded. Then operations on random words. All answers are those
of the accelerator's Python model; the emulation must agree.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aesforge.base import proc
from aesforge.base.errors import AesforgeError
from aesforge.base.paths import BUILD
from aesforge.build import codegen, op_numbers
from aesforge.build.codegen import Layout
from aesforge.build.integrate import NUMBERED, emulation_names, kernel_names, opcode_of
from aesforge.catalog import encoding
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.model_file import load_models
from aesforge.verify import unit_bench
from aesforge.verify.operands import Operation, Spec, noise

OPERATION, FOREIGN, RESET, KILLED = range(4)  # kinds of lines
RANDOM_EACH = 48  # random requests an operation
FOREIGN_COUNT = 24
CFU_FIELDS = 0xFE007000  # funct7 and funct3: the bus carries nothing else of an instruction
COMPILE_SECONDS = 120.0
# Register numbers in instruction words: a0 to a3.
_RD, _SOURCES = 10, {"rs1": 11, "rs2": 12, "rs3": 13}


@dataclass(frozen=True)
class Line:
    """One line of the bench: words are 32 bits; `word` is an instruction or an operation number."""

    kind: int
    word: int = 0
    operands: tuple[int, int, int] = (0, 0, 0)
    answer: int = 0

    @property
    def text(self) -> str:
        """One hexadecimal number: kind, word, rs1, rs2, rs3, answer."""
        words = (self.word, *self.operands, self.answer)
        return f"{self.kind:x}" + "".join(f"{word:08x}" for word in words)


@dataclass(frozen=True)
class Vectors:
    """All lines; `standard` of them are operations of the standards' examples."""

    lines: tuple[Line, ...]
    standard: int

    @property
    def operations(self) -> int:
        """Lines that ask something."""
        return sum(line.kind != RESET for line in self.lines)

    @property
    def text(self) -> str:
        """The file that the test bench reads."""
        head = "// SPDX-License-Identifier: Apache-2.0\n// kind, word, rs1, rs2, rs3, answer\n"
        return head + "".join(f"{line.text}\n" for line in self.lines)


def make(
    accelerator: Accelerator,
    variant: Variant,
    port: str,
    sw: Path,
    examples: Sequence[str],
    scratch: Path,
) -> Vectors:
    """Return the lines for a variant on a port; `sw` holds the exported C, `examples` in it."""
    opcode = opcode_of(port)
    specs = unit_bench.specs(accelerator, variant, opcode)
    layout = codegen.layout(accelerator, variant, opcode)
    draw = random.Random(f"{accelerator.name}/{variant.name}/{port}")
    model = load_models(accelerator.models(variant))
    restart: Callable[[], None] = getattr(model, "reset", lambda: None)
    word = _words(layout, port)

    def answered(requests: Sequence[tuple[Operation, int | None]]) -> Iterator[Line]:
        for request, emulated in requests:
            right = request.result(model)
            if emulated is not None and emulated != right:
                raise AesforgeError(
                    f"{request}: the emulation says 0x{emulated:08x}, the model 0x{right:08x}",
                    f"run `aesforge check {accelerator.name}`",
                )
            yield Line(OPERATION, word(request), _read(request), right)

    restart()
    requests = _example_requests(accelerator, variant, specs, sw, examples, scratch)
    traced = list(answered(requests))
    restart()
    drawn = list(answered([(r, None) for r in noise(specs, draw, RANDOM_EACH * len(specs))]))
    foreign = [
        Line(FOREIGN, found, (draw.getrandbits(32), draw.getrandbits(32), draw.getrandbits(32)))
        for found in _foreign(layout, port, draw)
    ]
    killed = [Line(KILLED, line.word, line.operands) for line in drawn[: len(foreign)]]
    mixed = list(_interleaved(drawn, foreign, killed if port == "cvxif" else []))
    return Vectors((Line(RESET), *traced, Line(RESET), *mixed), len(traced))


def _interleaved(lines: Sequence[Line], *others: Sequence[Line]) -> Iterator[Line]:
    """Spread other lines evenly over the operations."""
    step = max(1, len(lines) // (1 + max((len(found) for found in others), default=0)))
    for at, line in enumerate(lines):
        if at % step == 0:
            yield from (found[at // step] for found in others if at // step < len(found))
        yield line


def _read(request: Operation) -> tuple[int, int, int]:
    """The operands, zero where an operation reads none (a port may not have it)."""
    names = ("rs1", "rs2", "rs3")
    a, b, c = (
        word if name in request.spec.registers else 0
        for name, word in zip(names, request.operands, strict=True)
    )
    return a, b, c


def _words(layout: Layout, port: str) -> Callable[[Operation], int]:
    """Return what names a request on a port: an instruction word or an operation number."""
    encodings = {op.mnemonic: op.encoding for op in layout.operations}

    def number(request: Operation) -> int:
        return request.spec.op_word(request.immediates)

    def instruction(request: Operation) -> int:
        names = (field.name for field in request.spec.immediates)
        immediates = dict(zip(names, request.immediates, strict=True))
        return encodings[request.spec.mnemonic].encode(_RD, _SOURCES, immediates)

    return number if port in NUMBERED else instruction


def _foreign(layout: Layout, port: str, draw: random.Random) -> Iterator[int]:
    """Yield words that are no operation of the variant, as many as a few draws give."""
    for _ in range(FOREIGN_COUNT):
        if port in NUMBERED:
            word = draw.randrange(256)
            known = any(
                word & ~op_numbers.immediate_bits(layout, op) == op.code for op in layout.operations
            )
        else:
            word = draw.getrandbits(32) | 3
            if opcode := opcode_of(port):
                word = word & ~0x7F | encoding.OPCODES[opcode]
            seen = CFU_FIELDS if port == "cfu" else 0xFFFFFFFF
            known = any(
                (word ^ op.encoding.value) & op.encoding.mask & seen == 0
                for op in layout.operations
            )
        if not known:
            yield word


# The examples on this machine ---------------------------------------------------------------------

_TRACE = """\
// Every operation of the kernel, on standard output: mnemonic, register operands, immediates, rd.
#include <stdint.h>
#include <stdio.h>

#define WORD(x) printf(" %08lx", (unsigned long)(x))
#include "fips197.h"

{functions}
int main(void) {{ return fips197(); }}
"""

_FUNCTION = """\
uint32_t {name}_emulated({parameters});
uint32_t {name}({parameters});
uint32_t {name}({parameters}) {{
  const uint32_t rd = {name}_emulated({arguments});
  fputs("{name}", stdout);
  {prints}
  WORD(rd);
  putchar('\\n');
  return rd;
}}
"""


def _trace_c(specs: Sequence[Spec]) -> str:
    functions = []
    for spec in specs:
        immediates = [field.name for field in spec.immediates]
        parameters = [f"uint32_t {name}" for name in spec.registers]
        parameters += [f"const unsigned {name}" for name in immediates]
        arguments = [*spec.registers, *immediates]
        functions.append(
            _FUNCTION.format(
                name=spec.mnemonic,
                parameters=", ".join(parameters),
                arguments=", ".join(arguments),
                prints=" ".join(f"WORD({name});" for name in arguments),
            )
        )
    return _TRACE.format(functions="\n".join(functions))


def _example_requests(
    accelerator: Accelerator,
    variant: Variant,
    specs: Sequence[Spec],
    sw: Path,
    examples: Sequence[str],
    scratch: Path,
) -> list[tuple[Operation, int | None]]:
    """Run the exported fips197() with traced operations; return requests and emulated answers."""
    proc.find_program("gcc", "the exported test bench is computed with it: run `make setup`")
    scratch.mkdir(parents=True, exist_ok=True)
    trace = scratch / "trace.c"
    trace.write_text(_trace_c(specs), encoding="utf-8")
    emulations = emulation_names(accelerator, variant)
    manifest = accelerator.manifest
    macros = [f"-D{word}" for word in (*manifest.macros(variant), *variant.defines)]
    macros += [flag for flag in (*manifest.sw.cflags, *variant.cflags) if flag.startswith("-D")]
    compiler = ["gcc", "-std=gnu99", "-O1", "-fno-pie", "-DACCEL_EMULATE", *macros, f"-I{sw}"]
    log = BUILD / "logs" / f"export-{accelerator.name}-{variant.name}.log"
    renamed = [f"-D{spec.mnemonic}={spec.mnemonic}_emulated" for spec in specs]
    sources = [*kernel_names(accelerator, variant), *examples]
    objects: list[str | Path] = []
    for place, flags in [
        *((sw / name, []) for name in sources),
        *((sw / name, renamed) for name in emulations),
        (trace, []),
    ]:
        objects.append(scratch / f"{place.name}.o")
        proc.run(
            [*compiler, *flags, "-c", place, "-o", objects[-1]], timeout=COMPILE_SECONDS, log=log
        )
    # No position-independent code: an operation may take the address of a key.
    program = scratch / "fips197"
    proc.run(["gcc", "-no-pie", *objects, "-o", program], timeout=COMPILE_SECONDS, log=log)
    done = proc.run([program], timeout=COMPILE_SECONDS, log=log)
    by_name = {spec.mnemonic: spec for spec in specs}
    return [_request(by_name, line) for line in done.stdout.splitlines()]


def _request(specs: dict[str, Spec], line: str) -> tuple[Operation, int | None]:
    """Read one line of the traced program."""
    name, *texts = line.split()
    words = [int(text, 16) for text in texts]
    spec = specs[name]
    found = dict(zip(spec.registers, words, strict=False))
    a, b, c = (found.get(register, 0) for register in ("rs1", "rs2", "rs3"))
    return Operation(spec, (a, b, c), tuple(words[len(spec.registers) : -1])), words[-1]
