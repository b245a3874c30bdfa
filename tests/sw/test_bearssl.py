# SPDX-License-Identifier: Apache-2.0
"""BearSSL with our driver, on emulated units: BearSSL's own tests, and comparisons with its AES."""

import subprocess
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.errors import Absent
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.stacks import bearssl, host
from stack_support import FEW, FEW_EACH, OTHERS, pair_name, with_mistake

HERE = Path(__file__).parent / "bearssl"
CHECK, HANDSHAKE = HERE / "check.c", HERE / "handshake.c"
# Cases of each group. "aes" to "ecdsa" are vectors and random cases of BearSSL's own tests; hashes
# are whole tests.
CASES = {
    "aes": 502,
    "modes": 1697,
    "gcm": 1059,
    "curves": 1072,
    "hashes": 7,
    "ecdsa": 84,
    "places": 6848,
    "keys": 960,
    "errors": 558,
}


def _build(
    pair: tuple[Accelerator, Variant],
    folder: Path,
    main: Path = CHECK,
    driver: list[Path] | None = None,
) -> Path:
    try:
        bearssl.sources()
    except Absent as absent:
        pytest.skip(str(absent))
    return host.bearssl_program(*pair, folder, main, driver)


def _run(program: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [program, *words], capture_output=True, text=True, check=False, timeout=600
    )


def _all_groups(program: Path) -> None:
    for group, cases in CASES.items():
        done = _run(program, group)
        assert done.returncode == 0, f"{group}: {done.stderr}"
        assert done.stdout.splitlines()[-1] == f"{group}: {cases} right"


@pytest.mark.parametrize("pair", FEW_EACH, ids=pair_name)
def test_bearssl(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Vectors, places, keys in turn, errors."""
    _all_groups(_build(pair, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("pair", OTHERS, ids=pair_name)
def test_bearssl_on_every_kernel(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """The same on the kernels of all other units and sets."""
    _all_groups(_build(pair, tmp_path))


@pytest.mark.parametrize("pair", FEW_EACH, ids=pair_name)
def test_tls(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Server and client in one program; nothing of BearSSL's own ciphers and curves is linked."""
    program = _build(pair, tmp_path, HANDSHAKE)
    done = _run(program)
    assert (done.returncode, done.stdout) == (0, "handshake: 6 right\n"), done.stderr
    names = proc.run(["nm", program], timeout=60).stdout
    assert "br_aesforge_ghash" in names
    assert bearssl.BUILT_IN.findall(names) == []


def test_a_failure_ends_the_program(tmp_path: Path) -> None:
    """What a program does that has no br_aesforge_failed of its own."""
    assert _run(_build(FEW[0], tmp_path, HANDSHAKE), "refused").returncode < 0


def test_what_a_program_with_them_has(tmp_path: Path) -> None:
    """A program that names BearSSL's own functions has them: the pattern finds them."""
    names = proc.run(["nm", _build(FEW[0], tmp_path)], timeout=60).stdout
    found = set(bearssl.BUILT_IN.findall(names))
    assert {"br_aes_big_ctr_run", "br_ghash_ctmul32", "br_ec_prime_i31", "br_i31_modpow"} <= found
    assert "br_sha2small_round" not in found  # ours takes its place


# A file, the present text, the new one, and the group that sees it.
PLANTED = (
    ("bear_aes.c", "len < most ? len : (size_t)most;", "len + 0u * (size_t)most;", "places"),
    ("bear_aes.c", "check(aesforge_cbc_decrypt(", "check(aesforge_cbc_encrypt(", "aes"),
    ("bear_aes.c", "memset(copy + n, 0, sizeof w.copy - n);", "", "gcm"),
    ("bear_aes.c", "  aes_wipe(data, len);\n", "  (void)data, (void)len;\n", "errors"),
    ("bear_aes.c", "  aes_wipe(chain, BLOCK);\n", "  (void)chain;\n", "errors"),
    ("bear_aes.c", "cbcmac, at, out, n / BLOCK)", "cbcmac, data, out, n / BLOCK)", "modes"),
    (
        "bear_aes.c",
        "return 8u * (uint32_t)len;",
        "return len == 24u ? 128u : 8u * (uint32_t)len;",
        "aes",
    ),
    ("bear_ec.c", "same = ecc_mask_zero(other);", "same = 0;", "curves"),
    ("bear_ec.c", "finite = ~ecc_is_zero(w.q.z, 8) & 1u;", "finite = 1u;", "curves"),
    ("bear_ec.c", "high |= *from++;", "from++;", "errors"),
    ("bear_ec.c", "&& encoded[0] == UNCOMPRESSED;", "&& encoded != NULL;", "errors"),
    ("bear_ec.c", "memcpy(k, x, xlen);", "memcpy(k, x, xlen - 1u);", "curves"),
    ("bear_ec.c", "memcpy(to + BYTES - len, from, len);", "memcpy(to, from, len);", "curves"),
    ("bear_ec.c", "if (sk->curve == BR_EC_secp256r1 &&", "if (", "errors"),
    ("bear_sha256.c", "if (held > LENGTH_AT) {", "if (held >= LENGTH_AT) {", "hashes"),
    ("bear_sha256.c", "    if (held + n < BLOCK) return;\n", "", "hashes"),
    ("bear_sha256.c", "  ctx->count = count;\n", "  ctx->count = 0u * count;\n", "hashes"),
)


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED, ids=range(len(PLANTED)))
def test_planted(planted: tuple[str, str, str, str], tmp_path: Path) -> None:
    """A mistake in the driver is seen."""
    *mistake, group = planted
    driver = with_mistake(bearssl.DRIVER, (mistake[0], mistake[1], mistake[2]), tmp_path)
    (tmp_path / "made").mkdir()
    assert _run(_build(FEW[0], tmp_path / "made", driver=driver), group).returncode != 0
