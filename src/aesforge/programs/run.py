# SPDX-License-Identifier: Apache-2.0
"""Encrypt or decrypt a real file on a simulated core with an accelerator."""

import os
import re
import string
import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from aesforge.base import files
from aesforge.base.errors import AesforgeError, UsageError
from aesforge.base.paths import BUILD
from aesforge.build.simulate import run_model
from aesforge.build.system import build_system_firmware, build_system_model, require_offered
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from aesforge.reference import modes
from aesforge.reference.modes import ModeCall
from aesforge.reference.wire import MODES, gcm_header, stream_header

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
_MAX_KEY_FILE = 1024  # bytes; a key with much white space
_MAX_PARAMETER = 4096  # bytes of IV or AAD, the program's buffer
_EXIT_TAG = 5  # sw/harness/stream_gcm.c

# Modes whose messages the core takes whole (sw/harness/modes.c); a MAC's result is the text and the
# tag after it.
MAX_WHOLE = 8192  # bytes of text
TAGGED = ("ccm", "gcm-siv", *modes.MACS)
WHOLE = (*TAGGED, "xts", "kw", "kwp")
ALL_MODES = (*MODES, GCM, *WHOLE)
WITH_AAD = (GCM, "ccm", "gcm-siv")
WITHOUT_IV = ("ecb", "cmac", "kw", "kwp")
_KEY_LENGTHS = {"xts": (32, 64), "gcm-siv": (16, 32)}  # of other modes: KEY_BYTES
# Bytes of an IV; a range's first is what is best.
_IV_LENGTHS: dict[str, Collection[int]] = {
    **{mode: (BLOCK,) for mode in ("cbc", "ctr", "xts")},
    **{"ccm": range(7, 14), "gcm-siv": (12,), "gmac": range(1, 513)},
    GCM: range(_MAX_PARAMETER + 1),
}
_BEST_IV = {GCM: 12, "gmac": 12, "ccm": 13}  # bytes
_FORGED = ("the tag is wrong", "file, key, IV or AAD is not what was authenticated")
# Results of aes_kernel.h that a message may have on the core.
_REFUSALS = {
    modes.UNSUPPORTED: ("the variant only encrypts", "choose another --variant"),
    modes.WEAK_KEY: ("the two halves of the key are equal", "SP 800-38E forbids it"),
    modes.BAD_LENGTH: ("the mode has no message of this length", ""),
    modes.BAD_KEY: ("the mode has no key of this length", ""),
}


@dataclass(frozen=True)
class Message:
    """What to do with a file. Lengths of `key` and `iv` are those that the mode has (`message`);
    `aad` is for modes that authenticate it."""

    mode: str
    decrypt: bool
    key: bytes = field(repr=False)
    iv: bytes
    aad: bytes = b""

    @property
    def growth(self) -> int:
        """Bytes that the result is longer than the input."""
        return 0 if self.mode != GCM else -TAG if self.decrypt else TAG

    def call(self, text: bytes) -> ModeCall:
        """Return the request of a mode of WHOLE; an opened text ends in its tag."""
        tag = b""
        if self.decrypt and self.mode in TAGGED:
            text, tag = text[:-TAG], text[-TAG:]
        aad, text = (text, b"") if self.mode == "gmac" else (self.aad, text)
        command = modes.DECRYPT if self.decrypt else modes.ENCRYPT
        return ModeCall(command, self.mode, self.key, self.iv, aad, text, tag)


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


def key_lengths(mode: str) -> tuple[int, ...]:
    """Return the bytes that a mode's key may have; XTS has two keys."""
    return _KEY_LENGTHS.get(mode, KEY_BYTES)


def read_key(source: Path, lengths: tuple[int, ...] = KEY_BYTES) -> bytes:
    """Read a key file of one of `lengths` bytes.

    Hexadecimal digits and white space alone are read as digits, anything else is the raw key. So a
    digit too few is an error, and not the raw key of another length.
    """
    try:
        with files.open_source(source) as stream:
            found = stream.read(_MAX_KEY_FILE + 1)
    except OSError as error:
        raise UsageError(f"cannot read the key file {source}: {error.strerror}") from None
    digits = b"".join(found.split())
    if digits and not digits.strip(string.hexdigits.encode()):
        if len(digits) in (2 * length for length in lengths):
            return bytes.fromhex(digits.decode("ascii"))
        told = f"holds {len(digits)} hexadecimal digits"
    elif len(found) in lengths:
        return found
    else:
        told = f"holds {'more' * (len(found) > _MAX_KEY_FILE) or len(found)} bytes"
    doubled = tuple(2 * length for length in lengths)
    raise UsageError(
        f"the key file {source} {told}",
        f"{_either(doubled)} hexadecimal digits, or {_either(lengths)} raw bytes",
    )


