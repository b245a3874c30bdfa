# SPDX-License-Identifier: Apache-2.0
"""wolfSSL with our driver, on emulated units: wolfCrypt's tests, comparisons, TLS."""

import subprocess
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.errors import Absent
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.stacks import host, wolfssl
from stack_support import FEW, FEW_EACH, OTHERS, pair_name, with_mistake

HERE = Path(__file__).parent / "wolfssl"
CHECK, HANDSHAKE, ONLY = HERE / "check.c", HERE / "handshake.c", HERE / "only.c"
# Of each group: calls that the driver took, by kind, and cases; aes to curves are wolfCrypt's own
# tests, where a case is one whole test.
CALLS = {
    "aes": {"ecb": 3, "cbc": 10, "ctr": 26, "right": 3},
    "modes": {"gcm": 2246, "ccm": 5, "cmac": 43, "sha256": 51, "right": 5},
    "hashes": {"sha256": 133, "right": 3},
    "curves": {
        **{"sha256": 339, "keygen": 5, "ecdh": 4, "sign": 6, "verify": 11},
        **{"keygen-25519": 3, "x25519": 8, "right": 2},
    },
    "places": {
        **{"ecb": 112, "cbc": 207, "ctr": 2466, "gcm": 1616, "ccm": 1616, "cmac": 3293},
        **{"sha256": 4970, "right": 35264},
    },
    "keys": {"cbc": 382, "ctr": 240, "gcm": 240, "cmac": 256, "right": 1992},
    "against": {
        **{"keygen": 6, "ecdh": 3, "sign": 62, "verify": 122, "keygen-25519": 4, "x25519": 4},
        "right": 349,
    },
    "errors": {
        **{"ecb": 1, "cbc": 1, "ctr": 1, "gcm": 184, "ccm": 179, "cmac": 1, "keygen": 1, "ecdh": 3},
        **{"sign": 4, "verify": 157, "keygen-25519": 2, "x25519": 1, "right": 551},
    },
}
# What the driver offers.
KINDS = {
    *("ecb", "cbc", "ctr", "gcm", "ccm", "cmac", "sha256"),
    *("keygen", "ecdh", "sign", "verify", "keygen-25519", "x25519"),
}


def _build(
    pair: tuple[Accelerator, Variant],
    folder: Path,
    main: Path = CHECK,
    driver: list[Path] | None = None,
) -> Path:
    try:
        wolfssl.sources()
    except Absent as absent:
        pytest.skip(str(absent))
    settings = HERE if main == CHECK else wolfssl.DRIVER
    return host.wolfssl_program(*pair, folder, main, settings, driver)


