# SPDX-License-Identifier: Apache-2.0
"""The manifest of an accelerator or a software baseline (docs/architecture.md, section 1)."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from aesforge.base import toml
from aesforge.base.errors import ManifestError, UsageError
from aesforge.base.files import state_of
from aesforge.base.paths import ROOT
from aesforge.catalog import encoding, planted, sets
from aesforge.catalog.encoding import Encoding
from aesforge.catalog.peer import PeerSource
from aesforge.catalog.planted import Bug, Fault
from aesforge.catalog.proof import Proof

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
VariantName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
Macro = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*(=\S+)?$")]
Direction = Literal["encrypt", "decrypt"]
KeyBits = Literal[128, 192, 256]
KEY_BITS: tuple[KeyBits, ...] = (128, 192, 256)
Kind = Literal["instruction", "set", "software", "mmio", "dma", "stream"]

# What a kernel with state defines for interrupts (aes_kernel.h).
STATE_CALLS = ("aes_unit_save", "aes_unit_restore")

# Where manifests live. A folder with an accel.toml directly below one of these is registered.
ROOTS = ("accelerators", "sw/ref", "sw/peers")

# custom-0 with funct7 0..5: getq, setq, retirq, maskirq, waitirq, timer (PicoRV32 README).
PICORV32_IRQ_FUNCT7 = range(6)


class _Table(BaseModel):
    """A TOML table: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Rtl(_Table):
    """The unit's RTL: its top; what that needs is found by name (aesforge.build.library)."""

    top: Name
    params: dict[str, str | int] = {}


class Operation(_Table):
    """One instruction: the only source of its decoder constants, intrinsic and documentation."""

    mnemonic: Name
    encoding: str
    latency: Annotated[int, Field(ge=0, le=1000)] = 0  # cycles from request to response
    semantics: str = Field(min_length=1)

    @field_validator("encoding")
    @classmethod
    def _readable(cls, pattern: str) -> str:
        encoding.parse(pattern)
        return pattern

    @cached_property
    def parsed(self) -> Encoding:
        """The parsed encoding pattern."""
        return encoding.parse(self.encoding)


class Variant(_Table):
    """A parameter set of the unit and its kernel."""

    name: VariantName
    summary: str = ""
    units: list[str] = []  # of a set: NAME/VARIANT of each unit
    top: Name | None = None  # instead of rtl.top, with its ports and parameters
    params: dict[str, str | int] = {}
    defines: list[Macro] = []
    ops: list[str] = []  # mnemonics, "aes_*" for several; one text alone is a list of one
    directions: list[Direction] = Field(default=["encrypt", "decrypt"], min_length=1)
    key_bits: list[KeyBits] = Field(default=[*KEY_BITS], min_length=1)
    cflags: list[str] = []
    by_default: bool = True  # part of the default matrix
    stateless: bool | None = None  # the manifest's unless said otherwise
    state_words: Annotated[int, Field(ge=0, le=256)] = 0  # aes_unit_state_t, 32-bit words
    latency: Annotated[int, Field(ge=0, le=1000)] | None = None  # the operations' unless said
    # Of operations that take another time than `latency`, by mnemonic.
    latencies: dict[str, Annotated[int, Field(ge=0, le=1000)]] = {}
    busy: Annotated[int, Field(ge=0, le=200)] = 0  # cycles that a request may wait for one before
    reset_cycles: Annotated[int, Field(ge=0, le=200)] = 0  # after reset, before the first request
    key_words: Annotated[int, Field(ge=8, le=4096)] | None = None  # sw.key_words unless said
    ecc: bool = True  # asked the questions about curves, if the manifest has sw.ecc

    @field_validator("ops", mode="before")
    @classmethod
    def _one_or_more(cls, given: object) -> object:
        return [given] if isinstance(given, str) else given

    def offers(self, mnemonic: str) -> bool:
        """Tell whether the variant has an operation."""
        return not self.ops or any(fnmatchcase(mnemonic, pattern) for pattern in self.ops)