def _either(numbers: tuple[int, ...]) -> str:
    """Return numbers as a list in words."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}"


def message(mode: str, decrypt: bool, key: str | bytes, iv: str | None, aad: str = "") -> Message:
    """Check mode, key (bytes, or hexadecimal digits), IV and AAD as given on the command line."""
    if mode not in ALL_MODES:
        raise UsageError(f"there is no mode '{mode}'", f"known: {', '.join(ALL_MODES)}")
    name = mode.upper()
    if aad and mode in modes.MACS:
        raise UsageError(f"{name} authenticates the file", "leave --aad out, or choose gcm")
    if aad and mode not in WITH_AAD:
        raise UsageError(f"{name} authenticates nothing", "leave --aad out, or choose gcm")
    lengths = key_lengths(mode)
    key_bytes = key if isinstance(key, bytes) else parse_hex(key, "key", lengths)
    if mode == "xts" and key_bytes[: len(key_bytes) // 2] == key_bytes[len(key_bytes) // 2 :]:
        raise UsageError(*_REFUSALS[modes.WEAK_KEY])
    if mode in WITHOUT_IV:
        if iv:
            raise UsageError(f"{name} takes no IV", "leave --iv out, or choose cbc or ctr")
        return Message(mode, decrypt, key_bytes, b"")
    if not iv:
        digits = 2 * _BEST_IV.get(mode, max(_IV_LENGTHS[mode]))
        raise UsageError(f"{name} needs an IV", f"give --iv with {digits} hexadecimal digits")
    nonce = parse_hex(iv, "IV", _IV_LENGTHS[mode])
    extra = parse_hex(aad, "AAD", range(_MAX_PARAMETER + 1)) if aad else b""
    return Message(mode, decrypt, key_bytes, nonce, extra)


def check_length(mode: str, size: int, decrypt: bool = False) -> None:
    """Refuse lengths that the mode does not allow (SP 800-38A, section 5.2)."""
    if mode in (GCM, *TAGGED) and decrypt and size < TAG:
        raise UsageError(f"the input has {size} bytes, fewer than the tag at its end")
    if mode in ("ecb", "cbc") and size % BLOCK:
        raise UsageError(
            f"{mode.upper()} needs a multiple of {BLOCK} bytes, the input has {size}",
            "pad it first (for example PKCS#7), or use ctr",
        )
    if size > _limit(mode):
        raise UsageError(f"the input has {size} bytes or more, the limit is {_limit(mode)}")
    if mode in WHOLE:
        # Lengths are judged as those of a call of the right key and IV.
        key, iv = bytes(max(key_lengths(mode))), bytes(max(_IV_LENGTHS.get(mode, (0,))))
        call = Message(mode, decrypt, key, iv).call(bytes(size))
        if modes.refused_length(call):
            raise UsageError(f"{mode.upper()} has no message of {size} bytes", _WHOLE_HINT[mode])


# What lengths there are, beside those of `_limit`.
_WHOLE_HINT = {
    "xts": "at least 16 bytes",
    "kw": "a multiple of 8 bytes: a key of 16 or more, or its wrapped form",
    "kwp": "a key of 1 byte or more, or its wrapped form, a multiple of 8 bytes",
}


def _limit(mode: str) -> int:
    """Return the bytes that an input may have; the core reads a sealed text twice."""
    if mode in WHOLE:
        return MAX_WHOLE
    return (MAX_INPUT // 2 if mode == GCM else MAX_INPUT) - 1


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
    """Run `source` through the simulated core into `target` (written only on success).

    They may be the same file, or none: the input is read once, before anything is written.
    `on_progress` gets bytes done and bytes in all.
    """
    require_offered(accelerator, variant, platform)
    bits = 8 * len(what.key) // (2 if what.mode == "xts" else 1)
    if bits not in variant.key_bits:
        raise UsageError(
            f"{accelerator.name}/{variant.name} takes no AES-{bits} keys",
            "choose another --variant",
        )
    deciphers = what.decrypt and what.mode in ("ecb", "cbc")
    if what.mode in WHOLE:
        deciphers = modes.needs_decryption(what.call(bytes(TAG)))
    if deciphers and "decrypt" not in variant.directions:
        raise UsageError(
            f"{accelerator.name}/{variant.name} only encrypts", "choose another --variant"
        )
    if vcd is not None and any(_same(vcd, path) for path in (source, target)):
        raise UsageError(f"{vcd} is input or output", "give the waveforms a file of their own")
    BUILD.mkdir(parents=True, exist_ok=True)
    # Key and text are in this folder for the length of the run: nobody else may read it.
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="run-") as folder:
        text, stream_in, stream_out = (Path(folder) / name for name in ("text", "in", "out"))
        for path in (text, stream_in, stream_out):
            path.touch(mode=0o600)
        size = _take(what, source, text)
        try:
            files.require_writable(target)
        except OSError as error:
            raise _unwritable(target, error) from error
        program = "modes" if what.mode in WHOLE else "stream_gcm" if what.mode == GCM else "stream"
        firmware = build_system_firmware(accelerator, variant, platform, program)
        model = build_system_model(accelerator, variant, platform, trace=vcd is not None)
        with text.open("rb") as handle, stream_in.open("wb") as stream:
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
            raise AesforgeError(*_FORGED)
        result.require(f"{accelerator.name} on {platform.name}")
        if what.mode in WHOLE:
            stream_out.write_bytes(_result(what, text.read_bytes(), stream_out.read_bytes()))
        elif stream_out.stat().st_size != size + what.growth:
            raise AesforgeError(
                f"the core returned {stream_out.stat().st_size} bytes instead of"
                f" {size + what.growth}"
            )
        _deliver(stream_out, target)
    on_progress(size, size)
    return Ran(size, result.cycles, result.seconds)


def _feed(what: Message, size: int, source: BinaryIO, stream: BinaryIO) -> None:
    """Write what the program reads: a header, and the text once, or twice if its tag is checked."""
    if what.mode in WHOLE:
        stream.write(what.call(source.read(size)).pack())
        return
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


def _result(what: Message, text: bytes, output: bytes) -> bytes:
    """Return what becomes of a message that the core took whole; an error if it refused it."""
    call = what.call(text)
    (answer,) = modes.unpack([call], output)
    if answer.status == modes.BAD_TAG:
        raise AesforgeError(*_FORGED)
    if answer.status != modes.OK:
        raise AesforgeError(*_REFUSALS.get(answer.status, (f"the core's result {answer.status}",)))
    body = text[: len(text) - TAG] if what.decrypt else text
    if what.mode in modes.MACS:
        return body if what.decrypt else body + answer.tag
    size = len(call.text)
    if what.mode == "kwp":
        wrapped = size + -size % modes.HALF + modes.HALF
        size = answer.plain_bytes if what.decrypt else wrapped
    elif what.mode == "kw":
        size += -modes.HALF if what.decrypt else modes.HALF
    tagged = what.mode in TAGGED and not what.decrypt
    return answer.text[:size] + (answer.tag if tagged else b"")


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    """Copy `size` bytes, or what there is."""
    while chunk := source.read(min(size, _COPY_BYTES)):
        target.write(chunk)
        size -= len(chunk)


def _forward(line: str, size: int, on_progress: Callable[[int, int], None]) -> None:
    """Turn the simulator's progress line into bytes done."""
    if found := re.search(r"(\d+) bytes left", line):
        on_progress(max(0, size - int(found[1])), size)


