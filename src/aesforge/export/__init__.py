# SPDX-License-Identifier: Apache-2.0
"""`aesforge export`: one accelerator for one host, as a folder that is ready to use.

RTL in compile order, C, a FuseSoC core, documentation of the operations, a self-checking bench, an
instance to copy, hints for constraints, and the recorded figures.
"""

import contextlib
import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aesforge import __version__
from aesforge.base.errors import ManifestError, UsageError
from aesforge.build import codegen, integrate
from aesforge.catalog import encoding
from aesforge.catalog.manifest import Accelerator, Claim, Variant
from aesforge.export import figures, flat, front_ends, hosts, patches, samples, vectors
from aesforge.export.request import Asked, render, write_files

MADE = "export.json"  # what an export consists of
_PROGRAMS = (
    *("fips197.h", "fips197.c", "main.c", "vectors.h", "vectors.c", "vectors_main.c"),
    *("accel.mk", "Makefile"),
)
_SLACK = 64  # clocks that an answer may take beyond the slowest operation's latency and wait
_DEFAULT_PERIOD = 20.0  # ns, where no clock was measured


@dataclass(frozen=True)
class Exported:
    """What was written."""

    folder: Path
    top: str  # the module to instantiate
    vlnv: str  # the FuseSoC core's name
    rtl: tuple[str, ...]  # in compile order, below rtl/
    operations: int  # that the bench asks, or registers that it reads


def export(
    accelerator: Accelerator,
    variant: Variant,
    host_name: str,
    folder: Path,
    *,
    flat_file: bool = False,
    force: bool = False,
) -> Exported:
    """Write the folder; a UsageError says what cannot be exported or where nothing can be written.

    Without `force` the folder must be new or empty. With it, the files of an earlier export are
    removed; other files stay.
    """
    asked = Asked(accelerator, variant, hosts.find_for(accelerator, host_name), flat_file)
    _require_host(asked)
    created = _claim(folder, force)
    try:
        with tempfile.TemporaryDirectory(prefix="aesforge-export-") as made:
            make = _make_front_end if accelerator.manifest.outside_core else _make
            done = make(asked, Path(made) / "out", Path(made) / "scratch")
            _install(Path(made) / "out", folder)
    except BaseException:
        if created and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        raise
    return Exported(folder, asked.host.top, asked.vlnv, done[0], done[1])


def hosts_of(accelerator: Accelerator, variant: Variant) -> list[str]:
    """Return the hosts that a variant can be exported for, by name."""
    found: list[str] = []
    for host in hosts.discover():
        with contextlib.suppress(UsageError, ManifestError):
            _require_host(Asked(accelerator, variant, host, flat=False))
            found.append(host.name)
    return found


def _require_host(asked: Asked) -> None:
    """Raise a UsageError that says why the host cannot take the variant."""
    accelerator, host = asked.accelerator, asked.host
    kind = "instruction" if accelerator.manifest.is_unit else accelerator.manifest.kind
    if kind not in host.kinds:
        raise UsageError(
            f"{accelerator.name} is of kind '{accelerator.manifest.kind}', host {host.name} takes"
            f" {' and '.join(host.kinds)}"
        )
    if accelerator.manifest.outside_core:
        front_ends.front_end(accelerator, host)
    else:
        integrate.require_fit(accelerator, asked.variant, host.name)
        # Encodings that the port cannot carry are an error here, not after the work.
        codegen.layout(accelerator, asked.variant, integrate.opcode_of(host.name))


# The folder ---------------------------------------------------------------------------------------


def _claim(folder: Path, force: bool) -> bool:
    """Make sure that files can be written; return whether the folder was made for it."""
    created = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        used = any(folder.iterdir())
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from error
    if used and not force:
        raise UsageError(f"{folder} is not empty", "choose another folder, or say --force")
    return created


def _install(made: Path, folder: Path) -> None:
    """Put a finished export in its place; the files of an earlier one go first."""
    try:
        for name in _earlier(folder):
            (folder / name).unlink(missing_ok=True)
        files = sorted(path for path in made.rglob("*") if path.is_file())
        # Write the list first, so that the next export can clean up an interrupted copy.
        for path in sorted(files, key=lambda path: path.name != MADE):
            target = folder / path.relative_to(made)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}") from error


