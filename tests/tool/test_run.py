# SPDX-License-Identifier: Apache-2.0
"""Files through the simulated cores: what comes out is what OpenSSL gives, for every mode."""

import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aesforge.base.errors import AesforgeError, UsageError
from aesforge.catalog import manifest, platform
from aesforge.catalog.platform import Platform
from aesforge.programs import run
from aesforge.reference import modes as reference
from harness_support import SMALLEST

IV = bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfffffffe")  # the counter carries within the file


def openssl(mode: str, key: bytes, data: bytes) -> bytes:
    """Encrypt with OpenSSL."""
    chosen: modes.Mode = modes.ECB()
    if mode != "ecb":
        chosen = modes.CBC(IV) if mode == "cbc" else modes.CTR(IV)
    context = Cipher(algorithms.AES(key), chosen).encryptor()
    return context.update(data) + context.finalize()


@pytest.mark.parametrize("host", platform.discover(), ids=lambda host: host.name)
@pytest.mark.parametrize(
    ("mode", "key_bytes", "size"),
    [("ctr", 16, 5003), ("cbc", 24, 4112), ("ecb", 32, 4096), ("ctr", 32, 0), ("ctr", 24, 1)],
)
def test_equals_openssl(
    host: Platform, mode: str, key_bytes: int, size: int, tmp_path: Path
) -> None:
    """Both directions; lengths beyond the firmware's buffer, odd, and empty."""
    source = random.Random(f"{mode} {size}")
    key, plain = source.randbytes(key_bytes), source.randbytes(size)
    cipher = openssl(mode, key, plain)
    variant = SMALLEST.manifest.variant[0]
    iv = None if mode == "ecb" else IV.hex()
    given, made = tmp_path / "given", tmp_path / "made"
    for decrypt, before, after in ((False, plain, cipher), (True, cipher, plain)):
        given.write_bytes(before)
        what = run.message(mode, decrypt, key.hex(), iv)
        seen: list[tuple[int, int]] = []
        took = run.run_file(
            SMALLEST,
            variant,
            host,
            what,
            given,
            made,
            on_progress=lambda done, total, seen=seen: seen.append((done, total)),
        )
        assert made.read_bytes() == after
        assert took.size == size
        assert seen[-1] == (size, size)


@pytest.mark.parametrize("host", platform.discover(), ids=lambda host: host.name)
@pytest.mark.parametrize(("key_bytes", "size", "aad"), [(16, 5003, 13), (32, 0, 0), (24, 4096, 40)])
def test_gcm_equals_openssl(
    host: Platform, key_bytes: int, size: int, aad: int, tmp_path: Path
) -> None:
    """Sealed and opened; where the tag is wrong an older output stays as it was."""
    source = random.Random(f"gcm {size}")
    key, plain = source.randbytes(key_bytes), source.randbytes(size)
    iv, data = source.randbytes(12), source.randbytes(aad)
    sealed = AESGCM(key).encrypt(iv, plain, data)
    variant = SMALLEST.manifest.variant[0]
    given, made = tmp_path / "given", tmp_path / "made"
    for decrypt, before, after in ((False, plain, sealed), (True, sealed, plain)):
        given.write_bytes(before)
        what = run.message("gcm", decrypt, key.hex(), iv.hex(), data.hex())
        run.run_file(SMALLEST, variant, host, what, given, made)
        assert made.read_bytes() == after
    made.write_bytes(b"older")
    given.write_bytes(sealed[:-1] + bytes([sealed[-1] ^ 1]))
    with pytest.raises(AesforgeError, match="the tag is wrong"):
        run.run_file(SMALLEST, variant, host, what, given, made)
    assert made.read_bytes() == b"older"


