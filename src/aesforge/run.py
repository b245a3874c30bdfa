# SPDX-License-Identifier: Apache-2.0
"""Encrypt or decrypt a real file on a simulated core with an accelerator."""

import re
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from aesforge.errors import AesforgeError, UsageError
from aesforge.manifest import Accelerator, Variant
from aesforge.paths import BUILD
from aesforge.platform import Platform
from aesforge.simulate import run_model
from aesforge.system import build_system_firmware, build_system_model, require_offered
from aesforge.wire import MODES, gcm_header, stream_header

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

GCM = "gcm"
TAG = 16  # bytes; a sealed file ends in its tag
_MAX_PARAMETER = 4096  # bytes of IV or AAD, the program's buffer
_EXIT_TAG = 5  # sw/harness/stream_gcm.c


@dataclass(frozen=True)
class Message:
    """What to do with a file. `key` 16, 24 or 32 bytes; `iv` 16 bytes, any number for GCM, empty
    for ECB; `aad` for GCM."""

    mode: str
    decrypt: bool
    key: bytes
    iv: bytes
    aad: bytes = b""

    @property
    def growth(self) -> int:
        """Bytes that the result is longer than the input."""
        return 0 if self.mode != GCM else -TAG if self.decrypt else TAG


@dataclass(frozen=True)
class Ran:
    """What a run took: bytes processed, clock cycles of the core, wall seconds."""

    size: int
    cycles: int
    seconds: float


def parse_hex(text: str, what: str, lengths: Collection[int]) -> bytes:
    """Read a hexadecimal value of one of `lengths` bytes."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        raise UsageError(f"the {what} is not hexadecimal") from None
    if len(value) not in lengths:
        if isinstance(lengths, range):
            raise UsageError(f"the {what} has {len(value)} bytes, at most {lengths[-1]} are taken")
        allowed = " or ".join(str(2 * length) for length in lengths)
        raise UsageError(f"the {what} has {len(value)} bytes", f"give {allowed} hexadecimal digits")
    return value


def message(mode: str, decrypt: bool, key: str, iv: str | None, aad: str = "") -> Message:
    """Check mode, key, IV and AAD as given on the command line."""
    if mode not in (*MODES, GCM):
        raise UsageError(f"there is no mode '{mode}'", f"known: {', '.join((*MODES, GCM))}")
    if aad and mode != GCM:
        raise UsageError(f"{mode.upper()} authenticates nothing", "leave --aad out, or choose gcm")
    key_bytes = parse_hex(key, "key", KEY_BYTES)
    if mode == "ecb":
        if iv:
            raise UsageError("ECB takes no IV", "leave --iv out, or choose cbc or ctr")
        return Message(mode, decrypt, key_bytes, b"")
    if not iv:
        digits = 24 if mode == GCM else 32
        hint = f"give --iv with {digits} hexadecimal digits"
        raise UsageError(f"{mode.upper()} needs an IV", hint)
    if mode == GCM:
        any_length = range(_MAX_PARAMETER + 1)
        nonce = parse_hex(iv, "IV", any_length)
        return Message(mode, decrypt, key_bytes, nonce, parse_hex(aad, "AAD", any_length))
    return Message(mode, decrypt, key_bytes, parse_hex(iv, "IV", (BLOCK,)))


def check_length(mode: str, size: int, decrypt: bool = False) -> None:
    """Refuse lengths that the mode does not allow (SP 800-38A, section 5.2)."""
    if mode == GCM and decrypt and size < TAG:
        raise UsageError(f"the input has {size} bytes, fewer than the tag at its end")
    if mode not in ("ctr", GCM) and size % BLOCK:
        raise UsageError(
            f"{mode.upper()} needs a multiple of {BLOCK} bytes, the input has {size}",
            "pad it first (for example PKCS#7), or use ctr",
        )
    limit = MAX_INPUT // 2 if mode == GCM else MAX_INPUT  # the core reads a sealed text twice
    if size >= limit:
        raise UsageError(f"the input has {size} bytes, the limit is {limit - 1}")


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
    if what.decrypt and what.mode not in ("ctr", GCM) and "decrypt" not in variant.directions:
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
        check_length(what.mode, size, what.decrypt)
        program = "stream_gcm" if what.mode == GCM else "stream"
        firmware = build_system_firmware(accelerator, variant, platform, program)
        model = build_system_model(accelerator, variant, platform, trace=vcd is not None)
        BUILD.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILD, prefix="run-") as folder:
            # The key is in this file for the length of the run: nobody else may read it.
            stream_in, stream_out = Path(folder) / "in", Path(folder) / "out"
            stream_in.touch(mode=0o600)
            with stream_in.open("wb") as stream:
                _feed(what, size, handle, stream)
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
            )
            if what.mode == GCM and (result.status, result.exit) == ("exit", _EXIT_TAG):
                raise AesforgeError(
                    "the tag is wrong", "file, key, IV or AAD is not what was authenticated"
                )
            result.require(f"{accelerator.name} on {platform.name}")
            if stream_out.stat().st_size != size + what.growth:
                raise AesforgeError(
                    f"the core returned {stream_out.stat().st_size} bytes instead of"
                    f" {size + what.growth}"
                )
            _deliver(stream_out, target)
    on_progress(size, size)
    return Ran(size, result.cycles, result.seconds)


def _feed(what: Message, size: int, source: BinaryIO, stream: BinaryIO) -> None:
    """Write what the program reads: a header, and the text once, or twice if its tag is checked."""
    if what.mode != GCM:
        stream.write(stream_header(what.mode, what.decrypt, what.key, what.iv))
        _copy(source, stream, size)
        return
    text, tag = size, b""
    if what.decrypt:
        text = size - TAG
        source.seek(text)
        tag = source.read(TAG)
    stream.write(gcm_header(what.decrypt, what.key, what.iv, what.aad, text, tag))
    for _ in range(1 + what.decrypt):
        source.seek(0)
        _copy(source, stream, text)


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """Copy `size` bytes, or what there is."""
    while chunk := source.read(min(size, _COPY_BYTES)):
        target.write(chunk)
        size -= len(chunk)


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
