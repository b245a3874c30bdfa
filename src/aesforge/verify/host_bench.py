# SPDX-License-Identifier: Apache-2.0
"""C compiled for the host, compared with Python: `python -m aesforge.verify.host_bench JOB.json`.

An emulated operation is compared with the accelerator's model, a kernel with the `cryptography`
package (an implementation that shares nothing with this repository).
"""

import ctypes
import itertools
import json
import random
import sys
import traceback
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge.catalog.model_file import load_models
from aesforge.verify import operands
from aesforge.verify.operands import Operation, Spec

BLOCKS = range(10)  # message lengths in blocks; 9 is one more than the widest kernel interleaves
KEYS_EACH_SIZE = 6
GUARD = bytes(range(0xA0, 0xB0))  # after every output: a kernel must not write there
KEY_LENGTH, UNSUPPORTED, NO_KEY = -1, -2, -6  # codes of sw/include/aes_kernel.h
ECB = ("aes_encrypt_blocks", "aes_decrypt_blocks")
NOISE = 4000  # random requests of an emulation


class Difference(Exception):
    """The C code differs from what it is compared with."""


def emulation(job: dict[str, Any], rng: random.Random) -> str:
    """Compare every operation of emul.c with the model; return what was done.

    First, if the model has one, its `conversation`: requests in the order of a protocol that random
    ones do not keep. Both are as after reset then.
    """
    library = ctypes.CDLL(job["library"])
    model = load_models([Path(path) for path in job["models"]])
    listed = [Spec.from_json(data) for data in job["operations"]]
    functions = {}
    for spec in listed:
        try:
            function = getattr(library, spec.mnemonic)
        except AttributeError:
            raise Difference(f"sw/emul.c lacks {spec.mnemonic}") from None
        function.restype = ctypes.c_uint32
        function.argtypes = [ctypes.c_uint32] * len(spec.registers) + [ctypes.c_uint] * len(
            spec.immediates
        )
        functions[spec.mnemonic] = function
    said = 0
    for mnemonic, words in getattr(model, "conversation", lambda _: ())(rng):
        if mnemonic in functions:
            got, right = functions[mnemonic](*words), getattr(model, mnemonic)(*words)
            said += 1
            if got != right:
                raise Difference(
                    f"request {said} of the conversation, {mnemonic}{words}: "
                    f"rd=0x{got:08x}, the model says 0x{right:08x}"
                )
    requests: list[Operation] = list(operands.directed(listed, rng))
    requests += operands.noise(listed, rng, NOISE)
    for request in requests:
        got = functions[request.spec.mnemonic](*request.arguments())
        right = request.result(model)
        if got != right:
            raise Difference(f"{request}: rd=0x{got:08x}, the model says 0x{right:08x}")
    return f"{said + len(requests)} operations"