def test_gcm_refusals(tmp_path: Path) -> None:
    """No IV, AAD for a mode without, too much of either, a file without a tag."""
    for words, text in (
        (("gcm", False, "00" * 16, None), "GCM needs an IV"),
        (("ctr", False, "00" * 16, IV.hex(), "00"), "CTR authenticates nothing"),
        (("gcm", False, "00" * 16, "00" * 5000), "the IV has 5000 bytes, at most 4096"),
        (("gcm", False, "00" * 16, "00", "0"), "the AAD is not hexadecimal"),
    ):
        with pytest.raises(UsageError, match=text):
            run.message(*words)
    given = tmp_path / "given"
    given.write_bytes(bytes(15))
    what = run.message("gcm", True, "00" * 16, "00" * 12)
    with pytest.raises(UsageError, match="fewer than the tag"):
        host = platform.discover()[0]
        run.run_file(SMALLEST, SMALLEST.manifest.variant[0], host, what, given, tmp_path / "made")


def test_wait_states_change_time_and_nothing_else(tmp_path: Path) -> None:
    """Slower memory, the same bytes."""
    host = platform.discover()[-1]
    given, made = tmp_path / "given", tmp_path / "made"
    given.write_bytes(bytes(320))
    what = run.message("ctr", False, "00" * 16, IV.hex())
    variant = SMALLEST.manifest.variant[0]
    fast = run.run_file(SMALLEST, variant, host, what, given, made)
    first = made.read_bytes()
    slow = run.run_file(SMALLEST, variant, host, what, given, made, iwait=2, dwait=3)
    assert made.read_bytes() == first == openssl("ctr", bytes(16), bytes(320))
    assert slow.cycles > fast.cycles


def test_an_encrypt_only_variant_refuses_to_decrypt(tmp_path: Path) -> None:
    """Before anything is built; CTR needs encryption only."""
    only = [v for v in SMALLEST.manifest.variant if "decrypt" not in v.directions]
    if not only:
        pytest.skip(f"{SMALLEST.name} has no encrypt-only variant")
    given = tmp_path / "given"
    given.write_bytes(bytes(16))
    what = run.message("ecb", True, "00" * 16, None)
    with pytest.raises(UsageError, match="only encrypts"):
        run.run_file(SMALLEST, only[0], platform.discover()[0], what, given, tmp_path / "made")


def test_a_key_that_the_variant_lacks_is_refused(tmp_path: Path) -> None:
    """Before anything is built; of XTS half of the bits count."""
    lacking = SMALLEST.manifest.variant[0].model_copy(update={"key_bits": [128]})
    given = tmp_path / "given"
    given.write_bytes(bytes(16))
    for mode, key, iv in (("ecb", "00" * 24, None), ("xts", "00" * 32 + "11" * 32, "00" * 16)):
        what = run.message(mode, False, key, iv)
        with pytest.raises(UsageError, match=f"takes no AES-{'192' if iv is None else '256'} keys"):
            run.run_file(SMALLEST, lacking, platform.discover()[0], what, given, tmp_path / "made")


# Modes whose messages the core takes whole --------------------------------------------------------

SEALED = [
    *(("ccm", 16, 13, 1000), ("ccm", 24, 7, 0), ("gcm-siv", 32, 12, 77), ("cmac", 16, 0, 129)),
    *(("gmac", 24, 12, 40), ("xts", 64, 16, 8192), ("xts", 32, 16, 17), ("kw", 16, 0, 32)),
    *(("kwp", 32, 0, 13), ("kwp", 24, 0, 24)),
]


def sealed(mode: str, key: bytes, iv: bytes, aad: bytes, text: bytes) -> bytes:
    """What a file becomes by OpenSSL."""
    given = (iv, text, b"") if mode == "gmac" else (iv, aad, text)
    body, tag = reference.seal(mode, key, *given)
    return (text if mode in reference.MACS else body) + tag


