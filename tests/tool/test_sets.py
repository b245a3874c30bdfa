# SPDX-License-Identifier: Apache-2.0
"""Sets of units: what follows from the units, and a message for each pair that does not fit."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from aesforge.base.errors import ManifestError
from aesforge.build import codegen, integrate, library
from aesforge.catalog import manifest
from aesforge.catalog.manifest import Accelerator
from aesforge.catalog.model_file import load_models

pytestmark = pytest.mark.quick

SETS = [found for found in manifest.units() if found.manifest.kind == "set"]

UNIT = """
name = "NAME"
kind = "instruction"
summary = "a unit for tests"
refs = ["FIPS 197"]
stateless = false
[rtl]
top = "NAME"
[rtl.params]
Width = 1
[[op]]
mnemonic = "NAME_one"
encoding = "FUNCT7 rs2 rs1 000 rd 0101011"
semantics = "rd = rs1"
[[op]]
mnemonic = "NAME_two"
encoding = "FUNCT7 rs2 rs1 001 rd 0101011"
latency = LATENCY
semantics = "rd = rs2"
[[variant]]
name = "full"
params = { Width = WIDTH }
state_words = WIDTH
defines = ["IN_UPPER"]
[sw]
kernel = ["sw/kernel.c"]
emul = "sw/emul.c"
cflags = ["-O2", "-fno-NAME"]
CIPHER
"""
SET = """
name = "both"
kind = "set"
summary = "two units for tests"
refs = ["FIPS 197"]
[[variant]]
name = "all"
units = ["left/full", "right/full"]
"""

Write = Callable[..., Path]


def unit(name: str, funct7: str, *, cipher: str = "", latency: int = 0, width: int = 1) -> str:
    """Return a unit's manifest."""
    text = UNIT.replace("UPPER", name.upper()).replace("NAME", name).replace("FUNCT7", funct7)
    text = text.replace("LATENCY", str(latency)).replace("WIDTH", str(width))
    return text.replace("CIPHER", f'cipher = "{cipher}"\nkey_words = 480' if cipher else "")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes two units and a set, and returns the set's folder."""

    def written(left: str, right: str, both: str = SET) -> Path:
        baseline = tmp_path / "sw" / "ref" / "soft" / "accel.toml"
        texts = {
            tmp_path / "accelerators" / "left" / "accel.toml": left,
            tmp_path / "accelerators" / "right" / "accel.toml": right,
            tmp_path / "accelerators" / "both" / "accel.toml": both,
            baseline: 'name = "soft"\nkind = "software"\nsummary = "x"\nrefs = ["x"]\n'
            '[[variant]]\nname = "full"\n[sw]\nkernel = ["sw/kernel.c"]\n',
        }
        for path, text in texts.items():
            (path.parent / "sw").mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            for name in ("kernel.c", "emul.c"):
                (path.parent / "sw" / name).write_text("// x\n", encoding="utf-8")
        return tmp_path / "accelerators" / "both"

    return written


LEFT = unit("left", "0000001", width=2)
RIGHT = unit("right", "0000010", cipher="soft", latency=1, width=3)


def test_everything_follows_from_the_units(write: Write) -> None:
    """Operations, latencies, state, macros, flags and the cipher's key."""
    both = manifest.load(write(LEFT, RIGHT))
    found, variant = both.manifest, both.variant("")
    assert found.is_unit and not found.is_stateless(variant)
    names = [op.mnemonic for op in found.operations(variant)]
    assert names == ["left_one", "left_two", "right_one", "right_two"]
    assert [found.latency(op, variant) for op in found.op] == [0, 0, 0, 1]
    assert (variant.state_words, found.key_words(variant)) == (5, 64)
    parts = both.kernel_parts(variant)
    assert [part.owner for part in parts] == ["left", "right"]  # the baseline has no part in it
    assert parts[0].cflags == ("-O2", "-fno-left") and parts[1].cflags == ("-O2", "-fno-right")
    assert "aes_unit_save=left_aes_unit_save" in parts[0].defines
    assert "aes_unit_restore=right_aes_unit_restore" in parts[1].defines
    assert {"IN_LEFT", "IN_RIGHT"} <= set(parts[0].defines) & set(parts[1].defines)


