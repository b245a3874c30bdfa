# SPDX-License-Identifier: Apache-2.0
"""Encrypt or decrypt a real file on a simulated core with an accelerator."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aesforge.errors import AesforgeError, UsageError
from aesforge.manifest import Accelerator, Variant
from aesforge.paths import BUILD
from aesforge.platform import Platform
from aesforge.simulate import run_model
from aesforge.system import build_system_firmware, build_system_model, require_offered
from aesforge.wire import MODES, stream_header

BLOCK = 16
KEY_BYTES = (16, 24, 32)
MAX_INPUT = 1 << 31  # bytes; the device's count of bytes left is 32 bits wide
PROGRESS_CYCLES = 2_000_000
# Bound of a run: far above the slowest software (about 20,000 cycles a block with modes).
CYCLES_PER_BLOCK = 100_000
CYCLES_FLOOR = 10_000_000
SECONDS_FLOOR = 600.0
SECONDS_PER_BLOCK = 0.5

_COPY_BYTES = 1 << 20


@dataclass(frozen=True)
class Message:
    """What to do with a file. `key` 16, 24 or 32 bytes; `iv` 16 bytes, empty for ECB."""

    mode: str
    decrypt: bool
    key: bytes
    iv: bytes


@dataclass(frozen=True)
class Ran:
    """What a run took: bytes processed, clock cycles of the core, wall seconds."""

    size: int
    cycles: int
    seconds: float


def parse_hex(text: str, what: str, lengths: tuple[int, ...]) -> bytes:
    """Read a hexadecimal key or IV of one of `lengths` bytes."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        raise UsageError(f"the {what} is not hexadecimal") from None
    if len(value) not in lengths:
        allowed = " or ".join(str(2 * length) for length in lengths)
        raise UsageError(f"the {what} has {len(value)} bytes", f"give {allowed} hexadecimal digits")
    return value


def message(mode: str, decrypt: bool, key: str, iv: str | None) -> Message:
    """Check mode, key and IV as given on the command line."""
    if mode not in MODES:
        raise UsageError(f"there is no mode '{mode}'", f"known: {', '.join(MODES)}")
    key_bytes = parse_hex(key, "key", KEY_BYTES)
    if mode == "ecb":
        if iv:
            raise UsageError("ECB takes no IV", "leave --iv out, or choose cbc or ctr")
        return Message(mode, decrypt, key_bytes, b"")
    if not iv:
        raise UsageError(f"{mode.upper()} needs an IV", "give --iv with 32 hexadecimal digits")
    return Message(mode, decrypt, key_bytes, parse_hex(iv, "IV", (BLOCK,)))


def check_length(mode: str, size: int) -> None:
    """Refuse lengths that the mode does not allow (SP 800-38A, section 5.2)."""
    if mode != "ctr" and size % BLOCK:
        raise UsageError(
            f"{mode.upper()} needs a multiple of {BLOCK} bytes, the input has {size}",
            "pad it first (for example PKCS#7), or use ctr",
        )
    if size >= MAX_INPUT:
        raise UsageError(f"the input has {size} bytes, the limit is {MAX_INPUT - 1}")


def run_file(
    accelerator: Accelerator,
    variant: Variant,
    platform: Platform,
    what: Message,
    source: Path,
    target: Path,
    *,
    iwait: int = 0,
    dwait: int = 0,
    vcd: Path | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Ran:
    """Stream `source` through the simulated core into `target` (written only on success).

    `on_progress` gets bytes done and bytes in all.
    """
    require_offered(accelerator, variant, platform)
    if what.decrypt and what.mode != "ctr" and "decrypt" not in variant.directions:
        raise UsageError(
            f"{accelerator.name}/{variant.name} only encrypts", "choose another --variant"
        )
    try:
        size = source.stat().st_size if source.is_file() else None
        handle = source.open("rb")
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    if size is None:
        handle.close()
        raise UsageError(f"cannot read {source}: not a regular file")
    if target.is_dir() or not target.absolute().parent.is_dir():
        handle.close()
        raise UsageError(f"cannot write {target}: no such folder, or a folder itself")
    with handle:
        check_length(what.mode, size)
        firmware = build_system_firmware(accelerator, variant, platform, "stream")
        model = build_system_model(accelerator, variant, platform, trace=vcd is not None)
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="run-") as folder:
            # The key is in this file for the length of the run: nobody else may read it.
            stream_in, stream_out = Path(folder) / "in", Path(folder) / "out"
            stream_in.touch(mode=0o600)
            with stream_in.open("wb") as stream:
                stream.write(stream_header(what.mode, what.decrypt, what.key, what.iv))
                while chunk := handle.read(_COPY_BYTES):
                    stream.write(chunk)
            blocks = size // BLOCK + 1
            result = run_model(
                model,
                firmware.image,
                stream_in=stream_in,
                stream_out=stream_out,
                max_cycles=CYCLES_FLOOR + CYCLES_PER_BLOCK * blocks * (1 + iwait + dwait),
                iwait=iwait,
                dwait=dwait,
                vcd=vcd,
                progress=PROGRESS_CYCLES,
                on_progress=lambda line: _forward(line, size, on_progress),
                seconds=SECONDS_FLOOR + SECONDS_PER_BLOCK * blocks,
            ).require(f"{accelerator.name} on {platform.name}")
            if stream_out.stat().st_size != size:
                raise AesforgeError(
                    f"the core returned {stream_out.stat().st_size} bytes instead of {size}"
                )
            _deliver(stream_out, target)
    on_progress(size, size)
    return Ran(size, result.cycles, result.seconds)


def _forward(line: str, size: int, on_progress: Callable[[int, int], None]) -> None:
    """Turn the simulator's progress line into bytes done."""
    if found := re.search(r"(\d+) bytes left", line):
        on_progress(max(0, size - int(found[1])), size)


def _deliver(result: Path, target: Path) -> None:
    """Copy next to the target, then rename: a failed run leaves an older file as it was."""
    try:
        with (
            result.open("rb") as stream,
            tempfile.NamedTemporaryFile(dir=target.absolute().parent, delete=False) as fresh,
        ):
            while chunk := stream.read(_COPY_BYTES):
                fresh.write(chunk)
        Path(fresh.name).chmod(0o644)
        Path(fresh.name).replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}") from error
