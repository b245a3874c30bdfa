# SPDX-License-Identifier: Apache-2.0
"""Random calls under clang's address and undefined-behaviour sanitizers, against OpenSSL.

Every kernel variant (operations emulated), all modes, AES-GCM with a model of its state machine,
and a kernel whose device fails. A failure names the seed and the call; AESFORGE_FUZZ_SEED chooses
another seed. How many calls of each kind were made is in build/fuzz/counts.
"""

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

import fuzz_support as fuzz
from aesforge.base.paths import BUILD, ROOT
from aesforge.catalog import manifest
from fuzz_curves import Curves
from fuzz_sealed import SealedFuzzer
from fuzz_support import DriverEnded, Subject, WrongAnswer
from marks_support import by_default

SEED = os.environ.get("AESFORGE_FUZZ_SEED", "aesforge")
CALLS, MANY_CALLS = 3000, 60_000
SUBJECTS = fuzz.subjects()
PORTABLE = next(found for found in SUBJECTS if found[0].name == "portable")
DRIVER = fuzz.SOURCES / "driver.c"


def note(name: str, counts: Counter[str]) -> None:
    """Keep how many calls of each kind were made, and say it."""
    folder = BUILD / "fuzz" / "counts"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"calls": counts.total(), **dict(sorted(counts.items()))}, indent=1)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{name}: {text}")


def faulty() -> tuple[list[Path], list[Path]]:
    """The kernel whose device fails, and the folder of the sound kernel in it."""
    (sound,) = PORTABLE[0].kernel_files()
    return [fuzz.SOURCES / "faulty.c"], [sound.parent]


def run(program: Path, name: str, calls: int, **how: object) -> None:
    """Do random calls and keep their counts."""
    with fuzz.Driver(program) as driver:
        fuzzer = SealedFuzzer(driver, f"{SEED} {name}", **how)
        fuzzer.run(calls)
    note(name, fuzzer.counts)


