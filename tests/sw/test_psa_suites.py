# SPDX-License-Identifier: Apache-2.0
"""Mbed TLS's own suites of the PSA interface, with our driver on emulated units.

They are part of the pinned sources. A test whose algorithms are not configured is skipped by the
suite itself; how many are not is part of what is expected here.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from aesforge.base.errors import Absent
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.stacks import host, mbedtls
from stack_support import FEW, pair_name, with_mistake

pytestmark = pytest.mark.slow

# How many tests of each suite are run, skipped ones left out.
RUN = {
    "psa_crypto": 830,
    "psa_crypto_attributes": 8,
    "psa_crypto_generate_key.generated": 59,
    "psa_crypto_hash": 19,
    "psa_crypto_init": 7,
    "psa_crypto_low_hash.generated": 7,
    "psa_crypto_metadata": 52,
    "psa_crypto_not_supported.generated": 53,
    "psa_crypto_not_supported.misc": 4,
    "psa_crypto_op_fail.generated": 383,
    "psa_crypto_op_fail.misc": 1,
    "psa_crypto_slot_management": 14,
}
# The driver does not offer it, but Mbed TLS's tests ask for it wherever there is CCM.
NOT_OFFERED = "CCM*-no-tag"
# What the suites' names say of the algorithms that the driver computes.
ALGORITHMS = ("AES-ECB", "AES-CBC", "AES-CTR", "AES-GCM", "AES-CCM", "CMAC", "ECDH", "ECDSA")

_END = re.compile(r"(?:PASSED|FAILED) \((\d+) / (\d+) tests \((\d+) skipped\)\)")
_LINE = re.compile(r"^(.+?)[ .]* (PASS|FAILED)$", re.MULTILINE)


@dataclass(frozen=True)
class Done:
    """What a suite said of its tests."""

    passed: list[str]
    failed: list[str]
    run: int


def done(program: Path, name: str) -> Done:
    """Run a suite to its end; undefined behaviour of our C would be a signal."""
    found = subprocess.run(
        [program],
        cwd=mbedtls.suites(tuple(RUN)),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=600,
        check=False,
    )
    end = _END.search(found.stdout)
    assert found.returncode in (0, 1) and end is not None, (name, found.stdout[-300:])
    lines = _LINE.findall(found.stdout)
    passed, failed = ([test for test, end in lines if end == w] for w in ("PASS", "FAILED"))
    run = int(end[2]) - int(end[3])
    assert len(passed) + len(failed) == run, name
    return Done(passed, failed, run)


def built(
    pair: tuple[Accelerator, Variant], folder: Path, driver: list[Path] | None = None
) -> dict[str, Path]:
    """Return the suites as programs; the test is skipped where Mbed TLS is not to be had."""
    try:
        return host.suite_programs(*pair, folder, tuple(RUN), driver)
    except Absent as absent:
        pytest.skip(str(absent))


@pytest.mark.parametrize("pair", FEW, ids=pair_name)
def test_suites_of_mbedtls(pair: tuple[Accelerator, Variant], tmp_path: Path) -> None:
    """Every test that is not skipped passes, except those of what the driver does not offer."""
    found = {name: done(program, name) for name, program in built(pair, tmp_path).items()}
    assert {name: suite.run for name, suite in found.items()} == RUN
    for name, suite in found.items():
        assert [test for test in suite.failed if NOT_OFFERED not in test] == [], name
    passed = [test for suite in found.values() for test in suite.passed]
    for algorithm in ALGORITHMS:
        word = algorithm.removeprefix("AES-")
        assert sum(word in test for test in passed) >= 20, algorithm


def test_suites_see_a_mistake(tmp_path: Path) -> None:
    """A driver that takes half a block for a whole one."""
    right = "if (status == PSA_SUCCESS && o.mode != CTR && o.held != 0) status ="
    wrong = right.replace("o.held != 0", "o.held > BLOCK")
    (tmp_path / "driver").mkdir()
    driver = with_mistake(mbedtls.DRIVER, ("psa_aes.c", right, wrong), tmp_path / "driver")
    (tmp_path / "made").mkdir()
    program = built(FEW[0], tmp_path / "made", driver)["psa_crypto"]
    failed = [test for test in done(program, "psa_crypto").failed if NOT_OFFERED not in test]
    assert failed and all("AES" in test for test in failed)
