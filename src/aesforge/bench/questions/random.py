# SPDX-License-Identifier: Apache-2.0
"""Random programs on a simulated platform against the instruction-level model.

One image holds the firmware `sw/harness/random.c`, followed by many programs. One run gives the
final registers and scratch memory of all of them. For the first program that ends differently, a
folder in build/random/ holds everything needed to debug it.
"""

import struct
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from aesforge.base import proc
from aesforge.base.errors import SimulationError
from aesforge.base.paths import BUILD
from aesforge.build import codegen, system
from aesforge.build.simulate import CROSS, Firmware, RunResult, run_model
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.model_file import load_models
from aesforge.catalog.platform import Platform
from aesforge.programs import randprog
from aesforge.programs.iss import CustomOperation, Iss
from aesforge.programs.randprog import FRAME_REGISTERS, FRAME_RETURN, SCRATCH_WORDS, Program, Shape

# The contract with sw/harness/random.c.
BASE = 0x40000
_MAGIC = 0x52414E44
_BEGIN = 0x5EED0000
_END = 0x0E0D0E0D
_HEADER = struct.Struct("<6I")
_ENTRY = struct.Struct("<3I")

_NOT_BEGUN = "did not begin"  # the firmware itself went wrong before

_STACK_BYTES = 8192  # for interrupts, below the frame
_FRAME_BYTES = 192
_RESULT_WORDS = 1 + FRAME_REGISTERS + SCRATCH_WORDS

MEMORY_BYTES = 1 << 21
BATCH = 100  # programs an image
# Watchdog: ten times what the slowest combination took, and the kernel's key set-up once.
_CYCLES_A_PROGRAM = 250_000
_CYCLES_BEFORE = 500_000


@dataclass(frozen=True)
class Configuration:
    """Circumstances: wait states and their seed, a delayed unit, interrupts (cycles apart)."""

    name: str
    iwait: int = 0
    dwait: int = 0
    seed: int = 0  # > 0: random wait states and delays
    random_delay: bool = False
    irq_least: int = 0
    irq_span: int = 0  # 0: no interrupts


CONFIGURATIONS = (
    Configuration("plain"),
    Configuration("fixed-waits", iwait=1, dwait=2),
    Configuration("random-waits", iwait=3, dwait=3, seed=7),
    Configuration("interrupts", iwait=1, dwait=1, seed=11, irq_least=40, irq_span=600),
    Configuration("random-delay", random_delay=True, seed=13),
    Configuration("everything", 2, 2, 17, random_delay=True, irq_least=40, irq_span=800),
)


@dataclass(frozen=True)
class Target:
    """What is tested; `operations` may be altered to see the comparison fail."""

    accelerator: Accelerator
    variant: Variant
    platform: Platform
    operations: tuple[CustomOperation, ...]
    shape: Shape
    label: str = ""  # what was altered

    @property
    def name(self) -> str:
        """Readable and unique."""
        name = f"{self.accelerator.name}-{self.variant.name}-{self.platform.name}"
        return f"{name}-{self.label}" if self.label else name


@dataclass(frozen=True)
class Batch:
    """An image with programs, and the model's result of each: registers, then scratch."""

    image: bytes
    programs: tuple[Program, ...]
    expected: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Failure:
    """A program that ended differently: `differences` are lines, `folder` has a reproducer."""

    seed: int
    differences: tuple[str, ...]
    folder: Path | None

    def __str__(self) -> str:
        where = f"; see {self.folder}" if self.folder else ""
        return f"seed {self.seed}: {'; '.join(self.differences[:4])}{where}"


@dataclass(frozen=True)
class RandomResult:
    """Results of a configuration: counts, simulated clock cycles, the first failure."""

    configuration: Configuration
    programs: int
    bad: int  # programs that ended differently or not at all
    instructions: int  # in the programs' code
    custom: int  # of these, custom operations
    cycles: int
    interrupts: int
    wrong_blocks: int  # encrypted wrongly in the interrupt handler
    first: Failure | None

    @property
    def passed(self) -> bool:
        """All programs right, and all blocks of the handler."""
        return self.bad == 0 and self.wrong_blocks == 0