# Begins a macro that our simulations alone define: what it brings must not reach hardware.
FOR_SIMULATIONS = "SIMULATION_"


class Part(Variant):
    """A module inside an accelerator, synthesised alone: `aesforge synth NAME/PART`."""

    top: Name  # `params` are its own, and nothing is taken from [rtl.params]


class Software(_Table):
    """The kernel's sources and how they are compiled."""

    kernel: list[str] = []
    cipher: str = ""  # software baseline linked as AES, for a unit that has none
    example: Literal["gcm", "sha256"] = "gcm"  # what such a unit is seen at work in
    emul: str = ""
    cflags: list[str] = ["-O2"]
    key_words: Annotated[int, Field(ge=8, le=4096)] = 64  # 32-bit words
    checks_key: list[str] = []  # variants ("*" for several) whose calls refuse a cleared key
    leaves: list[str] = []  # "CALL: SECRET" that stays in registers (question secrets)
    tables: list[str] = []
    ecc: list[str] | None = None  # further sources for the curves; absent: no such questions
    absorb_group: Annotated[int, Field(ge=1, le=64)] | None = None  # blocks of aes_ctr_absorb


class Claim(_Table):
    """A promise; `test` names the question or proof that shows it, empty means not tested.

    Of one about power it is a module that `aesforge probe` has read.
    """

    text: str
    test: str = ""
    variants: list[str] = []  # those that it holds for, all if empty
    about: Literal["", "timing", "wiping", "power"] = ""  # a row of the page's table of protection


class PlantedBug(Fault):
    """A fault with which a bench must turn red; with no edit, one of formal/bugs.toml."""

    variant: str = ""  # the first variant unless said otherwise
    bench: str = ""  # the [[bench]]; an instruction has one of its own; "none": proofs and tests


class Bench(_Table):
    """A cocotb module that tests the RTL of an mmio, dma or stream accelerator on Verilator."""

    name: Name
    summary: str = Field(min_length=1)
    module: str  # below the accelerator's folder
    top: Name | None = None  # rtl.top unless said otherwise
    params: dict[str, str | int] = {}  # in place of the variant's
    variants: list[str] = []  # all if empty
    fast: bool = True  # False: only with --slow


class Choice(_Table):
    """A value for each value of a parameter."""

    param: str
    values: dict[str, bool | int | list[Direction]]


class Stream(_Table):
    """The protocol of a stream's ports; "$Name" is the value of a parameter of rtl.top."""

    protocol: Literal["blocks"]  # beats of blocks, a stream of keys (docs/architecture.md, 1.1)
    mode: str = "ecb"  # ecb, ctr or gcm
    lanes: int | str = 1  # blocks in a beat
    slots: int | str = 1  # key slots
    key_bits: int | str = 128  # 128, 192, 256; 0: all of them
    slot_of_beat: bool | Choice = False  # each beat names its slot
    beat_cycles: int | str | Choice = 1  # cycles from a beat to the next, at most
    directions: list[Direction] | Choice = ["encrypt", "decrypt"]

    def values(self, params: Mapping[str, str | int]) -> dict[str, Any]:
        """Return all keys with the values that they have under some parameters."""
        found: dict[str, Any] = {}
        for key in type(self).model_fields:
            given = getattr(self, key)
            if isinstance(given, Choice):
                given = given.values[str(params[given.param])]
            elif isinstance(given, str) and given.startswith("$"):
                given = params[given[1:]]
            found[key] = given
        return found


class Skip(_Table):
    """An honest hole in the matrix, such as `platform:<name>`."""

    what: str
    because: str = Field(min_length=1)
    until: str = Field(min_length=1)


