# SPDX-License-Identifier: Apache-2.0
"""Interrupts at every offset, and constant time, as firmware asks for them (docs/interrupts.md)."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from aesforge.base.paths import ROOT
from aesforge.bench.job import MAX_CYCLES
from aesforge.build import simulate, system
from aesforge.catalog import manifest, platform
from aesforge.catalog.manifest import Accelerator, Variant
from aesforge.catalog.platform import Platform
from marks_support import each_once, slow_unless

SHAPES = manifest.load(ROOT / "tests" / "fixtures" / "shapes")
PLATFORMS = platform.discover()
WHAT = (("set_encrypt_key", ""), ("encrypt", "_1"), ("encrypt", "_7"))

every_platform = pytest.mark.parametrize("found", PLATFORMS, ids=lambda found: found.name)


def shapes_variant(found: Platform) -> Variant:
    """Return the tests' unit as the random programs use it, so that the simulator is shared."""
    return SHAPES.variant("three" if found.manifest.operands >= 3 else "two")


def ask(
    accelerator: Accelerator,
    variant: Variant,
    found: Platform,
    name: str,
    *defines: str,
    firmware: simulate.Firmware | None = None,
    **waits: int,
) -> tuple[simulate.RunResult, list[dict[str, object]]]:
    """Run a harness program; return how it ended and the objects that it printed."""
    model = system.build_system_model(accelerator, variant, found)
    if firmware is None:
        firmware = system.build_system_firmware(accelerator, variant, found, name, defines)
    result = simulate.run_model(model, firmware.image, **waits)
    return result, [json.loads(line) for line in result.stdout.splitlines()]


@every_platform
@pytest.mark.parametrize("waits", [{}, {"iwait": 2, "dwait": 3, "seed": 5}], ids=["plain", "waits"])
def test_interrupt_at_every_offset(found: Platform, waits: dict[str, int]) -> None:
    """Whatever cycle the interrupt comes in, call and handler compute what they should.

    With random wait states, where no offset means the same twice, every third one is enough.
    """
    variant = shapes_variant(found)
    step = 3 if waits else 1
    result, lines = ask(SHAPES, variant, found, "irq", f"IRQ_STEP={step}u", **waits)
    assert result.status == "exit" and result.exit == 0, result.stdout
    names = [line["what"] for line in lines]
    assert names == ["set_encrypt_key_128", "encrypt_128_1", "encrypt_128_7", "total"]
    for line in lines:
        assert line["bad"] == 0
        assert line["fired"] == line["offsets"]
        # The call itself was interrupted, not only the instructions around it.
        assert int(str(line["inside"])) > int(str(line["offsets"])) // 2
    assert sum(int(str(line["offsets"])) for line in lines[:-1]) == lines[-1]["offsets"]


@pytest.mark.parametrize(
    "found",
    slow_unless(lambda found: len(found.core_files()) == 1, PLATFORMS),
    ids=lambda found: found.name,
)
def test_a_call_that_is_not_reentrant_is_seen(found: Platform, tmp_path: Path) -> None:
    """A kernel with state in memory that the handler's call destroys turns the question red."""
    variant = shapes_variant(found)
    (tmp_path / "kernel.c").write_text(
        '#include "aes_kernel.h"\n'
        "static uint32_t state[4];  // the fault: shared between the call and the handler's call\n"
        "int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {\n"
        "  for (unsigned i = 0; i < key_bits / 32u; i++) k->rk[i] = ((const uint32_t *)key)[i];\n"
        "  return AES_OK;\n"
        "}\n"
        "int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {\n"
        "  (void)k;\n  (void)key;\n  (void)key_bits;\n  return AES_ERR_UNSUPPORTED;\n"
        "}\n"
        "int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t n) {\n"
        "  for (size_t b = 0; b < n; b++) {\n"
        "    for (unsigned i = 0; i < 4u; i++) state[i] = ((const uint32_t *)in)[4u * b + i];\n"
        "    for (unsigned r = 0; r < 8u; r++) {\n"
        "      for (unsigned i = 0; i < 4u; i++) state[i] = state[i] * 5u + k->rk[i];\n"
        "    }\n"
        "    for (unsigned i = 0; i < 4u; i++) ((uint32_t *)out)[4u * b + i] = state[i];\n"
        "  }\n"
        "  return AES_OK;\n"
        "}\n"
        "int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t n) {\n"
        "  (void)k;\n  (void)in;\n"
        "  return aes_no_blocks(out, n, AES_ERR_UNSUPPORTED);\n"
        "}\n"
    )
    main = simulate.Sources(
        (system.HARNESS / "irq.c", tmp_path / "kernel.c"), includes=(system.HARNESS,)
    )
    firmware = simulate.build_firmware(found, [main], name="irq-faulty")
    result, lines = ask(SHAPES, variant, found, "irq", firmware=firmware)
    assert result.exit == 1
    assert int(str(lines[-1]["bad"])) > 0
    assert any("bad_offset" in line for line in lines)


