# SPDX-License-Identifier: Apache-2.0
"""Real files and long random traffic through a simulated stream accelerator.

`aesforge stream` is the command. The simulator plays a script of beats (sim/stream/harness.cpp);
TUSER and the streams are those of the accelerator's README.
"""

import json
import random
import struct
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base import files, proc
from aesforge.base.errors import SimulationError, UsageError
from aesforge.base.paths import BUILD, ROOT
from aesforge.build import ctokens, hdl, library, simulate
from aesforge.catalog import planted
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.reference import stream_gcm
from aesforge.reference.stream_gcm import Message
from aesforge.verify import cocotb_bench

HARNESS = ROOT / "sim" / "stream" / "harness.cpp"
BLOCK = 16  # bytes
SECONDS_FLOOR = 600.0  # wall-clock bound of a run: ...
SECONDS_PER_BEAT = 0.002  # ... a hundred times what is expected

_FLAGS = (
    *("--cc", "--exe", "-O3", "--prefix", "Vtop", "-o", "stream"),
    *("--x-assign", "fast", "--x-initial", "fast", "--no-assert", "-Wno-fatal", "-Wno-lint"),
    *("--output-split", "0"),
)

_DATA, _KEY, _IV, _TAG = range(4)  # streams of a record


@dataclass(frozen=True)
class Shape:
    """What a variant's streams look like; `sizes`: bytes of a key, `directions`: decrypt or not.

    `beat_cycles`: cycles from a beat to the next, at most, if neither side pauses.
    """

    mode: str
    lanes: int
    slots: int
    slot_bits: int
    sizes: tuple[int, ...]
    directions: tuple[bool, ...]
    agile: bool
    beat_cycles: int = 1

    @property
    def width(self) -> int:
        """Bytes of data in a beat."""
        return BLOCK * self.lanes


