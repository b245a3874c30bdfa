# SPDX-License-Identifier: Apache-2.0
"""`aesforge papers`: what a paper published, row by row, and what is measured here beside it.

A paper is papers/<id>.toml (papers/README.md says how to write one). A row names no figure of ours:
it says which record to read and what to make of it, so that a table follows the records and a row
without a record says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from aesforge.base import toml
from aesforge.base.errors import AesforgeError, ManifestError, UsageError
from aesforge.base.paths import ROOT
from aesforge.bench import montecarlo
from aesforge.bench.job import Job, Settings, content_hash
from aesforge.build.system import reason_to_skip
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Direction, Variant
from aesforge.records import record
from aesforge.records.record import Record, load_cached
from aesforge.records.rows import BULK_BLOCKS, Cell, Results, Row, Table
from aesforge.synth import synthesis

FOLDER = ROOT / "papers"
BLOCK_BITS = 128
ROUNDS_BETWEEN = 4  # AES-256 has 14 rounds, AES-128 has 10

Call = Literal["key-encrypt", "key-decrypt", "encrypt", "decrypt"]
Quantity = Literal["cycles", "instructions"]
Blocks = Literal["one", "bulk"]
# A number, the ends of a range, or words where the paper has no number.
Value = int | float | tuple[float, float] | str
Number = int | float


class _Table(BaseModel):
    """A TOML table: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# Comparable records for a published value ---------------------------------------------------------


class _Measure(_Table):
    """A way to read records; `per_platform`: once on each core, else once for the unit."""

    per_platform: ClassVar[bool] = True
    # How every figure that it reads differs from the paper's: device, scope, yardstick.
    differs: str = ""

    @property
    def scope(self) -> str:
        """What is counted, as far as measures of one row could differ in it."""
        return ""

    def difference(self, unit: str) -> str:
        """Say why what it reads is not what a paper prints in a unit; empty if it is the same."""
        return "" if unit == self.unit else f"{self.unit} beside {unit}"

    @property
    def unit(self) -> str:
        """The unit of what it gives."""
        raise NotImplementedError

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Return the measured value, or None if there is no record of it."""
        raise NotImplementedError

    def command(self, cell: Cell) -> str:
        """Return what makes the record."""
        return f"aesforge bench --only {cell.accelerator}/{cell.variant} --question speed"

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """Say what the manifest lacks for this measure; empty if nothing."""
        return ""


def _calls(
    evidence: "Evidence", cell: Cell, calls: Iterable[Call], quantity: Quantity, blocks: Blocks
) -> Number | None:
    """Add up calls; blocks of a bulk call count as one."""
    found = [evidence.cost(cell, call, quantity, blocks) for call in calls]
    total = [value for value in found if value is not None]
    return sum(total) if len(total) == len(found) else None


def _undirected(calls: Iterable[Call], variant: Variant) -> str:
    """Say which call a variant lacks."""
    lacking = [call for call in calls if call.removeprefix("key-") not in variant.directions]
    return f"{variant.name} has no {lacking[0]}" if lacking else ""


def _of_blocks(unit: str, blocks: Blocks) -> str:
    """A unit, marked if it is of a block of a long call."""
    return f"{unit}, bulk" if blocks == "bulk" else unit


class Cost(_Measure):
    """Cycles or instructions of calls, added up, AES-128; bulk: per block of a long call."""

    kind: Literal["cost"]
    quantity: Quantity
    calls: list[Call] = Field(min_length=1)
    blocks: Blocks = "one"

    @property
    def unit(self) -> str:
        """Cycles or instructions."""
        return _of_blocks(self.quantity, self.blocks)

    @property
    def scope(self) -> str:
        """The calls, and of how many blocks."""
        return f"{'+'.join(self.calls)}, {self.blocks}"

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Add up the calls."""
        return _calls(evidence, cell, self.calls, self.quantity, self.blocks)

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """A direction that the variant lacks."""
        return _undirected(self.calls, variant)