def _run(program: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    # wolfCrypt's tests leave files in the working directory.
    return subprocess.run(
        [program, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        cwd=program.parent,
    )


def _all_groups(program: Path) -> None:
    for group, calls in CALLS.items():
        done = _run(program, group)
        assert done.returncode == 0, f"{group}: {done.stderr}"
        lines = (line.split(": ") for line in done.stdout.splitlines())
        assert {name: int(count) for name, count in lines} == calls, group


def test_every_kind_is_called() -> None:
    """The groups together call each entry point, and so do wolfCrypt's own tests alone."""
    for groups in (CALLS, ("aes", "modes", "hashes", "curves")):
        assert {name for group in groups for name in CALLS[group]} - {"right"} == KINDS


@pytest.mark.parametrize("pair", FEW_EACH, ids=pair_name)
def test_wolfssl(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Vectors, places, keys in turn, curves against wolfCrypt's, errors."""
    _all_groups(_build(pair, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("pair", OTHERS, ids=pair_name)
def test_wolfssl_on_every_kernel(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """The same on the kernels of all other units and sets."""
    _all_groups(_build(pair, tmp_path))


@pytest.mark.parametrize("pair", FEW_EACH, ids=pair_name)
def test_tls(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Server and client in one program; none of wolfSSL's own is linked."""
    program = _build(pair, tmp_path, HANDSHAKE)
    done = _run(program)
    assert (done.returncode, done.stdout) == (0, "handshake: 8 right\n"), done.stderr
    names = proc.run(["nm", program], timeout=60).stdout
    assert "aesforge_wolfssl_transform" in names
    assert wolfssl.BUILT_IN.findall(names) == []


@pytest.mark.parametrize("pair", FEW_EACH, ids=pair_name)
def test_functions_of_aes(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Those in place of wolfSSL's aes.c do what the driver does, or fail."""
    done = _run(_build(pair, tmp_path, ONLY))
    assert (done.returncode, done.stdout) == (0, "right: 246\n"), done.stderr


def test_what_a_program_with_them_has(tmp_path: Path) -> None:
    """The pattern finds wolfSSL's own functions where they are linked."""
    driver = [path for path in wolfssl.DRIVER.glob("*.c") if path.name != "wolf_25519.c"]
    program = _build(FEW[0], tmp_path, driver=sorted(driver))
    names = proc.run(["nm", program], timeout=60).stdout
    found = set(wolfssl.BUILT_IN.findall(names))
    assert {"Transform_Sha256", "wc_ecc_mulmod_ex2", "sp_mulmod", "fe_mul"} <= found
    assert {"wc_AesSetKeyLocal", "GHASH", "Te", "Td4"} <= found
    assert _run(program, "curves").returncode == 0


# A file, the present text, the new one, and the group, or program, that sees it.
PLANTED = (
    ("wolf_aes.c", "? aesforge_ecb_encrypt(", "? aesforge_ecb_decrypt(", "aes"),
    ("wolf_aes.c", "? aesforge_cbc_encrypt(", "? aesforge_cbc_decrypt(", "aes"),
    ("wolf_aes.c", "while (done < n && aes->left != 0u)", "while (n == ~0u)", "aes"),
    ("wolf_aes.c", "    aes->left = BLOCK;\n", "    aes->left = BLOCK - 1u;\n", "places"),
    ("wolf_aes.c", "    memset(stream, 0, BLOCK);\n", "", "places"),
    ("wolf_aes.c", "    aes_wipe(out, n);\n", "", "errors"),
    ("wolf_aes.c", "AES_ERR_TAG: return forged;", "AES_ERR_TAG: return 0 * forged;", "errors"),
    ("wolf_aes.c", "      AES_CCM_AUTH_E);", "      AES_GCM_AUTH_E);", "errors"),
    ("wolf_aes.c", "memcpy(cmac->aes.key, &c, sizeof c);", "", "modes"),
    ("wolf_aes.c", "info->cmac.key == NULL && cmac->devCtx != &ours", "0", "errors"),
    ("wolf_sha256.c", "if (s->buffLen > LENGTH_AT) {", "if (s->buffLen >= LENGTH_AT) {", "places"),
    ("wolf_sha256.c", "    if (s->buffLen < BLOCK) return;\n", "", "places"),
    ("wolf_sha256.c", "  s->buffLen = s->loLen = s->hiLen = 0;\n", "", "hashes"),
    ("wolf_sha256.c", "first, sizeof first);", "first, sizeof first - 1u);", "places"),
    ("wolf_ec.c", "memcpy(to + BYTES - n, from, n);", "memcpy(to, from, n);", "against"),
    ("wolf_ec.c", "  if (n > BYTES) return 0;\n", "", "errors"),
    ("wolf_ec.c", "    if ((from[1] & 0x80u) == 0u) return 0;\n", "", "errors"),
    ("wolf_ec.c", "|| (from[0] & 0x80u) != 0u) return 0;", ") return 0;", "errors"),
    ("wolf_ec.c", "|| n > (size_t)(end - from) ||", "||", "errors"),
    ("wolf_ec.c", "&& at == end;", ";", "errors"),
    ("wolf_ec.c", "|| sig[1] != n - 2u", "", "errors"),
    ("wolf_ec.c", "res = status == ECC_OK;", "res = 1;", "against"),
    ("wolf_ec.c", "key->dp->id == ECC_SECP256R1;", "1;", "errors"),
    ("wolf_ec.c", "  if (!is_p256(peer)) return ECC_BAD_ARG_E;\n", "", "errors"),
    ("wolf_ec.c", "< BYTES) return BUFFER_E;", "< BYTES - 1u) return BUFFER_E;", "errors"),
    ("wolf_ec.c", "fixed |= key->sign_k != NULL;", "", "errors"),
    ("wolf_ec.c", "    if (ret == 0) ret = store(key, d, point);\n    ecc", "    ecc", "curves"),
    ("wolf_ec.c", "? BYTES - 1u - i : i", "? i : BYTES - 1u - i", "curves"),
    ("wolf_ec.c", "? ECC_OUT_OF_RANGE_E : to_wolf", "? 0 : to_wolf", "errors"),
    ("wolf_ec.c", "size != CURVE25519_KEYSIZE)", "size > CURVE25519_KEYSIZE)", "errors"),
    (
        "wolf_aes.c",
        "return ccm(info);",
        "return info->cipher.enc ? ccm(info) : CRYPTOCB_UNAVAILABLE;",
        "handshake",
    ),
    ("wolf_25519.c", "x25519(q, n, p)", "x25519(q, p, n)", "against"),
    ("wolf_only_aes.c", "CRYPTOCB_UNAVAILABLE ? NO_VALID_DEVID : ret;", "0 ? 1 : ret;", "only"),
    ("wolf_only_aes.c", "  aes->left = 0;\n", "", "only"),
    ("wolf_only_aes.c", "  memset(aes->reg, 0, BLOCK);\n", "", "only"),
    ("wolf_only_aes.c", "i = aes->nonceSz; i != 0u", "i = 0u; i != 0u", "only"),
    ("wolf_only_aes.c", "++iv[i - 1u] == 0u", "++iv[i - 1u] == 1u", "only"),
    ("wolf_only_aes.c", "++aes->invokeCtr[1] == 0u", "++aes->invokeCtr[1] == 1u", "only"),
    ("wolf_only_aes.c", "? 0u : 0xffffffffu", "? 0u : 0u", "only"),
    ("wolf_only_aes.c", "aes_wipe(aes->devKey, sizeof aes->devKey)", "(void)aes_wipe", "only"),
)


@pytest.mark.slow
@pytest.mark.parametrize("planted", PLANTED, ids=range(len(PLANTED)))
def test_planted(planted: tuple[str, str, str, str], tmp_path: Path) -> None:
    """A mistake in the driver is seen."""
    *mistake, group = planted
    driver = with_mistake(wolfssl.DRIVER, (mistake[0], mistake[1], mistake[2]), tmp_path)
    (tmp_path / "made").mkdir()
    main = {"handshake": HANDSHAKE, "only": ONLY}.get(group, CHECK)
    assert _run(_build(FEW[0], tmp_path / "made", main, driver), group).returncode != 0