def shape(accelerator: Accelerator, variant: Variant) -> Shape:
    """Return the shape of a variant's streams; UsageError of what is on no stream."""
    if accelerator.manifest.kind != "stream":
        raise UsageError(f"{accelerator.name} is not on a stream", "use `aesforge run`")
    stream = accelerator.manifest.stream
    if stream is None:
        raise UsageError(
            f"{accelerator.name} names no protocol of its streams",
            "[stream] in its accel.toml (docs/architecture.md, section 1.1)",
        )
    found = stream.values(cocotb_bench.parameters(accelerator, variant))
    bits, slots = int(found["key_bits"]), int(found["slots"])
    agile = bool(found["slot_of_beat"])
    return Shape(
        str(found["mode"]),
        int(found["lanes"]),
        slots if agile else 1,
        max(1, (slots - 1).bit_length()),
        (bits // 8,) if bits else (16, 24, 32),
        tuple(direction == "decrypt" for direction in found["directions"]),
        agile,
        int(found["beat_cycles"]),
    )


@dataclass(frozen=True, slots=True)
class Record:
    """A beat of any stream, as the harness reads and writes it."""

    stream: int
    last: int
    ident: int
    user: int
    keep: bytes
    data: bytes


class Script:
    """Beats in the order in which they are played."""

    def __init__(self, form: Shape) -> None:
        self.form = form
        self._layout = struct.Struct(f"<BBHHxx{form.width // 8}s{max(form.width, 32)}s")
        self._parts: list[bytes] = []

    def __len__(self) -> int:
        return len(self._parts)

    def _add(self, stream: int, data: bytes, keep: int, last: bool, ident: int, user: int) -> None:
        mask = keep.to_bytes(self.form.width // 8, "little")
        self._parts.append(self._layout.pack(stream, last, ident, user, mask, data))

    def key(self, slot: int, key: bytes) -> None:
        """Load a slot; later beats wait until it is loaded."""
        self._add(_KEY, key, 0, False, 0, (len(key) // 8 - 2) | slot << 2)

    def counter(self, block: bytes) -> None:
        """Give the first counter block of the next packet (CTR)."""
        self._add(_IV, block, 0, False, 0, 0)

    def beat(
        self,
        data: bytes,
        *,
        slot: int = 0,
        decrypt: bool = False,
        kind: int = 0,
        keep: int | None = None,
        last: bool = False,
        ident: int = 0,
        extra: int = 0,
    ) -> int:
        """Add a beat of data and return its TUSER; `extra`: bits above those with a meaning."""
        user = int(decrypt) | slot << 1 | kind << (1 + self.form.slot_bits)
        user |= extra << (1 + self.form.slot_bits + (3 if self.form.mode == "gcm" else 0))
        user &= 0xFF
        self._add(_DATA, data, (1 << len(data)) - 1 if keep is None else keep, last, ident, user)
        return user

    def message(
        self, message: Message, rng: random.Random, *, slot: int = 0, ident: int = 0
    ) -> list[stream_gcm.Beat]:
        """Add a GCM message, its IV's own before it if it needs one, and return its beats."""
        ahead, body = stream_gcm.beats(message, self.form.width, rng)
        for found in (ahead, body):
            for beat in found:
                decrypt = message.decrypt and found is body
                self.beat(
                    beat.data,
                    slot=slot,
                    decrypt=decrypt,
                    kind=beat.kind,
                    keep=beat.keep,
                    last=beat.last,
                    ident=ident,
                )
        return ahead + body

    def packed(self) -> bytes:
        """Return all records."""
        return b"".join(self._parts)

    def read(self, answer: bytes) -> Iterator[Record]:
        """Read the harness's answer."""
        for stream, last, ident, user, keep, data in self._layout.iter_unpack(answer):
            yield Record(stream, last, ident, user, keep, data)


@dataclass(frozen=True)
class Played:
    """The output in order, and the clock cycles from the first beat in to the last one out."""

    beats: list[Record]
    tags: list[Record]
    cycles: int
    seconds: float


def build(accelerator: Accelerator, variant: Variant, bug: str = "") -> Path:
    """Return the simulator of a variant, with the planted bug `bug` if given.

    UsageError if it is no stream; ToolError if Verilator or the compiler fails.
    """
    rtl = accelerator.manifest.rtl
    if accelerator.manifest.kind != "stream" or rtl is None:
        raise UsageError(f"{accelerator.name} is no stream")
    params = cocotb_bench.parameters(accelerator, variant)
    settings = [
        f"-G{name}=" + (f'"{value}"' if isinstance(value, str) else str(value))
        for name, value in params.items()
    ]
    files = library.rtl_files(accelerator)
    files = planted.plant(bug, accelerator.bugs(), files, BUILD / "planted")
    key = proc.digest(
        *(simulate.verilator_version(), proc.version_line("c++"), ctokens.digest([HARNESS])),
        *("\0".join((*_FLAGS, *settings, rtl.top)),),
        hdl.digest(files, rtl.top, hdl.VERILATOR),
    )[:24]
    roots = {"VERILATOR_ROOT": str(simulate.verilator_root())}
    log = BUILD / "logs" / f"stream-{accelerator.name}-{variant.name}-{key}.log"

    def make(folder: Path) -> None:
        program = simulate.verilator_root() / "bin" / "verilator"
        words: list[str | Path] = [program, *_FLAGS, "--top-module", rtl.top, *settings]
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


def play(
    program: Path, script: Script, folder: Path, *, idle: int = 0, stall: int = 0, seed: int = 1
) -> Played:
    """Play a script; `idle`, `stall`: percent of cycles without offer, without taking.

    `folder` takes the files in between. SimulationError if the streams misbehave.
    """
    source, target = folder / "script", folder / "answer"
    source.write_bytes(script.packed())
    words: list[str | Path] = [program, f"+script={source}", f"+out={target}"]
    words += [f"+width={script.form.width}", f"+idle={idle}", f"+stall={stall}", f"+seed={seed}"]
    limit = SECONDS_FLOOR + SECONDS_PER_BEAT * len(script)
    done = proc.run(words, timeout=limit, check=False)
    last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no word"
    if done.status != 0:
        raise SimulationError(f"the stream ended with status {done.status}: {last}")
    found = json.loads(last)
    beats: list[Record] = []
    tags: list[Record] = []
    for record in script.read(target.read_bytes()):
        (tags if record.stream == _TAG else beats).append(record)
    return Played(beats, tags, int(found["cycles"]), float(found["seconds"]))


# ---- files ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Transfer:
    """What happens to a file; `iv`: CTR's first counter block or GCM's IV; `tag`: to decrypt."""

    key: bytes
    iv: bytes = b""
    aad: bytes = b""
    tag: bytes = b""
    decrypt: bool = False


def _script_of(form: Shape, text: bytes, request: Transfer) -> Script:
    """Cut a file into beats; UsageError if the mode cannot take it."""
    script = Script(form)
    script.key(0, request.key)
    if form.mode == "gcm":
        if request.decrypt and not request.tag:
            raise UsageError("decryption needs a tag")
        message = Message(request.iv, request.aad, text, text, request.tag, request.decrypt)
        script.message(message, random.Random(0))
        return script
    if form.mode == "ctr":
        if len(request.iv) != BLOCK:
            raise UsageError("CTR needs a counter block of 16 bytes")
        script.counter(request.iv)
    elif len(text) % BLOCK:
        raise UsageError(
            "the file is no whole number of blocks", "only CTR and GCM take any length"
        )
    width = form.width
    for i in range(0, len(text), width):
        script.beat(text[i : i + width], decrypt=request.decrypt, last=i + width >= len(text))
    return script


def transform(
    program: Path,
    form: Shape,
    text: bytes,
    request: Transfer,
    folder: Path,
    *,
    idle: int = 0,
    stall: int = 0,
) -> tuple[bytes, bytes, Played]:
    """Send a file through: the result, the tag made (GCM), and the run.

    SimulationError if a message to decrypt is refused, or beats come out changed in size or order.
    """
    script = _script_of(form, text, request)
    played = play(program, script, folder, idle=idle, stall=stall)
    parts: list[bytes] = []
    shift = 1 + form.slot_bits
    for record in played.beats:
        if form.mode != "gcm" or record.user >> shift & 7 == stream_gcm.TEXT:
            count = int.from_bytes(record.keep, "little").bit_length()
            parts.append(record.data[:count])
    result = b"".join(parts)
    if len(result) != len(text) or not (played.beats and played.beats[-1].last):
        raise SimulationError("TKEEP or TLAST came out changed")
    tag = b""
    if form.mode == "gcm":
        if len(played.tags) != 1 or played.tags[0].user & 1:
            raise SimulationError("the message is refused")
        tag = b"" if request.decrypt else played.tags[0].data[:BLOCK]
    return result, tag, played


def openssl(mode: str, text: bytes, request: Transfer) -> tuple[bytes, bytes]:
    """Return what OpenSSL makes of the same bytes: the result, and the tag it makes."""
    if mode == "gcm":
        if not request.decrypt:
            sealed = stream_gcm.seal(request.key, request.iv, request.aad, text)
            return sealed.result or b"", sealed.tag
        opener = Cipher(algorithms.AES(request.key), modes.GCM(request.iv, request.tag)).decryptor()
        opener.authenticate_additional_data(request.aad)
        return opener.update(text) + opener.finalize(), b""
    if mode == "ctr":
        return Cipher(algorithms.AES(request.key), modes.CTR(request.iv)).encryptor().update(
            text
        ), b""
    cipher = Cipher(algorithms.AES(request.key), modes.ECB())
    worker = cipher.decryptor() if request.decrypt else cipher.encryptor()
    return worker.update(text) + worker.finalize(), b""


def run_file(
    accelerator: Accelerator,
    variant: Variant,
    request: Transfer,
    source: Path,
    target: Path,
    *,
    verify: bool = False,
) -> Played:
    """Send a file through a variant; of GCM the tag follows the ciphertext, and `tag` is unused.

    UsageError if the variant does not take what is asked. Nothing is written unless all is well:
    SimulationError if a message is refused, or if the result is not OpenSSL's (`verify`).
    """
    form = shape(accelerator, variant)
    if len(request.key) not in form.sizes:
        known = ", ".join(str(8 * size) for size in form.sizes)
        raise UsageError(
            f"{accelerator.name}/{variant.name} takes no key of {8 * len(request.key)} bits",
            f"it takes {known}",
        )
    gcm = form.mode == "gcm"
    if not gcm and request.decrypt not in form.directions:
        wanted = "decrypt" if request.decrypt else "encrypt"
        raise UsageError(f"{accelerator.name}/{variant.name} does not {wanted}")
    files.require_writable(target)
    with files.open_source(source) as stream:
        text = stream.read()
    if gcm and request.decrypt:
        if len(text) < BLOCK:
            raise UsageError(f"{source} is shorter than a tag of {BLOCK} bytes")
        text, request = text[:-BLOCK], replace(request, tag=text[-BLOCK:])
    program = build(accelerator, variant)
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        result, tag, played = transform(program, form, text, request, Path(folder))
    if verify and (result, tag) != openssl(form.mode, text, request):
        raise SimulationError("the result differs from OpenSSL's")
    with files.replacing(target) as out:
        out.write(result if request.decrypt else result + tag)
    return played


# ---- random blocks -------------------------------------------------------------------------------


def random_blocks(form: Shape, count: int, rng: random.Random) -> tuple[Script, list[bytes]]:
    """Return so many beats of ECB with random keys, slots, directions and ids, and their results.

    A key stays for 1 to 40 beats, of all slots.
    """
    script = Script(form)
    wanted: list[bytes] = []
    keys: dict[int, bytes] = {}
    for slot in range(form.slots):
        keys[slot] = rng.randbytes(rng.choice(form.sizes))
        script.key(slot, keys[slot])
    while len(wanted) < count:
        batch: dict[tuple[int, bool], list[tuple[int, bytes]]] = {}
        for _ in range(min(rng.randrange(1, 41), count - len(wanted))):
            slot, decrypt = rng.randrange(form.slots), rng.choice(form.directions)
            data = rng.randbytes(form.width)
            script.beat(
                data,
                slot=slot,
                decrypt=decrypt,
                keep=rng.getrandbits(form.width),
                last=rng.random() < 0.2,
                ident=rng.getrandbits(8),
                extra=rng.getrandbits(8),
            )
            batch.setdefault((slot, decrypt), []).append((len(wanted), data))
            wanted.append(b"")
        for (slot, decrypt), found in batch.items():
            cipher = Cipher(algorithms.AES(keys[slot]), modes.ECB())
            worker = cipher.decryptor() if decrypt else cipher.encryptor()
            for (place, _), result in zip(
                found,
                _pieces(worker.update(b"".join(d for _, d in found)), form.width),
                strict=True,
            ):
                wanted[place] = result
        slot = rng.randrange(form.slots)
        keys[slot] = rng.randbytes(rng.choice(form.sizes))
        script.key(slot, keys[slot])
    return script, wanted


def _pieces(data: bytes, size: int) -> Iterable[bytes]:
    return (data[i : i + size] for i in range(0, len(data), size))


def differences(script: Script, played: Played, wanted: Sequence[bytes]) -> list[str]:
    """Say where an answer has other beats than were sent, or other data than `wanted`."""
    sent = [record for record in script.read(script.packed()) if record.stream == _DATA]
    if not len(sent) == len(wanted) == len(played.beats):
        return [f"{len(played.beats)} beats came out of {len(sent)}"]
    width = script.form.width
    return [
        f"beat {number}: {got} instead of {want.hex()}"
        for number, (beat, got, want) in enumerate(zip(sent, played.beats, wanted, strict=True))
        if (beat.last, beat.ident, beat.user, beat.keep, want)
        != (got.last, got.ident, got.user, got.keep, got.data[:width])
    ]
