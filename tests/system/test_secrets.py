# SPDX-License-Identifier: Apache-2.0
"""Nothing secret stays: question "secrets" (sw/harness/secrets.c), and that it sees what does."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from aesforge.base.errors import SimulationError
from aesforge.bench import measure
from aesforge.bench.job import MAX_CYCLES, Job, Settings
from aesforge.bench.questions import secrets
from aesforge.bench.questions.secrets import Finding, Found
from aesforge.build import simulate, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from marks_support import slow_unless

PLATFORMS = {found.name: found for found in platform.discover()}
UNITS = {found.name: found for found in manifest.on_cores()}
CORE = next(found for found in PLATFORMS.values() if found.manifest.operands == 2)
OWN = [unit for unit in UNITS.values() if unit.manifest.source is None]  # not of peers
SOFT = next(u for u in OWN if u.manifest.rtl is None and u.manifest.has_ecc(u.manifest.variant[0]))
EVERYTHING = [
    (unit.name, variant.name, where.name)
    for unit in OWN
    for variant in unit.manifest.variant
    for where in PLATFORMS.values()
    if not system.reason_to_skip(unit, variant, where)
    and (not unit.manifest.outside_core or unit.manifest.claims("secrets", variant))
]
# By default a variant of each unit whose instructions the core has, and a baseline.
CHOSEN = [SOFT, *(unit for unit in OWN if unit.manifest.kind == "instruction")]
# The modes around the kernel are the same for all: software and units with state speak for them.
WITH_MODES = slow_unless(lambda unit: unit is SOFT or not unit.manifest.stateless, CHOSEN)
MODES = system.MODES.parent


def found_by(unit: Accelerator, variant: Variant, *defines: str) -> tuple[int, Found]:
    """Run the program; return its exit code and what it found."""
    model = system.build_system_model(unit, variant, CORE)
    firmware = system.build_system_firmware(unit, variant, CORE, "secrets", defines)
    result = simulate.run_model(model, firmware.image, max_cycles=MAX_CYCLES)
    assert result.status == "exit", result.stderr
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return result.exit, secrets.unpack(lines, unit.name)


# The shape whose CTR shares rounds, and how it wipes what it shared.
SHAPE = "aes_by_four.h"
WIPE = "  for (unsigned i = 0; i < SHARED_WORDS; i++) ((volatile word_t *)shared)[i] = 0;\n"


def kernel_text(unit: Accelerator, variant: Variant) -> str:
    """The sources of a kernel."""
    return "".join(path.read_text(encoding="utf-8") for path in unit.kernel_files(variant))


def places(found: Found) -> set[tuple[str, str, str]]:
    """What was found, without numbers and registers."""
    return {(finding.call, finding.where, finding.secret) for finding in found.findings}


@pytest.mark.parametrize("unit", CHOSEN, ids=lambda unit: unit.name)
def test_nothing_secret_stays(unit: Accelerator) -> None:
    """Only what the manifest lists stays, in registers of raw block calls."""
    code, found = found_by(unit, unit.manifest.variant[0])
    assert found.wrong(unit.manifest.sw.leaves) == []
    assert (code == 0) == (not found.findings)
    both = len(unit.manifest.variant[0].directions) == 2
    assert found.calls > (130 if both else 100) and found.bytes > 500_000


@pytest.mark.parametrize("unit", WITH_MODES, ids=lambda unit: unit.name)
def test_nothing_secret_of_a_sealed_message_stays(unit: Accelerator) -> None:
    """CCM, CMAC, XTS, key wrap and GCM-SIV, good and forged: not even what sw.leaves lists."""
    code, found = found_by(unit, unit.manifest.variant[0], "SECRETS_MODES=1", "SECRETS_SIZES=1")
    assert found.wrong([]) == []
    assert code == 0
    assert found.calls > 55 and found.bytes > 250_000


@pytest.mark.parametrize("unit", WITH_MODES, ids=lambda unit: unit.name)
def test_only_the_cache_of_keys_keeps_secrets(unit: Accelerator) -> None:
    """CTR in pieces, GCM in one pass, keys as bytes; nothing is left once keys are forgotten."""
    _, found = found_by(unit, unit.manifest.variant[0], "SECRETS_STACKS=1", "SECRETS_SIZES=1")
    assert found.errors == []
    assert found.calls > 35
    kept = [finding for finding in found.findings if finding.call.startswith("aesforge_")]
    assert {finding.where for finding in kept} == {"static"}  # the control: the cache is searched
    assert {"key", "round key"} >= {finding.secret for finding in kept if "ecb" in finding.call}
    assert [finding for finding in found.findings if finding not in kept] == []


@pytest.mark.slow
@pytest.mark.parametrize("unit", OWN, ids=lambda unit: unit.name)
def test_no_entry_of_a_manifest_is_stale(unit: Accelerator) -> None:
    """Each entry is what some variant of the unit still leaves."""
    needed: set[str] = set()
    for variant in unit.manifest.variant:
        if not system.reason_to_skip(unit, variant, CORE):
            needed |= found_by(unit, variant)[1].entries()
    assert needed == set(unit.manifest.sw.leaves)


@pytest.mark.slow
@pytest.mark.parametrize(("unit", "variant", "where"), EVERYTHING, ids=map("-".join, EVERYTHING))
def test_nothing_secret_stays_anywhere(unit: str, variant: str, where: str) -> None:
    """All variants on all platforms, curves included."""
    accelerator = UNITS[unit]
    chosen = accelerator.variant(variant)
    record = measure.measure(Job(accelerator, chosen, PLATFORMS[where], "secrets", Settings()))
    assert record.status == "passed", record.reason
    assert record.counts["wrong"] == 0


def absorbing() -> list[tuple[Accelerator, Variant]]:
    """The sets whose cipher's kernel lets a hash unit absorb its blocks, in default variants."""
    return [
        (unit, variant)
        for unit in OWN
        for variant in unit.manifest.variant
        if unit.manifest.kind == "set"
        and variant.by_default
        and any("ABSORB" in word for word in variant.defines)
        and not system.reason_to_skip(unit, variant, CORE)
    ]