@every_platform
def test_constant_time_question(found: Platform) -> None:
    """The tests' unit and kernel take the same time for all keys and data."""
    runs = 50
    variant = shapes_variant(found)
    result, lines = ask(SHAPES, variant, found, "ct", f"CT_RUNS={runs}u")
    assert result.status == "exit" and result.exit == 0, result.stdout
    names = {f"{what}_{bits}{n}" for bits in (128, 192, 256) for what, n in WHAT}
    assert {line["what"] for line in lines} == names
    for line in lines:
        assert line["n"] == runs
        assert line["min"] == line["max"] == line["first"], line


@every_platform
def test_time_that_depends_on_data_is_seen(found: Platform, tmp_path: Path) -> None:
    """A kernel that branches on its input shows as different extremes."""
    (tmp_path / "kernel.c").write_text(
        '#include "aes_kernel.h"\n'
        "int aes_set_encrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {\n"
        "  k->rk[0] = key[0];\n  k->rounds = key_bits;\n  return AES_OK;\n"
        "}\n"
        "int aes_set_decrypt_key(aes_key_t *k, const uint8_t *key, unsigned key_bits) {\n"
        "  return aes_set_encrypt_key(k, key, key_bits);\n"
        "}\n"
        "int aes_encrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t n) {\n"
        "  (void)k;\n"
        "  for (size_t i = 0; i < 16u * n; i++) {\n"
        "    volatile uint8_t *to = &out[i];\n"
        "    if (in[i] & 1u) *to = in[i];\n"
        "  }\n"
        "  return AES_OK;\n"
        "}\n"
        "int aes_decrypt_blocks(const aes_key_t *k, const uint8_t *in, uint8_t *out, size_t n) {\n"
        "  return aes_encrypt_blocks(k, in, out, n);\n"
        "}\n"
    )
    main = simulate.Sources(
        (system.HARNESS / "ct.c", tmp_path / "kernel.c"),
        defines=("CT_RUNS=20u",),
        includes=(system.HARNESS,),
    )
    firmware = simulate.build_firmware(found, [main], name="ct-faulty")
    result, lines = ask(SHAPES, shapes_variant(found), found, "ct", firmware=firmware)
    assert result.exit == 0
    for line in lines:
        varies = line["min"] != line["max"]
        assert varies == (not str(line["what"]).startswith("set_")), line


# Shapes with the bulk entries of CTR and CBC: a kernel that includes one joins cipher and mode.
BULK_SHAPES = ("aes_fused_entries.h", "aes_by_four.h")


def joins_modes(accelerator: Accelerator) -> bool:
    """Whether the kernel has bulk entries of its own."""
    texts = [path.read_text(encoding="utf-8") for path in accelerator.kernel_files()]
    return any(f'#include "{shape}"' in text for shape in BULK_SHAPES for text in texts)


def fused_variants(found: Platform) -> list[tuple[Accelerator, Variant]]:
    """The units with bulk entries that the core can feed, each in its default variants."""
    return [
        (accelerator, variant)
        for accelerator in manifest.discover()
        if joins_modes(accelerator)
        for variant in accelerator.manifest.variant
        if variant.by_default and not system.reason_to_skip(accelerator, variant, found)
    ]


CASES = [(found, *unit) for found in PLATFORMS for unit in fused_variants(found)]
fused_cases = pytest.mark.parametrize(
    ("found", "accelerator", "variant"),
    CASES,
    ids=[f"{found.name}-{unit.manifest.name}-{variant.name}" for found, unit, variant in CASES],
)


@pytest.mark.slow
@fused_cases
def test_interrupted_modes(found: Platform, accelerator: Accelerator, variant: Variant) -> None:
    """CTR, CBC and CBC-MAC with an interrupt at every offset, and another key in the handler."""
    result, lines = ask(accelerator, variant, found, "irq_modes")
    assert result.status == "exit" and result.exit == 0, result.stdout
    names = [line["what"] for line in lines]
    assert names[:2] == ["ctr_128_1", "ctr_128_7"]
    assert names[-3:] == ["cbc_mac_128_1", "cbc_mac_128_7", "total"]
    for line in lines:
        assert line["bad"] == 0
        assert line["fired"] == line["offsets"]