class Round(_Measure):
    """What a round takes: the difference of AES-256 and AES-128, by four; `parts`: of that many."""

    kind: Literal["round"]
    quantity: Quantity
    direction: Direction
    blocks: Blocks = "one"
    parts: Annotated[int, Field(ge=1)] = 1

    @property
    def unit(self) -> str:
        """Cycles or instructions."""
        return self.quantity

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Subtract."""
        more = evidence.cost(cell, self.direction, self.quantity, self.blocks, 256)
        less = evidence.cost(cell, self.direction, self.quantity, self.blocks, 128)
        if more is None or less is None:
            return None
        return (more - less) / ROUNDS_BETWEEN / self.parts

    def difference(self, unit: str) -> str:
        """A part is the round divided, not a part that was timed."""
        return super().difference(unit) or ("a share of a round" if self.parts > 1 else "")

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """A direction that the variant lacks."""
        return _undirected([self.direction], variant)


class Rate(_Measure):
    """Mbit/s of a direction at a clock frequency, which is the paper's and not a result of ours."""

    kind: Literal["rate"]
    direction: Direction
    mhz: Annotated[float, Field(gt=0)]
    blocks: Blocks = "bulk"

    @property
    def unit(self) -> str:
        """With the clock that it is made with."""
        return _of_blocks(f"Mbit/s at {self.mhz:g} MHz", self.blocks)

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Bits of a block by the time it takes."""
        cycles = evidence.cost(cell, self.direction, "cycles", self.blocks)
        return BLOCK_BITS * self.mhz / cycles if cycles else None

    @property
    def scope(self) -> str:
        """One block, or many."""
        return self.blocks

    def difference(self, unit: str) -> str:
        """No core of ours ran at the paper's clock."""
        return f"cycles at a clock of {self.mhz:g} MHz that no core of ours reached"

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """A direction that the variant lacks."""
        return _undirected([self.direction], variant)


class Speedup(_Measure):
    """How many times fewer cycles than `over` (NAME/VARIANT) the calls take on the same core.

    `over_calls` are the calls of `over`, if they are others; the calls are made `repeat` times;
    `percent`: how much faster instead.
    """

    kind: Literal["speedup"]
    over: str
    calls: list[Call] = Field(min_length=1)
    over_calls: list[Call] = []
    blocks: Blocks = "one"
    repeat: Annotated[int, Field(ge=1)] = 1
    percent: bool = False

    @property
    def unit(self) -> str:
        """A ratio, or what it is above one; `differs` says over what."""
        unit = _of_blocks("% faster" if self.percent else "times", self.blocks)
        return f"{unit}: {self.quotient}" if self.over_calls else unit

    @property
    def quotient(self) -> str:
        """The calls of `over`, and ours."""
        times = f"{self.repeat} x " if self.repeat > 1 else ""
        return f"{'+'.join(self.over_calls or self.calls)} over {times}{'+'.join(self.calls)}"

    @property
    def scope(self) -> str:
        """The calls of both, and of how many blocks."""
        return f"{self.quotient}, {self.blocks}"

    def difference(self, unit: str) -> str:
        """The software, and what is counted of it, are ours."""
        return f"over {self.over}, which is no software of the paper"

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Divide."""
        name, _, variant = self.over.partition("/")
        other = Cell(name, variant, cell.platform)
        before = self.over_calls or self.calls
        slow = _calls(evidence, other, before, "cycles", self.blocks)
        fast = _calls(evidence, cell, self.calls, "cycles", self.blocks)
        if not slow or not fast:
            return None
        factor = slow / (self.repeat * fast)
        return 100 * (factor - 1) if self.percent else factor

    def command(self, cell: Cell) -> str:
        """Both are needed."""
        return f"{super().command(cell)} --only {self.over}"

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """A direction, or a software, that there is not."""
        try:
            _, other = find(self.over)
        except UsageError as error:
            return str(error)
        before = self.over_calls or self.calls
        return _undirected(self.calls, variant) or _undirected(before, other)


# Names of counts that records of a question have.
_SIZES = ("code_bytes", "table_bytes", "ram_bytes", "encrypt_bytes", "decrypt_bytes")
COUNTS = {
    "speed": _SIZES,
    "ct": ("runs", "spread_max"),
    "test": ("FIPS", "KAT", "MMT", "MCT", "CTR", "lengths", "wrong"),
    "irq": ("offsets", "fired", "inside", "bad"),
    "traffic": ("accesses", "inside", "jobs", "bad", "shortest", "longest"),
}


class Count(_Measure):
    """A count of a question's record."""

    kind: Literal["count"]
    question: Literal["speed", "ct", "test", "irq", "traffic"]
    count: str

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.count not in COUNTS[self.question]:
            known = ", ".join(COUNTS[self.question])
            raise ValueError(f"question {self.question} has no count '{self.count}' ({known})")
        return self

    @property
    def unit(self) -> str:
        """Bytes, or what is counted."""
        return "bytes" if self.count in _SIZES else self.count

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Look it up."""
        return evidence.count(cell, self.question, self.count)

    def command(self, cell: Cell) -> str:
        """The question's."""
        only = f"aesforge bench --only {cell.accelerator}/{cell.variant}"
        return f"{only} --question {self.question}"