def test_groups_for_a_hash_unit(write: Write) -> None:
    """All C of a set is compiled with what its cipher asks for; the cipher alone is not."""
    asking = LEFT.replace('emul = "sw/emul.c"', 'emul = "sw/emul.c"\nabsorb_group = 4')
    both = manifest.load(write(asking, RIGHT))
    for part in both.kernel_parts(both.variant("")):
        assert "ABSORB_GROUP=4" in part.defines
    alone = manifest.load(both.folder.parent / "left")
    words = [word for part in alone.kernel_parts(alone.variant("")) for word in part.defines]
    assert not any("ABSORB" in word for word in words)
    silent = manifest.load(write(LEFT, RIGHT.replace("emul =", "absorb_group = 4\nemul =")))
    assert not any("ABSORB" in word for word in silent.variant("").defines)


def test_curves_of_a_unit_are_those_of_its_set(write: Write) -> None:
    """A set whose unit replaces functions of the curves links that unit's files."""
    right = RIGHT.replace("emul =", 'ecc = ["sw/kernel.c"]\nemul =')
    both = manifest.load(write(LEFT, right))
    variant = both.variant("")
    assert both.manifest.has_ecc(variant)
    assert both.curves(variant).name == "right"
    assert both.ecc_files(variant) == [both.folder.parent / "right" / "sw" / "kernel.c"]
    unasked = manifest.load(write(LEFT, right.replace("defines =", "ecc = false\ndefines =")))
    assert not unasked.manifest.has_ecc(unasked.variant(""))
    without = manifest.load(write(LEFT, RIGHT))
    assert not without.manifest.has_ecc(without.variant(""))
    assert without.ecc_files(without.variant("")) == []


def test_codes_of_a_set(write: Write) -> None:
    """The lowest bit is the unit's number; the rest is what the unit knows."""
    both = manifest.load(write(LEFT, RIGHT))
    layout = codegen.layout(both, both.variant(""))
    assert [(op.mnemonic, op.code) for op in layout.operations] == [
        *(("left_one", 0), ("left_two", 2), ("right_one", 1), ("right_two", 3))
    ]
    made = codegen.inner_sv(both, both.variant(""))
    assert list(made) == ["left_ops_pkg.sv", "right_ops_pkg.sv", "accel_set.sv"]
    assert ".Units(2), .Registered(0)" in made["accel_set.sv"]
    assert "accel_set u_unit" in codegen.unit_sv(both, both.variant(""), random_delay=False)