class Manifest(_Table):
    """One accelerator (any kind but `software`) or software baseline."""

    name: Name
    kind: Kind
    summary: str = Field(min_length=1)
    refs: list[str] = Field(min_length=1)
    stateless: bool = True
    term: bool = False  # the name is a word of the field too, so that any file may use it
    yardstick: bool = True  # software: part of the default matrix
    rtl: Rtl | None = None
    op: list[Operation] = []
    variant: list[Variant] = Field(min_length=1)
    part: list[Part] = []
    sw: Software = Software()
    source: PeerSource | None = None
    claim: list[Claim] = []
    bench: list[Bench] = []
    stream: Stream | None = None
    proof: list[Proof] = []
    bug: list[PlantedBug] = []
    skip: list[Skip] = []

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """Check what one field alone cannot show."""
        if self.kind == "instruction" and (self.rtl is None or not self.op):
            raise ValueError("kind 'instruction' needs [rtl] and at least one [[op]]")
        if self.kind == "software" and (self.rtl is not None or self.op):
            raise ValueError("kind 'software' has neither [rtl] nor [[op]]")
        if self.kind != "set" and any(variant.units for variant in self.variant):
            raise ValueError(f"kind '{self.kind}' has no units")
        if self.kind == "set" and (wrong := sets.problem(self)):
            raise ValueError(wrong)
        if self.kind == "instruction" and not self.sw.emul:
            raise ValueError("kind 'instruction' needs sw.emul, every operation in plain C")
        if self.kind != "instruction" and self.sw.cipher:
            raise ValueError(f"kind '{self.kind}' has no sw.cipher")
        fewer = any(variant.key_bits != [*KEY_BITS] for variant in self.variant)
        if fewer and self.kind not in ("mmio", "dma"):
            raise ValueError(f"kind '{self.kind}' has no key_bits: its kernel takes every key")
        if self.outside_core:
            self._consistent_block()
        elif self.bench or (self.kind != "set" and not self.sw.kernel):
            raise ValueError(f"kind '{self.kind}' needs sw.kernel and has no [[bench]]")
        elif self.part:
            raise ValueError(f"kind '{self.kind}' has no [[part]]")
        _no_twins([entry.name for entry in (*self.variant, *self.part)], "variant")
        _no_twins([operation.mnemonic for operation in self.op], "op")
        known = {operation.mnemonic for operation in self.op}
        for variant in self.variant:
            strange = {p for p in variant.ops if not any(fnmatchcase(m, p) for m in known)}
            if unknown := strange | (variant.latencies.keys() - known):
                raise ValueError(
                    f"variant {variant.name}: no such op: {', '.join(sorted(unknown))}"
                )
            if variant.state_words and self.is_stateless(variant):
                raise ValueError(f"variant {variant.name}: a stateless unit has no state_words")
            if self.kind != "set" and not variant.state_words and not self.is_stateless(variant):
                raise ValueError(f"variant {variant.name}: a unit with state needs state_words")
            if variant.top and not self.outside_core:
                raise ValueError(f"variant {variant.name}: kind '{self.kind}' has one top")
            if unknown := set(variant.params) - set(self.rtl.params if self.rtl else {}):
                names = ", ".join(sorted(unknown))
                raise ValueError(f"variant {variant.name}: [rtl.params] lacks {names}")
        variants = {variant.name for variant in self.variant}
        for pattern in self.sw.checks_key:
            if not any(fnmatchcase(name, pattern) for name in variants):
                raise ValueError(f"sw.checks_key: no such variant: {pattern}")
        for bug in self.bug:
            if bug.variant and bug.variant not in variants:
                raise ValueError(f"bug {bug.name}: no such variant: {bug.variant}")
            if bug.bench not in ("", "none") and not self.outside_core:
                raise ValueError(f"bug {bug.name}: no such bench: '{bug.bench}'")
        for claim in self.claim:
            if unknown := set(claim.variants) - variants:
                raise ValueError(
                    f"claim '{claim.text}': no such variant: {', '.join(sorted(unknown))}"
                )
        check_encodings(self.op, 0)
        self._consistent_stream()
        return self

    def _consistent_stream(self) -> None:
        """Check that every variant's streams have a shape."""
        if self.stream is None:
            return
        if self.kind != "stream":
            raise ValueError(f"kind '{self.kind}' has no [stream]")
        for variant in self.variant:
            params = {**(self.rtl.params if self.rtl else {}), **variant.params}
            try:
                found = self.stream.values(params)
            except KeyError as error:
                raise ValueError(f"[stream], variant {variant.name}: no {error}") from error
            if found["mode"] not in ("ecb", "ctr", "gcm"):
                raise ValueError(f"[stream], variant {variant.name}: no mode '{found['mode']}'")
            if found["key_bits"] not in (0, 128, 192, 256):
                raise ValueError(f"[stream], variant {variant.name}: key_bits")

    def _consistent_block(self) -> None:
        """Check the rules for accelerators on a bus or a stream."""
        if self.rtl is None or self.op or not self.bench:
            raise ValueError(f"kind '{self.kind}' needs [rtl] and [[bench]], and has no [[op]]")
        benches = [bench.name for bench in self.bench]
        _no_twins([*benches, "none"], "bench")
        variants = {variant.name for variant in self.variant}
        for bench in self.bench:
            if unknown := set(bench.variants) - variants:
                raise ValueError(f"bench {bench.name}: no such variant: {', '.join(unknown)}")
        for bug in self.bug:
            if bug.bench not in (*benches, "none"):
                raise ValueError(f"bug {bug.name}: no such bench: '{bug.bench}'")

    @property
    def outside_core(self) -> bool:
        """Tell whether the RTL is on a bus or a stream, and not in a core's pipeline."""
        return self.kind not in ("instruction", "set", "software")

    @property
    def is_unit(self) -> bool:
        """Tell whether the RTL has the functional-unit port: a unit, or a set of units."""
        return self.kind in ("instruction", "set")

    @property
    def on_bus(self) -> bool:
        """Tell whether the RTL is in a core's address space."""
        return self.kind in ("mmio", "dma")

    def circuit(self, variant: Variant) -> tuple[str, dict[str, str | int]]:
        """Return the top of a variant's RTL and its parameters; equal ones make equal hardware."""
        if isinstance(variant, Part):
            return variant.top, variant.params
        if self.rtl is None:
            return "", {}
        return variant.top or self.rtl.top, {**self.rtl.params, **variant.params}

    def operations(self, variant: Variant) -> list[Operation]:
        """The operations that a variant has, in the order of their codes."""
        return [op for op in self.op if variant.offers(op.mnemonic)]

    def checks_key(self, variant: Variant) -> bool:
        """Tell whether a variant's calls return AES_ERR_KEY for a key that was cleared."""
        return any(fnmatchcase(variant.name, pattern) for pattern in self.sw.checks_key)

    def is_stateless(self, variant: Variant) -> bool:
        """Tell whether a variant's unit keeps nothing between operations."""
        return self.stateless if variant.stateless is None else variant.stateless

    def latency(self, operation: Operation, variant: Variant) -> int:
        """Cycles from request to response of an operation in a variant's idle unit."""
        usual = operation.latency if variant.latency is None else variant.latency
        return variant.latencies.get(operation.mnemonic, usual)

    def key_words(self, variant: Variant) -> int:
        """Size of a variant's aes_key_t without `rounds`, 32-bit words."""
        return self.sw.key_words if variant.key_words is None else variant.key_words

    def macros(self, variant: Variant) -> tuple[str, ...]:
        """C macros that give the kernel contract's types their sizes (aes_kernel.h)."""
        state = (f"AES_UNIT_STATE_WORDS={variant.state_words}",) if variant.state_words else ()
        return (f"AES_KEY_WORDS={self.key_words(variant)}", *state)

    def has_ecc(self, variant: Variant) -> bool:
        """Tell whether a variant is asked the questions about elliptic curves."""
        return self.sw.ecc is not None and variant.ecc

    def claims(self, test: str, variant: Variant) -> bool:
        """Tell whether a claim that a question or proof shows is made for a variant."""
        return any(
            claim.test == test and (not claim.variants or variant.name in claim.variants)
            for claim in self.claim
        )

    def skipped(self, what: str) -> Skip | None:
        """The reason why something is left out, if it is."""
        return next((skip for skip in self.skip if skip.what == what), None)