class Chain(_Measure):
    """Blocks of Rijndael's Monte Carlo test on the unit's RTL that agree with OpenSSL, AES-128."""

    per_platform: ClassVar[bool] = False
    kind: Literal["montecarlo"]
    direction: Direction

    @property
    def unit(self) -> str:
        """Blocks."""
        return f"blocks, {self.direction}"

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Look it up."""
        return evidence.chain(cell, f"{self.direction}_128")

    def command(self, cell: Cell) -> str:
        """The test's."""
        return f"aesforge montecarlo {cell.accelerator}/{cell.variant}"

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """Software has no RTL."""
        if accelerator.manifest.rtl is None:
            return f"{accelerator.name} has no RTL"
        return _undirected([self.direction], variant)


class Synthesis(_Measure):
    """A figure of a synthesis record (question synth; the platform is the flow).

    `flows`: these only. `module`: gates of that module with what is inside it. `inside`: tables
    that the unit adds to that core.
    """

    per_platform: ClassVar[bool] = False
    kind: Literal["synth"]
    figure: Literal["ge", "lut", "ff", "memory_bits", "mhz", "ns"]
    flows: list[str] = []
    module: str = ""
    inside: str = ""

    @model_validator(mode="after")
    def _of_what(self) -> Self:
        if self.module and (self.figure != "ge" or self.inside):
            raise ValueError("a module has the figure ge alone")
        if self.inside and self.figure != "lut":
            raise ValueError("what a unit adds to a core has the figure lut alone")
        return self

    @property
    def count(self) -> str:
        """The name of the count in a record."""
        if self.module:
            return f"ge:{self.module}"
        if self.inside:
            return f"lut:in {self.inside}"
        return "ps" if self.figure == "ns" else self.figure

    @property
    def unit(self) -> str:
        """What is counted."""
        names = {"ge": "GE", "lut": "LUT", "ff": "flip-flops", "memory_bits": "bits of memory"}
        unit = names.get(self.figure, "ns" if self.figure == "ns" else "MHz")
        if self.module:
            return f"{unit} of {self.module}"
        return f"{unit} added to {self.inside}" if self.inside else unit

    def difference(self, unit: str) -> str:
        """A device or library, and tools, are hardly ever the paper's."""
        return "synthesised by other tools for another device or library"

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Look it up."""
        found = evidence.count(cell, synthesis.QUESTION, self.count)
        return found / 1000 if found is not None and self.figure == "ns" else found

    def command(self, cell: Cell) -> str:
        """The flow that makes it."""
        where = f" --in {self.inside}" if self.inside else ""
        flows = "".join(f" -t {flow}" for flow in self.flows)
        return f"aesforge synth {cell.accelerator}/{cell.variant}{where}{flows}"

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """Software is not synthesised."""
        return "" if accelerator.manifest.rtl else f"{accelerator.name} has no RTL"


class Fact(_Measure):
    """What the manifest fixes: an operation's latency, its issue, or instructions.

    `issue`: cycles from a request to the next one of a core that holds an instruction until its
    answer. Instructions count an immediate's values apart.
    """

    per_platform: ClassVar[bool] = False
    kind: Literal["fact"]
    fact: Literal["latency", "issue", "instructions"]
    ops: list[str] = []  # all of the variant's if empty

    @property
    def unit(self) -> str:
        """Cycles or instructions."""
        return "instructions" if self.fact == "instructions" else "cycles"

    def read(self, evidence: "Evidence", cell: Cell) -> Number | None:
        """Read the manifest; the tests of every unit compare it with the RTL."""
        accelerator, variant = find(f"{cell.accelerator}/{cell.variant}")
        found = accelerator.manifest
        chosen = [op for op in found.operations(variant) if not self.ops or op.mnemonic in self.ops]
        if self.fact != "instructions":
            latency = max(found.latency(op, variant) for op in chosen)
            return latency + 1 if self.fact == "issue" else latency
        return sum(1 << sum(imm.width for imm in op.parsed.immediates) for op in chosen)

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """Operations that the variant lacks."""
        known = {op.mnemonic for op in accelerator.manifest.operations(variant)}
        if lacking := sorted(set(self.ops) - known):
            return f"{variant.name} has no {lacking[0]}"
        return "" if known else f"{accelerator.name} has no operations"


class Proved(_Measure):
    """A formal proof of the unit that speaks of the same thing."""

    per_platform: ClassVar[bool] = False
    kind: Literal["proof"]
    proof: str

    @property
    def unit(self) -> str:
        """All that there is to say of a proof."""
        return f"proof '{self.proof}'"

    def difference(self, unit: str) -> str:
        """It speaks of the same thing."""
        return ""

    def command(self, cell: Cell) -> str:
        """The proof's."""
        return f"aesforge prove {cell.accelerator}"

    def problem(self, accelerator: Accelerator, variant: Variant) -> str:
        """A proof that there is not."""
        known = [proof.name for proof in accelerator.manifest.proof]
        return "" if self.proof in known else f"{accelerator.name} has no proof '{self.proof}'"


