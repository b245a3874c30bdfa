# SPDX-License-Identifier: Apache-2.0
"""Real files through a simulated stream accelerator (sim/stream/harness.cpp).

`python -m aesforge.stream_sim NAME/VARIANT --key HEX --in FILE --out FILE` is the command.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge import block_bench, manifest, proc, simulate
from aesforge.errors import AesforgeError, SimulationError, UsageError
from aesforge.manifest import Accelerator, Variant
from aesforge.paths import BUILD, ROOT

HARNESS = ROOT / "sim" / "stream" / "harness.cpp"
BLOCK = 16  # bytes
SECONDS_FLOOR = 600.0  # wall-clock bound of a run: ...
SECONDS_PER_BLOCK = 0.002  # ... a hundred times what is expected

_FLAGS = (
    *("--cc", "--exe", "-O3", "--prefix", "Vtop", "-o", "stream"),
    *("--x-assign", "fast", "--x-initial", "fast", "--no-assert", "-Wno-fatal", "-Wno-lint"),
    *("--output-split", "0"),
)


@dataclass(frozen=True)
class Traffic:
    """What goes through: keys in the order of their slots, and how the streams pause.

    `decrypt`: 0, 1, or 2 for every second block. `switch`: blocks before the next slot's turn.
    `idle`, `stall`: percent of cycles without an offered block, without taking one. `iv`: CTR.
    """

    keys: tuple[bytes, ...]
    iv: bytes = b""
    decrypt: int = 0
    switch: int = 1
    idle: int = 0
    stall: int = 0
    seed: int = 1


@dataclass(frozen=True)
class Passed:
    """What a run took: clock cycles from the first block in to the last one out, wall seconds."""

    blocks: int
    cycles: int
    seconds: float


def build(accelerator: Accelerator, variant: Variant, bug: str = "") -> Path:
    """Return the simulator of a variant, with the macro `bug` defined in the RTL if given.

    UsageError if it is no stream; ToolError if Verilator or the compiler fails.
    """
    rtl = accelerator.manifest.rtl
    if accelerator.manifest.kind != "stream" or rtl is None:
        raise UsageError(f"{accelerator.name} is no stream")
    params = block_bench.parameters(accelerator, variant)
    settings = [
        f"-G{name}=" + (f'"{value}"' if isinstance(value, str) else str(value))
        for name, value in params.items()
    ]
    defines = [f"-D{bug}"] if bug else []
    files = accelerator.rtl_files()
    key = proc.digest(
        *(simulate.verilator_version(), proc.version_line("c++"), HARNESS),
        *("\0".join((*_FLAGS, *settings, *defines, rtl.top)),),
        *(part for path in files for part in (path.name, path)),
    )[:24]
    roots = {"VERILATOR_ROOT": str(simulate.verilator_root())}
    log = BUILD / "logs" / f"stream-{accelerator.name}-{variant.name}-{key}.log"

    def make(folder: Path) -> None:
        program = simulate.verilator_root() / "bin" / "verilator"
        words: list[str | Path] = [program, *_FLAGS, "--top-module", rtl.top, *settings, *defines]
        words += ["-Mdir", folder, *files, HARNESS]
        proc.run(words, timeout=simulate.BUILD_SECONDS, env=roots, log=log)
        with simulate.runtime(folder, trace=False):
            proc.run(
                [
                    "make",
                    "-C",
                    folder,
                    "-f",
                    "Vtop.mk",
                    "OPT_FAST=-O2",
                    "VM_PARALLEL_BUILDS=0",
                ],
                timeout=simulate.BUILD_SECONDS,
                env=roots,
                log=log,
            )

    return simulate.cached(BUILD / "stream" / key, make) / "stream"


def run(program: Path, source: Path, target: Path, traffic: Traffic) -> Passed:
    """Send a file through and write what comes out; SimulationError if the stream misbehaves."""
    if not traffic.iv and source.stat().st_size % BLOCK:
        raise UsageError(f"{source} is no whole number of blocks", "only CTR takes any length")
    words: list[str | Path] = [program, f"+in={source}", f"+out={target}"]
    words += [f"+key={key.hex()}" for key in traffic.keys]
    words += [f"+iv={traffic.iv.hex()}"] if traffic.iv else []
    words += [
        f"+{name}={getattr(traffic, name)}"
        for name in ("decrypt", "switch", "idle", "stall", "seed")
    ]
    blocks = source.stat().st_size // BLOCK + 1
    done = proc.run(words, timeout=SECONDS_FLOOR + SECONDS_PER_BLOCK * blocks, check=False)
    last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no word"
    if done.status != 0:
        raise SimulationError(f"the stream ended with status {done.status}: {last}")
    found = json.loads(last)
    return Passed(int(found["blocks"]), int(found["cycles"]), float(found["seconds"]))


def openssl(text: bytes, traffic: Traffic) -> bytes:
    """Return what OpenSSL makes of the same bytes under the same keys."""
    if traffic.iv:
        whole = Cipher(algorithms.AES(traffic.keys[0]), modes.CTR(traffic.iv)).encryptor()
        return whole.update(text) + whole.finalize()
    answers: dict[tuple[int, bool], bytes] = {}
    for slot, key in enumerate(traffic.keys):
        cipher = Cipher(algorithms.AES(key), modes.ECB())
        answers[slot, False] = cipher.encryptor().update(text)
        answers[slot, True] = cipher.decryptor().update(text)
    mixed: list[bytes] = []
    for block in range(len(text) // BLOCK):
        slot = block // traffic.switch % len(traffic.keys)
        decrypt = bool(block & 1) if traffic.decrypt == 2 else bool(traffic.decrypt)
        mixed.append(answers[slot, decrypt][BLOCK * block : BLOCK * (block + 1)])
    return b"".join(mixed)


def _main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m aesforge.stream_sim", description=__doc__)
    parser.add_argument("unit", metavar="NAME/VARIANT")
    parser.add_argument("--in", dest="source", type=Path, required=True)
    parser.add_argument("--out", dest="target", type=Path, required=True)
    parser.add_argument("--key", type=bytes.fromhex, action="append", required=True)
    parser.add_argument("--iv", type=bytes.fromhex, default=b"", help="CTR: first counter block")
    parser.add_argument("--decrypt", action="store_true")
    parser.add_argument("--verify", action="store_true", help="compare with OpenSSL")
    chosen = parser.parse_args(words)
    name, _, variant = chosen.unit.partition("/")
    try:
        accelerator = manifest.find(name)
        traffic = Traffic(tuple(chosen.key), iv=chosen.iv, decrypt=int(chosen.decrypt))
        program = build(accelerator, accelerator.variant(variant))
        passed = run(program, chosen.source, chosen.target, traffic)
        print(f"{passed.blocks} blocks in {passed.cycles} cycles, {passed.seconds:.2f} s")
        if chosen.verify:
            wanted = openssl(chosen.source.read_bytes(), traffic)
            if wanted != chosen.target.read_bytes():
                raise SimulationError("the result differs from OpenSSL's")
            print("equal to OpenSSL's result")
    except AesforgeError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