@pytest.mark.parametrize(("mode", "key_bytes", "iv_bytes", "size"), SEALED)
def test_a_sealed_file(mode: str, key_bytes: int, iv_bytes: int, size: int, tmp_path: Path) -> None:
    """There and back again; one bit more or less is refused, and nothing is written."""
    draw = random.Random(f"{mode} {size}")
    key, iv, plain = (draw.randbytes(n) for n in (key_bytes, iv_bytes, size))
    aad = draw.randbytes(21) if mode in run.WITH_AAD else b""
    wanted = sealed(mode, key, iv, aad, plain)
    given, made = tmp_path / "given", tmp_path / "made"
    host, variant = platform.discover()[0], SMALLEST.manifest.variant[0]

    def through(decrypt: bool, data: bytes) -> bytes:
        given.write_bytes(data)
        what = run.message(mode, decrypt, key.hex(), iv.hex() or None, aad.hex())
        run.run_file(SMALLEST, variant, host, what, given, made)
        return made.read_bytes()

    assert through(False, plain) == wanted
    assert through(True, wanted) == plain
    if mode != "xts":
        made.unlink()
        with pytest.raises(AesforgeError, match="the tag is wrong"):
            through(True, wanted[:-1] + bytes([wanted[-1] ^ 1]))
        assert not made.exists()


@pytest.mark.parametrize(
    ("mode", "key", "iv", "size", "text"),
    [
        ("xts", "00" * 16 + "11" * 15, IV.hex(), 16, "give 64 or 128 hex"),
        ("xts", "00" * 32, IV.hex(), 16, "the two halves of the key are equal"),
        ("xts", bytes(range(32)).hex(), IV.hex(), 15, "XTS has no message of 15 bytes .at least"),
        ("kw", "00" * 16, None, 20, "KW has no message of 20 bytes .a multiple of 8"),
        ("kw", "00" * 16, IV.hex(), 16, "KW takes no IV"),
        ("kwp", "00" * 16, None, 0, "KWP has no message of 0 bytes"),
        ("gcm-siv", "00" * 24, "00" * 12, 16, "give 32 or 64 hexadecimal digits"),
        ("gcm-siv", "00" * 16, "00" * 11, 16, "give 24 hexadecimal digits"),
        ("ccm", "00" * 16, None, 16, "CCM needs an IV .give --iv with 26"),
        ("ccm", "00" * 16, "00" * 14, 16, "the IV has 14 bytes"),
        ("ccm", "00" * 16, "00" * 7, 8193, "the limit is 8192"),
        ("cmac", "00" * 16, None, 8193, "the limit is 8192"),
    ],
)
def test_what_a_mode_lacks(
    mode: str, key: str, iv: str | None, size: int, text: str, tmp_path: Path
) -> None:
    """One line before anything is simulated."""
    given = tmp_path / "given"
    given.write_bytes(bytes(size))
    with pytest.raises(UsageError, match=text):
        what = run.message(mode, False, key, iv)
        host = platform.discover()[0]
        run.run_file(SMALLEST, SMALLEST.manifest.variant[0], host, what, given, tmp_path / "made")


def test_a_mac_has_no_other_text() -> None:
    """What is authenticated is the file."""
    with pytest.raises(UsageError, match="CMAC authenticates the file"):
        run.message("cmac", False, "00" * 16, None, "00")


def test_a_variant_that_only_encrypts(tmp_path: Path) -> None:
    """XTS and the key wraps decipher on the way back, CCM does not."""
    given = tmp_path / "given"
    given.write_bytes(bytes(32))
    unit, variant = next(
        (u, v) for u in manifest.units() for v in u.manifest.variant if v.directions == ["encrypt"]
    )
    host = platform.discover()[0]
    what = run.message("xts", True, bytes(range(32)).hex(), IV.hex())
    with pytest.raises(UsageError, match="only encrypts"):
        run.run_file(unit, variant, host, what, given, tmp_path / "made")
    # Refused for its tag, so deciphered without the inverse cipher.
    what = run.message("ccm", True, "00" * 16, "00" * 13)
    with pytest.raises(AesforgeError, match="the tag is wrong"):
        run.run_file(unit, variant, host, what, given, tmp_path / "made")