def _earlier(folder: Path) -> list[str]:
    """Files of an earlier export in the folder, itself excepted; empty if there is none."""
    try:
        listed = json.loads((folder / MADE).read_text(encoding="utf-8"))["files"]
        root = folder.resolve()
        return [name for name in listed if (folder / name).resolve().is_relative_to(root)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


# What is in it ------------------------------------------------------------------------------------


def _make(asked: Asked, out: Path, scratch: Path) -> tuple[tuple[str, ...], int]:
    """Write everything into `out`; return RTL files and the number of the bench's operations."""
    accelerator, variant, host = asked.accelerator, asked.variant, asked.host
    listed = integrate.hand_out(accelerator, variant, host.name, out)
    values = _values(asked)

    def write(name: str, template: str) -> None:
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(template, values), encoding="utf-8")

    values["rows"] = samples.rows(accelerator, variant)
    for name in _PROGRAMS:
        write(f"sw/{name}", f"{name}.j2")
    write_files(host, values, out)
    rtl = [path.name for path in listed]
    if host.wrapper:
        rtl.append(f"{host.wrapper}.sv")
        write(f"rtl/{rtl[-1]}", f"hosts/{host.name}/wrapper.sv.j2")
    if asked.flat:
        rtl = [_flatten(asked, out / "rtl", rtl, scratch)]
    (out / "rtl" / "files.f").write_text("".join(f"{name}\n" for name in rtl), encoding="utf-8")

    listed_examples = examples(accelerator)
    found = vectors.make(accelerator, variant, host.name, out / "sw", listed_examples, scratch)
    values |= {"rtl": rtl, "traced": found.standard, "count": len(found.lines)}
    values["count_operations"] = found.operations
    values["patched"] = patches.write(host.name, out)
    write("tb/accel_tb.sv", "tb.sv.j2")
    (out / "tb" / "accel_tb.hex").write_text(found.text, encoding="utf-8")
    values["notes"] = render(f"hosts/{host.name}/notes.md.j2", values)
    write("example/instance.sv", f"hosts/{host.name}/instance.sv.j2")
    write("docs/operations.md", "operations.md.j2")
    write(f"constraints/{host.top}.sdc", "constraints.sdc.j2")
    write("lint/waivers.vlt", "waivers.vlt.j2")
    write(f"{asked.label}.core", "core.j2")
    write("README.md", "readme.md.j2")
    _list_files(asked, out, rtl)
    return tuple(rtl), found.operations


def _make_front_end(asked: Asked, out: Path, scratch: Path) -> tuple[tuple[str, ...], int]:
    """Write everything into `out`; return RTL files and the number of registers that are read."""
    rtl, values = front_ends.make(asked, out, scratch)
    found, host = asked.accelerator.manifest, asked.host
    values |= {
        "name": asked.accelerator.name,
        "variant": asked.variant.name,
        "variant_summary": asked.variant.summary,
        "summary": found.summary,
        "host": host,
        "top": host.top,
        "flat": asked.flat,
        "vlnv": asked.vlnv,
        "version": __version__,
        "period": _DEFAULT_PERIOD,
        "claims": _claims(asked),
    }
    rtl.append(f"{host.top}.sv")
    (out / "rtl" / rtl[-1]).write_text(front_ends.wrapper_sv(values), encoding="utf-8")
    if asked.flat:
        rtl = [_flatten(asked, out / "rtl", rtl, scratch)]
    (out / "rtl" / "files.f").write_text("".join(f"{name}\n" for name in rtl), encoding="utf-8")
    front_ends.write(asked, out, rtl, values)
    _list_files(asked, out, rtl)
    return tuple(rtl), len(values["reads"])


def _claims(asked: Asked) -> list[Claim]:
    """What is promised of the variant."""
    variant, claims = asked.variant.name, asked.accelerator.manifest.claim
    return [claim for claim in claims if not claim.variants or variant in claim.variants]


def _flatten(asked: Asked, rtl: Path, names: Iterable[str], scratch: Path) -> str:
    """Replace the sources by one file of plain Verilog; return its name."""
    sources = [rtl / name for name in names]
    top = asked.host.top
    params: dict[str, int] = {}
    if asked.host.name == "cvxif":
        params = {"NumRs": codegen.traits(asked.accelerator, asked.variant).operands}
    what = f"{asked.accelerator.name}/{asked.variant.name} on {asked.host.title}"
    text = flat.verilog(
        sources, top, params, scratch, f"{what}; generated, with all of its modules."
    )
    for path in rtl.glob("*.sv"):
        path.unlink()
    (rtl / f"{top}.v").write_text(text, encoding="utf-8")
    return f"{top}.v"