@pytest.mark.parametrize(
    ("unit", "variant"),
    [(SOFT, SOFT.manifest.variant[0]), *absorbing()],
    ids=lambda found: found.name,
)
def test_nothing_of_a_long_message_stays(unit: Accelerator, variant: Variant) -> None:
    """Several groups of blocks, and what rounds of CTR and of AES-GCM have in common."""
    code, found = found_by(unit, variant, "SECRETS_GROUPS=1", "SECRETS_SIZES=1")
    assert found.wrong(unit.manifest.sw.leaves) == []
    assert (code == 0) == (not found.findings)
    assert found.calls > 30


def test_what_blocks_share_is_wiped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its wipe the kernel leaves it, in CTR and in AES-GCM."""
    unit, variant = next(pair for pair in absorbing() if SHAPE in kernel_text(*pair))
    include = tmp_path / "include"
    shutil.copytree(system.INCLUDE, include)
    text = (include / SHAPE).read_text(encoding="utf-8")
    assert text.count(WIPE) == 1
    (include / SHAPE).write_text(text.replace(WIPE, ""), encoding="utf-8")
    whole = system.kernel_sources

    def changed(*arguments: object) -> list[simulate.Sources]:
        groups = whole(*arguments)  # type: ignore[arg-type]
        return [replace(group, includes=(include, *group.includes)) for group in groups]

    monkeypatch.setattr(system, "kernel_sources", changed)
    _, found = found_by(unit, variant, "SECRETS_GROUPS=1", "SECRETS_SIZES=1")
    assert {
        ("ctr_128", "stack", "state"),
        ("gcm_encrypt_128", "stack", "state"),
        ("gcm_encrypt_update_128", "stack", "state"),
    } <= places(found)


def test_planted_secrets_are_seen() -> None:
    """Words in a dead stack frame, at an odd offset, in static memory and in registers."""
    code, found = found_by(SOFT, SOFT.manifest.variant[0], "SECRETS_CONTROL=1", "SECRETS_SIZES=1")
    assert code == 1
    # Such a function may leave a word in a register too.
    assert places(found) >= {
        ("control_stack", "stack", "key"),
        ("control_offset", "stack", "key"),
        ("control_static", "static", "key"),
        ("control_register", "register", "key"),
        ("control_swapped", "register", "key"),
    }
    assert all(finding.call.startswith("control_") for finding in found.findings)
    words = {(f.call, f.where): (f.words, f.at) for f in found.findings}
    assert words["control_stack", "stack"][0] == 4
    assert words["control_static", "static"][0] == 1
    assert words["control_register", "register"] == (1, "t6")
    assert "t5" in words["control_swapped", "register"][1].split()
    assert len(found.wrong([])) == len(found.findings)


# A file of sw/modes, what is removed from it, what comes in its place, and what must be seen then.
REMOVED = {
    "subkey": (
        "aes_ghash.c",
        "  for (unsigned i = 0; i < 4u; i++) {\n    k->word[i] = reverse_in_bytes(words[i]);\n"
        "  }\n  spread(k->word, k->word);\n",
        "  uint32_t natural[4];\n"
        "  for (unsigned i = 0; i < 4u; i++) {\n    natural[i] = reverse_in_bytes(words[i]);\n"
        "  }\n  spread(k->word, natural);\n",
        ("gcm_set_key_128", "stack", "hash key"),
    ),
    "hash": ("aes_ghash.c", "  wipe(&room);\n", "", ("gcm_aad_128", "stack", "hash state")),
    "registers": (
        "aes_modes.c",
        "  forget_registers();\n",
        "",
        ("ctr_128", "register", "key stream"),
    ),
    "batch": (
        "aes_modes.c",
        "  aes_wipe(&batch, used);\n",
        "  (void)used;\n",
        ("ctr_128", "stack", "key stream"),
    ),
    "message": (
        "padded.h",
        "    w[0] = 0;\n    w[1] = 0;\n    w[2] = 0;\n    w[3] = 0;\n",
        "",
        ("gcm_encrypt_128", "stack", "mask"),
    ),
    "packet": (
        "aes_ccm.c",
        "    forget_words(m->input + TEXT, words);\n",
        "",
        ("ccm_encrypt_128", "stack", "plaintext"),
    ),
    "masks": ("aes_xts.c", "  aes_wipe(&masks, used);\n", "", ("xts_encrypt_128", "stack", "mask")),
    "stolen": (
        "aes_xts.c",
        "  aes_wipe(last, sizeof last);\n",
        "",
        ("xts_encrypt_128", "stack", "plaintext"),
    ),
    "verified text": (
        "aes_ccm.c",
        "  aes_wipe(&batch, used);\n",
        "  (void)used;\n",
        ("ccm_verify_update_128", "stack", "plaintext"),
    ),
    "context": (
        "aes_ccm.c",
        "  aes_wipe(&c, sizeof c);\n",
        "",
        ("ccm_decrypt_128_long_aad", "stack", "hash state"),
    ),
    "wrapped key": (
        "aes_kw.c",
        "  aes_wipe(block, sizeof block);\n  return status;\n",
        "  return status;\n",
        ("kw_unwrap_128", "stack", "plaintext"),
    ),
    "derived key": (
        "aes_gcm_siv.c",
        "    aes_gcm_clear_key(&m->key);\n  }\n  aes_wipe(m, sizeof *m);\n",
        "  }\n",
        ("gcm_siv_encrypt_128", "stack", "hash key"),
    ),
}
SEALED = {path.name for path in system.SEALED}


@pytest.mark.parametrize("fault", sorted(REMOVED))
def test_a_wipe_that_is_missing_is_seen(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The modes and GHASH without one of their wipes do not pass."""
    name, right, wrong, seen = REMOVED[fault]
    shutil.copytree(MODES, tmp_path / "modes")
    text = (tmp_path / "modes" / name).read_text(encoding="utf-8")
    assert right in text
    text = text.replace(right, wrong)
    (tmp_path / "modes" / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(system, "MODES", tmp_path / "modes" / system.MODES.name)
    more = tuple(tmp_path / "modes" / path.name for path in system.MORE_MODES["secrets"])
    monkeypatch.setitem(system.MORE_MODES, "secrets", more)
    defines = ["SECRETS_SIZES=1", f"SECRETS_MODES={int(name in SEALED)}"]
    code, found = found_by(SOFT, SOFT.manifest.variant[0], *defines)
    assert code == 1
    assert seen in places(found)
    assert found.wrong([])


@pytest.mark.parametrize("wiped", [True, False], ids=["as-it-is", "without-wipe"])
def test_a_binary_curve(wiped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shared secret stays on the stack if the curve does not wipe what is below its frame."""
    shutil.copytree(system.ECC, tmp_path / "ecc")
    file = tmp_path / "ecc" / "binary.c"
    text = file.read_text(encoding="utf-8")
    assert text.count("  ecc_wipe_stack();\n") == 2
    if not wiped:
        file.write_text(text.replace("  ecc_wipe_stack();\n", ""), encoding="utf-8")
    monkeypatch.setattr(system, "ECC", tmp_path / "ecc")
    defines = ("SECRETS_KERNEL=0", "SECRETS_CURVES=1", 'SECRETS_ONLY="sect163k1"')
    code, found = found_by(SOFT, SOFT.manifest.variant[0], *defines)
    assert found.calls == 2
    assert (code == 0) == wiped
    seen = ("sect163k1_ecdh", "stack", "shared secret") in places(found)
    assert seen == (not wiped)


@pytest.mark.slow
def test_every_curve() -> None:
    """Scalars, nonces and shared secrets of all curves in C."""
    code, found = found_by(SOFT, SOFT.manifest.variant[0], "SECRETS_KERNEL=0", "SECRETS_CURVES=1")
    assert code == 0, found.wrong([])
    assert found.calls == 13


def test_only_registers_of_raw_calls_can_be_allowed() -> None:
    """No entry lets a finding in a mode, on a stack or in memory pass."""
    raw = Finding("encrypt_128_1", "register", "round key", 2, "t0 t1")
    stack = Finding("encrypt_128_1", "stack", "round key", 2, "80")
    mode = Finding("cbc_encrypt_128", "register", "round key", 2, "t0 t1")
    assert (raw.entry, stack.entry, mode.entry) == ("encrypt: round key", "", "")
    assert Found(1, 1, [raw]).wrong(["encrypt: round key"]) == []
    assert Found(1, 1, [raw]).wrong([]) == [str(raw)]
    assert len(Found(1, 1, [raw, stack, mode]).wrong(["encrypt: round key"])) == 2


def test_an_incomplete_answer_is_none() -> None:
    """A program that died, or a line that was lost, is an error and no pass."""
    total: dict[str, object] = {"what": "total", "calls": 1, "bytes": 4, "findings": 1, "errors": 0}
    with pytest.raises(SimulationError, match="no total"):
        secrets.unpack([], "unit")
    with pytest.raises(SimulationError, match="not that of its lines"):
        secrets.unpack([total], "unit")
    with pytest.raises(SimulationError, match="no total: all: too many"):
        secrets.unpack([{"call": "all", "error": "too many"}], "unit")