def check_encodings(operations: Sequence[Operation], opcode: int) -> None:
    """Refuse encodings that collide, once every major opcode is replaced by `opcode` (0: kept)."""
    seen: list[tuple[str, Encoding]] = []
    for operation in operations:
        encoded = operation.parsed.with_opcode(opcode) if opcode else operation.parsed
        for mnemonic, other in seen:
            if encoded.collides(other):
                raise ValueError(f"encodings of {mnemonic} and {operation.mnemonic} collide")
        seen.append((operation.mnemonic, encoded))
        if operation.parsed.opcode == encoding.CUSTOM_0 and "rs3" not in operation.parsed.registers:
            for funct7 in PICORV32_IRQ_FUNCT7:
                taken = encoding.parse(f"{funct7:07b} rs2 rs1 {encoded.funct3:03b} rd 0001011")
                if encoded.collides(taken):
                    raise ValueError(
                        f"{operation.mnemonic}: custom-0 with funct7 {funct7:07b} belongs to"
                        " PicoRV32's interrupt instructions"
                    )


def _no_twins(names: list[str], what: str) -> None:
    """Refuse a name that occurs twice."""
    if twins := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{what} named twice: {', '.join(twins)}")


@dataclass(frozen=True)
class Member:
    """A unit with one of its variants, alone or in a set."""

    accelerator: "Accelerator"
    variant: Variant