@pytest.mark.parametrize("calls", [CALLS, pytest.param(MANY_CALLS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("subject", by_default(SUBJECTS), ids=fuzz.name_of)
def test_every_kernel(tmp_path: Path, subject: Subject, calls: int) -> None:
    """Kernel, modes and AES-GCM do what their headers say, whatever the order of calls."""
    program = fuzz.build(tmp_path / "fuzz", subject, [], shared=[DRIVER, *fuzz.modes_files()])
    run(program, f"{fuzz.name_of(subject)}-{calls}", calls, directions=subject[1].directions)


@pytest.mark.parametrize("calls", [2 * CALLS, pytest.param(MANY_CALLS, marks=pytest.mark.slow)])
def test_a_device_that_fails(tmp_path: Path, calls: int) -> None:
    """No failure gives AES_OK, a key, half an output or a context that goes on."""
    kernel, includes = faulty()
    program = fuzz.build(
        tmp_path / "fuzz",
        PORTABLE,
        [],
        shared=[DRIVER, *fuzz.modes_files()],
        kernel=kernel,
        includes=includes,
    )
    run(program, f"faulty-{calls}", calls, faults=True)


# --- curves ---------------------------------------------------------------------------------------

ECC = ROOT / "sw" / "ecc"
CURVES, MANY_CURVES = 50, 3000
# One variant of each set of operations: which AES kernel it has does not matter here.
WITH_CURVES = list(
    {
        (a.name, tuple(op.mnemonic for op in a.manifest.operations(v))): (a, v)
        for a, v in SUBJECTS
        if a.manifest.has_ecc(v)
    }.values()
)


def curves_program(folder: Path, subject: Subject, sources: Path = ECC) -> Path:
    """The program of the curves."""
    return fuzz.build(
        folder / "curves",
        subject,
        subject[0].ecc_files(subject[1]),
        shared=[
            fuzz.SOURCES / "curves.c",
            fuzz.MODES / "aes_modes.c",
            *sorted(sources.glob("*.c")),
        ],
        includes=[sources],
    )


@pytest.mark.parametrize("calls", [CURVES, pytest.param(MANY_CURVES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("subject", WITH_CURVES, ids=fuzz.name_of)
def test_curves(tmp_path: Path, subject: Subject, calls: int) -> None:
    """Random and extreme operands, good and bad points and signatures."""
    name = f"curves-{fuzz.name_of(subject)}-{calls}"
    with fuzz.Driver(curves_program(tmp_path, subject)) as driver:
        curves = Curves(driver, f"{SEED} {name}")
        curves.run(calls)
    note(name, curves.counts)


# --- planted faults -------------------------------------------------------------------------------

# (file, old, new, what notices)
FAULTS: dict[str, tuple[str, str, str, type[AssertionError]]] = {
    "a byte too many": (
        "aes_modes.c",
        "      combine(out, in, bytes, now);",
        "      combine(out, in, bytes, now);\n      out[now] = 0;",
        DriverEnded,
    ),
    "a byte in front": (
        "aes_modes.c",
        "      combine(out, in, bytes, now);",
        "      combine(out, in, bytes, now);\n      out[-1] ^= 1;",
        DriverEnded,
    ),
    "a signed overflow": (
        "aes_modes.c",
        "low += (uint32_t)n;",
        "low = (uint32_t)((int32_t)(low & 0x7fffffffu) + (int32_t)n) | (low & 1u << 31);",
        DriverEnded,
    ),
    "a counter without its carry": (
        "aes_modes.c",
        "if (block[3] == 0u) {",
        "if (0) {",
        WrongAnswer,
    ),
    "a counter of AES-GCM that carries": (
        "aes_gcm.c",
        "block[2] = first[2];",
        "block[2] = first[2] ^ (g->counter + (uint32_t)i == 0u);",
        WrongAnswer,
    ),
    "a tag of CCM that is compared in part": (
        "aes_ccm.c",
        "unequal(whole, tag, c->tag_bytes)",
        "unequal(whole, tag, 1)",
        WrongAnswer,
    ),
    "a subkey of CMAC without its carry": (
        "aes_cmac.c",
        "to[1] = swap(b << 1 | c >> 31);",
        "to[1] = swap(b << 1);",
        WrongAnswer,
    ),
    "a wrapped key that is not checked": (
        "aes_kw.c",
        "unequal(a, icv1, sizeof a) != 0u",
        "unequal(a, icv1, 0) != 0u",
        WrongAnswer,
    ),
    "a forged text of GCM-SIV that stays": (
        "aes_gcm_siv.c",
        "if (status != AES_OK) {\n    aes_wipe(out, bytes);",
        "if (status == AES_ERR_KEY) {\n    aes_wipe(out, bytes);",
        WrongAnswer,
    ),
    "a key of XTS for either direction": (
        "aes_xts.c",
        " || k->decrypts != decrypts",
        " || (decrypts & 0u)",
        WrongAnswer,
    ),
    "a stolen block that is read too far": (
        "aes_xts.c",
        "copy(last, in + AES_BLOCK_BYTES, rest);",
        "copy(last, in + AES_BLOCK_BYTES, rest + 1u);",
        DriverEnded,
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_of_the_modes(tmp_path: Path, fault: str) -> None:
    """Each of them is found."""
    file, old, new, error = FAULTS[fault]
    folder = tmp_path / "modes"
    shutil.copytree(fuzz.MODES, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    program = fuzz.build(
        tmp_path / "fuzz",
        PORTABLE,
        [],
        shared=[DRIVER, *fuzz.modes_files(folder)],
        includes=[folder],
    )
    with pytest.raises(error), fuzz.Driver(program) as driver:
        SealedFuzzer(driver, f"{SEED} planted").run(5 * CALLS)


def test_a_unit_that_takes_one_key_for_another(tmp_path: Path) -> None:
    """Keys that are copied, wiped and freed: a keyed unit must not take one for another.

    The number of a key is here the same for all of them, as an address is that is used again.
    """
    drawn = "numbers.last + 1"
    subject = next(
        (found, variant)
        for found in manifest.kernels()
        for variant in found.manifest.variant
        if variant.stateless is False
        and any(drawn in path.read_text(encoding="utf-8") for path in found.kernel_files())
    )
    kernel: list[Path] = []
    for path in subject[0].kernel_files():
        text = path.read_text(encoding="utf-8")
        kernel.append(path)
        if path.suffix == ".c":
            kernel[-1] = tmp_path / path.name
            assert text.count(drawn) == 1
            kernel[-1].write_text(text.replace(drawn, "numbers.last | 1u"), encoding="utf-8")
    program = fuzz.build(
        tmp_path / "fuzz", subject, [], shared=[DRIVER, *fuzz.modes_files()], kernel=kernel
    )
    with pytest.raises(WrongAnswer), fuzz.Driver(program) as driver:
        SealedFuzzer(driver, f"{SEED} planted").run(5 * CALLS)


def test_a_device_that_hides_its_failure(tmp_path: Path) -> None:
    """Modes that do not look at the kernel's status."""
    folder = tmp_path / "modes"
    shutil.copytree(fuzz.MODES, folder)
    text = (folder / "aes_modes.c").read_text(encoding="utf-8")
    old = "int status = aes_encrypt_blocks(k, to, to, 1);"
    assert text.count(old) == 1
    planted = text.replace(old, "int status = AES_OK * aes_encrypt_blocks(k, to, to, 1);")
    (folder / "aes_modes.c").write_text(planted, encoding="utf-8")
    kernel, includes = faulty()
    program = fuzz.build(
        tmp_path / "fuzz",
        PORTABLE,
        [],
        shared=[DRIVER, *fuzz.modes_files(folder)],
        kernel=kernel,
        includes=[folder, *includes],
    )
    with pytest.raises(WrongAnswer), fuzz.Driver(program) as driver:
        SealedFuzzer(driver, f"{SEED} planted", faults=True).run(5 * CALLS)
