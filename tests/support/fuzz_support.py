# SPDX-License-Identifier: Apache-2.0
"""Random calls of kernels, modes and AES-GCM, judged by a model of the contract and by OpenSSL.

`Fuzzer` draws calls, sends them one by one to tests/sw/fuzz/driver.c and compares each answer.
What a call must return is what sw/include/aes_kernel.h, aes_modes.h and aes_gcm.h say.
"""

import os
import random
import struct
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.base.paths import ROOT
from aesforge.build import codegen
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.reference.gcm import ghash
from harness_support import compile_object, headers_in, one_set_of_flags

SOURCES = ROOT / "tests" / "sw" / "fuzz"
MODES = ROOT / "sw" / "modes"
INCLUDE = ROOT / "sw" / "include"
# GCC has attributes that clang lacks.
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unknown-attributes")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
COMPILER = ("clang", "-std=gnu99", "-O1", "-g")

# No quarantine: a new object may have the address of one that was freed.
ENVIRONMENT = {
    "ASAN_OPTIONS": "quarantine_size_mb=0:thread_local_quarantine_size_kb=0:detect_leaks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}

# --- programs -------------------------------------------------------------------------------------

Subject = tuple[Accelerator, Variant]


def what_is_compiled(accelerator: Accelerator, variant: Variant) -> tuple[object, ...]:
    """What the emulated kernel of a variant depends on: variants of the same are one subject."""
    operations = tuple(op.mnemonic for op in accelerator.manifest.operations(variant))
    return accelerator.name, flags_of(accelerator, variant), operations


def flags_of(accelerator: Accelerator, variant: Variant) -> tuple[str, ...]:
    """The macros of a variant, for the compiler's command line."""
    found = accelerator.manifest
    own = [word for word in (*found.sw.cflags, *variant.cflags) if word.startswith("-D")]
    macros = (*found.macros(variant), *variant.defines, "ACCEL_EMULATE")
    return (*own, *(f"-D{word}" for word in macros))


def subjects() -> list[Subject]:
    """Every kernel variant of ours that differs from the others as software."""
    found: dict[tuple[object, ...], Subject] = {}
    for accelerator in manifest.kernels():
        if accelerator.manifest.source is None:
            for variant in accelerator.manifest.variant:
                found.setdefault(what_is_compiled(accelerator, variant), (accelerator, variant))
    return list(found.values())


def name_of(subject: Subject) -> str:
    """A subject in the names of tests."""
    return f"{subject[0].name}-{subject[1].name}"


def build(
    target: Path,
    subject: Subject,
    own: Sequence[Path],
    *,
    shared: Sequence[Path] = (),
    kernel: Sequence[Path] | None = None,
    emulation: Callable[[Path], Path] | None = None,
    compiler: Sequence[str] = (*COMPILER, *SANITIZERS),
    includes: Sequence[Path] = (),
) -> Path:
    """Link `own` and `shared` files with a kernel and, for a unit, its emulation.

    `emulation` may put another file in place of the unit's. `shared` is compiled for each size
    of the contract's types, everything else for each subject.
    """
    accelerator, variant = subject
    folder = target.parent / f"{target.name}-made"
    files = [*own, *(kernel or ())]
    kernel_places = sorted({path.parent for path in accelerator.kernel_files(variant)})
    places = [*includes, INCLUDE, SOURCES, *kernel_places]
    sources: Sequence[Path] = ()
    flags = [*compiler, *WARNINGS]
    if accelerator.manifest.is_unit:
        made = codegen.generate(folder, accelerator, variant)
        places.append(made.include)
        sources = made.sources
        for emul in accelerator.emulations(variant):
            files.append(emul if emulation is None else emulation(emul))
    if kernel is None:
        files += one_set_of_flags(accelerator, variant, sources, folder / "kernel")
    sizes = [f"-D{macro}" for macro in accelerator.manifest.macros(variant)]
    # A kernel of the tests may include one of ours.
    headers = [*headers_in(places), *headers_in(kernel_places, (".c", ".S"))]
    common = [*flags, *sizes, *(f"-I{place}" for place in (*includes, INCLUDE))]
    objects = [
        compile_object(path, common, headers_in({*includes, INCLUDE, path.parent}))
        for path in shared
    ]
    every = [*flags, *flags_of(accelerator, variant), *(f"-I{place}" for place in places)]
    objects += [compile_object(path, every, headers) for path in files]
    subprocess.run([*compiler, *objects, "-o", target], check=True, timeout=300)
    return target


def modes_files(folder: Path = MODES) -> list[Path]:
    """Modes, GHASH and AES-GCM, and what kernels without state need not bring."""
    return [*sorted(folder.glob("*.c")), ROOT / "sw" / "hal" / "unit_state.c"]


# --- the driver -----------------------------------------------------------------------------------

CALLS = (
    *("new_key", "set_encrypt", "set_decrypt", "copy_key", "wipe_key", "clear_key"),
    *("encrypt_blocks", "decrypt_blocks", "ecb_encrypt", "ecb_decrypt"),
    *("cbc_encrypt", "cbc_decrypt", "ctr"),
    *("new_gcm_key", "set_gcm_key", "copy_gcm_key", "wipe_gcm_key", "clear_gcm_key"),
    *("gcm_encrypt", "gcm_decrypt"),
    *("start", "aad", "encrypt_update", "encrypt_finish", "verify_update", "verify_finish"),
    *("decrypt_update", "decrypt_finish", "wipe_context"),
    *("save_unit", "restore_unit", "fail_after"),
    *("ccm_encrypt", "ccm_decrypt", "siv_encrypt", "siv_decrypt"),
    *("kw_wrap", "kw_unwrap", "kw_wrap_inverse", "kw_unwrap_inverse"),
    *("kwp_wrap", "kwp_wrap_inverse", "kwp_unwrap", "kwp_unwrap_inverse"),
    *("set_cmac", "copy_cmac", "wipe_cmac", "clear_cmac", "cmac", "cmac_verify"),
    *("set_xts_encrypt", "set_xts_decrypt", "copy_xts", "wipe_xts", "clear_xts"),
    *("xts_encrypt", "xts_decrypt"),
)
OPCODE = {name: number for number, name in enumerate(CALLS)}
KEYS, GCM_KEYS, CONTEXTS = 6, 4, 4

OK, KEY_LENGTH, UNSUPPORTED, LENGTH, TAG, ORDER, NO_KEY, BUSY, DEVICE = range(0, -9, -1)
IN_PLACE, NO_POINTERS, CLAIMED = 1, 2, 4
CONTEXT_SAME, CONTEXT_ZERO, KEY_ZERO, DEVICE_FAILED, SAME_ADDRESS = 1, 2, 4, 8, 16
UNTOUCHED = b"\xa5"

_REQUEST = struct.Struct("<9B3xIiIQ4I")
_ANSWER = struct.Struct("<iII")


class WrongAnswer(AssertionError):
    """A call that did what the contract does not allow."""


class DriverEnded(AssertionError):
    """A report of a sanitizer, or the driver's own: a guard changed, an input was written."""


@dataclass(frozen=True)
class Reply:
    """What a call returned and left."""

    status: int
    flags: int
    rounds: int
    out: bytes
    iv: bytes
    tag: bytes
    before: bytes  # the output before the call


class Driver:
    """A running program."""

    def __init__(self, program: Path) -> None:
        self.errors = program.with_suffix(".err").open("w+b")
        environment = {**os.environ, **ENVIRONMENT}
        self.process = subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=environment,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.process.kill()
            self.process.communicate()
        self.errors.close()

    def close(self) -> None:
        """End the program, which must end well: leaks are found here."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        if self.process.wait(timeout=60) != 0:
            raise DriverEnded(self._report())

    def _report(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")[:3000]

    def send(self, request: bytes) -> None:
        """Send a request; a program that has ended is noticed in `read`."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(request)
            self.process.stdin.flush()

    def read(self, size: int) -> bytes:
        """Read bytes of an answer."""
        assert self.process.stdout is not None
        data = self.process.stdout.read(size)
        if len(data) != size:
            self.process.wait(timeout=60)
            raise DriverEnded(self._report())
        return data


# --- AES as OpenSSL has it ------------------------------------------------------------------------


def ecb(key: bytes, data: bytes, *, decrypt: bool = False) -> bytes:
    """ECB of whole blocks."""
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    return (cipher.decryptor() if decrypt else cipher.encryptor()).update(data)


def cbc(key: bytes, iv: bytes, data: bytes, *, decrypt: bool = False) -> bytes:
    """CBC of whole blocks."""
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv))
    return (cipher.decryptor() if decrypt else cipher.encryptor()).update(data)