def custom_operations(
    accelerator: Accelerator, variant: Variant, platform: Platform
) -> tuple[CustomOperation, ...]:
    """Return a variant's operations as a platform encodes them, with the accelerator's model."""
    if not accelerator.manifest.is_unit:
        return ()
    model = load_models(accelerator.models(variant))
    layout = codegen.layout(accelerator, variant, platform.opcode)
    return tuple(
        CustomOperation(op.mnemonic, op.encoding, getattr(model, op.mnemonic))
        for op in layout.operations
    )


def target(accelerator: Accelerator, variant: Variant, platform: Platform) -> Target:
    """Return the target of a variant on a platform; UsageError if it does not run there."""
    system.require_offered(accelerator, variant, platform)
    return Target(
        accelerator,
        variant,
        platform,
        custom_operations(accelerator, variant, platform),
        Shape(misaligned=platform.manifest.misaligned),
    )


def run(
    subject: Target,
    configuration: Configuration,
    seeds: Sequence[int],
    *,
    bug: str = "",
    without_cures: Collection[str] = (),
    reproduce: bool = True,
) -> RandomResult:
    """Run the programs of `seeds`, with a planted bug if `bug` names one.

    With `reproduce` the first failure is run alone, shortened, and saved in a separate folder.
    """
    model = system.build_system_model(
        subject.accelerator,
        subject.variant,
        subject.platform,
        random_delay=configuration.random_delay,
        bug=bug,
        without_cures=without_cures,
    )
    firmware = _firmware(subject)
    total = RandomResult(configuration, 0, 0, 0, 0, 0, 0, 0, None)
    for start in range(0, len(seeds), BATCH):
        batch = make_batch(subject, configuration, firmware, seeds[start : start + BATCH])
        done, words = _simulate(model, batch, configuration)
        bad = [i for i in range(len(batch.programs)) if _differences(batch, words, i)]
        first = total.first
        if bad and first is None:
            label = "-".join(
                filter(None, [configuration.name, bug, *(f"no-{w}" for w in without_cures)])
            )
            folder = BUILD / "random" / subject.name / label
            failing = (subject, configuration, model, firmware, batch, words, bad[0], folder)
            first = _reproducer(*failing) if reproduce else _failure(batch, words, bad[0], None)
        ended = len(words) >= 3 and words[-3] == _END
        if not ended and not bad:
            done.require(f"{subject.name}, {configuration.name}")
            raise SimulationError(f"{subject.name}: random.c ended without its closing words")
        total = RandomResult(
            configuration,
            total.programs + len(batch.programs),
            total.bad + len(bad),
            total.instructions + sum(len(program.code) for program in batch.programs),
            total.custom + sum(program.custom_count for program in batch.programs),
            total.cycles + done.cycles,
            total.interrupts + (words[-2] if ended else 0),
            total.wrong_blocks + (words[-1] if ended else 0),
            first,
        )
    return total


def _firmware(subject: Target) -> Firmware:
    """Build random.c with the kernel, and check that it ends below the programs."""
    firmware = system.build_system_firmware(
        subject.accelerator,
        subject.variant,
        subject.platform,
        "random",
        (f"RANDOM_BASE={BASE:#x}u",),
    )
    with firmware.elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        end = max(int(symbol["st_value"]) for symbol in table.get_symbol_by_name("_end") or ())
    if end > BASE:
        raise SimulationError(f"{firmware.elf} ends at {end:#x}, after {BASE:#x}")
    return firmware


