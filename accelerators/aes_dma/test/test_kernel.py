# SPDX-License-Identifier: Apache-2.0
"""The kernel contract on the model of the registers: every call with every fault from each access
of the device on, and with an interrupt before each access to memory (dma_calls.c)."""

import ctypes
import re
from collections import Counter
from pathlib import Path

import pytest

from aesforge.base import proc
from aesforge.base.paths import ROOT
from aesforge.build import system

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
CALLS = re.findall(r"\b(?:CALL|HANDLER)_\w+", (HERE / "dma_calls.h").read_text().split("CALLS,")[0])
CALLS = [name.removeprefix("CALL_").lower() for name in CALLS]
CLEARS_YOURS, STARTS = len(CALLS), len(CALLS) + 1
FAULTS = {
    1: "absent",
    2: "no key",
    3: "read error at the second block",
    4: "never ends",
    6: "text changes",
    7: "no GCM",
    8: "reset",
    9: "read error at the first block",
    10: "refused",
    11: "write error",
    12: "never idle",
    13: "another tag",
    14: "access error",
}
ALERT = 15  # of a guarded bus master; the model's number
ERR_FAULT = -10  # AES_ERR_FAULT
OTHER_NAMES = (
    *("aes_set_encrypt_key", "aes_set_decrypt_key", "aes_encrypt_blocks", "aes_decrypt_blocks"),
    *("aes_cbc_encrypt", "aes_cbc_decrypt", "aes_ctr", "aes_ecb_encrypt", "aes_ecb_decrypt"),
    *("aes_ctr_blocks", "aes_cbc_encrypt_blocks", "aes_cbc_decrypt_blocks"),
    *("aes_wipe", "aes_clear_key", "aes_ghash_set_key", "aes_ghash_blocks", "aes_gcm_set_key"),
    *("aes_gcm_clear_key", "aes_gcm_encrypt", "aes_gcm_decrypt", "aes_gcm_start", "aes_gcm_aad"),
    *("aes_gcm_encrypt_update", "aes_gcm_encrypt_finish", "aes_gcm_verify_update"),
    *("aes_gcm_verify_finish", "aes_gcm_decrypt_update", "aes_gcm_decrypt_finish"),
    "aes_gcm_release",
)
MODES = (system.MODES, *system.GCM)


@pytest.fixture(scope="module", params=["numbers", "no number left"])
def calls(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The calls with numbers of sessions, and without."""
    words = ["-DAES_DMA_NUMBERS=0u"] if request.param == "no number left" else []
    return built(tmp_path_factory.mktemp("kernel"), words)


def built(folder: Path, more: list[str]) -> ctypes.CDLL:
    """Kernel, driver and modes over the model, which has a cipher of other names."""
    options = ["-std=gnu99", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fno-strict-aliasing"]
    options += ["-DAES_DMA_MODEL", "-DAES_DMA_WAITS=50u", "-DMASTER_GCM"]
    options += more
    options += [f"-I{path}" for path in (FOLDER / "sw", ROOT / "sw/include")]
    hooks = ["-fsanitize=thread", "--param=tsan-distinguish-volatile=1"]
    renamed = [f"-D{name}={name.replace('aes_', 'soft_', 1)}" for name in OTHER_NAMES]
    plain = (*MODES, HERE / "dma_calls.c", HERE / "dma_steps.c", ROOT / "sw/hal/cache.c")
    groups = (
        (hooks, (HERE / "dma_kernel.c", FOLDER / "sw/aes_dma.c", FOLDER / "sw/aes_dma_gcm.c")),
        ([], plain),
        (renamed, (*MODES, ROOT / "sw/ref/portable/sw/kernel.c", HERE / "dma_model.c")),
    )
    objects = []
    for words, sources in groups:
        for source in sources:
            objects.append(folder / f"{len(objects)}_{source.stem}.o")
            proc.run(["gcc", *options, *words, "-c", source, "-o", objects[-1]], timeout=120)
    target = folder / "kernel.so"
    proc.run(["gcc", "-shared", *objects, "-Wl,-Bsymbolic", "-o", target], timeout=120)
    library = ctypes.CDLL(str(target))
    library.calls_begin()
    return library


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(calls: ctypes.CDLL, fault: int) -> None:
    """From each access on, before each call: AES_OK and right, or an error and no output; and when
    the fault has gone, the next call is right."""
    status = ctypes.c_int()
    wrong, tried, found = [], 0, Counter[int]()
    for call, name in enumerate(CALLS):
        for before in range(3):
            access = 0
            while result := calls.calls_fault(
                call, fault, access := access + 1, before, ctypes.byref(status)
            ):
                tried += 1
                found[status.value] += 1
                if wrong_now := (result - 1) >> 1:
                    wrong.append((name, before, access, wrong_now, status.value))
    print(f"{FAULTS[fault]}: {tried} calls, by status {dict(found)}")
    assert Counter((name, why, status) for name, _, _, why, status in wrong) == {}
    assert set(found) - {0} or fault in (6, 7, 13), "the fault did nothing"


def test_alerts(tmp_path: Path) -> None:
    """A guarded bus master that raises an alert at any access: AES_ERR_FAULT and no output, or the
    right answer; right again after a reset."""
    guarded = built(tmp_path, ["-DMASTER_GUARDED"])
    status = ctypes.c_int()
    wrong, tried, found = [], 0, Counter[int]()
    for call, name in enumerate(CALLS):
        for before in range(3):
            access = 0
            while result := guarded.calls_fault(
                call, ALERT, access := access + 1, before, ctypes.byref(status)
            ):
                tried += 1
                found[status.value] += 1
                if (result - 1) >> 1:
                    wrong.append((name, before, access, (result - 1) >> 1, status.value))
    assert wrong == []
    assert set(found) == {0, ERR_FAULT} and found[ERR_FAULT] > 300, found


HANDLERS = [*CALLS, "clears yours", "starts"]


@pytest.mark.parametrize("handled", range(len(HANDLERS)), ids=HANDLERS)
def test_interrupts(calls: ctypes.CDLL, handled: int) -> None:
    """A handler that calls the kernel itself, before each access to memory of each call: the
    interrupted call is right unless its key was forgotten, the handler's is right or refused."""
    wrong = Counter[tuple[str, int]]()
    tried = refused = failed = 0
    for call, name in enumerate(CALLS):
        for before in range(2):
            step = 0
            while result := calls.calls_interrupt(call, handled, step := step + 1, before):
                tried += 1
                refused += (result - 1) >> 1 & 1
                failed += (result - 1) & 1
                if (result - 1) >> 2:
                    wrong[name, (result - 1) >> 2] += 1
    print(f"{HANDLERS[handled]}: {tried} interrupts, {refused} refused, {failed} calls failed")
    assert wrong == {}
    assert tried > refused > 0 or handled >= len(CALLS) - 1
    assert failed == 0 or handled >= len(CALLS)