Measure = Annotated[
    Cost | Round | Rate | Speedup | Count | Chain | Synthesis | Fact | Proved,
    Field(discriminator="kind"),
]


# A paper ------------------------------------------------------------------------------------------


class Beside(_Table):
    """Units or software of ours (NAME/VARIANT) and the paper's measure that reads their records."""

    of: list[Annotated[str, Field(pattern=r"^[a-z0-9_]+/[a-z0-9-]+$")]] = Field(min_length=1)
    measure: str
    platforms: list[str] = []  # every one if empty


class PublishedRow(_Table):
    """One published number, and our figure for it or why there is none."""

    where: str = Field(min_length=1)  # table, figure or section
    what: str = Field(min_length=1)
    published: Value
    unit: str = Field(min_length=1)
    derived: str = ""  # how the value follows from printed ones, if it is not printed itself
    corrected: Value | None = None  # what must have been meant
    note: str = ""
    differs: str = ""  # how the row beside it differs in scope, device or kind
    beside: list[Beside] = []
    because: str = ""  # why there is no figure of ours

    @model_validator(mode="after")
    def _one_or_the_other(self) -> Self:
        if bool(self.beside) == bool(self.because):
            raise ValueError(f"row '{self.what}' needs either beside or because")
        if self.differs and not self.beside:
            raise ValueError(f"row '{self.what}' has nothing beside it that differs")
        return self


class Misprint(_Table):
    """What the paper prints and what it must mean, apart from rows."""

    where: str
    printed: str
    meant: str


class Paper(_Table):
    """A paper's published results."""

    id: Annotated[str, Field(pattern=r"^[a-z]+[0-9]{4}$")]
    title: str = Field(min_length=1)
    authors: list[str] = Field(min_length=1)
    year: Annotated[int, Field(ge=1998, le=2100)]
    venue: str = Field(min_length=1)
    core: str = Field(min_length=1)  # what the paper measured on
    reading: str = Field(min_length=1)  # how ours is to be read beside it
    measure: dict[str, Measure] = {}
    misprint: list[Misprint] = []
    row: list[PublishedRow] = Field(min_length=1)

    @model_validator(mode="after")
    def _measures_exist_and_are_used(self) -> Self:
        used = {beside.measure for row in self.row for beside in row.beside}
        if unknown := sorted(used - set(self.measure)):
            raise ValueError(f"there is no measure '{unknown[0]}'")
        if idle := sorted(set(self.measure) - used):
            raise ValueError(f"no row uses the measure '{idle[0]}'")
        return self

    @model_validator(mode="after")
    def _differences_are_said(self) -> Self:
        for row in self.row:
            measures = [self.measure[beside.measure] for beside in row.beside]
            mixed = [m.unit for m in measures if _is_factor(m.unit) and _is_percent(row.unit)]
            mixed += [m.unit for m in measures if _is_percent(m.unit) and _is_factor(row.unit)]
            if mixed or len({_is_percent(m.unit) for m in measures}) > 1:
                raise ValueError(f"row '{row.what}' has a factor beside a percentage")
            reasons = [m.difference(row.unit) for m in measures if not m.differs]
            if len({m.scope for m in measures if not m.differs}) > 1:
                reasons.append("the row beside it differs in scope")
            if found := [reason for reason in reasons if reason and not row.differs]:
                raise ValueError(f"row '{row.what}' needs 'differs': {found[0]}")
        return self