def make_batch(
    subject: Target,
    configuration: Configuration,
    firmware: Firmware,
    seeds: Sequence[int],
    length: int | None = None,
) -> Batch:
    """Place the programs of `seeds` after the firmware and run the model on each.

    `length` cuts the programs (see `randprog.generate`).
    """
    table = BASE + _HEADER.size + _ENTRY.size * len(seeds)
    frame = (table + _STACK_BYTES + 15) & ~15
    address = frame + _FRAME_BYTES
    programs: list[Program] = []
    for seed in seeds:
        program = randprog.generate(seed, subject.operations, address, subject.shape, length)
        programs.append(program)
        address = (address + 4 * len(program.words) + 31) & ~31
    if address > MEMORY_BYTES - _STACK_BYTES:
        raise ValueError(f"{len(seeds)} programs do not fit into {MEMORY_BYTES} bytes")
    image = bytearray(address)
    code = firmware.image.read_bytes()
    image[: len(code)] = code
    _write_header(image, frame, configuration, programs)
    for program in programs:
        words = struct.pack(f"<{len(program.words)}I", *program.words)
        image[program.address : program.address + len(words)] = words
    expected = tuple(_model(subject, image, frame, program) for program in programs)
    return Batch(bytes(image), tuple(programs), expected)


def _write_header(
    image: bytearray, frame: int, configuration: Configuration, programs: Sequence[Program]
) -> None:
    """Write header_t of random.c."""
    least, span = configuration.irq_least, configuration.irq_span
    _HEADER.pack_into(image, BASE, _MAGIC, len(programs), frame, least, span, configuration.seed)
    for index, program in enumerate(programs):
        at = BASE + _HEADER.size + _ENTRY.size * index
        _ENTRY.pack_into(image, at, program.entry, program.scratch_address, SCRATCH_WORDS)


def _model(subject: Target, image: bytearray, frame: int, program: Program) -> tuple[int, ...]:
    """Return the frame's registers and the scratch memory after a program."""
    memory = bytearray(image)
    iss = Iss(memory, subject.operations, pc=program.entry, misaligned=subject.shape.misaligned)
    iss.registers[2] = frame
    struct.pack_into("<I", memory, frame + 4 * FRAME_RETURN, BASE)
    iss.run(until=BASE)
    registers = struct.unpack_from(f"<{FRAME_REGISTERS}I", memory, frame)
    return registers + struct.unpack_from(f"<{SCRATCH_WORDS}I", memory, program.scratch_address)


def _simulate(
    model: Path, batch: Batch, configuration: Configuration
) -> tuple[RunResult, tuple[int, ...]]:
    """Run an image; return how it ended and the words it wrote."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="random-run-") as name:
        image, output = Path(name) / "image.bin", Path(name) / "output.bin"
        image.write_bytes(batch.image)
        done = run_model(
            model,
            image,
            stream_out=output,
            memory=MEMORY_BYTES,
            iwait=configuration.iwait,
            dwait=configuration.dwait,
            seed=configuration.seed,
            max_cycles=_limit(batch),
        )
        data = output.read_bytes()
    return done, struct.unpack(f"<{len(data) // 4}I", data[: len(data) & ~3])


def _limit(batch: Batch) -> int:
    """Return the watchdog's cycles for an image."""
    return _CYCLES_BEFORE + _CYCLES_A_PROGRAM * len(batch.programs)


def _differences(batch: Batch, words: Sequence[int], index: int) -> tuple[str, ...]:
    """Return how a program's outcome differs from the model's, a line each; empty if it agrees."""
    found = words[index * _RESULT_WORDS : (index + 1) * _RESULT_WORDS]
    if len(found) < _RESULT_WORDS:
        begun = bool(found) and found[0] == _BEGIN | index
        return ("did not come back",) if begun else (_NOT_BEGUN,)
    if found[0] != _BEGIN | index:
        return (f"result {index} begins with {found[0]:#010x}",)
    names = [f"x{number}" for number in range(FRAME_REGISTERS)]
    names += [f"scratch+{4 * word:#x}" for word in range(SCRATCH_WORDS)]
    return tuple(
        f"{name} = {core:#010x}, model {wanted:#010x}"
        for name, core, wanted in zip(names, found[1:], batch.expected[index], strict=True)
        if core != wanted
    )


def _failure(batch: Batch, words: Sequence[int], index: int, folder: Path | None) -> Failure:
    """Describe a failing program."""
    return Failure(batch.programs[index].seed, _differences(batch, words, index), folder)


