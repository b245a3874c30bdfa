# SPDX-License-Identifier: Apache-2.0
"""Binary curves on the host: fields, points, whole vector files, OpenSSL, planted faults.

The model of the group (`aesforge.model.binary_curve`) is compared with OpenSSL's low-level
functions where a libcrypto with binary curves is installed; all else is compared with the model.
"""

import ctypes
import ctypes.util
import random
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from aesforge.build.system import ECC, INCLUDE
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.model.binary_curve import CURVES, Curve
from aesforge.reference import ecc_vectors_binary
from aesforge.reference.ecc import OK, POINT, SCALAR, CurveCase
from aesforge.verify import ecc_host

SOFTWARE = next(
    found
    for found in manifest.discover()
    if found.manifest.kind == "software" and found.manifest.sw.ecc is not None
)
SANITIZERS = ("-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all")
LIBRARY_FILES = (
    *("binary.c", "binary_curves.c", "binary_keys.c"),
    *("gf2_163.c", "gf2_233.c", "words.c"),
)
FIELDS = {"163": CURVES["sect163k1"], "233": CURVES["k233"]}
WORDS = 8
UNTOUCHED = 0xA5
# Numbers of curves in OpenSSL's obj_mac.h.
OPENSSL_NAMES = {"sect163k1": 721, "sect163r1": 722, "k233": 726, "b233": 727}

every_curve = pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)


def of_units() -> list[tuple[Accelerator, Variant]]:
    """The default variants of units with curves, one of each set of RTL parameters."""
    found: dict[str, tuple[Accelerator, Variant]] = {}
    for accelerator in manifest.discover():
        for variant in accelerator.manifest.variant:
            if accelerator is not SOFTWARE and accelerator.manifest.sw.ecc and variant.by_default:
                key = f"{accelerator.name} {sorted(variant.params.items())}"
                found.setdefault(key, (accelerator, variant))
    return list(found.values())


# ---- the model -----------------------------------------------------------------------------------


@every_curve
def test_model_has_the_constants_of_a_group(curve: Curve) -> None:
    """The base point is on the curve and has order n; h n is within Hasse's bound."""
    assert curve.contains(curve.base)
    assert curve.multiply(curve.n, curve.base) is None
    size = 1 << curve.degree
    assert (curve.n * curve.h - size - 1) ** 2 <= 4 * size


@pytest.mark.parametrize(("name", "bits"), [("163", (0, 157)), ("233", (0, 159))])
def test_traces_are_those_of_two_coefficients(name: str, bits: tuple[int, int]) -> None:
    """What the fields' files say of the trace, which is linear: on random elements."""
    curve = FIELDS[name]
    rng = random.Random(f"traces {name}")
    for _ in range(40):
        x = rng.getrandbits(curve.degree)
        assert curve.trace(x) == (x >> bits[0] ^ x >> bits[1]) & 1


# ---- OpenSSL -------------------------------------------------------------------------------------


@cache
def libcrypto() -> ctypes.CDLL | None:
    """OpenSSL's library, if it has binary curves."""
    path = ctypes.util.find_library("crypto")
    if path is None:
        return None
    library = ctypes.CDLL(path)
    if not hasattr(library, "EC_POINT_mul"):
        return None
    for name in ("EC_GROUP_new_by_curve_name", "EC_POINT_new", "BN_bin2bn"):
        getattr(library, name).restype = ctypes.c_void_p
    return library if library.EC_GROUP_new_by_curve_name(OPENSSL_NAMES["k233"]) else None


