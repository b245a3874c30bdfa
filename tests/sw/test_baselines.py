# SPDX-License-Identifier: Apache-2.0
"""Our software baselines (sw/ref/*), built for the host, against the `cryptography` package.

Every folder found and every variant of it is compiled with all warnings as errors and compared for
all key sizes, both directions, zero to twenty blocks, in place and disjoint.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "sw" / "include"
WARNINGS = ["-std=gnu99", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
OK, BAD_LENGTH = 0, -1


@dataclass(frozen=True)
class Build:
    """One variant of one baseline."""

    folder: Path
    variant: str
    defines: tuple[str, ...]
    cflags: tuple[str, ...]
    sources: tuple[Path, ...]
    key_words: int

    @property
    def flags(self) -> list[str]:
        """Everything between the compiler and the sources."""
        macros = [f"-D{d}" for d in (*self.defines, f"AES_KEY_WORDS={self.key_words}")]
        return [*WARNINGS, *self.cflags, "-ffreestanding", f"-I{INCLUDE}", *macros]


def builds() -> list[Build]:
    """All variants of all folders under sw/ref."""
    found = []
    for path in sorted((ROOT / "sw" / "ref").glob("*/accel.toml")):
        manifest = tomllib.loads(path.read_text())
        sw = manifest["sw"]
        for variant in manifest["variant"]:
            found.append(
                Build(
                    folder=path.parent,
                    variant=variant["name"],
                    defines=tuple(variant.get("defines", [])),
                    cflags=tuple(sw.get("cflags", [])),
                    sources=tuple(path.parent / s for s in sw["kernel"]),
                    key_words=sw["key_words"],
                )
            )
    return found


BUILDS = builds()
each_build = pytest.mark.parametrize("build", BUILDS, ids=lambda b: f"{b.folder.name}-{b.variant}")


class Kernel:
    """A kernel through ctypes: bytes in, bytes out; guards around every buffer are checked."""

    GUARD = 64

    def __init__(self, library: Path, key_words: int) -> None:
        self.lib = ctypes.CDLL(str(library))
        self.key_words = key_words
        for name in ("aes_encrypt_blocks", "aes_decrypt_blocks"):
            function = getattr(self.lib, name)
            function.restype = ctypes.c_int
            function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        for name in ("aes_set_encrypt_key", "aes_set_decrypt_key"):
            function = getattr(self.lib, name)
            function.restype = ctypes.c_int
            function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint]

    def schedule(self, direction: str, key: bytes, bits: int) -> tuple[int, Any]:
        """Status of the set-up and the key object (with guard words after it)."""
        schedule = (ctypes.c_uint32 * (self.key_words + 1 + 16))(
            *([0xA5A5A5A5] * (self.key_words + 17))
        )
        source = ctypes.create_string_buffer(key, len(key) + 4)
        status = getattr(self.lib, f"aes_set_{direction}_key")(schedule, source, bits)
        assert list(schedule[self.key_words + 1 :]) == [0xA5A5A5A5] * 16
        if status == OK:
            assert schedule[self.key_words] == bits // 32 + 6
        return status, schedule

    def run(self, direction: str, key: bytes, data: bytes, in_place: bool) -> bytes:
        """Result of `direction` over whole blocks."""
        status, schedule = self.schedule(direction, key, 8 * len(key))
        assert status == OK
        n, g = len(data), self.GUARD
        source = ctypes.create_string_buffer(b"\x5a" * g + data + b"\x5a" * g, n + 2 * g)
        target = (
            source if in_place else ctypes.create_string_buffer(b"\xc3" * (n + 2 * g), n + 2 * g)
        )
        getattr(self.lib, f"aes_{direction}_blocks")(
            schedule, ctypes.addressof(source) + g, ctypes.addressof(target) + g, n // 16
        )
        guard = (b"\x5a" if in_place else b"\xc3") * g
        assert target.raw[:g] == guard and target.raw[g + n :] == guard
        if not in_place:
            assert source.raw[g : g + n] == data
        return target.raw[g : g + n]


Compiler = Callable[[Build], Kernel]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    """Gives a build as a shared library for this machine; each is compiled once."""

    @functools.cache
    def compile_once(build: Build) -> Kernel:
        library = tmp_path_factory.mktemp(build.folder.name) / "kernel.so"
        command = ["gcc", "-shared", "-fPIC", *build.flags, "-o", str(library)]
        subprocess.run([*command, *map(str, build.sources)], check=True)
        return Kernel(library, build.key_words)

    return compile_once


@pytest.fixture
def kernel(build: Build, compiled: Compiler) -> Kernel:
    """The compiled kernel of `build`."""
    return compiled(build)


def expected(direction: str, key: bytes, data: bytes) -> bytes:
    """ECB by the `cryptography` package."""
    cipher = Cipher(algorithms.AES(key), modes.ECB())
    context = cipher.encryptor() if direction == "encrypt" else cipher.decryptor()
    return context.update(data) + context.finalize()


def stream(label: str, n: int) -> bytes:
    """n repeatable bytes."""
    return hashlib.shake_128(label.encode()).digest(n)


@each_build
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
@pytest.mark.parametrize("key_bytes", [16, 24, 32])
def test_block_counts(kernel: Kernel, direction: str, key_bytes: int) -> None:
    """Zero to twenty blocks, in place and disjoint."""
    for count in range(21):
        key = stream(f"key {key_bytes} {count}", key_bytes)
        data = stream(f"data {count}", 16 * count)
        for in_place in (False, True):
            assert kernel.run(direction, key, data, in_place) == expected(direction, key, data)


# FIPS 197, appendix B and C.1 to C.3: key, plaintext, ciphertext.
EXAMPLES = [
    (
        "2b7e151628aed2a6abf7158809cf4f3c",
        "3243f6a8885a308d313198a2e0370734",
        "3925841d02dc09fbdc118597196a0b32",
    ),
    (
        "000102030405060708090a0b0c0d0e0f",
        "00112233445566778899aabbccddeeff",
        "69c4e0d86a7b0430d8cdb78070b4c55a",
    ),
    (
        "000102030405060708090a0b0c0d0e0f1011121314151617",
        "00112233445566778899aabbccddeeff",
        "dda97ca4864cdfe06eaf70a0ec0d7191",
    ),
    (
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "00112233445566778899aabbccddeeff",
        "8ea2b7ca516745bfeafc49904b496089",
    ),
]


@each_build
@pytest.mark.parametrize("example", EXAMPLES, ids=["B", "C.1", "C.2", "C.3"])
def test_standard_examples(kernel: Kernel, example: tuple[str, str, str]) -> None:
    """The standard's own examples."""
    key, plain, cipher = map(bytes.fromhex, example)
    assert kernel.run("encrypt", key, plain, False) == cipher
    assert kernel.run("decrypt", key, cipher, False) == plain