class Kernel:
    """The functions of sw/include/aes_kernel.h in a shared library."""

    def __init__(self, path: str, key_words: int) -> None:
        self.library = ctypes.CDLL(path)
        self.key_type = ctypes.c_uint32 * (key_words + 1)

    def key(self, direction: str, key: bytes, bits: int) -> tuple[Any, int]:
        """Return (expanded key with a guard word, result code)."""
        expanded = self.key_type(*[0xA5A5A5A5] * len(self.key_type()))
        source = ctypes.create_string_buffer(key, len(key))
        function = getattr(self.library, f"aes_set_{direction}_key")
        return expanded, int(function(ctypes.byref(expanded), source, ctypes.c_uint(bits)))

    def no_key(self, direction: str, key: bytes, bits: int, code: int) -> None:
        """Ask for a key that must be refused; Difference if one remains, or for another code."""
        expanded, found = self.key(direction, key, bits)
        call = f"aes_set_{direction}_key({bits} bits)"
        if found != code:
            raise Difference(f"{call} returned {found}, not {code}")
        if expanded[len(expanded) - 1] != 0:
            raise Difference(f"{call} failed and left a key")

    def entries(self, direction: str) -> list[str]:
        """Return the functions on blocks of a direction: ECB, then those that are optional."""
        bulk = ["aes_ctr_blocks"] if direction == "encrypt" else []
        bulk.append(f"aes_cbc_{direction}_blocks")
        return [f"aes_{direction}_blocks", *(name for name in bulk if hasattr(self.library, name))]

    def blocks(
        self,
        name: str,
        key: Any,
        data: bytes,
        *,
        in_place: bool,
        chain: Any = None,
        expected: int = 0,
    ) -> bytes:
        """Pass whole blocks through a function; `chain` is the block that a mode continues with.

        Difference for another code than the expected one, and if the input or the guard is written.
        """
        source = ctypes.create_string_buffer(data + GUARD, len(data) + len(GUARD))
        target = source if in_place else ctypes.create_string_buffer(b"?" * len(data) + GUARD)
        between = [] if chain is None else [chain]
        code = getattr(self.library, name)(
            ctypes.byref(key), *between, source, target, ctypes.c_size_t(len(data) // 16)
        )
        if code != expected:
            raise Difference(f"{name} returned {code}, not {expected}")
        if bytes(target.raw[len(data) : len(data) + len(GUARD)]) != GUARD:
            raise Difference(f"{name} wrote beyond its output")
        if not in_place and bytes(source.raw[: len(data)]) != data:
            raise Difference(f"{name} changed its input")
        return bytes(target.raw[: len(data)])


def kernel(job: dict[str, Any], rng: random.Random) -> str:
    """Compare a kernel with the `cryptography` package: ECB, and the bulk entries that it has.

    Return what was done.
    """
    under_test = Kernel(job["library"], int(job["key_words"]))
    count = 0
    for direction in ("encrypt", "decrypt"):
        if direction not in job["directions"]:
            under_test.no_key(direction, bytes(16), 128, UNSUPPORTED)
            key, _ = under_test.key(job["directions"][0], rng.randbytes(16), 128)
            _no_output(under_test, f"aes_{direction}_blocks", key, UNSUPPORTED, rng)
            continue
        for bits in (0, 64, 127, 129, 160, 512):
            under_test.no_key(direction, bytes(64), bits, KEY_LENGTH)
        for bits in (128, 192, 256):
            for _ in range(KEYS_EACH_SIZE):
                count += _one_key(under_test, direction, rng.randbytes(bits // 8), rng)
            if job["checks_key"]:
                key, _ = under_test.key(direction, rng.randbytes(bits // 8), bits)
                under_test.library.aes_clear_key(ctypes.byref(key))
                for name in under_test.entries(direction):
                    _no_output(under_test, name, key, NO_KEY, rng)
    return f"{count} messages"


def _no_output(under_test: Kernel, name: str, key: Any, code: int, rng: random.Random) -> None:
    """Call a function that must fail: zeros in place of the blocks.

    A kernel may compare keys by block, so without any block a missing key may pass.
    """
    chain = None if name in ECB else ctypes.create_string_buffer(16)
    fewest = 1 if code == NO_KEY else 0
    for blocks, in_place in itertools.product(BLOCKS[fewest:], (False, True)):
        data = rng.randbytes(16 * blocks)
        got = under_test.blocks(name, key, data, in_place=in_place, chain=chain, expected=code)
        if got != bytes(len(data)):
            raise Difference(f"{name} failed and left {blocks} blocks")


def _one_key(under_test: Kernel, direction: str, key: bytes, rng: random.Random) -> int:
    """Compare messages of every length under one key; return their number."""
    bits = 8 * len(key)
    expanded, code = under_test.key(direction, key, bits)
    if code != 0:
        raise Difference(f"aes_set_{direction}_key({bits} bits) returned {code}")
    if expanded[len(expanded) - 1] != bits // 32 + 6:
        raise Difference(
            f"AES-{bits}: rounds is {expanded[len(expanded) - 1]}, not {bits // 32 + 6}"
        )
    name = f"aes_{direction}_blocks"
    under_test.blocks(name, expanded, bytes(16), in_place=False)  # a unit may number the key
    kept = bytes(expanded)
    count = 0
    for blocks, in_place in itertools.product(BLOCKS, (False, True)):
        data = rng.randbytes(16 * blocks)
        if under_test.blocks(name, expanded, data, in_place=in_place) != _right(
            direction, key, modes.ECB(), data
        ):
            where = "in place" if in_place else "to another buffer"
            raise Difference(f"AES-{bits} {direction}, {blocks} blocks {where}: wrong output")
        count += 1
    for entry in under_test.entries(direction)[1:]:
        count += _one_mode(under_test, entry, direction, key, expanded, rng)
    if bytes(expanded) != kept:
        raise Difference(f"a call for {direction}ion changed the expanded key")
    return count


def _one_mode(
    under_test: Kernel, entry: str, direction: str, key: bytes, expanded: Any, rng: random.Random
) -> int:
    """Compare messages in pieces, and the block that each piece leaves; return their number."""
    counts = "ctr" in entry
    for blocks, in_place in itertools.product(BLOCKS, (False, True)):
        # The counter's last word overflows within some pieces, its last byte within others.
        low = rng.choice((0xFFFFFFFF, 0xFFFFFFFC, 0x00FFFFFA, rng.getrandbits(32)))
        start = rng.randbytes(12) + low.to_bytes(4, "big") if counts else rng.randbytes(16)
        chain = ctypes.create_string_buffer(start, 16)
        for size in (blocks, 3):
            before, data = chain.raw, rng.randbytes(16 * size)
            got = under_test.blocks(entry, expanded, data, in_place=in_place, chain=chain)
            if counts:
                low = int.from_bytes(before[12:], "big")
                counters = [
                    before[:12] + ((low + i) & 0xFFFFFFFF).to_bytes(4, "big")
                    for i in range(size + 1)
                ]
                stream = _right("encrypt", key, modes.ECB(), b"".join(counters[:size]))
                right = bytes(a ^ b for a, b in zip(data, stream, strict=True))
                after = counters[size]
            else:
                right = _right(direction, key, modes.CBC(before), data)
                after = (before + (right if direction == "encrypt" else data))[-16:]
            if got != right:
                raise Difference(f"AES-{8 * len(key)} {entry}, {size} blocks: wrong output")
            if chain.raw != after:
                raise Difference(f"AES-{8 * len(key)} {entry}, {size} blocks: wrong block after it")
    return 4 * len(BLOCKS)


def _right(direction: str, key: bytes, mode: modes.ECB | modes.CBC, data: bytes) -> bytes:
    cipher = Cipher(algorithms.AES(key), mode)
    context = cipher.encryptor() if direction == "encrypt" else cipher.decryptor()
    return context.update(data) + context.finalize()


def main() -> int:
    """Do the job that a JSON file describes and write the outcome where it says."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    rng = random.Random(int(job["seed"]))
    work = {"emulation": emulation, "kernel": kernel}[job["what"]]
    try:
        outcome = {"status": "pass", "detail": work(job, rng)}
    except Difference as error:
        outcome = {"status": "mismatch", "detail": str(error)}
    except Exception as error:  # a function that is missing, a model that raises
        traceback.print_exc()
        outcome = {"status": "error", "detail": f"{type(error).__name__}: {error}"}
    Path(job["outcome"]).write_text(json.dumps(outcome), encoding="utf-8")
    return 0 if outcome["status"] == "pass" else 1


if __name__ == "__main__":
    sys.exit(main())