def _is_factor(unit: str) -> bool:
    return unit.startswith("times")


def _is_percent(unit: str) -> bool:
    return "%" in unit


@lru_cache(maxsize=256)  # rows name few units often, and a look-up reads every manifest
def find(label: str) -> tuple[Accelerator, Variant]:
    """Return the accelerator and variant of NAME/VARIANT; UsageError lists the known ones."""
    name, _, variant = label.partition("/")
    accelerator = manifest.find(name)
    return accelerator, accelerator.hardware(variant)


def load(path: Path) -> Paper:
    """Read and validate a paper; ManifestError says file, key and reason."""
    paper = toml.load(path, Paper, "papers/README.md lists the keys")
    if paper.id != path.stem:
        raise ManifestError(f"{path}: id '{paper.id}' differs from the file's name")
    return paper


def discover(folder: Path = FOLDER) -> list[Paper]:
    """Load every paper, by year and id."""
    papers = [load(path) for path in toml.files(folder)]
    return sorted(papers, key=lambda paper: (paper.year, paper.id))


def choose(ids: Sequence[str], folder: Path = FOLDER) -> list[Paper]:
    """Return the papers with these ids, all if none is given; UsageError lists what there is."""
    papers = {paper.id: paper for paper in discover(folder)}
    if unknown := [name for name in ids if name not in papers]:
        raise UsageError(f"there is no paper '{unknown[0]}'", f"known: {', '.join(papers)}")
    return [papers[name] for name in dict.fromkeys(ids)] if ids else list(papers.values())


def problems(paper: Paper) -> list[str]:
    """List what the rows name and the repository does not have."""
    known = {found.name for found in platform.discover()}
    found: list[str] = []
    for row in paper.row:
        for beside in row.beside:
            found += [f"no platform '{name}'" for name in beside.platforms if name not in known]
            for label in beside.of:
                try:
                    problem = paper.measure[beside.measure].problem(*find(label))
                except UsageError as error:
                    problem = str(error)
                found += [f"{paper.id}: {row.what}: {problem}"] if problem else []
    return found


def _present(paper: Paper) -> Paper:
    """Return a paper without comparisons with accelerators whose folders are gone.

    `problems` names them all the same: a test asks it, so a wrong name is seen.
    """
    there = {found.name for found in manifest.discover()}

    def gone(beside: Beside, label: str) -> bool:
        measure = paper.measure[beside.measure]
        names = [label, measure.over] if isinstance(measure, Speedup) else [label]
        return any(name.partition("/")[0] not in there for name in names)

    rows = []
    for row in paper.row:
        left = [[label for label in each.of if not gone(each, label)] for each in row.beside]
        if left != [each.of for each in row.beside]:
            pairs = zip(row.beside, left, strict=True)
            kept = [each.model_copy(update={"of": of}) for each, of in pairs if of]
            why = "" if kept else "what was compared with it is no longer here"
            row = row.model_copy(update={"beside": kept, "because": why})
        rows.append(row)
    return paper.model_copy(update={"row": rows})


# Records ------------------------------------------------------------------------------------------


