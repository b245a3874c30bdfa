# SPDX-License-Identifier: Apache-2.0
"""Calls of the C interface for software stacks, compared with OpenSSL and hashlib.

`python aesforge_calls.py LIBRARY GROUP...` runs groups of checks on a shared library; a wrong
answer raises. Run it under the address sanitizer with PYTHONMALLOC=malloc: every buffer is an
object of its own then.
"""

import ctypes
import hashlib
import hmac
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.hazmat.primitives import cmac as openssl_cmac
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile

OK, KEY_LENGTH, LENGTH, TAG, ORDER, NO_KEY = 0, -1, -3, -4, -5, -6
ROOM = 8192  # more than any key or context
CONTEXT = 512  # more than any context of aesforge.h on this machine


class Wrong(AssertionError):
    """A call that did what its header does not allow."""


def require(good: object, what: str) -> None:
    """Raise Wrong unless `good`."""
    if not good:
        raise Wrong(what)


class Place:
    """Bytes at an odd or even address, exactly as long as they may be touched to the end."""

    def __init__(self, data: bytes, at: int) -> None:
        self.at, self.size = at, len(data)
        self.room = ctypes.create_string_buffer(bytes(at) + data, at + len(data))
        self.pointer = ctypes.c_void_p(ctypes.addressof(self.room) + at)

    @property
    def data(self) -> bytes:
        """The bytes as they are now."""
        return self.room.raw[self.at :]


class Library:
    """A shared library of the C; lengths are Python integers."""

    def __init__(self, path: str) -> None:
        self.found = ctypes.CDLL(path)

    def call(self, name: str, *arguments: object) -> int:
        """Call a function that returns a status."""
        words = [
            a.pointer if isinstance(a, Place) else ctypes.c_size_t(a) if isinstance(a, int) else a
            for a in arguments
        ]
        return int(getattr(self.found, name)(*words))

    def good(self, name: str, *arguments: object) -> None:
        """Call a function that must succeed."""
        status = self.call(name, *arguments)
        require(status == OK, f"{name} returned {status}")


def pieces(rng: random.Random, size: int) -> list[tuple[int, int]]:
    """Cut a length into pieces of any length, empty ones too: (from, to)."""
    cuts = sorted(rng.randrange(size + 1) for _ in range(rng.randrange(6)))
    return list(zip([0, *cuts], [*cuts, size], strict=True))


def stream(call: Callable[[Place, Place, int], int], data: bytes, rng: random.Random) -> bytes:
    """Send data through an update in pieces at any places, some of them in place."""
    result = b""
    for start, end in pieces(rng, len(data)):
        source = Place(data[start:end], rng.randrange(4))
        target = source if rng.randrange(2) else Place(b"?" * (end - start), rng.randrange(4))
        status = call(source, target, end - start)
        require(status == OK, f"an update returned {status}")
        result += target.data
    return result


def ctr(key: bytes, counter: bytes, data: bytes) -> bytes:
    """CTR as OpenSSL has it."""
    return Cipher(algorithms.AES(key), modes.CTR(counter)).encryptor().update(data)


# --- CTR in pieces --------------------------------------------------------------------------------