def ctr(key: bytes, counter: bytes, data: bytes) -> bytes:
    """CTR of any number of bytes; the counter has 128 bits."""
    return Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor().update(data)


def xor(a: bytes, b: bytes) -> bytes:
    """The sum of two strings of one length."""
    size = len(a)
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(size, "big")


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def _lengths(first: int, second: int) -> bytes:
    return struct.pack(">QQ", 8 * first, 8 * second)


def seal(key: bytes, iv: bytes, aad: bytes, text: bytes) -> tuple[bytes, bytes]:
    """Ciphertext and tag: OpenSSL's, or for IVs that `cryptography` refuses by SP 800-38D."""
    if 8 <= len(iv) <= 128:
        encryptor = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
        encryptor.authenticate_additional_data(aad)
        ciphertext = encryptor.update(text) + encryptor.finalize()
        return ciphertext, encryptor.tag
    subkey = ecb(key, bytes(16))
    first = ghash(subkey, _padded(iv) + _lengths(0, len(iv)))
    low = int.from_bytes(first[12:], "big")
    blocks = b"".join(
        first[:12] + (low + 1 + i & 0xFFFFFFFF).to_bytes(4, "big")
        for i in range((len(text) + 15) // 16)
    )
    ciphertext = xor(text, ecb(key, blocks)[: len(text)])
    hashed = ghash(subkey, _padded(aad) + _padded(ciphertext) + _lengths(len(aad), len(text)))
    return ciphertext, xor(hashed, ecb(key, first))


def _times(x: int, y: int) -> int:
    """The product of two blocks as SP 800-38D, section 6.3, has it."""
    return int.from_bytes(ghash(x.to_bytes(16, "big"), y.to_bytes(16, "big")), "big")


@cache
def _inverse_subkey(key: bytes) -> int:
    """1 / H: H^(2^128 - 2)."""
    square = int.from_bytes(ecb(key, bytes(16)), "big")
    result = 1 << 127
    for _ in range(127):
        square = _times(square, square)
        result = _times(result, square)
    return result


def iv_of(key: bytes, first: bytes) -> bytes:
    """The IV of 16 bytes whose first counter block is `first`."""
    inverse = _inverse_subkey(key)
    inner = _times(int.from_bytes(first, "big"), inverse)
    return _times(inner ^ int.from_bytes(_lengths(0, 16), "big"), inverse).to_bytes(16, "big")


# --- the model ------------------------------------------------------------------------------------

MAX_TEXT, MAX_OTHER = 2**36 - 32, 2**61 - 1
STREAM = 4096  # bytes of a message in pieces, at most
EDGES = (0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 49, 127, 128, 129, 383, 384, 385, 1535, 1536, 1537)
BLOCK_EDGES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 23, 24, 25, 47, 48, 49, 95, 96, 97)
TAGS = (4, 8, 12, 13, 14, 15, 16)


