# SPDX-License-Identifier: Apache-2.0
"""Random calls of sw/include/ecc.h, judged by OpenSSL and by the model of the binary curves."""

import random
import struct
from collections import Counter
from functools import cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils, x25519

from aesforge.model.binary_curve import CURVES, Curve
from aesforge.reference.ecc_vectors import N, P, public_key
from fuzz_support import Driver, DriverEnded, WrongAnswer

FUNCTIONS = (
    *("x25519_base", "x25519", "p256_public_key", "p256_ecdh"),
    *("p256_ecdsa_sign", "p256_ecdsa_verify"),
    *(f"{curve}_{call}" for curve in CURVES for call in ("public_key", "ecdh", "ecdh_plain")),
)
OK, SCALAR, POINT, SIGNATURE = 0, -1, -2, -3
OUTPUT = {"x25519_base": 32, "x25519": 32, "p256_public_key": 64, "p256_ecdh": 32}
_REQUEST = struct.Struct("<4BI")


@cache
def points(name: str) -> list[tuple[int, int]]:
    """Some points of a binary curve: each costs the model much time."""
    rng, curve = random.Random(name), CURVES[name]
    found = (curve.multiply(rng.randrange(1, curve.n), curve.base) for _ in range(4))
    return [point for point in found if point is not None]