class Evidence:
    """The records that rows are read from: the published ones, then those kept for the sources."""

    def __init__(self, records: Iterable[Record], *, kept: bool = True) -> None:
        self._published = list(records)
        self._results = Results(self._published)
        self._kept = kept
        self._current: dict[tuple[Cell, str], Record | None] = {}
        self._platforms = {found.name: found for found in platform.discover()}

    def places(self, label: str, measure: _Measure, chosen: Sequence[str]) -> list[str]:
        """Return where NAME/VARIANT is measured: cores (all if none is chosen), flows, or RTL."""
        if isinstance(measure, Synthesis):
            flows = [
                entry.platform
                for entry in self._published
                if entry.question == synthesis.QUESTION
                and f"{entry.accelerator}/{entry.variant}" == label
                and measure.count in entry.counts
                and (not measure.flows or entry.platform in measure.flows)
            ]
            return flows or [", ".join(measure.flows) or "synthesis"]
        if not measure.per_platform:
            return [montecarlo.PLATFORM]
        accelerator, variant = find(label)
        return [
            name
            for name, found in self._platforms.items()
            if (not chosen or name in chosen)
            and reason_to_skip(accelerator, variant, found) is None
        ]

    def _candidates(self, cell: Cell, question: str) -> Iterator[Results]:
        """Yield results with a passed record of a question: published, then kept."""
        found = self._results.record(cell, question)
        if found is not None and found.status == "passed":
            yield self._results
        where = self._platforms.get(cell.platform)
        if not self._kept or where is None:
            return
        if (cell.accelerator, cell.variant, cell.platform, question) not in self._there:
            return
        if (cell, question) not in self._current:
            accelerator, variant = find(f"{cell.accelerator}/{cell.variant}")
            job = Job(accelerator, variant, where, question, Settings())
            self._current[cell, question] = load_cached(content_hash(job))
        current = self._current[cell, question]
        if current is not None and current.status == "passed":
            yield Results([current])

    @cached_property
    def _there(self) -> set[tuple[str, ...]]:
        """What any kept record is of: hashing sources takes a second, and finds nothing else."""
        found = record.kept(record.CACHE, Record)
        return {(r.accelerator, r.variant, r.platform, r.question) for r in found}

    def cost(
        self, cell: Cell, call: Call, quantity: Quantity, blocks: Blocks, bits: int = 128
    ) -> Number | None:
        """Return cycles or instructions of a call: key set-up, or a block of one or of many."""
        direction = call.removeprefix("key-")
        set_up = call != direction
        mode = "key-setup" if set_up else "ecb"
        count = 0 if set_up else BULK_BLOCKS if blocks == "bulk" else 1
        for results in self._candidates(cell, "speed"):
            figure = results.figure(cell, direction, mode, count, bits)
            if figure is not None:
                total = figure.cycles if quantity == "cycles" else figure.instructions
                return total / count if count > 1 else total
        return None

    def count(self, cell: Cell, question: str, name: str) -> int | None:
        """Return a count of a question's record."""
        for results in self._candidates(cell, question):
            found = results.record(cell, question)
            if found is not None and name in found.counts:
                return found.counts[name]
        return None

    def chain(self, cell: Cell, name: str) -> int | None:
        """Return blocks of the Monte Carlo test that agree."""
        found = self._results.record(cell, montecarlo.QUESTION)
        counts = found.counts if found is not None and found.status == "passed" else {}
        if name not in counts and self._kept:
            counts = montecarlo.kept(*find(f"{cell.accelerator}/{cell.variant}"))
        return counts.get(name)


def published_records(path: Path | None = None) -> list[Record]:
    """Return the records of a file, or the published ones (measured, and of the long tests)."""
    if path is not None:
        return record.read_published(path)
    files = [file for file in (record.PUBLISHED, montecarlo.PUBLISHED) if file.is_file()]
    found = [entry for file in files for entry in record.read_published(file)]
    if synthesis.PUBLISHED.is_file():
        found += synthesis.as_records(synthesis.read_published())
    return found


# Lines --------------------------------------------------------------------------------------------


Status = Literal["measured", "proof", "no record", "alone"]


@dataclass(frozen=True)
class Line:
    """A published row and one thing beside it; `status`: measured, proof, no record, alone."""

    paper: Paper
    row: PublishedRow
    status: Status
    ours: str = ""  # NAME/VARIANT
    platform: str = ""
    measured: Number | None = None
    unit: str = ""
    how: str = ""  # the command that makes a missing record or runs the proof
    measure: _Measure | None = None

    @property
    def flow(self) -> str:
        """The synthesis flow of a figure, if it is one."""
        return self.platform if isinstance(self.measure, Synthesis) else ""

    @property
    def group(self) -> tuple[str, int, str]:
        """The same for lines that differ in the core alone."""
        return self.ours, id(self.measure), self.flow


def lines(paper: Paper, evidence: Evidence) -> list[Line]:
    """Return a paper's rows with what is measured; ManifestError if one asks for nonsense."""
    paper = _present(paper)
    if wrong := problems(paper):
        raise ManifestError(f"{FOLDER.name}/{paper.id}.toml: {wrong[0]}")
    return [line for row in paper.row for line in _row_lines(paper, row, evidence)]