@dataclass(frozen=True)
class KeyState:
    """A key object: what it is good for ("" for nothing) and its bytes."""

    use: str = ""
    key: bytes = b""


@dataclass
class Message:
    """A context: what phase of a message it is in, and its input so far."""

    phase: str = "none"
    slot: int = 0
    key: bytes = b""
    iv: bytes = b""
    stream: bytes = b""
    aad: bytes = b""
    text: bytes = b""  # input of this phase
    verified: bytes = b""
    lost: bool = False  # the key is gone

    def tag_of(self, plaintext: bytes) -> bytes:
        """The whole tag."""
        return seal(self.key, self.iv, self.aad, plaintext)[1]

    def cipher_of_all(self) -> bytes:
        """The text so far with the key stream."""
        return xor(self.text, self.stream[: len(self.text)])

    def cipher(self, data: bytes) -> bytes:
        """`data`, which follows `text`, with the key stream."""
        at = len(self.text)
        return xor(data, self.stream[at : at + len(data)])


@dataclass
class Fuzzer:
    """Random calls on one program; `seed` says all of them."""

    driver: Driver
    seed: str
    directions: Sequence[str] = ("encrypt", "decrypt")
    faults: bool = False
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.keys: list[KeyState | None] = [None] * KEYS
        self.gcm_keys: list[KeyState | None] = [None] * GCM_KEYS
        self.messages = [Message() for _ in range(CONTEXTS)]
        self.injected = OK
        self.last = "nothing"
        # Few keys for counters that wrap: each costs an inverse.
        self.pool = [self.rng.randbytes(size) for size in (16, 24, 32)]

    def groups(self) -> list[tuple[Callable[[], None], int]]:
        """What is drawn, and how often."""
        groups: list[tuple[Callable[[], None], int]] = [
            (self.change_key, 12),
            (self.use_key, 30),
            (self.pieces, 5),
            (self.interrupt, 3),
            (self.change_gcm_key, 6),
            (self.one_shot, 18),
            (self.context_call, 60),
            (self.too_long, 3),
        ]
        if self.faults:
            groups.append((self.plan_fault, 20))
        return groups

    def run(self, calls: int) -> None:
        """Do at least so many calls; an error says the seed and the call."""
        actions, weights = zip(*self.groups(), strict=True)
        while self.counts.total() < calls:
            try:
                (action,) = self.rng.choices(actions, weights)
                action()
            except (WrongAnswer, DriverEnded) as error:
                where = f"seed {self.seed!r}, call {self.counts.total()}, {self.last}"
                raise type(error)(f"{where}: {error}") from error

    # One call

    def call(
        self,
        op: str,
        a: int = 0,
        b: int = 0,
        data: bytes = b"",
        iv: bytes = b"",
        aad: bytes = b"",
        tag: bytes = b"",
        bits: int = 0,
        status: int = 0,
        piece: int = 0,
        claimed: int | None = None,
        aligned: bool = False,
    ) -> Reply:
        """Send a call with buffers at random places and return the reply."""
        rng = self.rng
        flags = rng.choice((0, IN_PLACE)) | rng.choice((0, NO_POINTERS))
        if op.endswith("_blocks"):
            flags &= ~NO_POINTERS  # the modes, not the kernels, take NULL for nothing
        if claimed is not None:
            flags |= CLAIMED
        places = [rng.choice((0, 0, 1, 2, 3, 4, 5, 7)) for _ in range(5)]
        if aligned:
            places = [4 * (place & 1) for place in places]
        head = _REQUEST.pack(
            *(OPCODE[op], a, b, flags, *places, bits, status, piece, claimed or 0),
            *(len(data), len(iv), len(aad), len(tag)),
        )
        self.counts[op] += 1
        self.last = (
            f"{op} a={a} b={b} flags={flags} places={places} bits={bits} piece={piece}"
            f" claimed={claimed}"
            f" lengths={len(data)}, {len(iv)}, {len(aad)}, {len(tag)}"
        )
        self.driver.send(head + data + iv + aad + tag)
        answer = _ANSWER.unpack(self.driver.read(_ANSWER.size))
        out, new_iv = self.driver.read(len(data)), self.driver.read(len(iv))
        before = data if flags & IN_PLACE else UNTOUCHED * len(data)
        reply = Reply(*answer, out, new_iv, self.driver.read(len(tag)), before)
        if reply.flags & SAME_ADDRESS:
            self.counts["(an object at the address of the one before)"] += 1
        return reply

    def require(self, good: bool, what: str) -> None:
        """Raise WrongAnswer unless all is well."""
        if not good:
            raise WrongAnswer(what)

    def status(self, reply: Reply, *allowed: int) -> bool:
        """Check a status; False after the failure of a device, which has its own."""
        if reply.flags & DEVICE_FAILED:
            self.counts["(a failure of the device)"] += 1
            self.require(reply.status == self.injected, f"{reply.status} from a failing device")
            return False
        self.require(reply.status in allowed, f"status {reply.status}, not {allowed}")
        return True

    # Keys of the kernel

    def random_key(self) -> bytes:
        """A key of any length."""
        return self.rng.choice([self.rng.randbytes(self.rng.choice((16, 24, 32))), *self.pool])

    def change_key(self) -> None:
        """Make, set, copy, wipe or clear a key."""
        rng, a, b = self.rng, self.rng.randrange(KEYS), self.rng.randrange(KEYS)
        state = self.keys[a]
        choice = rng.choice(("new", "set", "set", "set", "copy", "copy", "wipe", "clear", "bad"))
        if state is None or choice == "new":
            self.status(self.call("new_key", a), OK)
            self.keys[a] = KeyState()
        elif choice in ("set", "bad"):
            self.set_key(a, good=choice == "set")
        elif choice == "copy":
            other = self.keys[b]
            if other is not None:
                reply = self.call("copy_key", a, b)
                self.keys[a] = other
                self.require(bool(reply.rounds) == bool(other.use), "a copy is no copy")
        else:
            reply = self.call(f"{choice}_key", a)
            self.require(bool(reply.flags & KEY_ZERO), "something of the key is left")
            self.keys[a] = KeyState()

    def set_key(self, a: int, *, good: bool) -> None:
        """Set a key up, for either direction, or with a length that is none."""
        use = self.rng.choice(("encrypt", "decrypt"))
        key = self.random_key()
        bits = 8 * len(key)
        if not good:
            bits = self.rng.choice((0, 1, 64, 127, 129, 160, 224, 255, 257, 512, 2**31, 2**32 - 1))
            key = bytes(32)
        reply = self.call(f"set_{use}", a, data=key, bits=bits, aligned=True)
        self.keys[a] = KeyState()
        refused = [] if good else [KEY_LENGTH]
        if use not in self.directions:
            refused.append(UNSUPPORTED)
        if self.status(reply, *(refused or [OK])) and not refused:
            self.require(reply.rounds == len(key) // 4 + 6, f"{reply.rounds} rounds")
            self.keys[a] = KeyState(use, key)
        else:
            self.require(reply.rounds == 0, "a set-up that failed left a key")

    def mode(self, op: str, a: int, state: KeyState, data: bytes, iv: bytes) -> bytes:
        """Call a mode with a key or none; return the chaining value that it left."""
        reply = self.call(op, a, data=data, iv=iv, aligned=op.endswith("_blocks"))
        allowed = OK if state.use else NO_KEY
        if not self.status(reply, allowed) or not state.use:
            self.require(not any(reply.out), "an error, but output")
            return iv
        decrypt = "decrypt" in op
        if op == "ctr":
            right = ctr(state.key, iv, data)
            blocks = (len(data) + 15) // 16
            after = (int.from_bytes(iv, "big") + blocks & 2**128 - 1).to_bytes(16, "big")
        elif op.startswith("cbc"):
            right = cbc(state.key, iv, data, decrypt=decrypt)
            after = ((data if decrypt else right) or iv)[-16:]
        else:
            right, after = ecb(state.key, data, decrypt=decrypt), b""
        self.require(reply.out == right, "wrong output")
        self.require(reply.iv == after, "wrong chaining value")
        return after

    def ready_key(self) -> tuple[int, KeyState]:
        """A key object, mostly with a key in it."""
        for _ in range(4):
            a = self.rng.randrange(KEYS)
            state = self.keys[a]
            if state is not None and (state.use or self.rng.randrange(8) == 0):
                return a, state
        a = self.rng.randrange(KEYS)
        if self.keys[a] is None:
            self.status(self.call("new_key", a), OK)
        self.set_key(a, good=True)
        state = self.keys[a]
        assert state is not None
        return a, state

    def counter(self) -> bytes:
        """A counter or IV, often shortly before a carry."""
        rng = self.rng
        low = 2**32 - rng.randrange(1, 100) if rng.randrange(2) else rng.getrandbits(32)
        carries = rng.choice((0, 0, 4, 8, 12))
        head = rng.randbytes(12 - carries) + b"\xff" * carries
        return head + low.to_bytes(4, "big")

    def operation(self, state: KeyState) -> str:
        """A call that a key is good for, or any mode where there is no key."""
        forth = ("ecb_encrypt", "cbc_encrypt", "ctr")
        back = ("ecb_decrypt", "cbc_decrypt")
        found = {
            "encrypt": ("encrypt_blocks", *forth, "ctr"),
            "decrypt": ("decrypt_blocks", *back),
            "": (*forth, *back),
        }[state.use]
        return self.rng.choice(found)

    def amount(self, op: str) -> int:
        """A number of bytes for an operation."""
        rng = self.rng
        if op == "ctr":
            return rng.choice((rng.choice(EDGES), rng.randrange(500)))
        return 16 * rng.choice((rng.choice(BLOCK_EDGES), rng.randrange(32)))

    def use_key(self) -> None:
        """One call of a mode or of the kernel."""
        a, state = self.ready_key()
        op = self.operation(state)
        chained = op == "ctr" or op.startswith("cbc")
        iv = self.counter() if chained else b""
        self.mode(op, a, state, self.rng.randbytes(self.amount(op)), iv)

    def pieces(self) -> None:
        """A message in pieces, each with the chaining value of the one before."""
        a, state = self.ready_key()
        op = self.rng.choice(
            {"encrypt": ("cbc_encrypt", "ctr"), "decrypt": ("cbc_decrypt",), "": ("ctr",)}[
                state.use
            ]
        )
        iv = first = self.counter()
        whole = b""
        for _ in range(self.rng.randrange(2, 6)):
            data = self.rng.randbytes(16 * self.rng.choice((0, 1, 2, 3, 7, 24, 25)))
            iv = self.mode(op, a, state, data, iv)
            whole += data
        blocks = len(whole) // 16
        if op == "ctr" and state.use and not self.faults:
            end = (int.from_bytes(first, "big") + blocks & 2**128 - 1).to_bytes(16, "big")
            self.require(iv == end, "the counter is not where it should be")

    def interrupt(self) -> None:
        """What a handler does: save the unit's state, use it with a key of its own, restore it."""
        self.status(self.call("save_unit"), OK)
        if self.rng.randrange(4):
            self.use_key()
        self.status(self.call("restore_unit"), OK)

    def plan_fault(self) -> None:
        """The device fails at one of its next calls."""
        self.injected = self.rng.choice((DEVICE, BUSY))
        after = self.rng.choice((0, 0, 1, 2, 3, 5, 8))
        self.call("fail_after", bits=after, status=self.injected)

    # Keys of AES-GCM

    def change_gcm_key(self) -> None:
        """Make, set, copy, wipe or clear a key of AES-GCM; its messages have lost their key."""
        rng, a, b = self.rng, self.rng.randrange(GCM_KEYS), self.rng.randrange(GCM_KEYS)
        choice = rng.choice(("new", "set", "set", "set", "copy", "wipe", "clear", "bad"))
        other = self.gcm_keys[b]
        if self.gcm_keys[a] is None or choice == "new":
            self.abandon(a)
            self.status(self.call("new_gcm_key", a), OK)
            self.gcm_keys[a] = KeyState()
        elif choice in ("set", "bad"):
            self.set_gcm_key(a, good=choice == "set")
        elif choice == "copy":
            if other is not None and a != b:
                self.abandon(a)
                self.call("copy_gcm_key", a, b)
                self.gcm_keys[a] = other
        else:
            for message in self.messages:
                message.lost |= message.slot == a
            reply = self.call(f"{choice}_gcm_key", a)
            self.require(bool(reply.flags & KEY_ZERO), "something of the key is left")
            self.gcm_keys[a] = KeyState()

    def abandon(self, slot: int) -> None:
        """Wipe the contexts of a key that is about to be another one."""
        for number, message in enumerate(self.messages):
            if message.slot == slot and message.phase != "none":
                reply = self.call("wipe_context", number)
                self.require(bool(reply.flags & CONTEXT_ZERO), "the context is not wiped")
                self.messages[number] = Message()

    def set_gcm_key(self, a: int, *, good: bool) -> None:
        """Set a key up, or try to with a length that is none."""
        self.abandon(a)
        key = self.random_key()
        bits = 8 * len(key) if good else self.rng.choice((0, 8, 120, 136, 512, 2**32 - 128))
        reply = self.call("set_gcm_key", a, data=key, bits=bits)
        done = self.status(reply, OK if good else KEY_LENGTH) and good
        self.gcm_keys[a] = KeyState("gcm", key) if done else KeyState()
        self.require(bool(reply.rounds) == done, f"{reply.rounds} rounds after a set-up")

    def ready_gcm_key(self) -> tuple[int, KeyState]:
        """A key object of AES-GCM, mostly with a key in it."""
        for _ in range(3):
            a = self.rng.randrange(GCM_KEYS)
            state = self.gcm_keys[a]
            if state is not None and (state.use or self.rng.randrange(8) == 0):
                return a, state
        a = self.rng.randrange(GCM_KEYS)
        if self.gcm_keys[a] is None:
            self.status(self.call("new_gcm_key", a), OK)
        self.set_gcm_key(a, good=True)
        state = self.gcm_keys[a]
        assert state is not None
        return a, state

    def iv(self, key: bytes) -> bytes:
        """An IV of any length; with some keys often one whose counter wraps soon."""
        rng = self.rng
        if key in self.pool and rng.randrange(3) == 0:
            self.counts["(a counter of AES-GCM that wraps)"] += 1
            return iv_of(key, self.counter())
        size = rng.choice((12, 12, 12, rng.randrange(8, 129), rng.randrange(1, 8), 16, 17))
        return rng.randbytes(size if rng.randrange(40) else rng.randrange(129, 300))

    # AES-GCM in one call

    def one_shot(self) -> None:
        """Encrypt or decrypt a message; wrong tags, lengths and keys among them."""
        rng = self.rng
        a, state = self.ready_gcm_key()
        key = state.key or bytes(16)
        iv, aad = self.iv(key), rng.randbytes(rng.choice((0, 0, rng.choice(EDGES[:12]), 20)))
        long = 8 <= len(iv) <= 128
        text = rng.randbytes(rng.choice((rng.choice(EDGES if long else EDGES[:8]), 40)))
        size = rng.choice(TAGS)
        wrong = rng.choice(("", "", "", "", "tag length", "iv")) if state.use else "key"
        if wrong == "tag length":
            size = rng.choice((0, 1, 2, 3, 5, 7, 9, 11, 17, 20))
        ciphertext, tag = seal(key, iv, aad, text)
        tag = _padded(tag + bytes(4))[:size]
        sent = b"" if wrong == "iv" else iv
        allowed = {"": OK, "tag length": LENGTH, "iv": LENGTH, "key": NO_KEY}[wrong]
        if rng.randrange(2):
            empty = UNTOUCHED * size
            reply = self.call("gcm_encrypt", a, data=text, iv=sent, aad=aad, tag=empty)
            if self.status(reply, allowed) and not wrong:
                self.require(reply.out == ciphertext, "wrong ciphertext")
                self.require(reply.tag == tag, "wrong tag")
                return
            self.require(reply.tag in (empty, bytes(size)), "an error, but a tag")
        else:
            forged = bytearray(tag)
            if not wrong and rng.randrange(2):
                forged[rng.randrange(size)] ^= 1 << rng.randrange(8)
                allowed, wrong = TAG, "tag"
            reply = self.call(
                "gcm_decrypt", a, data=ciphertext, iv=sent, aad=aad, tag=bytes(forged)
            )
            self.require(reply.tag == forged, "a call changed a tag that it was given")
            if self.status(reply, allowed) and not wrong:
                self.require(reply.out == text, "wrong plaintext")
                return
        self.nothing(reply, may_zero=bool(reply.flags & DEVICE_FAILED) or wrong == "key")

    def nothing(self, reply: Reply, *, may_zero: bool) -> None:
        """Output as it was, or all zeros where the contract allows that."""
        same = reply.out == reply.before
        self.require(same or (may_zero and not any(reply.out)), "an error, but output")

    # AES-GCM in pieces

    NEXT = {
        "none": ("start",),
        "aad": ("aad", "aad", "encrypt_update", "verify_update", "encrypt_finish", "verify_finish"),
        "encrypt": ("encrypt_update", "encrypt_update", "encrypt_update", "encrypt_finish"),
        "verify": ("verify_update", "verify_update", "verify_update", "verify_finish"),
        "decrypt": ("decrypt_update", "decrypt_update", "decrypt_update", "decrypt_finish"),
    }
    EVERY = tuple(sorted({op for ops in NEXT.values() for op in ops} | {"wipe_context"}))

    def context_call(self) -> None:
        """A call on a context: mostly one that is in order."""
        c = self.rng.randrange(CONTEXTS)
        message = self.messages[c]
        ordered = self.rng.randrange(5) != 0
        op = self.rng.choice(self.NEXT[message.phase] if ordered else self.EVERY)
        if op == "start":
            self.start(c)
        elif op == "wipe_context":
            reply = self.call(op, c)
            self.require(bool(reply.flags & CONTEXT_ZERO), "the context is not wiped")
            self.messages[c] = Message()
        elif op == "aad":
            self.aad(c, message)
        elif op.endswith("_update"):
            self.update(c, message, op)
        else:
            self.finish(c, message, op)

    def start(self, c: int) -> None:
        """Begin a message; what the context held before is gone."""
        b, state = self.ready_gcm_key()
        key = state.key or bytes(16)
        iv = self.iv(key) if self.rng.randrange(12) else b""
        reply = self.call("start", c, b, iv=iv)
        allowed = [] if iv else [LENGTH]
        if not state.use:
            allowed.append(NO_KEY)
        self.require(reply.iv == iv, "a call changed its IV")
        if self.status(reply, *(allowed or [OK])) and not allowed:
            stream = seal(key, iv, b"", bytes(STREAM if 8 <= len(iv) <= 128 else 96))[0]
            self.messages[c] = Message("aad", b, key, iv, stream)
        else:
            self.wiped(c, reply)

    def wiped(self, c: int, reply: Reply) -> None:
        """The context holds nothing."""
        self.require(bool(reply.flags & CONTEXT_ZERO), "the context is not wiped")
        self.messages[c] = Message()

    def out_of_order(self, reply: Reply, *allowed: int) -> None:
        """A call that is refused and changes nothing."""
        self.require(reply.status in allowed, f"status {reply.status}, not {allowed}")
        self.require(bool(reply.flags & CONTEXT_SAME), "a refused call changed the context")
        self.nothing(reply, may_zero=False)

    def lost(self, c: int, reply: Reply, *, end: bool) -> None:
        """A message whose key was cleared: it may go on for a while, but gives no result."""
        if reply.flags & DEVICE_FAILED:
            self.status(reply)
            self.wiped(c, reply)
            return
        # The hash of nothing at all is the same without a key.
        message = self.messages[c]
        nothing = message.phase == "decrypt" and not message.verified + message.aad
        allowed = (NO_KEY, TAG, *([OK] if nothing else [])) if end else (OK, NO_KEY)
        self.require(reply.status in allowed, f"status {reply.status} without a key")
        if reply.status != OK or end:
            self.nothing(reply, may_zero=True)
            self.wiped(c, reply)

    def aad(self, c: int, message: Message) -> None:
        """More associated data."""
        data = self.rng.randbytes(self.rng.choice((0, 1, 3, 13, 15, 16, 17, 40, 129)))
        reply = self.call("aad", c, aad=data)
        if message.phase != "aad":
            self.out_of_order(reply, ORDER)
        elif message.lost:
            self.lost(c, reply, end=False)
        elif self.status(reply, OK):
            message.aad += data
        else:
            self.wiped(c, reply)

    def update(self, c: int, message: Message, op: str) -> None:
        """More text, which may change the phase from that of the AAD."""
        rng, phase = self.rng, op.partition("_")[0]
        fits = message.phase == phase or (message.phase == "aad" and phase != "decrypt")
        size = rng.choice((0, 1, 5, 15, 16, 17, 33, 40, rng.randrange(450), rng.choice(EDGES)))
        most = len(message.stream) - len(message.text)
        if phase == "decrypt" and fits:
            most = len(message.verified) - len(message.text)
        elif not fits:
            most = 100
        data = rng.randbytes(min(size, most))
        if phase == "decrypt" and fits:
            self.decrypt_update(c, message, min(size, most))
            return
        reply = self.call(op, c, data=data)
        if not fits:
            self.out_of_order(reply, ORDER)
        elif message.lost:
            message.phase = phase
            message.text += data
            self.lost(c, reply, end=False)
        elif self.status(reply, OK):
            message.phase = phase
            right = message.cipher(data) if phase == "encrypt" else reply.before
            self.require(reply.out == right, "wrong output")
            message.text += data
        else:
            self.nothing(reply, may_zero=True)
            self.wiped(c, reply)

    def decrypt_update(self, c: int, message: Message, size: int) -> None:
        """The second time through: the same ciphertext, too much of it, or another one."""
        at = len(message.text)
        data = message.verified[at : at + size]
        if self.rng.randrange(10) == 0:
            extra = len(message.verified) - at + self.rng.choice((1, 1, 16, 100))
            reply = self.call("decrypt_update", c, data=self.rng.randbytes(extra))
            self.out_of_order(reply, LENGTH)
            return
        if data and self.rng.randrange(12) == 0:
            place = self.rng.randrange(len(data))
            data = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        reply = self.call("decrypt_update", c, data=data)
        if message.lost:
            message.text += data
            self.lost(c, reply, end=False)
        elif self.status(reply, OK):
            self.require(reply.out == message.cipher(data), "wrong plaintext")
            message.text += data
        else:
            self.nothing(reply, may_zero=True)
            self.wiped(c, reply)

    def finish(self, c: int, message: Message, op: str) -> None:
        """The end of a phase, with a tag of any length."""
        rng, phase = self.rng, op.partition("_")[0]
        fits = message.phase == phase or (message.phase == "aad" and phase != "decrypt")
        size = 0 if phase == "decrypt" else rng.choice((*TAGS, *TAGS, 0, 3, 5, 11, 17, 32))
        bad = phase != "decrypt" and size not in TAGS
        tag, forged = UNTOUCHED * size, False
        if phase == "verify" and fits and not bad and not message.lost:
            tag = message.tag_of(message.cipher_of_all())[:size]
            if rng.randrange(4) == 0:
                place, forged = rng.randrange(size), True
                tag = tag[:place] + bytes([tag[place] ^ 1 << rng.randrange(8)]) + tag[place + 1 :]
        reply = self.call(op, c, tag=tag)
        if not fits or bad:
            self.out_of_order(reply, *([] if fits else [ORDER]), *([LENGTH] if bad else []))
            self.require(reply.tag == tag, "an error, but a tag")
            return
        if message.lost:
            self.lost(c, reply, end=True)
            return
        if phase == "decrypt":
            same = message.text == message.verified
            self.status(reply, OK if same else TAG)
            self.wiped(c, reply)
        elif phase == "verify" and not forged and self.status(reply, OK):
            message.verified, message.text = message.text, b""
            message.phase = "decrypt"
        elif phase == "verify":
            self.status(reply, TAG)
            self.wiped(c, reply)
        else:
            if self.status(reply, OK):
                right = message.tag_of(message.text)[:size]
                self.require(reply.tag == right, "wrong tag")
            else:
                self.require(reply.tag in (tag, bytes(size)), "an error, but a tag")
            self.wiped(c, reply)

    def too_long(self) -> None:
        """Lengths beyond the standard's, with no buffers: refused before anything is read."""
        rng, c = self.rng, self.rng.randrange(CONTEXTS)
        message = self.messages[c]
        if message.lost or message.phase in ("none", "decrypt"):
            b, state = self.ready_gcm_key()
            if state.use:
                reply = self.call("start", c, b, claimed=rng.choice((2**61, 2**64 - 1)))
                self.status(reply, LENGTH)
                self.wiped(c, reply)
            return
        op = {"encrypt": "encrypt_update", "verify": "verify_update"}.get(message.phase, "aad")
        most = MAX_OTHER - len(message.aad) if op == "aad" else MAX_TEXT - len(message.text)
        reply = self.call(op, c, claimed=rng.choice((most + 1, most + 2, 2**64 - 1)))
        self.status(reply, LENGTH)
        self.wiped(c, reply)