def _take(what: Message, source: Path, text: Path) -> int:
    """Copy the input to `text` and return its length: what is checked is what is used."""
    try:
        handle = files.open_source(source)
    except OSError as error:
        raise UsageError(f"cannot read {source}: {error.strerror}") from error
    with handle, text.open("wb") as copy:
        # Not after gigabytes are copied; a pipe has no size.
        size = min(os.fstat(handle.fileno()).st_size, _limit(what.mode) + 1)
        if size <= _limit(what.mode):
            _copy(handle, copy, _limit(what.mode) + 1)
            size = copy.tell()
    check_length(what.mode, size, what.decrypt)
    return size


def _same(one: Path, other: Path) -> bool:
    """Tell whether two paths are one regular file, or will be."""
    if os.path.realpath(one) == os.path.realpath(other):
        return one.is_file() or not one.exists()
    return one.is_file() and other.is_file() and one.samefile(other)


def _deliver(result: Path, target: Path) -> None:
    """Write the finished result: a failed run leaves an older file as it was."""
    try:
        with result.open("rb") as stream, files.replacing(target) as fresh:
            _copy(stream, fresh, result.stat().st_size)
    except OSError as error:
        raise _unwritable(target, error) from error


def _unwritable(target: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write {target}: {error.strerror}")