@dataclass(frozen=True)
class KernelPart:
    """Files of a kernel that are compiled with the same flags, and the unit that they are of."""

    owner: str
    files: tuple[Path, ...]
    cflags: tuple[str, ...]
    defines: tuple[str, ...]


class Accelerator:
    """A manifest and its folder; of a set also its units, by variant."""

    def __init__(
        self,
        folder: Path,
        manifest: Manifest,
        joined: Mapping[str, tuple[Member, ...]] | None = None,
    ) -> None:
        self.folder = folder
        self.manifest = manifest
        self._joined = joined or {}

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.manifest.name

    def variant(self, name: str) -> Variant:
        """Return a variant by name (the first one for an empty name)."""
        if not name:
            return self.manifest.variant[0]
        for variant in self.manifest.variant:
            if variant.name == name:
                return variant
        known = ", ".join(variant.name for variant in self.manifest.variant)
        raise UsageError(f"{self.name} has no variant '{name}'", f"it has: {known}")

    def hardware(self, name: str) -> Variant:
        """Return a variant by name (the first one for an empty name), or a part."""
        part = next((part for part in self.manifest.part if part.name == name), None)
        return part or self.variant(name)

    def file(self, relative: str) -> Path:
        """Return a file of the folder, or raise if the manifest names one that is not there."""
        path = self.folder / relative
        if not path.is_file():
            raise ManifestError(
                f"{self.folder.name}/accel.toml names '{relative}', which does not exist",
                "create the file or correct the manifest",
            )
        return path

    def bugs(self) -> dict[str, Bug]:
        """The planted bugs that benches and proofs may name: shared ones and its own."""
        return planted.known(self.manifest.bug, self.folder)

    def members(self, variant: Variant) -> tuple[Member, ...]:
        """The units of a variant of a set; of any other accelerator itself."""
        return self._joined.get(variant.name) or (Member(self, variant),)

    def units(self) -> list["Accelerator"]:
        """The units of all variants of a set; of any other accelerator itself."""
        found = {m.accelerator.name: m.accelerator for v in self._joined.values() for m in v}
        return list(found.values()) or [self]

    def own_files(self) -> list[Path]:
        """The kernel's sources in the folder."""
        return [self.file(path) for path in self.manifest.sw.kernel]

    def kernel_files(self, variant: Variant | None = None) -> list[Path]:
        """The kernel's C and assembly sources, of the first variant unless one is given."""
        chosen = variant or self.manifest.variant[0]
        return [path for part in self.kernel_parts(chosen) for path in part.files]

    def kernel_parts(self, variant: Variant) -> list[KernelPart]:
        """The kernel as it is compiled. A set's units keep their own flags.

        Of several units with state each gets a name of its own for the functions that save and
        restore it (STATE_CALLS).
        """
        macros = self.manifest.macros(variant)
        if not self._joined:
            files = self.own_files() + ([] if (c := self.cipher()) is None else c.own_files())
            flags = (*self.manifest.sw.cflags, *variant.cflags)
            return [KernelPart(self.name, tuple(files), flags, (*macros, *variant.defines))]
        members = self.members(variant)
        several = len(self.with_state(variant)) > 1
        parts: list[KernelPart] = []
        for member in members:
            unit, chosen = member.accelerator, member.variant
            software = unit.manifest.sw
            names = [f"{c}={unit.name}_{c}" for c in STATE_CALLS if several and chosen.state_words]
            defines = (*macros, *variant.defines, *names)
            flags = (*software.cflags, *chosen.cflags)
            parts.append(KernelPart(unit.name, tuple(unit.own_files()), flags, defines))
        if all(member.accelerator.manifest.sw.cipher for member in members):
            baseline = members[0].accelerator.cipher()
            assert baseline is not None
            flags = tuple(self.manifest.sw.cflags)
            parts.append(KernelPart(baseline.name, tuple(baseline.own_files()), flags, macros))
        if own := tuple(self.own_files()):
            flags = (*self.manifest.sw.cflags, *variant.cflags)
            parts.append(KernelPart(self.name, own, flags, (*macros, *variant.defines)))
        return parts

    @property
    def hashes(self) -> bool:
        """Tell whether a unit without AES is in it: what it does is seen in AES-GCM."""
        return self._seen_in("gcm")

    @property
    def digests(self) -> bool:
        """Tell whether a unit without AES is in it whose work is seen in SHA-256."""
        return self._seen_in("sha256")

    def _seen_in(self, example: str) -> bool:
        found = [unit.manifest.sw for unit in self.units()]
        return any(software.cipher and software.example == example for software in found)

    def with_state(self, variant: Variant) -> list[Member]:
        """The units of a variant that keep something between operations."""
        return [member for member in self.members(variant) if member.variant.state_words]

    def emulations(self, variant: Variant) -> list[Path]:
        """Every operation in plain C."""
        parts = [m.accelerator for m in self.members(variant)]
        return [part.file(part.manifest.sw.emul) for part in parts]

    def models(self, variant: Variant | None = None) -> list[Path]:
        """The Python models of the operations: of a variant, or of all."""
        chosen = self.units() if variant is None else [m.accelerator for m in self.members(variant)]
        return [unit.file("test/model.py") for unit in chosen]

    def cipher(self) -> "Accelerator | None":
        """The software baseline that is the cipher beside a unit without AES."""
        name = self.manifest.sw.cipher
        return load(_baseline(self.folder, name)) if name else None

    def curves(self, variant: Variant) -> "Accelerator":
        """The unit of a variant whose sources replace functions of the curves; else the first."""
        units = [member.accelerator for member in self.members(variant)]
        return next((unit for unit in units if unit.manifest.sw.ecc is not None), units[0])

    def ecc_files(self, variant: Variant) -> list[Path]:
        """The sources that only the questions about curves need."""
        unit = self.curves(variant)
        return [unit.file(path) for path in unit.manifest.sw.ecc or ()]