def openssl_multiply(curve: Curve, k: int, point: bytes | None) -> bytes:
    """The k-fold of a point x || y, or of the base point, by OpenSSL."""
    library = libcrypto()
    assert library is not None
    pointer = ctypes.c_void_p
    group = pointer(library.EC_GROUP_new_by_curve_name(OPENSSL_NAMES[curve.name]))
    result = pointer(library.EC_POINT_new(group))
    digits = k.to_bytes(64, "big")
    number = pointer(library.BN_bin2bn(digits, len(digits), None))
    if point is None:
        assert library.EC_POINT_mul(group, result, number, None, None, None) == 1
    else:
        peer = pointer(library.EC_POINT_new(group))
        encoded = b"\x04" + point
        size = ctypes.c_size_t(len(encoded))
        assert library.EC_POINT_oct2point(group, peer, encoded, size, None) == 1
        assert library.EC_POINT_mul(group, result, None, peer, number, None) == 1
        library.EC_POINT_free(peer)
    out = ctypes.create_string_buffer(1 + 2 * curve.size)
    size = ctypes.c_size_t(len(out))
    library.EC_POINT_point2oct(group, result, 4, out, size, None)
    library.BN_free(number)
    library.EC_POINT_free(result)
    library.EC_GROUP_free(group)
    return out.raw[1:]


def needs_openssl() -> None:
    """Skip a test where OpenSSL has no binary curves."""
    if libcrypto() is None:
        pytest.skip("no OpenSSL with binary curves")


@every_curve
def test_model_agrees_with_openssl(curve: Curve) -> None:
    """Any point of the curve, also of a wrong order."""
    needs_openssl()
    rng = random.Random(f"model {curve.name}")
    point = curve.random_point(rng)
    k = rng.randrange(1, curve.n)
    product = curve.multiply(k, point)
    assert product is not None
    assert openssl_multiply(curve, k, curve.encode(point)) == curve.encode(product)


# ---- the C library -------------------------------------------------------------------------------


def compile_library(sources: Path, folder: Path, *flags: str) -> ctypes.CDLL:
    """The curves in plain C as a shared library."""
    target = folder / "curves.so"
    files = [sources / name for name in LIBRARY_FILES]
    command = ["gcc", "-std=gnu99", "-shared", "-fPIC", *flags, f"-I{INCLUDE}", *files]
    subprocess.run([*command, "-o", target], check=True, timeout=120)
    return ctypes.CDLL(str(target))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The curves as they are."""
    return compile_library(ECC, tmp_path_factory.mktemp("library"), *SANITIZERS)


def element(value: int) -> ctypes.Array[ctypes.c_uint32]:
    """A field element's words."""
    return (ctypes.c_uint32 * WORDS)(*(value >> (32 * i) & 0xFFFFFFFF for i in range(WORDS)))


def number_of(words: ctypes.Array[ctypes.c_uint32]) -> int:
    """The polynomial in an element's words."""
    return sum(word << (32 * i) for i, word in enumerate(words))