@each_build
def test_every_byte_in_every_position(kernel: Kernel) -> None:
    """Each S-box entry, in both directions, at each of the sixteen places."""
    key = stream("positions", 16)
    data = b"".join(bytes((v * 17 + p * 5 + v // 16) & 0xFF for p in range(16)) for v in range(256))
    for direction in ("encrypt", "decrypt"):
        assert kernel.run(direction, key, data, True) == expected(direction, key, data)


@each_build
@settings(max_examples=60, deadline=None)
@given(
    key=st.sampled_from([16, 24, 32]).flatmap(lambda n: st.binary(min_size=n, max_size=n)),
    blocks=st.lists(st.binary(min_size=16, max_size=16), max_size=20),
    in_place=st.booleans(),
)
def test_random(
    build: Build,
    compiled: Compiler,
    key: bytes,
    blocks: list[bytes],
    in_place: bool,
) -> None:
    """Random keys and messages."""
    kernel = compiled(build)
    data = b"".join(blocks)
    for direction in ("encrypt", "decrypt"):
        assert kernel.run(direction, key, data, in_place) == expected(direction, key, data)


@each_build
@pytest.mark.parametrize("bits", [0, 8, 64, 127, 129, 160, 224, 255, 257, 512, 0xFFFFFFFF])
def test_key_lengths_refused(kernel: Kernel, bits: int) -> None:
    """Every other key length has its error code."""
    for direction in ("encrypt", "decrypt"):
        assert kernel.schedule(direction, bytes(64), bits)[0] == BAD_LENGTH


@each_build
def test_needs_nothing_from_outside(build: Build, tmp_path: Path) -> None:
    """Compiled for the core: no libc, no libgcc, no writable data."""
    gcc = shutil.which("riscv64-unknown-elf-gcc")
    if gcc is None:
        pytest.skip("no RISC-V compiler")
    arch = ["-march=rv32im", "-misa-spec=2.2", "-mabi=ilp32"]
    for source in build.sources:
        target = tmp_path / f"{source.name}.o"
        subprocess.run([gcc, *arch, *build.flags, "-c", "-o", str(target), str(source)], check=True)
        symbols = subprocess.run(
            ["riscv64-unknown-elf-nm", str(target)], check=True, capture_output=True, text=True
        ).stdout
        assert re.findall(r" U .*", symbols) == []
        assert re.findall(r" [bBdDC] .*", symbols) == []


def _sbox() -> list[int]:
    """FIPS 197, section 5.1.1, from the definition: inverse, then the affine map."""

    def multiply(a: int, b: int) -> int:
        product = 0
        for i in range(8):
            product ^= (a << i) * (b >> i & 1)
        for i in range(14, 7, -1):
            product ^= (0x11B << (i - 8)) * (product >> i & 1)
        return product

    table = []
    for x in range(256):
        inverse = next((y for y in range(256) if multiply(x, y) == 1), 0)
        doubled = inverse | inverse << 8  # bits i + 4 ... i + 7 mod 8 are bits of a rotation
        value = 0x63
        for turn in (0, 4, 5, 6, 7):
            value ^= doubled >> turn & 0xFF
        table.append(value)
    return table


def test_listed_sbox_values() -> None:
    """The lists shared by the baselines equal the definition."""
    lists = (INCLUDE / "aes_sbox_values.h").read_text().split("#define")
    forward, inverse = (
        [int(v, 16) for v in re.findall(r"F\(0x(..)\)", part)]
        for part in lists
        if "SBOX_VALUES(F)" in part
    )
    assert forward == _sbox()
    assert [forward[v] for v in inverse] == list(range(256))