@pytest.mark.slow
@fused_cases
@pytest.mark.parametrize("mode", [1, 2])
def test_constant_time_modes(
    found: Platform, accelerator: Accelerator, variant: Variant, mode: int
) -> None:
    """CTR and CBC take the same time for all keys and data."""
    result, lines = ask(accelerator, variant, found, "ct", f"CT_MODE={mode}", "CT_RUNS=200u")
    assert result.status == "exit" and result.exit == 0, result.stdout
    assert lines
    for line in lines:
        assert line["min"] == line["max"] == line["first"], line


# Units and sets with a hash of their own, where a message may be enciphered and hashed in one pass.
SETS = [found for found in manifest.on_cores() if found.manifest.kind == "set"]
MESSAGES = [
    (found, unit, variant)
    for found in sorted(PLATFORMS, key=lambda found: len(found.core_files()))  # the small first
    for unit in SETS
    for variant in unit.manifest.variant
    if variant.by_default and not system.reason_to_skip(unit, variant, found)
]
# Every third offset of short messages, and longer steps, are enough on each core, of each set.
STEPS = ("IRQ_STEP=3u", "IRQ_BULK_STEP=23u")


messages = pytest.mark.parametrize(
    ("found", "accelerator", "variant"),
    each_once(MESSAGES, lambda case: [part.name for part in case], 2),
)


@messages
def test_interrupted_messages(found: Platform, accelerator: Accelerator, variant: Variant) -> None:
    """AES-GCM, short and in groups of blocks, and another message in every second handler."""
    result, lines = ask(accelerator, variant, found, "irq_gcm", *STEPS)
    assert result.status == "exit" and result.exit == 0, result.stdout
    names = [line["what"] for line in lines]
    assert names == ["gcm_encrypt_128_1", "gcm_encrypt_128_20", "total"]
    for line in lines:
        assert line["bad"] == 0
        assert line["fired"] == line["offsets"]


@pytest.mark.slow
@messages
def test_interrupted_messages_at_every_offset(
    found: Platform, accelerator: Accelerator, variant: Variant
) -> None:
    """The same without steps, with round keys of all lengths in turn."""
    for key_bits in (128, 192, 256):
        bits = f"IRQ_KEY_BITS={key_bits}u"
        result, lines = ask(accelerator, variant, found, "irq_gcm", bits, max_cycles=MAX_CYCLES)
        assert result.status == "exit" and result.exit == 0, result.stdout
        assert [line["bad"] for line in lines] == [0, 0, 0]


# What keeps an interrupted pass right, the question that sees it, and what comes in its place.
FORGOTTEN = {
    "whose key the hash unit has": (
        "irq_gcm",
        "ghash.c",
        "gh_end(0) != number || rounds == 0u",
        "((gh_end(0) ^ number) & 0u) != 0u || rounds == 0u",
    ),
    "which counter is next": (
        "irq_gcm",
        "ctr_keyed.inc",
        "  sw AHEAD, 12(COUNTER)\n  or",
        "  nop\n  or",
    ),
    "the MAC before a block": (
        "irq_modes",
        "cbc.inc",
        "#define GIVE_1 STORE_TO(0, CHAIN, C1, A1, B1, D1)",
        "#define GIVE_1",
    ),
}


@pytest.mark.parametrize("fault", FORGOTTEN)
def test_a_pass_that_forgets_interrupts_is_seen(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question finds a kernel that goes on with another key's hash, or from its first block."""
    question, name, old, new = FORGOTTEN[fault]
    found, unit, variant = next(case for case in MESSAGES if "keyed" in case[2].name)
    whole = system.kernel_sources

    def changed(*arguments: object) -> list[simulate.Sources]:
        groups = []
        for group in whole(*arguments):  # type: ignore[arg-type]
            folder = tmp_path / f"{len(groups)}"
            for path in group.files:
                shutil.copytree(path.parent, folder, dirs_exist_ok=True)
            if (mine := folder / name).is_file():
                text = mine.read_text(encoding="utf-8")
                assert text.count(old) == 1
                mine.write_text(text.replace(old, new), encoding="utf-8")
            files = tuple(folder / path.name for path in group.files)
            groups.append(replace(group, files=files))
        return groups

    monkeypatch.setattr(system, "kernel_sources", changed)
    result, lines = ask(unit, variant, found, question, *STEPS)
    assert result.status == "exit" and result.exit == 1
    assert lines[-1]["bad"] != 0