def polynomials(curve: Curve) -> list[int]:
    """Corner cases, single bits and random ones of all that fits an element's words."""
    width = 32 * -(-curve.degree // 32)
    rng = random.Random(f"elements {curve.degree}")
    corners = [0, 1, 2, curve.polynomial, curve.polynomial ^ 1, (1 << width) - 1]
    single = [1 << i for i in (31, 32, curve.degree - 1, curve.degree, width - 1)]
    return [*corners, *single, *(rng.getrandbits(width) for _ in range(12))]


def wrong_products(library: ctypes.CDLL, name: str) -> int:
    """How many products and squares of a field are wrong, operands reduced or not."""
    curve = FIELDS[name]
    multiply, square = library[f"gf2_{name}_mul"], library[f"gf2_{name}_sqr_n"]
    values = polynomials(curve)
    wrong = 0
    for a in values:
        for b in values:
            result = element(0)
            multiply(result, element(a), element(b))
            wrong += curve.reduce(number_of(result)) != curve.times(a, b)
        for count in (1, 2, 7):
            power = a
            for _ in range(count):
                power = curve.times(power, power)
            result = element(a)
            square(result, result, count)  # in place
            wrong += curve.reduce(number_of(result)) != power
    same = element(values[-1])
    multiply(same, same, same)
    return wrong + (curve.reduce(number_of(same)) != curve.times(values[-1], values[-1]))


@pytest.mark.parametrize("name", FIELDS)
def test_field(library: ctypes.CDLL, name: str) -> None:
    """Products and powers equal the schoolbook's, also of polynomials that are not reduced."""
    assert wrong_products(library, name) == 0


def exchange(
    library: ctypes.CDLL, curve: Curve, scalar: int, point: bytes, kind: str = "ecdh"
) -> tuple[int, bytes]:
    """Status and output of an ECDH call."""
    out = ctypes.create_string_buffer(bytes([UNTOUCHED]) * curve.size, curve.size)
    status = library[f"{curve.name}_{kind}"](out, scalar.to_bytes(curve.size, "big"), point)
    return -status, out.raw


def public_key(library: ctypes.CDLL, curve: Curve, scalar: int) -> bytes:
    """The output of a good public-key call."""
    out = ctypes.create_string_buffer(2 * curve.size)
    call = library[f"{curve.name}_public_key"]
    assert call(out, scalar.to_bytes(curve.size, "big")) == 0
    return out.raw


@every_curve
def test_random_calls_agree_with_openssl(library: ctypes.CDLL, curve: Curve) -> None:
    """Public keys, and the secret that two parties share: x of h d Q, plainly x of d Q."""
    needs_openssl()
    rng = random.Random(f"calls {curve.name}")
    for _ in range(20):
        alice, bob = rng.randrange(1, curve.n), rng.randrange(1, curve.n)
        keys = [public_key(library, curve, scalar) for scalar in (alice, bob)]
        assert keys[0] == openssl_multiply(curve, alice, None)
        shared = openssl_multiply(curve, curve.h * alice, keys[1])[: curve.size]
        assert exchange(library, curve, alice, keys[1]) == (OK, shared)
        assert exchange(library, curve, bob, keys[0]) == (OK, shared)
        plain = openssl_multiply(curve, alice, keys[1])[: curve.size]
        assert exchange(library, curve, alice, keys[1], "ecdh_plain") == (OK, plain)


def wrong_verdicts(library: ctypes.CDLL, curve: Curve) -> int:
    """Points of all orders: how many are judged otherwise than by n Q = infinity."""
    rng = random.Random(f"orders {curve.name}")
    wrong = 0
    for _ in range(2):
        point = curve.random_point(rng)
        small = curve.multiply(curve.n, point)  # of an order that divides h
        good = curve.multiply(curve.h, point)
        candidates = [point, good, small, curve.add(good, small), curve.multiply(2, point)]
        for candidate in candidates:
            if candidate is not None:
                valid = curve.multiply(curve.n, candidate) is None
                status, out = exchange(library, curve, 5, curve.encode(candidate))
                untouched = out == bytes([UNTOUCHED]) * curve.size
                wrong += (status, untouched) != ((OK, False) if valid else (POINT, True))
                plain = exchange(library, curve, 5, curve.encode(candidate), "ecdh_plain")[0]
                wrong += plain != status
    return wrong


@every_curve
def test_validation_is_that_of_the_order(library: ctypes.CDLL, curve: Curve) -> None:
    """The traces accept exactly the points with n Q = infinity."""
    assert wrong_verdicts(library, curve) == 0


@every_curve
def test_output_may_overlap_the_input(library: ctypes.CDLL, curve: Curve) -> None:
    """Shared secret and public key over their own operands."""
    scalar, peer = 0x123456789, curve.encode(curve.base)
    buffer = ctypes.create_string_buffer(peer, len(peer))
    key = scalar.to_bytes(curve.size, "big")
    assert library[f"{curve.name}_ecdh"](buffer, key, buffer) == 0
    assert (OK, buffer.raw[: curve.size]) == exchange(library, curve, scalar, peer)
    buffer = ctypes.create_string_buffer(key, 2 * curve.size)
    assert library[f"{curve.name}_public_key"](buffer, buffer) == 0
    assert buffer.raw == public_key(library, curve, scalar)


# ---- whole vector files --------------------------------------------------------------------------


def wrong_cases(accelerator: Accelerator, variant: Variant, cases: list[CurveCase]) -> list[str]:
    """Names of the cases that a program of the host gets wrong."""
    answers = ecc_host.run(ecc_host.build(accelerator, variant), cases)
    return [
        f"{case.function} {case.suite} {case.name}"
        for case, answer in zip(cases, answers, strict=True)
        if not answer.fulfils(case)
    ]


def test_every_status_is_asked_for() -> None:
    """Every function has good cases, and errors."""
    seen = {(case.function, case.status) for case in ecc_vectors_binary.cases()}
    for curve in CURVES:
        assert {(f"{curve}_ecdh", status) for status in (OK, SCALAR, POINT)} <= seen
        assert {(f"{curve}_public_key", status) for status in (OK, SCALAR)} <= seen


def test_whole_files_in_c() -> None:
    """All cases on the software baseline, with sanitizers."""
    cases = list(ecc_vectors_binary.cases())
    assert wrong_cases(SOFTWARE, SOFTWARE.variant(""), cases) == []


@pytest.mark.parametrize(
    ("accelerator", "variant"), of_units(), ids=lambda value: getattr(value, "name", None)
)
def test_files_on_emulated_units(accelerator: Accelerator, variant: Variant) -> None:
    """The cores' samples and a third of the rest, with the unit's operations emulated."""
    every = ecc_vectors_binary.cases()
    chosen = [case for i, case in enumerate(every) if case.sample or i % 3 == 0]
    assert wrong_cases(accelerator, variant, chosen) == []


# ---- planted faults ------------------------------------------------------------------------------

Judge = Callable[[ctypes.CDLL], bool]


def field_is_wrong(library: ctypes.CDLL) -> bool:
    """Whether a product or power differs from the model's."""
    return any(wrong_products(library, name) for name in FIELDS)


def exchange_is_wrong(library: ctypes.CDLL) -> bool:
    """Whether a shared secret differs from the model's."""
    curve = CURVES["sect163r1"]
    product = curve.multiply(curve.h * 0x1234567, curve.base)
    assert product is not None
    wanted = product[0].to_bytes(curve.size, "big")
    return exchange(library, curve, 0x1234567, curve.encode(curve.base)) != (OK, wanted)


def off_curve_is_accepted(library: ctypes.CDLL) -> bool:
    """Whether a pair that is no point, but has the right trace, is accepted."""
    curve = CURVES["b233"]
    x, y = curve.base
    return exchange(library, curve, 5, curve.encode((x, y ^ 1)))[0] != POINT


def verdict_is_wrong(library: ctypes.CDLL) -> bool:
    """Whether a point of a wrong order is accepted, or a good one refused."""
    return any(wrong_verdicts(library, CURVES[name]) for name in ("k233", "sect163k1"))


@pytest.mark.parametrize(
    ("file", "right", "fault", "judge"),
    [
        ("gf2_233.c", "t << 23", "t << 22", field_is_wrong),
        ("gf2_233.c", "c[i - 4] ^= t >> 31", "(void)t", field_is_wrong),
        ("gf2_163.c", "(t << 3) ^ (t << 4)", "(t << 3) ^ (t << 5)", field_is_wrong),
        ("gf2_163.c", "c[10 + k] = u1", "c[10 + k] = 0u", field_is_wrong),
        ("gf2_words.h", "c[3] = high[1]", "c[3] = 0u", field_is_wrong),
        ("binary.c", "ecc_mask_bit(bit(l->toggle, i))", "0u", exchange_is_wrong),
        ("binary.c", "ecc_add_masked(k, is_short", "ecc_add_masked(k, 0u", exchange_is_wrong),
        ("binary_parts.h", "bad |= ~is_zero(f, left)", "(void)left", off_curve_is_accepted),
        ("binary_parts.h", "bad |= trace(f, left) ^ trace(f, t)", "(void)trace", verdict_is_wrong),
        ("binary_parts.h", "bad |= trace(f, t) ^ trace(f, left)", "(void)left", verdict_is_wrong),
    ],
)
def test_planted_faults(tmp_path: Path, file: str, right: str, fault: str, judge: Judge) -> None:
    """Each fault is seen by the check that is there for it."""
    for path in (*ECC.glob("binary*"), *ECC.glob("gf2_*"), *ECC.glob("words.*")):
        shutil.copy(path, tmp_path)
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (tmp_path / file).write_text(text.replace(right, fault), encoding="utf-8")
    assert judge(compile_library(tmp_path, tmp_path))
