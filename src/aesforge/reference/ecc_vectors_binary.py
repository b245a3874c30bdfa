# SPDX-License-Identifier: Apache-2.0
"""Vectors of the binary curves as cases of question ecc.

CAVP's key pairs and public keys to be validated (FIPS 186-2 and 186-3) come with
`cryptography_vectors`. No package holds ECC CDH vectors of these curves, nor anything of
sect163r1: those answers come from `aesforge.model.binary_curve`, and tests/sw/test_ecc_binary.py
compares many more with OpenSSL where there is one.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import resources

from aesforge.model.binary_curve import CURVES, Curve
from aesforge.reference.ecc import OK, POINT, SCALAR, CurveCase, Generator
from aesforge.reference.vectors import VectorError

RANDOM_CALLS = 2  # of each function, answered by the model
POOL = 8  # points that random operands are made of

_CAVP_NAMES = {"B-233": "b233", "K-233": "k233", "K-163": "sect163k1"}

# How many cases the suites have, by curve; a file that lost some is an error.
_CAVP_KEYS = {"b233": 20, "k233": 20, "sect163k1": 20}
_CAVP_POINTS = {"b233": 24, "k233": 24, "sect163k1": 24}


@lru_cache(maxsize=1)
def cases() -> tuple[CurveCase, ...]:
    """All vectors of the binary curves."""
    found = (
        *_cavp_keys(),
        *_cavp_points(),
        *(case for curve in CURVES.values() for case in _scalars(curve)),
        *(case for curve in CURVES.values() for case in _points(curve)),
        *(case for curve in CURVES.values() for case in _random(curve)),
    )
    counts = Counter(f"{case.function}" for case in found if case.suite == "CAVP")
    wanted = {f"{name}_public_key": count for name, count in _CAVP_KEYS.items()}
    wanted |= {f"{name}_ecdh": count for name, count in _CAVP_POINTS.items()}
    if counts != wanted:
        raise VectorError(f"CAVP files are not of their published size: {dict(counts)}")
    return found


def random_operands() -> dict[str, Generator]:
    """Random valid operands of each function."""
    made: dict[str, Generator] = {}
    for curve in CURVES.values():
        made[f"{curve.name}_public_key"] = _scalar_of(curve)
        made[f"{curve.name}_ecdh"] = _exchange_of(curve)
    return made


def _bytes(curve: Curve, number: int) -> bytes:
    return number.to_bytes(curve.size, "big")


def _scalar_of(curve: Curve) -> Generator:
    return lambda rng: _bytes(curve, rng.randrange(1, curve.n))


def _exchange_of(curve: Curve) -> Callable[[random.Random], bytes]:
    def make(rng: random.Random) -> bytes:
        first, second = rng.sample(_pool(curve), 2)
        point = curve.add(first, second)
        assert point is not None
        return _bytes(curve, rng.randrange(1, curve.n)) + curve.encode(point)

    return make


@lru_cache(maxsize=8)
def _pool(curve: Curve) -> list[tuple[int, int]]:
    """Multiples of the base point, no two of which add up to infinity."""
    found: list[tuple[int, int]] = []
    point = curve.multiply(0x1234567, curve.base)
    for _ in range(POOL):
        point = curve.add(curve.add(point, point), curve.base)
        assert point is not None
        found.append(point)
    return found


def _public(curve: Curve, scalar: int) -> bytes:
    """The public key of a private key."""
    point = curve.multiply(scalar, curve.base)
    assert point is not None
    return curve.encode(point)


def _shared(curve: Curve, scalar: int, point: tuple[int, int]) -> bytes:
    """The x-coordinate of h d Q (SP 800-56A, section 5.7.1.2)."""
    result = curve.multiply(curve.h * scalar, point)
    assert result is not None
    return _bytes(curve, result[0])


def _records(path: str) -> Iterator[tuple[Curve, dict[str, str]]]:
    """Records of a CAVP file that belong to one of the curves."""
    text = (resources.files("cryptography_vectors") / path).read_text(encoding="utf-8")
    name, record = "", dict[str, str]()
    for raw in [*text.splitlines(), ""]:
        line = raw.strip()
        if line.startswith("["):
            name = line.strip("[]") if not line.startswith("[B.4") else name
        elif "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            record[key.strip()] = value.strip()
        elif not line:
            if "Qx" in record and name in _CAVP_NAMES:
                yield CURVES[_CAVP_NAMES[name]], record
            record = {}


def _cavp_keys() -> Iterator[CurveCase]:
    for edition in ("FIPS_186-2", "FIPS_186-3"):
        sampled: set[str] = set()
        for number, (curve, record) in enumerate(
            _records(f"asymmetric/ECDSA/{edition}/KeyPair.rsp")
        ):
            scalar = _bytes(curve, int(record["d"], 16))
            output = curve.encode((int(record["Qx"], 16), int(record["Qy"], 16)))
            sample = edition == "FIPS_186-3" and curve.name not in sampled
            sampled.add(curve.name)
            function = f"{curve.name}_public_key"
            yield CurveCase("CAVP", f"{edition} {number}", function, scalar, OK, output, sample)


def _cavp_points() -> Iterator[CurveCase]:
    """Public keys to be validated: what is good gives h Q for the private key one."""
    for edition in ("FIPS_186-2", "FIPS_186-3"):
        for number, (curve, record) in enumerate(_records(f"asymmetric/ECDSA/{edition}/PKV.rsp")):
            point = int(record["Qx"], 16), int(record["Qy"], 16)
            good = record["Result"].startswith("P")
            if max(point) >> (8 * curve.size):
                raise VectorError(f"PKV.rsp of {edition}, {number}: a coordinate is too long")
            yield CurveCase(
                "CAVP",
                f"{edition} {number}",
                f"{curve.name}_ecdh",
                _bytes(curve, 1) + curve.encode(point),
                OK if good else POINT,
                _shared(curve, 1, point) if good else b"",
            )


def _scalars(curve: Curve) -> Iterator[CurveCase]:
    """Private keys at and beyond their limits."""
    peer = _pool(curve)[0]
    top = (1 << 8 * curve.size) - 1
    for number in (0, curve.n, curve.n + 1, 2 * curve.n, top):
        scalar, sample = _bytes(curve, number), number in (0, curve.n)
        for function, rest in (("public_key", b""), ("ecdh", curve.encode(peer))):
            name = f"{curve.name}_{function}"
            yield CurveCase("scalars", f"{number:x}", name, scalar + rest, SCALAR, sample=sample)
    for number in (1, 2, curve.n - 2, curve.n - 1, curve.n // 2):
        scalar, name = _bytes(curve, number), f"{number:x}"
        public, shared = _public(curve, number), _shared(curve, number, peer)
        sample = number == curve.n - 1
        yield CurveCase("scalars", name, f"{curve.name}_public_key", scalar, OK, public, sample)
        operands = scalar + curve.encode(peer)
        yield CurveCase("scalars", name, f"{curve.name}_ecdh", operands, OK, shared)


def _points(curve: Curve) -> Iterator[CurveCase]:
    """Points that must be refused: not on the curve, not in range, of a wrong order."""
    x, y = _pool(curve)[1]
    two = 0, curve.sqrt(curve.b)  # of order 2
    bad = {
        "zero": (0, 0),
        "off the curve": (x, y ^ 1),
        "x off the curve": (x ^ 1, y),
        "x and y exchanged": (y, x),
        "x too large": (x ^ curve.polynomial, y),
        "y too large": (x, y ^ curve.polynomial),
        "all ones": ((1 << 8 * curve.size) - 1,) * 2,
        "order 2": two,
        "order 2 n": curve.add((x, y), two),
    }
    if curve.h == 4:
        four = _half(curve, two)
        bad |= {"order 4": four, "order 4 n": curve.add((x, y), four)}
    for name, point in bad.items():
        assert point is not None
        sample = name in ("off the curve", "order 2 n", "order 4 n")
        operands = _bytes(curve, 5) + curve.encode(point)
        yield CurveCase("points", name, f"{curve.name}_ecdh", operands, POINT, sample=sample)


def _half(curve: Curve, point: tuple[int, int]) -> tuple[int, int]:
    """A point of order 4 of a curve with b = 1 and a = 0: x = 1, and y^2 + y = 1 + b = 0."""
    four = 1, 0
    assert curve.add(four, four) == point
    return four


def _random(curve: Curve) -> Iterator[CurveCase]:
    rng = random.Random(curve.name)
    for number in range(RANDOM_CALLS):
        scalar = rng.randrange(1, curve.n)
        point = curve.multiply(curve.h, curve.random_point(rng))
        assert point is not None
        name = f"{number}"
        operands = _bytes(curve, scalar)
        public, shared = _public(curve, scalar), _shared(curve, scalar, point)
        yield CurveCase("model", name, f"{curve.name}_public_key", operands, OK, public)
        operands += curve.encode(point)
        sample = number == 0
        yield CurveCase("model", name, f"{curve.name}_ecdh", operands, OK, shared, sample)