def _reproducer(
    subject: Target,
    configuration: Configuration,
    model: Path,
    firmware: Firmware,
    batch: Batch,
    words: Sequence[int],
    index: int,
    parent: Path,
) -> Failure:
    """Save image, disassembly and report of a failing program in a separate folder.

    If the program also fails alone, it is shortened to the shortest beginning that fails.
    """
    program = batch.programs[index]
    folder = parent / f"seed-{program.seed}"
    folder.mkdir(parents=True, exist_ok=True)
    alone = None
    shown = program
    low, high = 0, len(program.code)
    best = make_batch(subject, configuration, firmware, [program.seed])
    _, found = _simulate(model, best, configuration)
    if lines := _differences(best, found, 0):
        alone = lines
        if lines == (_NOT_BEGUN,):
            low = high  # the program does not matter
        while high - low > 1:  # a beginning of `high` instructions fails, one of `low` does not
            middle = (low + high) // 2
            trial = make_batch(subject, configuration, firmware, [program.seed], middle)
            _, found = _simulate(model, trial, configuration)
            if lines := _differences(trial, found, 0):
                high, best, alone = middle, trial, lines
            else:
                low = middle
        shown = best.programs[0]
    else:
        best = batch
    (folder / "image.bin").write_bytes(best.image)
    (folder / "program.lst").write_text(_listing(shown, subject.operations, folder))
    run_again = (
        f"{model} +image={folder / 'image.bin'} +mem={MEMORY_BYTES}"
        f" +out={folder / 'output.bin'} +iwait={configuration.iwait}"
        f" +dwait={configuration.dwait} +seed={configuration.seed}"
        f" +max={_limit(best)}"
    )
    report = [
        f"{subject.name}, configuration {configuration}, seed {program.seed}",
        *_differences(batch, words, index),
        "",
        f"alone, cut to {high} instructions:" if alone else "alone it does not fail",
        *(alone or ()),
        "",
        "the last piece before the epilogue in program.lst is the one that shows it; run again:",
        run_again,
        "",
    ]
    (folder / "report.txt").write_text("\n".join(report))
    return _failure(batch, words, index, folder)


def _listing(program: Program, operations: Sequence[CustomOperation], folder: Path) -> str:
    """Return the program's disassembly, custom operations by their mnemonics."""
    binary = folder / "program.bin"
    binary.write_bytes(struct.pack(f"<{len(program.code)}I", *program.code))
    command = [f"{CROSS}objdump", "-D", "-z", "-b", "binary", "-m", "riscv:rv32"]
    command += ["-M", "no-aliases,numeric", f"--adjust-vma={program.entry:#x}", str(binary)]
    lines = []
    for line in proc.run(command, timeout=60).stdout.splitlines():
        address, _, rest = line.partition(":\t")
        if rest and int(address, 16) == program.epilogue:
            lines.append("; epilogue: the registers go to the frame")
        if rest and (text := _mnemonic(int(rest.split()[0], 16), operations)):
            line = f"{address}:\t{rest.split()[0]}          \t{text}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def _mnemonic(word: int, operations: Sequence[CustomOperation]) -> str:
    """Return a custom operation as assembly, or nothing for another instruction."""
    for operation in operations:
        if operation.encoding.matches(word):
            rd, sources, immediates = operation.encoding.decode(word)
            words = [f"x{rd}", *(f"x{number}" for number in sources.values())]
            words += [f"{name}={value}" for name, value in immediates.items()]
            return f"{operation.mnemonic}\t{','.join(words)}"
    return ""


def altered(subject: Target, mnemonic: str) -> Target:
    """Return the target with one operation's model wrong, to see the comparison fail."""

    def wrong(operation: CustomOperation) -> CustomOperation:
        if operation.mnemonic != mnemonic:
            return operation

        def function(*values: int) -> int:
            return operation.function(*values) ^ 0x0000_8000

        return replace(operation, function=function)

    operations = tuple(wrong(op) for op in subject.operations)
    return replace(subject, operations=operations, label=f"altered-{mnemonic}")