class Curves:
    """Random calls of the curves' functions."""

    def __init__(self, driver: Driver, seed: str) -> None:
        self.driver, self.seed, self.rng = driver, seed, random.Random(seed)
        self.counts: Counter[str] = Counter()

    def run(self, calls: int) -> None:
        """Do so many calls; an error says the seed and the operands."""
        while self.counts.total() < calls:
            name = self.rng.choice(FUNCTIONS)
            self.one(name)

    def one(self, name: str) -> None:
        """One call of a function."""
        curve = CURVES.get(name.partition("_")[0])
        maker = self.binary if curve else getattr(self, name)
        operands, status, output = maker(name, curve) if curve else maker()
        rng = self.rng
        in_place = rng.randrange(2) if name != "p256_ecdsa_verify" else 0
        head = _REQUEST.pack(FUNCTIONS.index(name), rng.randrange(8), in_place, 0, len(operands))
        self.counts[f"{name}, {'well' if status == OK else 'refused'}"] += 1
        where = f"seed {self.seed!r}, call {self.counts.total()}: {name}({operands.hex()})"
        size = OUTPUT.get(name, 0)
        if name == "p256_ecdsa_sign":
            size = 64
        elif curve:
            size = curve.size * (2 if name.endswith("key") else 1)
        try:
            self.driver.send(head + operands)
            got = struct.unpack("<i", self.driver.read(4))[0]
            data = self.driver.read(size)
        except DriverEnded as error:
            raise DriverEnded(f"{where}: {error}") from error
        if got != status:
            raise WrongAnswer(f"{where}: status {got}, not {status}")
        if status != OK:
            first = curve.size if curve else 32
            untouched = (operands[:first] if in_place else b"") + b"\xa5" * 64
            output = untouched[:size]
        if output is None:
            self.check_signature(operands, data, where)
        elif data != output:
            raise WrongAnswer(f"{where}: {data.hex()}, not {output.hex()}")

    def check_signature(self, operands: bytes, data: bytes, where: str) -> None:
        """OpenSSL accepts a signature of ours."""
        key = ec.derive_private_key(int.from_bytes(operands[:32], "big"), ec.SECP256R1())
        der = utils.encode_dss_signature(
            int.from_bytes(data[:32], "big"), int.from_bytes(data[32:], "big")
        )
        try:
            key.public_key().verify(der, operands[32:], ec.ECDSA(utils.Prehashed(hashes.SHA256())))
        except InvalidSignature as error:
            raise WrongAnswer(f"{where}: no signature") from error

    # Operands with the status and output that they must give

    def number(self, size: int, *edges: int) -> int:
        """A number of so many bytes, often near an edge."""
        rng = self.rng
        if rng.randrange(3):
            return rng.getrandbits(8 * size)
        near = rng.choice((0, 2 ** (8 * size) - 1, *edges)) + rng.randrange(-3, 4)
        return min(max(near, 0), 2 ** (8 * size) - 1)

    def x25519_base(self) -> tuple[bytes, int, bytes | None]:
        """Any string is a private key."""
        scalar = self.number(32).to_bytes(32, "little")
        key = x25519.X25519PrivateKey.from_private_bytes(scalar)
        return scalar, OK, key.public_key().public_bytes_raw()

    def x25519(self) -> tuple[bytes, int, bytes | None]:
        """Any string is a point; those of small order give an error."""
        scalar = self.number(32).to_bytes(32, "little")
        prime = 2**255 - 19
        point = self.number(32, prime, 2 * prime, 1, 2**255, prime + 2**255).to_bytes(32, "little")
        key = x25519.X25519PrivateKey.from_private_bytes(scalar)
        try:
            shared = key.exchange(x25519.X25519PublicKey.from_public_bytes(point))
        except ValueError:
            return scalar + point, POINT, b""
        return scalar + point, OK, shared

    def scalar(self) -> tuple[bytes, bool]:
        """A private key of P-256 and whether it is one."""
        value = self.number(32, N, N // 2)
        return value.to_bytes(32, "big"), 0 < value < N

    def p256_public_key(self) -> tuple[bytes, int, bytes | None]:
        """d G."""
        scalar, good = self.scalar()
        return scalar, OK if good else SCALAR, public_key(scalar) if good else b""

    def point(self) -> tuple[bytes, bool]:
        """A point of P-256, or what is none."""
        rng = self.rng
        point = bytearray(public_key(rng.randrange(1, N).to_bytes(32, "big")))
        kind = rng.randrange(6)
        if kind == 0:
            point[rng.randrange(64)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            point[:] = bytes(64)
        elif kind == 2:
            half = 32 * rng.randrange(2)
            point[half : half + 32] = (P + rng.randrange(3)).to_bytes(32, "big")
        return bytes(point), kind > 2

    def p256_ecdh(self) -> tuple[bytes, int, bytes | None]:
        """The x-coordinate of d Q."""
        scalar, good = self.scalar()
        point, valid = self.point()
        if not (good and valid):
            # With both wrong either error is right: make one of them right.
            if not good and not valid:
                scalar = (1).to_bytes(32, "big")
                return scalar + point, POINT, b""
            return scalar + point, POINT if good else SCALAR, b""
        key = ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())
        peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + point)
        return scalar + point, OK, key.exchange(ec.ECDH(), peer)

    def p256_ecdsa_sign(self) -> tuple[bytes, int, bytes | None]:
        """A signature of a hash of 32 bytes; None: verify what comes."""
        scalar, good = self.scalar()
        value = self.number(32, N).to_bytes(32, "big")
        return scalar + value, OK if good else SCALAR, None if good else b""

    def p256_ecdsa_verify(self) -> tuple[bytes, int, bytes | None]:
        """A signature by OpenSSL, sometimes damaged, with hashes of any value."""
        rng = self.rng
        key = ec.derive_private_key(rng.randrange(1, N), ec.SECP256R1())
        value = self.number(32, N).to_bytes(32, "big")
        der = key.sign(value, ec.ECDSA(utils.Prehashed(hashes.SHA256())))
        r, s = utils.decode_dss_signature(der)
        kind = rng.randrange(5)
        if kind == 0:
            r, s = rng.choice(((0, s), (r, 0), (N, s), (r, N), (r ^ 1, s), (2**256 - 1, s)))
        elif kind == 1:
            value = bytes([value[0] ^ 1]) + value[1:]
        number = key.private_numbers().private_value
        point = public_key(number.to_bytes(32, "big"))
        operands = r.to_bytes(32, "big") + s.to_bytes(32, "big") + point + value
        return operands, OK if kind > 1 else SIGNATURE, b""

    def binary(self, name: str, curve: Curve) -> tuple[bytes, int, bytes | None]:
        """Public keys and shared secrets of a binary curve."""
        rng, size = self.rng, curve.size
        value = self.number(size, curve.n) if rng.randrange(3) == 0 else rng.randrange(1, curve.n)
        good = 0 < value < curve.n
        scalar = value.to_bytes(size, "big")
        if name.endswith("public_key"):
            product = curve.multiply(value, curve.base) if good else None
            return scalar, OK if good else SCALAR, curve.encode(product) if product else b""
        point = rng.choice(points(curve.name))
        encoded = bytearray(curve.encode(point))
        kind = rng.randrange(6) if good else 5
        if kind == 0:
            encoded[rng.randrange(2 * size)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            encoded[:] = bytes(2 * size)
        if kind <= 1:
            return scalar + bytes(encoded), POINT, b""
        if not good:
            return scalar + bytes(encoded), SCALAR, b""
        times = value if name.endswith("plain") else value * curve.h
        result = curve.multiply(times, point)
        assert result is not None
        return scalar + bytes(encoded), OK, result[0].to_bytes(size, "big")