_read: dict[Path, tuple[tuple[int, ...], Accelerator]] = {}  # by file: its state when it was read


def load(folder: Path) -> Accelerator:
    """Read and validate `folder`/accel.toml; ManifestError says file, key and reason.

    A file that is as it was is read once: every command asks for manifests many times.
    """
    path = folder / "accel.toml"
    now = state_of(path)
    if now and path in _read and _read[path][0] == now:
        kept = _read[path][1]
        # A set is as it was if its units are.
        if kept.units() == [kept] or all(load(unit.folder) is unit for unit in kept.units()):
            return kept
    accelerator = _load(folder, path)
    _read[path] = now, accelerator
    return accelerator


def _load(folder: Path, path: Path) -> Accelerator:
    manifest = toml.load(path, Manifest, "docs/architecture.md section 1 lists the keys")
    if manifest.name != folder.name:
        raise ManifestError(f"{path}: name '{manifest.name}' differs from the folder's name")
    _require_inside(path, manifest)
    if manifest.sw.cipher:
        _require_cipher(path, manifest)
    if manifest.kind == "set":
        return _join(path, manifest)
    return Accelerator(folder, manifest)


def _join(path: Path, manifest: Manifest) -> Accelerator:
    """Return a set with everything that follows from its units."""
    units: dict[str, Accelerator] = {}
    joined: dict[str, tuple[Member, ...]] = {}
    variants: list[Variant] = []
    for variant in manifest.variant:
        members: list[Member] = []
        for label in variant.units:
            name, _, chosen = label.partition("/")
            where = f"{path}: variant {variant.name}"
            if name not in units:
                units[name] = _member(path.parent.parent / name, where)
            try:
                members.append(Member(units[name], units[name].variant(chosen)))
            except UsageError as error:
                raise ManifestError(f"{where}: {error.message}", error.hint) from error
        try:
            sets.require_fit(members)
        except ValueError as error:
            raise ManifestError(f"{path}: variant {variant.name}: {error}") from error
        joined[variant.name] = tuple(members)
        made = sets.variant_values(variant, members)
        variants.append(Variant.model_validate({**variant.model_dump(), **made}))
    try:
        found = sets.values(manifest, units)
    except ValueError as error:
        raise ManifestError(f"{path}: {error}") from error
    rtl = Rtl(top=sets.TOP)
    whole = manifest.model_copy(update={**found, "rtl": rtl, "variant": variants})
    return Accelerator(path.parent, whole, joined)