def _row_lines(paper: Paper, row: PublishedRow, evidence: Evidence) -> Iterator[Line]:
    if row.because:
        yield Line(paper, row, "alone", how=row.because)
    for beside in row.beside:
        measure = paper.measure[beside.measure]
        for label in beside.of:
            for place in evidence.places(label, measure, beside.platforms):
                name, _, variant = label.partition("/")
                cell = Cell(name, variant, place)
                proof = isinstance(measure, Proved)
                value = None if proof else measure.read(evidence, cell)
                without: Status = "proof" if proof else "no record"
                how = measure.command(cell) if value is None else ""
                yield Line(
                    paper,
                    row,
                    without if value is None else "measured",
                    label,
                    place,
                    value,
                    measure.unit,
                    how,
                    measure,
                )


def json_row(line: Line) -> dict[str, object]:
    """Return one line's stable row (docs/json.md)."""
    row = line.row
    name, _, variant = line.ours.partition("/")
    return {
        "paper": line.paper.id,
        "where": row.where,
        "what": row.what,
        "published": row.published,
        "unit": row.unit,
        "derived": row.derived,
        "corrected": row.corrected,
        "note": row.note,
        "differs": _differs(line),
        "status": line.status,
        "accelerator": name,
        "variant": variant,
        "platform": line.platform,
        "measured": line.measured,
        "measured_unit": line.unit,
        "how": line.how,
    }


def number(value: Value | None) -> str:
    """Return a value as tables print it: ranges with 'to', three digits where one is not enough."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return " to ".join(f"{end:g}" for end in value)
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return str(value)


NO_CORE = "no core"  # the column of what is measured of a unit alone
NO_RECORD = "no record"


def table(found: Sequence[Line], *, repeat: bool) -> tuple[Table, list[str]]:
    """Return a paper's table and its notes; `repeat` prints the published value on every line.

    Published values have a column of their own, and so has each core that we measure on.
    """
    cores = sorted({line.platform for line in found if _on_core(line)})
    heads = (
        *(("where", False), ("what", False), ("published", True), ("unit", False)),
        *(("ours", False), *((name, True) for name in (*cores, NO_CORE)), ("unit of ours", False)),
        ("note", True),
    )
    notes: list[str] = []
    printed: list[tuple[str, ...]] = []
    # Lines of one row, one unit of ours, one measure and one flow differ in the core alone.
    groups = [list(group) for _, group in groupby(found, lambda line: (id(line.row), line.group))]
    last: PublishedRow | None = None
    shown_last = ""
    for group in groups:
        line, row = group[0], group[0].row
        first = row is not last
        shown_last = "" if first else shown_last
        text = _note(line)
        if text and text not in notes:
            notes.append(text)
        shown = {item.platform if _on_core(item) else NO_CORE: item for item in group}
        cells = [_cell(shown.get(name)) for name in (*cores, NO_CORE)]
        head = (row.where, row.what, number(row.published), row.unit)
        mark = f"[{notes.index(text) + 1}]" if text and (text != shown_last or repeat) else ""
        mark = f"differs {mark}" if mark and _differs(line) else mark
        head = head if first or repeat else ("", "", "", "")
        measured_by_flow = line.flow and line.measured is not None
        unit = f"{line.unit}, {line.flow}" if measured_by_flow else line.unit
        printed.append((*head, line.ours or "-", *cells, unit or "-", mark))
        last, shown_last = row, text
    paper = found[0].paper
    title = f"{paper.id}: {paper.title}"
    return Table(title, heads, tuple(printed)), notes


def stacked(wide: Table) -> Table:
    """Return a paper's table for a narrow terminal: a line for each core, notes after the words."""
    names = [name for name, _ in wide.heads]
    first, last = names.index("ours") + 1, names.index("unit of ours")
    printed: list[tuple[str, ...]] = []
    for where, what, published, unit, ours, *rest in wide.rows:
        *cells, of_ours, mark = rest
        on = [pair for pair in zip(names[first:last], cells, strict=True) if pair[1] != "-"]
        said = " ".join(text for text in (what, mark) if text)
        for number, (core, value) in enumerate(on or [("-", "-")]):
            head = (said, published, ours) if number == 0 else ("", "", "")
            tail = (unit, where) if number == 0 else ("", "")
            printed.append((*head, core, value, of_ours, *tail))
    words = any(" " in row[1] for row in printed)  # not a column of numbers: may be folded
    heads = (
        *(("what", False), ("published", not words), ("ours", False), ("on", False)),
        *(("measured", True), ("unit of ours", False), ("unit", False), ("where", False)),
    )
    return Table(wide.title, heads, tuple(printed))


def _on_core(line: Line) -> bool:
    return line.measure is not None and line.measure.per_platform