def _list_files(asked: Asked, out: Path, rtl: list[str]) -> None:
    """Write export.json: what was exported, and the hash of every file."""
    files = sorted(path for path in out.rglob("*") if path.is_file())
    hashes = {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
    told = {
        "accelerator": asked.accelerator.name,
        "variant": asked.variant.name,
        "host": asked.host.name,
        "flat": asked.flat,
        "version": __version__,
        "license": "Apache-2.0",
        "core": asked.vlnv,
        "top": asked.host.top,
        "rtl": rtl,
        "files": hashes,
    }
    (out / MADE).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def _values(asked: Asked) -> dict[str, Any]:
    """What the templates may speak of."""
    accelerator, variant, host = asked.accelerator, asked.variant, asked.host
    found = accelerator.manifest
    opcode = integrate.opcode_of(host.name)
    numbered = host.name in integrate.NUMBERED
    measured = figures.find(accelerator, variant, host.name)
    latencies = [found.latency(op, variant) for op in found.operations(variant)]
    macros = asked.macros
    more = ["AES-GCM"] * accelerator.hashes + ["SHA-256"] * accelerator.digests
    return {
        "name": accelerator.name,
        "variant": variant.name,
        # A unit without AES is seen at work in AES-GCM or SHA-256.
        "hashes": accelerator.hashes,
        "digests": accelerator.digests,
        "standard": more[-1] if more else "FIPS 197",
        "standards": " and ".join(["FIPS 197", *more]),
        "examples": examples(accelerator),
        "variant_summary": variant.summary,
        "summary": found.summary,
        "directions": variant.directions,
        "decrypts": "decrypt" in variant.directions,
        "host": host,
        "top": host.top,
        "flat": asked.flat,
        "simulators": ["icarus", "verilator"] if asked.flat else host.simulators,
        "vlnv": asked.vlnv,
        "version": __version__,
        "kernel": integrate.kernel_names(accelerator, variant),
        "curves": integrate.curve_names(accelerator, variant),
        "emul": " ".join(integrate.emulation_names(accelerator, variant)),
        "cflags": [*found.sw.cflags, *variant.cflags, *macros],
        "arch": host.arch,
        "layout": codegen.layout(accelerator, variant, opcode),
        "operations": _operations(asked, opcode, numbered=numbered),
        "opcode": opcode,
        "numbered": numbered,
        "stateless": found.is_stateless(variant),
        "state_words": variant.state_words,
        "combinational": not any(latencies),
        "num_rs": codegen.traits(accelerator, variant).operands,
        "limit": max(latencies) + variant.busy + _SLACK,
        "period": _period(measured),
        "claims": _claims(asked),
        "speed": measured.speed,
        "sizes": measured.sizes,
        "area": measured.area,
        "inside": measured.inside,
        "alone": "the unit alone, without adapter and decoder",
        "placed": measured.placed,
        "critical_path": measured.critical_path,
        "critical_record": measured.critical_record,
    }


def examples(accelerator: Accelerator) -> list[str]:
    """Return the C files that run the standards' examples, the kernel left out."""
    gcm = ["aes_gcm.c", "aes_gcm_message.c"] if accelerator.hashes else []
    digest = ["sha256.c"] if accelerator.digests else []
    return ["fips197.c", "aes_modes.c", *gcm, *digest]


def _period(measured: figures.Figures) -> float:
    """Clock period in ns for the hints: the standard cells' path says nothing of an FPGA."""
    return max(_DEFAULT_PERIOD, measured.critical_path or 0.0)


def _operations(asked: Asked, opcode: str, *, numbered: bool) -> list[dict[str, Any]]:
    """Rows of the table of operations."""
    found = asked.accelerator.manifest
    by_name = {op.mnemonic: op for op in found.op}
    layout = codegen.layout(asked.accelerator, asked.variant, opcode)
    listed: list[dict[str, Any]] = []
    for op in layout.operations:
        arguments = [*op.encoding.registers, *(imm.name for imm in op.encoding.immediates)]
        pattern = op.encoding.pattern.split()
        if opcode:
            pattern[-1] = f"{encoding.OPCODES[opcode]:07b}"
        places = [f"{f.name} << {f.lsb}" for f in layout.fields]
        used = [imm.name for imm in op.encoding.immediates]
        terms = [f"{op.code}", *(text for text in places if text.split()[0] in used)]
        listed.append(
            {
                "mnemonic": op.mnemonic,
                "call": f"{op.mnemonic}({', '.join(arguments)})",
                "bits": " + ".join(terms) if numbered else " ".join(pattern),
                "latency": found.latency(by_name[op.mnemonic], asked.variant),
                "semantics": op.semantics,
                "mask": op.encoding.mask,
                "value": op.encoding.value,
            }
        )
    return listed