def ctr_pieces(lib: Library, rng: random.Random) -> None:
    """Any lengths at any places; counters that wrap; misuse."""
    for number in range(120):
        bits = rng.choice([128, 192, 256])
        raw, data = rng.randbytes(bits // 8), rng.randbytes(rng.randrange(700))
        counter = rng.randbytes(16)
        if number % 3 == 0:
            counter = counter[: 16 - number % 16] + b"\xff" * (number % 16)
        key = Place(bytes(ROOM), 0)
        lib.good("aes_set_encrypt_key", key, Place(raw, 0), ctypes.c_uint(bits))
        context = Place(bytes(CONTEXT), 0)
        lib.good("aes_ctr_start", context, key, Place(counter, number % 4))

        def update(source: Place, target: Place, n: int, context: Place = context) -> int:
            return lib.call("aes_ctr_update", context, source, target, n)

        require(stream(update, data, rng) == ctr(raw, counter, data), "CTR in pieces")
        lib.good("aes_ctr_finish", context)
        require(not any(context.data), "finish leaves a part of the context")
        require(lib.call("aes_ctr_finish", context) == ORDER, "a second finish")
        out = Place(b"?" * 5, 0)
        require(lib.call("aes_ctr_update", context, Place(b"12345", 0), out, 5) == ORDER, "order")
        require(out.data == b"?????", "a refused update wrote")
    context, no_key = Place(b"x" * CONTEXT, 0), Place(bytes(ROOM), 0)
    require(lib.call("aes_ctr_start", context, no_key, Place(bytes(16), 0)) == NO_KEY, "no key")
    # A key that is cleared within a message: zeros, and no context.
    lib.good("aes_set_encrypt_key", no_key, Place(bytes(16), 0), ctypes.c_uint(128))
    lib.good("aes_ctr_start", context, no_key, Place(bytes(16), 0))
    lib.found.aes_clear_key(no_key.pointer)
    out = Place(b"?" * 20, 0)
    require(lib.call("aes_ctr_update", context, Place(bytes(20), 0), out, 20) == NO_KEY, "cleared")
    require(out.data == bytes(20), "a failed update leaves text")
    require(lib.call("aes_ctr_finish", context) == ORDER, "a failed context lives")


# --- GCM, unverified ------------------------------------------------------------------------------


def unverified(lib: Library, rng: random.Random) -> None:
    """The text as it comes, the verdict at the end; forged tags, texts and AAD; misuse."""
    for number in range(90):
        bits = rng.choice([128, 192, 256])
        raw = rng.randbytes(bits // 8)
        iv = rng.randbytes(12 if number % 3 else rng.randrange(8, 40))
        aad, text = rng.randbytes(rng.randrange(50)), rng.randbytes(rng.randrange(500))
        sealed = AESGCM(raw).encrypt(iv, text, aad)
        cipher, tag = sealed[:-16], sealed[-16:]
        size = rng.choice([4, 8, 12, 13, 14, 15, 16])
        key, context = Place(bytes(ROOM), 0), Place(bytes(CONTEXT), 0)
        lib.good("aes_gcm_set_key", key, Place(raw, number % 4), ctypes.c_uint(bits))
        forged = number % 5 == 0
        if forged:
            which = rng.choice(["tag"] + ["cipher"] * bool(cipher) + ["aad"] * bool(aad))
            if which == "tag":
                tag = flipped(tag, rng.randrange(size))
            elif which == "cipher":
                cipher = flipped(cipher, rng.randrange(len(cipher)))
            else:
                aad = flipped(aad, rng.randrange(len(aad)))
        lib.good("aes_gcm_start", context, key, Place(iv, 1), len(iv))
        for start, end in pieces(rng, len(aad)):
            lib.good("aes_gcm_aad", context, Place(aad[start:end], 3), end - start)

        def update(source: Place, target: Place, n: int, context: Place = context) -> int:
            return lib.call("aes_gcm_unverified_update", context, source, target, n)

        got = stream(update, cipher, rng)
        if not forged:
            require(got == text, "GCM, unverified")
        before = context.data
        for wrong in ("aes_gcm_encrypt_update", "aes_gcm_decrypt_update"):
            status = lib.call(wrong, context, Place(b"1", 0), Place(b"1", 0), 1)
            require(status == ORDER, f"{wrong} within an unverified message")
        status = lib.call("aes_gcm_verify_update", context, Place(b"1", 0), 1)
        require(status == ORDER, "verify_update within an unverified message")
        require(lib.call("aes_gcm_unverified_finish", context, Place(tag, 0), 5) == LENGTH, "tag")
        require(context.data == before, "a refused call changed the context")
        status = lib.call("aes_gcm_unverified_finish", context, Place(tag, 2), size)
        require(status == (TAG if forged else OK), f"verdict {status}")
        require(not any(context.data), "finish leaves a part of the context")
        require(update(Place(b"1", 0), Place(b"1", 0), 1) == ORDER, "after the end")


def flipped(data: bytes, at: int) -> bytes:
    """The bytes with one bit of one of them flipped."""
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


# --- keys as bytes --------------------------------------------------------------------------------

Key = tuple[Place, ctypes.c_uint]


def given(raw: bytes, rng: random.Random) -> Key:
    """A key as the calls take it, at any address."""
    return Place(raw, rng.randrange(4)), ctypes.c_uint(8 * len(raw))


def one_call(lib: Library, raw: bytes, rng: random.Random) -> None:
    """A call of a random kind."""
    kind = rng.randrange(8)
    key, data = given(raw, rng), rng.randbytes(16 * rng.randrange(1, 9))
    source, iv = Place(data, rng.randrange(4)), rng.randbytes(16)
    out, place = Place(b"?" * len(data), rng.randrange(4)), Place(iv, rng.randrange(4))
    blocks = len(data) // 16
    ecb, cbc = Cipher(algorithms.AES(raw), modes.ECB()), Cipher(algorithms.AES(raw), modes.CBC(iv))
    aad, tag = rng.randbytes(21), Place(b"?" * 16, 1)
    if kind == 0:
        lib.good("aesforge_ecb_encrypt", *key, source, out, blocks)
        require(out.data == ecb.encryptor().update(data), "ECB")
    elif kind == 1 and lib.decrypts:
        lib.good("aesforge_ecb_decrypt", *key, source, out, blocks)
        require(out.data == ecb.decryptor().update(data), "ECB, decryption")
    elif kind == 2:
        lib.good("aesforge_cbc_encrypt", *key, place, source, out, blocks)
        require(out.data == cbc.encryptor().update(data), "CBC")
        require(place.data == out.data[-16:], "the chain of CBC")
    elif kind == 3 and lib.decrypts:
        lib.good("aesforge_cbc_decrypt", *key, place, source, out, blocks)
        require(out.data == cbc.decryptor().update(data), "CBC, decryption")
    elif kind == 4:
        lib.good("aesforge_ctr", *key, place, source, out, len(data))
        require(out.data == ctr(raw, iv, data), "CTR")
    elif kind == 5:
        text = (Place(iv[:12], 1), 12, Place(aad, 2), len(aad))
        lib.good("aesforge_gcm_encrypt", *key, *text, source, out, len(data), tag, 16)
        require(out.data + tag.data == AESGCM(raw).encrypt(iv[:12], data, aad), "GCM")
        back = Place(b"?" * len(data), 3)
        lib.good("aesforge_gcm_decrypt", *key, *text, out, back, len(data), tag, 16)
        require(back.data == data, "GCM, decryption")
        bad = Place(flipped(tag.data, 15), 0)
        status = lib.call("aesforge_gcm_decrypt", *key, *text, out, back, len(data), bad, 16)
        require(status == TAG, "GCM, a forged tag")
    elif kind == 6:
        text = (Place(iv[:13], 1), 13, Place(aad, 2), len(aad))
        lib.good("aesforge_ccm_encrypt", *key, *text, source, out, len(data), tag, 16)
        require(out.data + tag.data == AESCCM(raw).encrypt(iv[:13], data, aad), "CCM")
        back = Place(b"?" * len(data), 3)
        lib.good("aesforge_ccm_decrypt", *key, *text, out, back, len(data), tag, 16)
        require(back.data == data, "CCM, decryption")
    else:
        right = openssl_cmac.CMAC(algorithms.AES(raw))
        right.update(data)
        lib.good("aesforge_cmac", *key, source, len(data), tag, 16)
        require(tag.data == right.finalize(), "CMAC")
        lib.good("aesforge_cmac_verify", *key, source, len(data), tag, 16)


class Message:
    """A message in pieces of a random family; `step` sends the next piece, False at the end."""

    def __init__(self, lib: Library, raw: bytes, rng: random.Random) -> None:
        self.lib, self.rng, self.raw = lib, rng, raw
        self.kind = rng.choice(["ctr", "seal", "open", "unverified", "ccm", "cmac"])
        self.context = Place(b"x" * CONTEXT, 0)
        self.text, self.aad = rng.randbytes(rng.randrange(1, 300)), rng.randbytes(19)
        self.iv, self.done = rng.randbytes(16), b""
        key = given(raw, rng)
        if self.kind == "ctr":
            self.take, self.right, self.tag = self.text, ctr(raw, self.iv, self.text), b""
            lib.good("aesforge_ctr_start", self.context, *key, Place(self.iv, 1))
        elif self.kind == "cmac":
            made = openssl_cmac.CMAC(algorithms.AES(raw))
            made.update(self.text)
            self.take, self.right, self.tag = self.text, b"", made.finalize()
            lib.good("aesforge_cmac_start", self.context, *key)
        elif self.kind == "ccm":
            sealed = AESCCM(raw).encrypt(self.iv[:13], self.text, self.aad)
            self.take, self.right, self.tag = self.text, sealed[:-16], sealed[-16:]
            lengths = (ctypes.c_uint64(19), ctypes.c_uint64(len(self.text)), 16)
            lib.good("aesforge_ccm_start", self.context, *key, Place(self.iv[:13], 1), 13, *lengths)
            lib.good("aesforge_ccm_aad", self.context, Place(self.aad, 1), 19)
        else:
            sealed = AESGCM(raw).encrypt(self.iv[:12], self.text, self.aad)
            self.take, self.right, self.tag = sealed[:-16], self.text, sealed[-16:]
            if self.kind == "seal":
                self.take, self.right = self.right, self.take
            lib.good("aesforge_gcm_start", self.context, *key, Place(self.iv[:12], 3), 12)
            lib.good("aesforge_gcm_aad", self.context, Place(self.aad, 1), 19)
            if self.kind == "open":
                size = len(self.take)
                lib.good("aesforge_gcm_verify_update", self.context, Place(self.take, 1), size)
        self.cuts = pieces(rng, len(self.take))
        self.verified = self.kind != "open"

    UPDATE = {
        "ctr": "ctr_update",
        "seal": "gcm_encrypt_update",
        "open": "gcm_decrypt_update",
        "unverified": "gcm_unverified_update",
        "ccm": "ccm_encrypt_update",
    }

    def step(self) -> bool:
        """The next call."""
        call, context = self.lib.good, self.context
        if not self.verified:
            call("aesforge_gcm_verify_finish", context, Place(self.tag, 1), 16)
            self.verified = True
        elif self.cuts:
            start, end = self.cuts.pop(0)
            source, out = Place(self.take[start:end], 1), Place(b"?" * (end - start), 3)
            if self.kind == "cmac":
                call("aesforge_cmac_update", context, source, end - start)
            else:
                name = f"aesforge_{self.UPDATE[self.kind]}"
                call(name, context, source, out, end - start)
                self.done += out.data
        else:
            self.end()
            return False
        return True

    def end(self) -> None:
        """The last call, which leaves nothing in the context."""
        tag, call, context = Place(b"?" * 16, 1), self.lib.good, self.context
        if self.kind == "ctr":
            call("aesforge_ctr_finish", context)
        elif self.kind == "seal":
            call("aesforge_gcm_encrypt_finish", context, tag, 16)
        elif self.kind == "open":
            call("aesforge_gcm_decrypt_finish", context)
        elif self.kind == "unverified":
            call("aesforge_gcm_unverified_finish", context, Place(self.tag, 0), 16)
        elif self.kind == "ccm":
            call("aesforge_ccm_encrypt_finish", context, tag)
        else:
            call("aesforge_cmac_finish", context, tag, 16)
        if self.kind in ("seal", "ccm", "cmac"):
            require(tag.data == self.tag, f"tag of {self.kind}")
        require(self.done == self.right, f"text of {self.kind}")
        require(self.raw not in context.data, f"{self.kind} leaves its key in the context")
        require(context.data.rstrip(b"x") == bytes(len(context.data.rstrip(b"x"))), "not wiped")


def raw_keys(rng: random.Random) -> list[bytes]:
    """More keys than the cache has places, among them some that are nearly equal."""
    first = rng.randbytes(32)
    zeros = rng.randbytes(16)
    return [
        *(first, flipped(first, 31), flipped(first, 0), first[:16], first[:24]),
        *(zeros, zeros + bytes(8), zeros + bytes(16), rng.randbytes(24)),
    ]


def resident(lib_path: str, secrets: Sequence[bytes]) -> int:
    """How many of the secrets are in the library's variables."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    base = min(int(line.split("-")[0], 16) for line in maps if line.endswith(lib_path))
    with Path(lib_path).open("rb") as file:
        parts = [part.header for part in ELFFile(file).iter_segments("PT_LOAD")]
    written = [part for part in parts if part.p_flags & P_FLAGS.PF_W]
    require(written, "the library's variables are not found")
    found = set()
    with Path("/proc/self/mem").open("rb", buffering=0) as memory:
        for part in written:
            memory.seek(base + part.p_vaddr)
            data = memory.read(part.p_memsz)
            require(len(data) == part.p_memsz, "the library's variables are not all read")
            found |= {secret for secret in secrets if secret in data}
    return len(found)


def cache(lib: Library, rng: random.Random) -> None:
    """Keys that are alike, interleaved: in one call, and in contexts that outlive their places."""
    keys = raw_keys(rng)
    for _ in range(400):
        one_call(lib, rng.choice(keys), rng)
        require(lib.locked() == 0, "a call kept the lock")
    running: list[Message] = []
    for _ in range(1500):
        if len(running) < 7:
            running.append(Message(lib, rng.choice(keys), rng))
        message = rng.choice(running)
        if not message.step():
            running.remove(message)
        require(lib.locked() == 0, "a call kept the lock")
    for message in running:
        family = {"seal": "gcm", "open": "gcm", "unverified": "gcm"}.get(message.kind, message.kind)
        getattr(lib.found, f"aesforge_{family}_abort")(message.context.pointer)
        require(message.raw not in message.context.data, "abort leaves a key")
    require(lib.taken() > 1000, "calls without the lock")
    require(lib.double() == 0, "the lock was taken twice")
    # Lengths of keys that there are not, and calls on contexts that were not begun.
    out = Place(b"?" * 16, 0)
    for bits in (0, 64, 127, 160, 512):
        status = lib.call(
            "aesforge_ecb_encrypt", Place(bytes(64), 0), ctypes.c_uint(bits), out, out, 1
        )
        require(status == KEY_LENGTH, "a length of key")
    context = Place(bytes(CONTEXT), 0)
    require(lib.call("aesforge_ctr_update", context, out, out, 16) == ORDER, "not started")
    require(lib.call("aesforge_gcm_encrypt_finish", context, out, 16) == ORDER, "not started")
    require(out.data == b"?" * 16, "a refused call wrote")
    lib.good("aesforge_ctr_start", context, *given(keys[0], rng), Place(bytes(16), 0))
    status = lib.call(
        "aesforge_ctr_start", context, Place(bytes(64), 0), ctypes.c_uint(1), Place(bytes(16), 0)
    )
    require(status == KEY_LENGTH, "a start with a length of key that there is not")
    require(keys[0] not in context.data, "a start that failed leaves a key")


def forget(lib: Library, rng: random.Random, path: str) -> None:
    """Keys are in the library's memory until they are forgotten, and then they are not."""
    keys = [rng.randbytes(32) for _ in range(9)]
    data = Place(bytes(16), 0)
    for raw in keys:
        lib.good("aesforge_ecb_encrypt", Place(raw, 1), ctypes.c_uint(256), data, data, 1)
    there = resident(path, keys)
    require(there == 4, f"{there} keys are in a cache of 4 places")
    lib.found.aesforge_forget()
    require(resident(path, keys) == 0, "forget leaves a key")
    lib.good("aesforge_ecb_encrypt", Place(keys[0], 1), ctypes.c_uint(256), data, data, 1)


class Stacks(Library):
    """A library with counters in its lock."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        key = Place(bytes(ROOM), 0)
        raw = Place(bytes(16), 0)
        self.decrypts = self.call("aes_set_decrypt_key", key, raw, ctypes.c_uint(128)) == OK

    def locked(self) -> int:
        """How deep the lock is."""
        return ctypes.c_int.in_dll(self.found, "lock_depth").value

    def taken(self) -> int:
        """How often it was taken."""
        return ctypes.c_int.in_dll(self.found, "lock_taken").value

    def double(self) -> int:
        """How often it was taken twice."""
        return ctypes.c_int.in_dll(self.found, "lock_double").value


# --- SHA-256 --------------------------------------------------------------------------------------


def sha256(lib: Library, rng: random.Random) -> None:
    """Every length around a block, random pieces, HMAC of parts."""
    for size in [*range(200), *(rng.randrange(3000) for _ in range(60))]:
        data, context, digest = rng.randbytes(size), Place(b"x" * 160, 0), Place(b"?" * 32, 1)
        lib.found.sha256_init(context.pointer)
        for start, end in pieces(rng, size):
            part = Place(data[start:end], rng.randrange(4))
            lib.found.sha256_update(context.pointer, part.pointer, ctypes.c_size_t(end - start))
        lib.found.sha256_final(context.pointer, digest.pointer)
        require(digest.data == hashlib.sha256(data).digest(), f"SHA-256 of {size} bytes")
        require(not any(context.data.rstrip(b"x")), "final leaves a part of the context")
    for _ in range(60):
        key, mac = rng.randbytes(32), Place(b"?" * 32, 3)
        parts = [rng.randbytes(rng.randrange(150)) for _ in range(rng.randrange(1, 5))]
        places = [Place(part, rng.randrange(4)) for part in parts]
        pointers = (ctypes.c_void_p * len(parts))(*(place.pointer.value for place in places))
        lengths = (ctypes.c_size_t * len(parts))(*map(len, parts))
        count = ctypes.c_size_t(len(parts))
        placed = Place(key, 1)  # an object until the call has returned
        lib.found.hmac_sha256(mac.pointer, placed.pointer, pointers, lengths, count)
        require(mac.data == hmac.digest(key, b"".join(parts), "sha256"), "HMAC-SHA-256")


# --- keys of curves -------------------------------------------------------------------------------

SCALAR, POINT, RANDOM = -1, -2, -4
P256_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
P256_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
RANDOM_T = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t
)
# Bytes of a coordinate, order (SEC 2).
BINARY = {
    "b233": (30, 0x1000000000000000000000000000013E974E72F8A6922031D2603CFE0D7),
    "k233": (30, 0x8000000000000000000000000000069D5BB915BCD46EFB1AD5F173ABDF),
    "sect163k1": (21, 0x4000000000000000000020108A2E0CC0D99F8A5EF),
    "sect163r1": (21, 0x3FFFFFFFFFFFFFFFFFFFF48AAB689C29CA710279B),
}


def p256_point(d: int) -> bytes:
    """The public key of a private key, as OpenSSL has it."""
    found = ec.derive_private_key(d, ec.SECP256R1()).public_key().public_numbers()
    return found.x.to_bytes(32, "big") + found.y.to_bytes(32, "big")


class Source:
    """Random numbers that are prepared: what each call gives; None fails."""

    def __init__(self, *given: bytes | None) -> None:
        self.given, self.calls = list(given), 0

        def fill(_context: object, target: "ctypes._Pointer[ctypes.c_uint8]", n: int) -> int:
            data = self.given[min(self.calls, len(self.given) - 1)]
            self.calls += 1
            if data is None:
                return -1
            require(len(data) == n, f"{n} random bytes were asked for")
            ctypes.memmove(target, data, n)
            return 0

        self.function = RANDOM_T(fill)


def generated(
    lib: Library, name: str, size: int, point: int, source: Source
) -> tuple[int, bytes, bytes]:
    """What <name>_generate returns and writes, with a public key and without: the same key."""
    d, pub, alone = Place(b"?" * size, 1), Place(b"?" * point, 3), Place(b"?" * size, 0)
    status = lib.call(f"{name}_generate", d, pub, source.function, None)
    calls, source.calls = source.calls, 0
    require(lib.call(f"{name}_generate", alone, None, source.function, None) == status, "status")
    require(source.calls == calls, "the number of candidates depends on the public key")
    require(alone.data == d.data, "the private key depends on the public key")
    return status, d.data, pub.data


def curve_keys(lib: Library, rng: random.Random) -> None:
    """Range checks, validation, new keys, and products with both coordinates."""

    def big(value: int, size: int = 32) -> bytes:
        return value.to_bytes(size, "big")

    for value in (0, P256_N, P256_N + 1, 2**256 - 1, 1, 2, P256_N - 1, rng.randrange(1, P256_N)):
        status = lib.call("p256_check_private", Place(big(value), 1))
        require(status == (OK if 0 < value < P256_N else SCALAR), f"private key {value:x}")
    for _ in range(12):
        d, e = rng.randrange(1, P256_N), rng.randrange(1, P256_N)
        point, product = p256_point(e), Place(b"?" * 64, 3)
        require(lib.call("p256_check_public", Place(point, 1)) == OK, "a good point")
        lib.good("p256_mul", product, Place(big(d), 1), Place(point, 2))
        require(product.data == p256_point(d * e % P256_N), "d Q")
        off = flipped(point, rng.randrange(64))
        require(lib.call("p256_check_public", Place(off, 1)) == POINT, "a point off the curve")
        x, y = int.from_bytes(point[:32], "big"), int.from_bytes(point[32:], "big")
        for odd in (bytes(64), big(P256_P) + big(y), big(x) + big(P256_P)):
            require(lib.call("p256_check_public", Place(odd, 1)) == POINT, "no point")
        if x + P256_P < 2**256:
            require(lib.call("p256_check_public", Place(big(x + P256_P) + big(y), 0)) == POINT, "x")
        product = Place(b"?" * 64, 3)
        require(lib.call("p256_mul", product, Place(big(d), 1), Place(off, 2)) == POINT, "off")
        require(
            lib.call("p256_mul", product, Place(big(P256_N), 1), Place(point, 2)) == SCALAR, "n"
        )
        require(product.data == b"?" * 64, "a refused product wrote")
    good = rng.randrange(1, P256_N)
    source = Source(b"\xff" * 32, big(0), big(P256_N), big(good))
    status, d_bytes, pub = generated(lib, "p256", 32, 64, source)
    require((status, d_bytes, pub) == (OK, big(good), p256_point(good)), "a new key of P-256")
    for source, calls in (
        (Source(None), 1),
        (Source(b"\xff" * 32, None), 2),
        (Source(bytes(32)), 8),
    ):
        status, d_bytes, pub = generated(lib, "p256", 32, 64, source)
        require((status, d_bytes, pub) == (RANDOM, b"?" * 32, b"?" * 64), "no random numbers")
        require(source.calls == calls, f"{source.calls} candidates")
    raw = rng.randbytes(32)
    status, d_bytes, pub = generated(lib, "x25519", 32, 32, Source(raw))
    clamped = bytes([raw[0] & 248]) + raw[1:31] + bytes([raw[31] & 127 | 64])
    right = x25519.X25519PrivateKey.from_private_bytes(raw).public_key().public_bytes_raw()
    require((status, d_bytes, pub) == (OK, clamped, right), "a new key of X25519")
    status, d_bytes, pub = generated(lib, "x25519", 32, 32, Source(None))
    require((status, d_bytes, pub) == (RANDOM, b"?" * 32, b"?" * 32), "no random numbers")
    for name, (size, order) in BINARY.items():
        binary_keys(lib, rng, name, size, order)


def binary_keys(lib: Library, rng: random.Random, name: str, size: int, order: int) -> None:
    """The same for a curve over a binary field."""
    good = rng.randrange(1, order)
    for value in (0, order, order + 1, (1 << 8 * size) - 1, 1, order - 1, good):
        status = lib.call(f"{name}_check_private", Place(value.to_bytes(size, "big"), 1))
        require(status == (OK if 0 < value < order else SCALAR), f"{name}: private key {value:x}")
    # The bits above the order's are ignored: a candidate with all of them is the good one.
    above = (1 << 8 * size) - (1 << order.bit_length())
    candidates = [order.to_bytes(size, "big"), (good | above).to_bytes(size, "big")]
    status, d, pub = generated(lib, name, size, 2 * size, Source(*candidates))
    require((status, d) == (OK, good.to_bytes(size, "big")), f"{name}: a new key")
    want = Place(b"?" * (2 * size), 0)
    lib.good(f"{name}_public_key", want, Place(d, 1))
    require(pub == want.data, f"{name}: the public key of a new key")
    require(lib.call(f"{name}_check_public", Place(pub, 1)) == OK, f"{name}: a good point")
    for at in (0, size - 1, 2 * size - 1):
        status = lib.call(f"{name}_check_public", Place(flipped(pub, at), 1))
        require(status == POINT, f"{name}: a point off the curve")
    require(lib.call(f"{name}_check_public", Place(bytes(2 * size), 1)) == POINT, f"{name}: zeros")
    status, d, pub = generated(lib, name, size, 2 * size, Source(bytes(size)))
    require((status, d, pub) == (RANDOM, b"?" * size, b"?" * 2 * size), f"{name}: no numbers")


def checks(path: str, group: str) -> None:
    """Run a group of checks."""
    rng = random.Random(group)
    if group == "curves":
        curve_keys(Library(path), rng)
    elif group == "sha256":
        sha256(Library(path), rng)
    elif group == "ctr":
        ctr_pieces(Library(path), rng)
    elif group == "unverified":
        unverified(Library(path), rng)
    elif group == "cache":
        cache(Stacks(path), rng)
    elif group == "forget":
        forget(Stacks(path), rng, path)
    else:
        raise SystemExit(f"no group '{group}'")


def main() -> int:
    """Run groups of checks in turn."""
    path, *groups = sys.argv[1:]
    for group in groups:
        checks(path, group)
        print(f"{group}: right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