def _member(home: Path, where: str) -> Accelerator:
    """Load a unit of a set."""
    if not (home / "accel.toml").is_file():
        raise ManifestError(f"{where}: there is no unit '{home.name}'")
    # Not by load(): two sets might name each other.
    if (kind := toml.read(home / "accel.toml").get("kind")) != "instruction":
        raise ManifestError(f"{where}: {home.name} is of kind '{kind}', which no set holds")
    return load(home)


def _baseline(folder: Path, name: str) -> Path:
    """Return the folder of a software baseline of the tree that an accelerator's is in."""
    return folder.parents[1] / "sw" / "ref" / name


def _require_cipher(path: Path, manifest: Manifest) -> None:
    """Refuse an sw.cipher that is not there, and keys that are too short for it."""
    name = manifest.sw.cipher
    home = _baseline(path.parent, name)
    if not (home / "accel.toml").is_file():
        known = ", ".join(p.parent.name for p in toml.below(home.parent, "accel.toml"))
        raise ManifestError(f"{path}: sw.cipher: there is no sw/ref/{name}", f"known: {known}")
    needed = load(home).manifest.sw.key_words
    if manifest.sw.key_words < needed:
        raise ManifestError(f"{path}: sw.key_words: sw/ref/{name} needs {needed}")


def _require_inside(path: Path, manifest: Manifest) -> None:
    """Refuse paths that leave the repository."""
    software = manifest.sw
    own = [("sw.kernel", name) for name in software.kernel]
    own += [("sw.emul", software.emul)] if software.emul else []
    own += [("sw.ecc", name) for name in software.ecc or ()]
    for bench in manifest.bench:
        own.append((f"bench {bench.name}: module", bench.module))
    changed = [(f"bug {b.name}: file", e.file) for b in manifest.bug for e in b.edits]
    toml.require_below(path, changed, "the accelerator's folder")
    toml.require_inside(path, own + changed)
    planted.require_once(path, manifest.bug)
    proofs = [
        (f"proof {proof.name}: sources", p) for proof in manifest.proof for p in proof.sources
    ]
    toml.require_inside(path, proofs, path.parent, ROOT)
    # Tools and exports take files of the folder that no key names.
    toml.require_inside(path, [("link", name) for name in _links(path.parent)])
    if (source := manifest.source) is not None:
        peer = [("source.files", name) for name in source.files]
        peer += [("source.includes", name) for name in source.includes]
        toml.require_below(path, peer, "the unpacked source")