def test_states_of_several_units(write: Write, tmp_path: Path) -> None:
    """The words of one follow those of the other, as a program sees them."""
    both = manifest.load(write(LEFT, RIGHT))
    source = tmp_path / "states.c"
    source.write_text(codegen.states_c(both, both.variant("")), encoding="utf-8")
    main = tmp_path / "main.c"
    main.write_text(
        """
#include "aes_kernel.h"
static uint32_t left[2] = {1, 2}, right[3] = {3, 4, 5};
#define UNIT(u, n) \\
  void u##_aes_unit_save(aes_unit_state_t *s) { for (int i = 0; i < n; i++) s->word[i] = u[i]; } \\
  void u##_aes_unit_restore(const aes_unit_state_t *s) \\
      { for (int i = 0; i < n; i++) u[i] = s->word[i]; }
UNIT(left, 2) UNIT(right, 3)
int main(void) {
  aes_unit_state_t state;
  aes_unit_save(&state);
  for (unsigned i = 0; i < 5; i++) if (state.word[i] != i + 1) return 1;
  for (unsigned i = 0; i < 5; i++) state.word[i] += 10;
  aes_unit_restore(&state);
  return left[0] != 11 || left[1] != 12 || right[0] != 13 || right[2] != 15;
}
""",
        encoding="utf-8",
    )
    program = tmp_path / "states"
    words = [
        "gcc",
        "-fsanitize=undefined",
        "-DAES_UNIT_STATE_WORDS=5",
        f"-I{library.ROOT}/sw/include",
    ]
    subprocess.run([*words, source, main, "-o", program], check=True, timeout=60)
    assert subprocess.run([program], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize(
    ("left", "right", "both", "message"),
    [
        (
            LEFT,
            unit("right", "0000001", cipher="soft"),
            SET,
            "encodings of left's left_one and right's right_one collide",
        ),
        (
            LEFT,
            RIGHT.replace("right_one", "left_one"),
            SET,
            "left and right both have left_one",
        ),
        (LEFT, unit("right", "0000010"), SET, "left and right are both ciphers"),
        (LEFT, RIGHT, SET.replace("right/full", "none/full"), "there is no unit 'none'"),
        (LEFT, RIGHT, SET.replace("right/full", "right/half"), "has no variant 'half'"),
        (
            LEFT,
            RIGHT,
            SET.replace("right/full", "both/all"),
            "both is of kind 'set', which no set holds",
        ),
        (LEFT, RIGHT, SET.replace(', "right/full"', ""), "two units or more"),
        (LEFT, RIGHT, SET.replace("right/full", "left/full"), "a unit is named twice"),
        (LEFT, RIGHT, SET + "latency = 1\n", "latency is a matter of its units"),
        (LEFT, RIGHT, SET + '[rtl]\ntop = "both"\n', "kind 'set' has no [rtl]"),
        (LEFT, RIGHT, SET.replace('"set"', '"instruction"'), "needs [rtl]"),
        (LEFT.replace('"full"', '"full"\nunits = ["x/y"]'), RIGHT, SET, "has no units"),
        (LEFT, RIGHT, SET + "[sw]\nabsorb_group = 4\n", "sw.cipher, sw.ecc or sw.absorb_group"),
        (LEFT, RIGHT, SET + "[sw]\necc = []\n", "no sw.emul, sw.cipher, sw.ecc"),
        (LEFT.replace("emul =", "absorb_group = 0\nemul ="), RIGHT, SET, "absorb_group"),
    ],
)
def test_what_does_not_fit(write: Write, left: str, right: str, both: str, message: str) -> None:
    """One line says which units and why."""
    with pytest.raises(ManifestError) as raised:
        manifest.load(write(left, right, both))
    assert message in str(raised.value)


def test_a_collision_under_one_opcode(write: Write) -> None:
    """A port that has custom-0 only may make two encodings one."""
    right = RIGHT.replace("0000010", "0000001").replace("0101011", "1011011")
    both = manifest.load(
        write(LEFT.replace("0000001", "0001001"), right.replace("0000001", "0001001"))
    )
    variant = both.variant("")
    assert codegen.layout(both, variant).operations
    with pytest.raises(
        ManifestError, match="under custom-0: encodings of left's left_one and right"
    ):
        codegen.layout(both, variant, "custom-0")


def test_a_set_is_read_again_when_a_unit_changes(write: Write) -> None:
    """Its manifest is as it was, and says something else."""
    folder = write(LEFT, RIGHT)
    assert manifest.load(folder) is manifest.load(folder)
    changed = unit("right", "0000010", cipher="soft", latency=7, width=3)
    (folder.parent / "right" / "accel.toml").write_text(changed, encoding="utf-8")
    both = manifest.load(folder)
    assert both.manifest.latency(both.manifest.op[3], both.variant("")) == 7


@pytest.mark.parametrize("found", SETS, ids=lambda found: found.name)
def test_models_and_sources_of_each_set(found: Accelerator) -> None:
    """Every operation has a model, and each source of an export a name of its own."""
    for variant in found.manifest.variant:
        model = load_models(found.models(variant))
        model.reset()
        assert all(hasattr(model, op.mnemonic) for op in found.manifest.operations(variant))
        assert library.rtl_files(found)
        names = [
            *integrate.kernel_names(found, variant),
            *integrate.emulation_names(found, variant),
        ]
        assert len(set(names)) == len(names)
        texts = set(integrate.exported_c(found, variant, []))
        if codegen.states_c(found, variant):
            texts.add("accel_states.c")
        assert texts == set(names)


def test_there_are_sets() -> None:
    """The tests above ask something."""
    assert any(codegen.states_c(found, found.variant("")) for found in SETS)
    assert any(found.manifest.is_stateless(v) for found in SETS for v in found.manifest.variant)
