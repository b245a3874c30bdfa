# SPDX-License-Identifier: Apache-2.0
"""Mbed TLS's PSA core with our driver, on emulated units, against the `cryptography` package."""

import ctypes
import random
import re
import subprocess
from collections.abc import Sequence
from ctypes import byref, c_size_t, c_uint32
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import cmac, hashes
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from aesforge.base import proc
from aesforge.base.errors import Absent
from aesforge.base.paths import ROOT
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.stacks import host, mbedtls
from stack_support import FEW, OTHERS, pair_name, with_mistake

HERE = Path(__file__).parent / "psa"
SHIM, EXPORTS = HERE / "shim.c", HERE / "exports.map"
BUILT_IN = re.compile(r"\bmbedtls_(aes|gcm|ccm|cmac|cipher_cmac|ecp|ecdh|ecdsa|mpi)_\w+")

# Errors of psa/crypto_values.h.
NOT_SUPPORTED, INVALID_ARGUMENT, BUFFER_TOO_SMALL = -134, -135, -138
BAD_STATE, INVALID_SIGNATURE = -137, -149

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Psa:
    """The library, its functions by their names, and buffers at every alignment."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))
        self.rng = random.Random(20261125)
        self.library.t_entry_name.restype = ctypes.c_char_p
        self.library.t_operation_bytes.restype = c_size_t
        for name in ("t_aead_tag", "t_mac_bytes", "t_calls"):
            getattr(self.library, name).restype = c_uint32
        assert self.call("psa_crypto_init") == 0

    def __getattr__(self, name: str) -> int:
        return c_uint32.in_dll(self.library, f"t_{name}").value

    def call(self, name: str, *arguments: Any) -> int:
        """Call a function: sizes are Python's integers, algorithms and keys c_uint32."""
        converted = [c_size_t(a) if isinstance(a, int) else a for a in arguments]
        return int(getattr(self.library, name)(*converted))

    def key(self, kind: int, bits: int, alg: int, data: bytes) -> c_uint32:
        """Import a key that must be accepted."""
        number = c_uint32()
        assert self.imported(kind, bits, alg, data, number) == 0
        return number

    def imported(self, kind: int, bits: int, alg: int, data: bytes, number: c_uint32) -> int:
        """Import a key, whatever comes of it."""
        where = self.at(data)
        return self.call(
            "t_import", c_uint32(kind), bits, c_uint32(alg), where, len(data), byref(number)
        )

    def at(self, data: bytes, room: int = 0) -> Any:
        """Return a buffer that begins with `data` at some alignment."""
        shift = self.rng.randrange(8)
        whole = (ctypes.c_char * (shift + len(data) + room + 8))()
        view = (ctypes.c_char * (len(data) + room)).from_buffer(whole, shift)
        view[: len(data)] = data
        return view

    def operation(self) -> Any:
        """A multi-part operation that has not begun."""
        return (ctypes.c_uint64 * (self.library.t_operation_bytes() // 8 + 1))()

    def pieces(self, data: bytes) -> list[bytes]:
        """Cut a message at random places."""
        cuts = sorted(self.rng.randrange(len(data) + 1) for _ in range(self.rng.randrange(4)))
        ends = [*cuts, len(data)]
        return [data[a:b] for a, b in zip([0, *cuts], ends, strict=True)]

    def into(self, name: str, operation: Any, data: bytes, in_place: bool) -> bytes:
        """Give a piece to an operation and return the text that it gives."""
        room = 16
        source = self.at(data, room)
        target = source if in_place else self.at(b"", len(data) + room)
        made = c_size_t()
        status = self.call(
            name, byref(operation), source, len(data), target, len(data) + room, byref(made)
        )
        assert status == 0, name
        return bytes(target[: made.value])


# What is right ------------------------------------------------------------------------------------


def _cipher(psa: Psa, alg: int, key: bytes, iv: bytes) -> Cipher[Any]:
    mode: Any = {psa.ecb: modes.ECB, psa.cbc: lambda: modes.CBC(iv), psa.ctr: lambda: modes.CTR(iv)}
    return Cipher(algorithms.AES(key), mode[alg]())


def _sealed(psa: Psa, alg: int, key: bytes, nonce: bytes, aad: bytes, text: bytes) -> bytes:
    """Ciphertext and a tag of 16 bytes."""
    if alg == psa.ccm:
        return AESCCM(key).encrypt(nonce, text, aad)
    encryptor = Cipher(algorithms.AES(key), modes.GCM(nonce)).encryptor()
    encryptor.authenticate_additional_data(aad)
    return encryptor.update(text) + encryptor.finalize() + encryptor.tag


# Steps --------------------------------------------------------------------------------------------


def ciphers(psa: Psa) -> None:
    """ECB, CBC and CTR, whole and in pieces, at all alignments, also in place."""
    for alg in (psa.ecb, psa.cbc, psa.ctr):
        for bits in (128, 192, 256):
            key = psa.rng.randbytes(bits // 8)
            number = psa.key(psa.aes, bits, alg, key)
            for size in (0, 16, 32, 80, 208, *((1, 15, 17, 100) if alg == psa.ctr else ())):
                text = psa.rng.randbytes(size)
                _whole_cipher(psa, alg, key, number, text)
                for in_place in (False, True):
                    _cipher_in_pieces(psa, alg, key, number, text, in_place)
            psa.call("psa_destroy_key", number)


def _whole_cipher(psa: Psa, alg: int, key: bytes, number: c_uint32, text: bytes) -> None:
    iv_bytes = 0 if alg == psa.ecb else 16
    made = c_size_t()
    target = psa.at(b"", iv_bytes + len(text))
    source = psa.at(text)
    status = psa.call(
        *("psa_cipher_encrypt", number, c_uint32(alg), source, len(text)),
        *(target, len(target), byref(made)),
    )
    assert status == 0
    assert made.value == iv_bytes + len(text)
    sent = bytes(target[: made.value])
    right = _cipher(psa, alg, key, sent[:iv_bytes]).encryptor()
    assert sent[iv_bytes:] == right.update(text) + right.finalize()
    back = psa.at(b"", len(text))
    source = psa.at(sent)
    status = psa.call(
        *("psa_cipher_decrypt", number, c_uint32(alg), source, len(sent)),
        *(back, len(text), byref(made)),
    )
    assert status == 0
    assert bytes(back[: made.value]) == text


def _cipher_in_pieces(
    psa: Psa, alg: int, key: bytes, number: c_uint32, text: bytes, in_place: bool
) -> None:
    iv = psa.rng.randbytes(16)
    right = _cipher(psa, alg, key, iv).encryptor()
    sealed = right.update(text) + right.finalize()
    for way, given, wanted in (("encrypt", text, sealed), ("decrypt", sealed, text)):
        operation = psa.operation()
        assert psa.call(f"psa_cipher_{way}_setup", byref(operation), number, c_uint32(alg)) == 0
        if alg != psa.ecb:
            assert psa.call("psa_cipher_set_iv", byref(operation), psa.at(iv), 16) == 0
        got = b"".join(
            psa.into("psa_cipher_update", operation, piece, in_place) for piece in psa.pieces(given)
        )
        rest, made = psa.at(b"", 16), c_size_t()
        assert psa.call("psa_cipher_finish", byref(operation), rest, 16, byref(made)) == 0
        assert made.value == 0
        assert got == wanted, f"{way} in pieces"


def one_buffer(psa: Psa) -> None:
    """Pieces that are not whole blocks, in one buffer: the output never overtakes the input."""
    for alg in (psa.ecb, psa.cbc, psa.ctr):
        key, iv = psa.rng.randbytes(16), psa.rng.randbytes(16)
        number = psa.key(psa.aes, 128, alg, key)
        text = psa.rng.randbytes(160)
        right = _cipher(psa, alg, key, iv).encryptor()
        wanted = right.update(text) + right.finalize()
        operation, made = psa.operation(), c_size_t()
        assert psa.call("psa_cipher_encrypt_setup", byref(operation), number, c_uint32(alg)) == 0
        if alg != psa.ecb:
            assert psa.call("psa_cipher_set_iv", byref(operation), psa.at(iv), 16) == 0
        got = b""
        for begin, end in ((0, 5), (5, 70), (70, 103), (103, 160)):
            piece = psa.at(text[begin:end], 16)
            size = end - begin
            where = (byref(operation), piece, size, piece, size + 16, byref(made))
            assert psa.call("psa_cipher_update", *where) == 0
            got += bytes(piece[: made.value])
        assert got == wanted
        psa.call("psa_cipher_abort", byref(operation))


def aeads(psa: Psa) -> None:
    """GCM and CCM: whole, in pieces, tags of every length, forged ones refused."""
    for alg, nonces, tags in (
        (psa.gcm, (12, 12, 1, 33), (16, 12, 4, 8, 13)),
        (psa.ccm, (13, 7, 12), (16, 4, 10)),
    ):
        for bits in (128, 256, 192):
            for size in (0, 1, 16, 33, 260):
                key, text = psa.rng.randbytes(bits // 8), psa.rng.randbytes(size)
                aad = psa.rng.randbytes(psa.rng.choice((0, 5, 16, 40)))
                nonce = psa.rng.randbytes(psa.rng.choice(nonces))
                tag = psa.rng.choice(tags)
                short = int(psa.library.t_aead_tag(c_uint32(alg), c_size_t(tag)))
                number = psa.key(psa.aes, bits, short, key)
                if alg == psa.ccm:
                    right = AESCCM(key, tag_length=tag).encrypt(nonce, text, aad)
                elif len(nonce) < 8:  # not offered by `cryptography`: what is sealed must open
                    right = b""
                else:
                    right = _sealed(psa, alg, key, nonce, aad, text)[: size + tag]
                sent = _whole_aead(psa, short, number, nonce, aad, text, tag)
                if right:
                    assert sent == right
                for in_place in (False, True):
                    _aead_in_pieces(psa, alg, short, number, nonce, aad, text, sent, in_place)
                psa.call("psa_destroy_key", number)


def _whole_aead(
    psa: Psa, alg: int, number: c_uint32, nonce: bytes, aad: bytes, text: bytes, tag: int
) -> bytes:
    made = c_size_t()
    size = len(text) + tag
    target = psa.at(text, tag)  # in place
    before = (number, c_uint32(alg), psa.at(nonce), len(nonce), psa.at(aad), len(aad))
    status = psa.call("psa_aead_encrypt", *before, target, len(text), target, size, byref(made))
    assert status == 0
    assert made.value == size
    sent = bytes(target[:size])
    small = psa.at(b"", size)
    status = psa.call(
        "psa_aead_encrypt", *before, psa.at(text), len(text), small, size - 1, byref(made)
    )
    assert status == BUFFER_TOO_SMALL
    back = psa.at(b"", len(text))
    asked = (psa.at(sent), size, back, len(text), byref(made))
    assert psa.call("psa_aead_decrypt", *before, *asked) == 0
    assert bytes(back[: made.value]) == text
    for where in {0, len(text), size - 1}:
        forged = bytearray(sent)
        forged[where] ^= 0x10
        kept = psa.at(b"", len(text))
        asked = (psa.at(bytes(forged)), size, kept, len(text), byref(made))
        assert psa.call("psa_aead_decrypt", *before, *asked) == INVALID_SIGNATURE
        assert bytes(kept) == bytes(len(text)), "text of a forged message"
    return sent


def _aead_in_pieces(
    psa: Psa,
    alg: int,
    short: int,
    number: c_uint32,
    nonce: bytes,
    aad: bytes,
    text: bytes,
    sent: bytes,
    in_place: bool,
) -> None:
    sealed, tag = sent[: len(text)], sent[len(text) :]
    for forged in (None, False, True):
        way = "encrypt" if forged is None else "decrypt"
        given, wanted = (text, sealed) if forged is None else (sealed, text)
        operation, made = psa.operation(), c_size_t()
        assert psa.call(f"psa_aead_{way}_setup", byref(operation), number, c_uint32(short)) == 0
        if alg == psa.ccm or not in_place:  # GCM needs no lengths
            sizes = (len(aad), len(text))
            assert psa.call("psa_aead_set_lengths", byref(operation), *sizes) == 0
        start = (byref(operation), psa.at(nonce), len(nonce))
        assert psa.call("psa_aead_set_nonce", *start) == 0
        for piece in psa.pieces(aad):
            status = psa.call("psa_aead_update_ad", byref(operation), psa.at(piece), len(piece))
            assert status == 0
        got = b"".join(
            psa.into("psa_aead_update", operation, piece, in_place) for piece in psa.pieces(given)
        )
        assert got == wanted, f"{way} in pieces"
        rest = psa.at(b"", 16)
        if forged is None:
            out, out_bytes = psa.at(b"", 16), c_size_t()
            status = psa.call(
                *("psa_aead_finish", byref(operation), rest, 16, byref(made)),
                *(out, 16, byref(out_bytes)),
            )
            assert status == 0
            assert bytes(out[: out_bytes.value]) == tag
        else:
            other = bytes([tag[0] ^ forged, *tag[1:]])
            asked = (rest, 16, byref(made), psa.at(other), len(tag))
            status = psa.call("psa_aead_verify", byref(operation), *asked)
            assert status == (INVALID_SIGNATURE if forged else 0)
        assert psa.call("psa_aead_abort", byref(operation)) == 0


def macs(psa: Psa) -> None:
    """CMAC, whole and in pieces, truncated ones too."""
    for bits in (128, 192, 256):
        for size in (0, 1, 16, 17, 64, 100):
            key, text = psa.rng.randbytes(bits // 8), psa.rng.randbytes(size)
            right = cmac.CMAC(algorithms.AES(key))
            right.update(text)
            tag = psa.rng.choice((16, 4, 9))
            alg = int(psa.library.t_mac_bytes(c_uint32(psa.cmac), c_size_t(tag)))
            wanted = right.finalize()[:tag]
            number = psa.key(psa.aes, bits, alg, key)
            out, made = psa.at(b"", 16), c_size_t()
            asked = (number, c_uint32(alg), psa.at(text), size)
            assert psa.call("psa_mac_compute", *asked, out, 16, byref(made)) == 0
            assert bytes(out[: made.value]) == wanted
            assert psa.call("psa_mac_verify", *asked, psa.at(wanted), tag) == 0
            forged = bytes([wanted[0] ^ 1, *wanted[1:]])
            for way, given, status in (
                ("sign", b"", 0),
                ("verify", wanted, 0),
                ("verify", forged, INVALID_SIGNATURE),
            ):
                operation = psa.operation()
                begin = (byref(operation), number, c_uint32(alg))
                assert psa.call(f"psa_mac_{way}_setup", *begin) == 0
                for piece in psa.pieces(text):
                    asked = (byref(operation), psa.at(piece), len(piece))
                    assert psa.call("psa_mac_update", *asked) == 0
                if way == "sign":
                    out = psa.at(b"", 16)
                    end = (byref(operation), out, 16, byref(made))
                    assert psa.call("psa_mac_sign_finish", *end) == 0
                    assert bytes(out[: made.value]) == wanted
                else:
                    end = (byref(operation), psa.at(given), tag)
                    assert psa.call("psa_mac_verify_finish", *end) == status
                assert psa.call("psa_mac_abort", byref(operation)) == 0
            psa.call("psa_destroy_key", number)


def two_keys(psa: Psa) -> None:
    """Operations with different keys and modes, a piece of each in turn."""
    running: list[tuple[str, Any, bytes, bytes, list[bytes]]] = []
    for alg in (psa.cbc, psa.cbc, psa.ctr, psa.ctr):
        key, iv, text = psa.rng.randbytes(16), psa.rng.randbytes(16), psa.rng.randbytes(160)
        number, operation = psa.key(psa.aes, 128, alg, key), psa.operation()
        assert psa.call("psa_cipher_encrypt_setup", byref(operation), number, c_uint32(alg)) == 0
        assert psa.call("psa_cipher_set_iv", byref(operation), psa.at(iv), 16) == 0
        right = _cipher(psa, alg, key, iv).encryptor()
        running.append(("psa_cipher_update", operation, text, right.update(text), []))
    for alg in (psa.gcm, psa.ccm, psa.gcm):
        key, nonce, text = psa.rng.randbytes(32), psa.rng.randbytes(12), psa.rng.randbytes(160)
        number, operation = psa.key(psa.aes, 256, alg, key), psa.operation()
        assert psa.call("psa_aead_encrypt_setup", byref(operation), number, c_uint32(alg)) == 0
        assert psa.call("psa_aead_set_lengths", byref(operation), 0, 160) == 0
        assert psa.call("psa_aead_set_nonce", byref(operation), psa.at(nonce), 12) == 0
        right_text = _sealed(psa, alg, key, nonce, b"", text)[:160]
        running.append(("psa_aead_update", operation, text, right_text, []))
    for begin in range(0, 160, 23):
        for name, operation, text, _, got in running:
            got.append(psa.into(name, operation, text[begin : begin + 23], in_place=False))
    for name, operation, _, wanted, got in running:
        assert b"".join(got) == wanted, name
        psa.call(name.replace("update", "abort"), byref(operation))


def curves(psa: Psa) -> None:
    """Keys, Diffie-Hellman and signatures; keys and signatures that must be refused."""
    number, out, made = c_uint32(), psa.at(b"", 80), c_size_t()
    for kind, bits in ((psa.p256, 256), (psa.c25519, 255)):
        asked = (c_uint32(kind), bits, c_uint32(psa.ecdh), byref(number))
        assert psa.call("t_generate", *asked) == 0
        assert psa.call("psa_export_key", number, out, 80, byref(made)) == 0
        private = bytes(out[: made.value])
        assert psa.call("psa_export_public_key", number, out, 80, byref(made)) == 0
        public = bytes(out[: made.value])
        own: Any
        peer: Any
        if kind == psa.p256:
            own = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1())
            peer = ec.generate_private_key(ec.SECP256R1())
            shown = (Encoding.X962, PublicFormat.UncompressedPoint)
            right = own.exchange(ec.ECDH(), peer.public_key())
        else:
            own = x25519.X25519PrivateKey.from_private_bytes(private)
            peer = x25519.X25519PrivateKey.generate()
            shown = (Encoding.Raw, PublicFormat.Raw)
            right = own.exchange(peer.public_key())
        assert public == own.public_key().public_bytes(*shown)
        theirs = peer.public_key().public_bytes(*shown)
        asked = (c_uint32(psa.ecdh), number, psa.at(theirs), len(theirs), out, 80, byref(made))
        assert psa.call("psa_raw_key_agreement", *asked) == 0
        assert bytes(out[: made.value]) == right
        bad = theirs[:-1] + bytes([theirs[-1] ^ 1]) if kind == psa.p256 else bytes(32)
        asked = (c_uint32(psa.ecdh), number, psa.at(bad), len(bad), out, 80, byref(made))
        assert psa.call("psa_raw_key_agreement", *asked) == INVALID_ARGUMENT
        again = psa.key(kind, bits, psa.ecdh, private)
        assert psa.call("psa_export_public_key", again, out, 80, byref(made)) == 0
        assert bytes(out[: made.value]) == public
    for scalar in (0, ORDER, ORDER + 1, 2**256 - 1):
        refused = psa.imported(psa.p256, 256, psa.ecdh, scalar.to_bytes(32, "big"), number)
        assert refused == INVALID_ARGUMENT
    for scalar in (1, ORDER - 1):
        psa.key(psa.p256, 256, psa.ecdh, scalar.to_bytes(32, "big"))
    point = ec.generate_private_key(ec.SECP256R1()).public_key()
    encoded = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    psa.key(psa.p256_public, 0, psa.ecdsa, encoded)
    for wrong in (encoded[:-1] + bytes([encoded[-1] ^ 1]), b"\x02" + encoded[1:]):
        refused = psa.imported(psa.p256_public, 256, psa.ecdsa, wrong, number)
        assert refused == INVALID_ARGUMENT
    for alg in (psa.ecdsa, psa.deterministic, psa.ecdsa_any):
        _signatures(psa, alg)


def _signatures(psa: Psa, alg: int) -> None:
    out, made = psa.at(b"", 64), c_size_t()
    own = ec.generate_private_key(ec.SECP256R1())
    private = own.private_numbers().private_value.to_bytes(32, "big")
    public = own.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    pair = psa.key(psa.p256, 256, alg, private)
    reader = psa.key(psa.p256_public, 256, alg, public)
    text = psa.rng.randbytes(77)
    digest = hashes.Hash(hashes.SHA256())
    digest.update(text)
    hashed = digest.finalize()
    used = psa.ecdsa if alg == psa.ecdsa_any else alg
    given = (c_uint32(used), psa.at(hashed), 32)
    assert psa.call("psa_sign_hash", pair, *given, out, 64, byref(made)) == 0
    signed = bytes(out[: made.value])
    r, s = int.from_bytes(signed[:32], "big"), int.from_bytes(signed[32:], "big")
    own.public_key().verify(encode_dss_signature(r, s), text, ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        own.public_key().verify(encode_dss_signature(r, s), b"", ec.ECDSA(hashes.SHA256()))
    theirs = decode_dss_signature(own.sign(text, ec.ECDSA(hashes.SHA256())))
    for number in (pair, reader):
        for numbers in ((r, s), theirs):
            rs = b"".join(part.to_bytes(32, "big") for part in numbers)
            assert psa.call("psa_verify_hash", number, *given, psa.at(rs), 64) == 0
            forged = rs[:-1] + bytes([rs[-1] ^ 1])
            refused = psa.call("psa_verify_hash", number, *given, psa.at(forged), 64)
            assert refused == INVALID_SIGNATURE
            refused = psa.call("psa_verify_hash", number, *given, psa.at(rs), 63)
            assert refused == INVALID_SIGNATURE
    asked = (c_uint32(used), psa.at(text), len(text), out, 64, byref(made))
    assert psa.call("psa_sign_message", pair, *asked) == 0
    asked = (c_uint32(used), psa.at(text), len(text), out, 64)
    assert psa.call("psa_verify_message", reader, *asked) == 0


def errors(psa: Psa) -> None:
    """Calls that the driver refuses, each with its status."""
    number, out, made = psa.key(psa.aes, 128, psa.cbc, bytes(16)), psa.at(b"", 64), c_size_t()
    asked = (number, c_uint32(psa.cbc), psa.at(bytes(17)), 17, out, 64, byref(made))
    assert psa.call("psa_cipher_encrypt", *asked) == INVALID_ARGUMENT
    asked = (number, c_uint32(psa.cbc), psa.at(bytes(15)), 15, out, 64, byref(made))
    assert psa.call("psa_cipher_decrypt", *asked) == INVALID_ARGUMENT
    operation = psa.operation()
    assert psa.call("psa_cipher_encrypt_setup", byref(operation), number, c_uint32(psa.cbc)) == 0
    assert psa.call("psa_cipher_set_iv", byref(operation), psa.at(bytes(15)), 15) != 0
    operation = psa.operation()
    assert psa.call("psa_cipher_encrypt_setup", byref(operation), number, c_uint32(psa.cbc)) == 0
    assert psa.call("psa_cipher_set_iv", byref(operation), psa.at(bytes(16)), 16) == 0
    asked = (byref(operation), psa.at(bytes(16)), 16, out, 15, byref(made))
    assert psa.call("psa_cipher_update", *asked) == BUFFER_TOO_SMALL
    operation = psa.operation()
    assert psa.call("psa_cipher_encrypt_setup", byref(operation), number, c_uint32(psa.cbc)) == 0
    assert psa.call("psa_cipher_set_iv", byref(operation), psa.at(bytes(16)), 16) == 0
    assert psa.into("psa_cipher_update", operation, bytes(20), in_place=False) != b""
    finish = (byref(operation), out, 16, byref(made))
    assert psa.call("psa_cipher_finish", *finish) == INVALID_ARGUMENT
    assert psa.call("psa_cipher_finish", *finish) == BAD_STATE
    sealer = psa.key(psa.aes, 128, psa.gcm, bytes(16))
    asked = (sealer, c_uint32(psa.gcm), psa.at(bytes(12)), 12, psa.at(b""), 0)
    short = (psa.at(bytes(15)), 15, out, 64, byref(made))
    assert psa.call("psa_aead_decrypt", *asked, *short) != 0
    counter = psa.key(psa.aes, 128, psa.ccm, bytes(16))
    asked = (counter, c_uint32(psa.ccm), psa.at(bytes(6)), 6, psa.at(b""), 0)
    whole = (psa.at(bytes(16)), 16, out, 64, byref(made))
    assert psa.call("psa_aead_encrypt", *asked, *whole) == INVALID_ARGUMENT


STEPS = (ciphers, one_buffer, aeads, macs, two_keys, curves, errors)


def _build(
    pair: tuple[Accelerator, Variant], folder: Path, driver: Sequence[Path] | None = None
) -> Path:
    try:
        mbedtls.sources()
    except Absent as absent:
        pytest.skip(str(absent))
    return host.build(*pair, folder, [SHIM], EXPORTS, driver)


def _all_steps(library: Path) -> None:
    psa = Psa(library)
    for step in STEPS:
        step(psa)
    silent = [
        psa.library.t_entry_name(c_uint32(number)).decode()
        for number in range(psa.entries)
        if psa.library.t_calls(c_uint32(number)) == 0
    ]
    assert silent == [], "entry points that nothing called"


@pytest.mark.parametrize("pair", FEW, ids=pair_name)
def test_psa(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Everything is right, every entry point was called, nothing of Mbed TLS's own is linked."""
    library = _build(pair, tmp_path)
    _all_steps(library)
    assert BUILT_IN.search("t mbedtls_aes_setkey_enc")
    assert BUILT_IN.findall(proc.run(["nm", library], timeout=60).stdout) == []


@pytest.mark.slow
@pytest.mark.parametrize("pair", OTHERS, ids=pair_name)
def test_psa_on_every_kernel(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """The same on the kernels of all other units and sets."""
    _all_steps(_build(pair, tmp_path))


PLANTED = (
    ("psa_aes.c", "o->held = (uint32_t)(BLOCK - n);", "o->held = 0;"),
    ("psa_aes.c", "memcpy(held, in, next);", "memcpy(held, out, next);"),
    ("psa_aes.c", "return o->decrypt ? aes_cbc_decrypt(", "return o->decrypt ? aes_cbc_encrypt("),
    ("psa_aes.c", "? aes_gcm_verify_finish(&o->u.gcm.message, tag, tag_length)", "? AES_OK"),
    ("psa_aes.c", "if (operation->mode != CTR && operation->held != 0)", "if (0)"),
    ("psa_ecc.c", "pair ? bad_scalar(data) != 0u", "pair ? 0"),
    ("psa_ecc.c", "|| bad_point(data + 1) != 0u", "|| (bad_point(data + 1) & 0u) != 0u"),
)


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED, ids=range(len(PLANTED)))
def test_planted(planted: tuple[str, str, str], tmp_path: Path) -> None:
    """A mistake in the driver is seen."""
    driver = with_mistake(mbedtls.DRIVER, planted, tmp_path)
    (tmp_path / "made").mkdir()
    library = _build(FEW[0], tmp_path / "made", driver)
    # In a process of its own: a library with the same symbols must not stay loaded.
    places = [str(HERE.parent), str(ROOT / "tests" / "support")]
    code = f"import sys; sys.path[:0] = {places!r}; import test_psa as t; from pathlib "
    code += f"import Path; t._all_steps(Path({str(library)!r}))"
    done = subprocess.run(
        [str(Path(proc.find_program("python"))), "-c", code], capture_output=True, check=False
    )
    assert done.returncode != 0
    assert b"AssertionError" in done.stderr or done.returncode < 0