def _links(folder: Path) -> list[str]:
    """The symbolic links below a folder."""
    return [
        str(place.relative_to(folder))
        for parent, folders, files in os.walk(folder)
        for place in (Path(parent, name) for name in (*folders, *files))
        if place.is_symlink()
    ]


def require_unit(accelerator: Accelerator, otherwise: str) -> None:
    """Raise a UsageError that ends with `otherwise` unless an accelerator is an instruction."""
    kind = accelerator.manifest.kind
    if not accelerator.manifest.is_unit:
        what = "software" if kind == "software" else f"of kind '{kind}'"
        names = ", ".join(found.name for found in units())
        raise UsageError(f"{accelerator.name} is {what}: {otherwise}", f"instructions: {names}")


def aes_units(root: Path = ROOT) -> list[Accelerator]:
    """Load the units whose operations encrypt or decrypt."""
    return [found for found in units(root) if not found.manifest.sw.cipher]


def require_aes(accelerator: Accelerator, otherwise: str) -> None:
    """Raise a UsageError that ends with `otherwise` for a unit whose AES is software."""
    if accelerator.manifest.sw.cipher:
        names = ", ".join(found.name for found in aes_units())
        raise UsageError(f"{accelerator.name} has no AES: {otherwise}", f"units with AES: {names}")


def kernels(root: Path = ROOT) -> list[Accelerator]:
    """Load everything that is a cipher kernel on a core: instruction units and software."""
    return [found for found in discover(root) if not found.manifest.outside_core]


def on_cores(root: Path = ROOT) -> list[Accelerator]:
    """Load everything that is measured on the cores: what has a kernel, and sets."""
    return [f for f in discover(root) if f.manifest.sw.kernel or f.manifest.kind == "set"]


def units(root: Path = ROOT) -> list[Accelerator]:
    """Load every unit with the functional-unit port, sets of units too."""
    return [found for found in discover(root) if found.manifest.is_unit]


def discover(root: Path = ROOT) -> list[Accelerator]:
    """Load every accelerator and baseline of the repository, sorted by place and name."""
    found: list[Accelerator] = []
    for parent in ROOTS:
        found += [load(path.parent) for path in toml.below(root / parent, "accel.toml")]
    names = [accelerator.name for accelerator in found]
    if twins := sorted({name for name in names if names.count(name) > 1}):
        raise ManifestError(f"two folders share the name {', '.join(twins)}")
    return found


def find(name: str) -> Accelerator:
    """Return one accelerator by name, or raise a UsageError that lists what there is."""
    everything = discover()
    for accelerator in everything:
        if accelerator.name == name:
            return accelerator
    known = ", ".join(accelerator.name for accelerator in everything)
    raise UsageError(f"there is no accelerator '{name}'", f"known: {known}")


def choose(label: str, variant: str = "") -> tuple[Accelerator, Variant]:
    """Return what NAME or NAME/VARIANT stands for; `variant` says the same in another option."""
    name, _, named = label.partition("/")
    if named and variant and named != variant:
        raise UsageError(f"two variants: '{named}' and '{variant}'", f"{name}/{named} says it all")
    accelerator = find(name)
    return accelerator, accelerator.variant(named or variant)