def _cell(line: Line | None) -> str:
    """The text of a cell in a column of ours."""
    if line is None or line.status == "alone":
        return "-"
    if line.status == "proof":
        return "proof"
    return NO_RECORD if line.measured is None else number(line.measured)


def _differs(line: Line) -> str:
    """How the records beside a row differ: of the row, and of the measure."""
    texts = (line.measure.differs if line.measure else "", line.row.differs)
    return " ".join(text for text in texts if text)


def _note(line: Line) -> str:
    """All that is to be said of a row."""
    row = line.row
    texts = [row.note] if row.note else []
    texts += [f"Differs: {_differs(line)}"] if _differs(line) else []
    texts += [f"Not printed: {row.derived}."] if row.derived else []
    texts += [f"Read {number(row.corrected)}."] if row.corrected is not None else []
    texts += [f"Nothing beside it: {row.because}."] if row.because else []
    return " ".join(texts)


def footer(found: Sequence[Line], notes: Sequence[str]) -> list[str]:
    """Return the notes below a table: how to read it, misprints, missing records."""
    paper = found[0].paper
    text = [f"Published on: {paper.core}. {paper.reading}"]
    text += [f"[{number}] {note}" for number, note in enumerate(notes, 1)]
    text += [f"Misprint, {m.where}: {m.printed}; meant: {m.meant}." for m in paper.misprint]
    text += [f"no record: {how}" for how in missing(found)]
    proofs = dict.fromkeys(line.how for line in found if line.status == "proof")
    return text + [f"proof: {how}" for how in proofs]


def missing(found: Sequence[Line]) -> list[str]:
    """Return what makes the records that lines lack, each once."""
    lacking = [line for line in found if line.status == "no record"]
    return list(
        dict.fromkeys(
            f"{line.ours}: {line.how}" if " has not " in line.how else line.how for line in lacking
        )
    )


def markdown(found: Sequence[Line]) -> str:
    """Return a paper's page: the table, and the notes below it as a list."""
    made, notes = table(found, repeat=True)
    return made.markdown() + "\n" + "\n".join(f"- {text}" for text in footer(found, notes)) + "\n"


PAGE_HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
# Papers, and our records

Made from the published records by `aesforge papers --all --markdown > results/papers.md`; do not
edit. Column `published` holds the paper's values. A column named after a core holds our measurement
on that core; `no core` holds what is known of the unit alone: synthesis, Monte Carlo tests, proofs.
"""


def page(papers: Sequence[Paper], evidence: Evidence) -> str:
    """Return the page of all papers: how many rows have something beside them, then each table."""
    heads = (("paper", False), ("what", False), ("rows", True), ("with ours", True))
    rows = tuple(
        (
            f"[{row['id']}](#{row['id']})",
            f"{row['authors']}: {row['title']} ({row['year']})",
            *(str(row["rows"]), str(row["with_ours"])),
        )
        for row in summary(papers, evidence)
    )
    parts = [PAGE_HEAD, Table("Papers", heads, rows).markdown()]
    for paper in papers:
        parts += [f"## {paper.id}\n", f"{paper.venue}.\n", markdown(lines(paper, evidence))]
    return "\n".join(parts)


def summary(papers: Sequence[Paper], evidence: Evidence) -> list[Row]:
    """Return one row for each paper: how many of its rows have something measured beside them."""
    rows: list[Row] = []
    for paper in papers:
        found = lines(paper, evidence)
        measured = {id(line.row) for line in found if line.status in ("measured", "proof")}
        rows.append(
            {
                "id": paper.id,
                "title": paper.title,
                "authors": ", ".join(paper.authors),
                "year": paper.year,
                "rows": len(paper.row),
                "with_ours": len(measured),
            }
        )
    return rows


def overview(papers: Sequence[Paper], evidence: Evidence) -> Table:
    """Return `summary` as a table."""
    keys = ("id", "year", "rows", "with_ours", "title")
    heads = (
        *(("paper", False), ("year", True), ("rows", True), ("with ours", True)),
        ("title", False),
    )
    lines = [tuple(str(row[key]) for key in keys) for row in summary(papers, evidence)]
    return Table("Papers", heads, tuple(lines))


def require(found: Sequence[Line]) -> None:
    """Raise if a record is missing."""
    if lacking := missing(found):
        raise AesforgeError(f"{len(lacking)} records are missing", lacking[0])
