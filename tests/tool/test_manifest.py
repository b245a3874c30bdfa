# SPDX-License-Identifier: Apache-2.0
"""Manifests: everything that is there loads, and every mistake has its own clear message."""

from collections.abc import Callable
from pathlib import Path

import pytest

from aesforge.base.errors import ManifestError, UsageError
from aesforge.base.paths import ROOT
from aesforge.build import library
from aesforge.catalog import manifest

pytestmark = pytest.mark.quick

GOOD = """
name = "sample"
kind = "instruction"
summary = "a unit for tests"
refs = ["FIPS 197"]

[rtl]
top = "sample"
[rtl.params]
Impl = "small"

[[op]]
mnemonic = "sample_one"
encoding = "0001000 rs2 rs1 000 rd 0001011"
semantics = "rd = rs1 ^ rs2"

[[op]]
mnemonic = "sample_two"
encoding = "bs[1:0] 10011 rs2 rs1 000 rd 0110011"
latency = 2
semantics = "rd = rs1 + rs2 + bs"

[[variant]]
name = "full"

[[variant]]
name = "half"
params = { Impl = "large" }
ops = ["sample_one"]
directions = ["encrypt"]

[sw]
kernel = ["sw/kernel.c"]
emul = "sw/emul.c"

[[bug]]
name = "BUG_ONE"
what = "no XOR"
file = "rtl/sample.sv"
find = "a ^ b"
replace = "a"
variant = "half"

[[skip]]
what = "platform:other"
because = "no third operand"
until = "a port with three operands"
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that writes a manifest into a folder of its own."""

    def write_manifest(text: str) -> Path:
        folder = tmp_path / "sample"
        folder.mkdir(exist_ok=True)
        (folder / "accel.toml").write_text(text, encoding="utf-8")
        return folder

    return write_manifest


def test_everything_in_the_repository_loads() -> None:
    """No manifest is broken, and names are unique across the three places."""
    found = manifest.discover()
    assert found
    assert {accelerator.manifest.kind for accelerator in found} >= {"instruction", "software"}


def test_a_good_manifest(write: Callable[[str], Path]) -> None:
    """Defaults, order of operations, variants by name."""
    accelerator = manifest.load(write(GOOD))
    found = accelerator.manifest
    assert [op.latency for op in found.op] == [0, 2]
    assert accelerator.variant("").name == "full"
    assert [op.mnemonic for op in found.operations(accelerator.variant("half"))] == ["sample_one"]
    assert len(found.operations(accelerator.variant("full"))) == 2
    skip = found.skipped("platform:other")
    assert skip is not None and skip.until == "a port with three operands"
    assert found.skipped("platform:any") is None
    assert found.stateless


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('summary = "a unit', 'colour = "red"\nsummary = "a unit', "colour: unknown key"),
        ("latency = 2", "latncy = 2", "op.1.latncy: unknown key"),
        ("latency = 2", "latency = -1", "op.1.latency: Input should be greater than or equal to 0"),
        ('kind = "instruction"', 'kind = "bus"', "kind: Input should be 'instruction'"),
        ('kind = "instruction"', 'kind = "dma"', "needs [rtl] and [[bench]]"),
        ('name = "sample"', 'name = "other"', "name 'other' differs from the folder's name"),
        ('name = "sample"', 'name = "Sample"', "name: String should match pattern"),
        ('summary = "a unit for tests"', 'summary = ""', "summary: String should have at least"),
        ('refs = ["FIPS 197"]', "refs = []", "refs: List should have at least 1 item"),
        ('name = "half"', 'name = "full"', "variant named twice: full"),
        ('"sample_two"', '"sample_one"', "op named twice: sample_one"),
        ('ops = ["sample_one"]', 'ops = ["sample_six"]', "variant half: no such op: sample_six"),
        (
            'ops = ["sample_one"]',
            'ops = ["sample_one"]\nlatencies = { sample_six = 1 }',
            "variant half: no such op: sample_six",
        ),
        ('Impl = "large"', 'Imp = "large"', "variant half: [rtl.params] lacks Imp"),
        ('variant = "half"', 'variant = "third"', "bug BUG_ONE: no such variant: third"),
        ('find = "a ^ b"', "", "BUG_ONE: file, find and replace, or [[bug.edit]]"),
        ('"rtl/sample.sv"\nfind', '"../other.sv"\nfind', "leaves the accelerator's folder"),
        ('replace = "a"', 'replace = "a"\nbench = "x"', "bug BUG_ONE: no such bench: 'x'"),
        ('"BUG_ONE"', '"bug_one"', "bug.0.name: String should match pattern"),
        ('emul = "sw/emul.c"', "", "needs sw.emul, every operation in plain C"),
        ('kernel = ["sw/kernel.c"]', "kernel = []", "needs sw.kernel and has no [[bench]]"),
        ("because = ", "why = ", "skip.0.why: unknown key (+1 more)"),
        ('directions = ["encrypt"]', "directions = []", "variant.1.directions: List should"),
        ("bs[1:0] 10011", "bs[1:0] 1001", "rs2 must be at bits 24:20"),
        (
            "bs[1:0] 10011 rs2 rs1 000 rd 0110011",
            "000100 im[0:0] rs2 rs1 000 rd 0001011",
            "encodings of sample_one and sample_two collide",
        ),
        (
            'directions = ["encrypt"]',
            "key_bits = [128]",
            "kind 'instruction' has no key_bits: its kernel takes every key",
        ),
        ('directions = ["encrypt"]', "key_bits = [64]", "variant.1.key_bits.0: Input should be"),
        ('name = "sample"', "name = sample", "is not valid TOML"),
    ],
)
def test_mistakes(write: Callable[[str], Path], old: str, new: str, message: str) -> None:
    """The message names the file, the key and the reason."""
    assert old in GOOD
    folder = write(GOOD.replace(old, new, 1))
    with pytest.raises(ManifestError) as caught:
        manifest.load(folder)
    assert message in caught.value.message
    assert "accel.toml" in caught.value.message


@pytest.mark.parametrize("funct7", range(8))
def test_interrupt_instructions_are_taken(write: Callable[[str], Path], funct7: int) -> None:
    """custom-0 with funct7 0 to 5 belongs to a core's interrupt instructions; 6 and 7 are free."""
    folder = write(GOOD.replace("0001000 rs2", f"{funct7:07b} rs2"))
    if funct7 >= 6:
        manifest.load(folder)
        return
    with pytest.raises(ManifestError, match=f"sample_one: custom-0 with funct7 {funct7:07b}"):
        manifest.load(folder)


def test_claims_are_made_for_all_variants_or_for_some(write: Callable[[str], Path]) -> None:
    """A claim names the variants that it holds for, or none: then it holds for all."""
    claim = '[[claim]]\ntext = "steady"\ntest = "ct"\n'
    accelerator = manifest.load(write(GOOD + claim))
    full, half = (accelerator.variant(name) for name in ("full", "half"))
    found = accelerator.manifest
    assert found.claims("ct", full) and found.claims("ct", half)
    assert not found.claims("irq", full)
    found = manifest.load(write(GOOD + claim + 'variants = ["half"]\n')).manifest
    assert found.claims("ct", half) and not found.claims("ct", full)
    with pytest.raises(ManifestError, match="claim 'steady': no such variant: third"):
        manifest.load(write(GOOD + claim + 'variants = ["half", "third"]\n'))


def test_a_variant_may_have_a_top_of_its_own(write: Callable[[str], Path]) -> None:
    """On a bus or a stream, with the parameters of the other one; a unit has one top."""
    found = manifest.load(write(GOOD)).manifest
    assert found.circuit(found.variant[1]) == ("sample", {"Impl": "large"})
    with pytest.raises(ManifestError, match="variant half: kind 'instruction' has one top"):
        manifest.load(write(GOOD.replace('name = "half"', 'name = "half"\ntop = "other"')))
    bus = GOOD.replace('"instruction"', '"mmio"').replace('"half"\n', '"half"\ntop = "other"\n', 1)
    bus = bus.replace("ops = ", "# ops = ").replace("emul = ", "# emul = ")
    head, _, rest = bus.partition("[[op]]")
    bench = '[[bench]]\nname = "bus"\nsummary = "all"\nmodule = "test/bus.py"\n\n'
    bugs = rest[rest.index("[[bug]]") :].replace('variant = "half"', 'bench = "bus"')
    variants = rest[rest.index("[[variant]]") : rest.index("[[bug]]")]
    found = manifest.load(write(head + bench + variants + bugs)).manifest
    assert [found.circuit(one) for one in found.variant] == [
        ("sample", {"Impl": "small"}),
        ("other", {"Impl": "large"}),
    ]


def test_software_has_no_operations(write: Callable[[str], Path]) -> None:
    """A baseline with RTL or operations is refused; without them it loads."""
    software = GOOD.replace('kind = "instruction"', 'kind = "software"')
    with pytest.raises(ManifestError, match="has neither"):
        manifest.load(write(software))
    head, _, rest = software.partition("[rtl]")
    plain = head + '[[variant]]\nname = "full"\n' + "[sw]" + rest.partition("[sw]")[2]
    manifest.load(write(plain.partition("[[bug]]")[0]))


def test_the_cipher_beside_a_unit(tmp_path: Path) -> None:
    """A unit without AES gets a baseline's, whose keys must fit; a wrong name is an error."""
    texts = {"accelerators/sample": GOOD.replace("[sw]", '[sw]\ncipher = "base"\nkey_words = 60')}
    software = GOOD.partition("[rtl]")[0].replace('"instruction"', '"software"')
    software = software.replace('"sample"', '"base"') + '[[variant]]\nname = "full"\n[sw]\n'
    texts["sw/ref/base"] = software + 'kernel = ["sw/aes.c"]\nkey_words = 60\n'
    for place, text in texts.items():
        (tmp_path / place / "sw").mkdir(parents=True)
        (tmp_path / place / "accel.toml").write_text(text, encoding="utf-8")
    (tmp_path / "accelerators/sample/sw/kernel.c").touch()
    (tmp_path / "sw/ref/base/sw/aes.c").touch()
    folder = tmp_path / "accelerators" / "sample"
    names = [path.name for path in manifest.load(folder).kernel_files()]
    assert names == ["kernel.c", "aes.c"]
    for old, new, complaint in [
        ("key_words = 60", "key_words = 59", "sw.key_words: sw/ref/base needs 60"),
        ('"base"', '"other"', "there is no sw/ref/other"),
    ]:
        text = texts["accelerators/sample"].replace(old, new)
        (folder / "accel.toml").write_text(text, encoding="utf-8")
        with pytest.raises(ManifestError, match=complaint):
            manifest.load(folder)
    with pytest.raises(ManifestError, match=r"has no sw\.cipher"):
        text = texts["sw/ref/base"].replace("[sw]", '[sw]\ncipher = "base"')
        (tmp_path / "sw/ref/base/accel.toml").write_text(text, encoding="utf-8")
        manifest.load(tmp_path / "sw/ref/base")


def test_missing_manifest_and_missing_files(write: Callable[[str], Path], tmp_path: Path) -> None:
    """What a manifest names must exist when it is used."""
    with pytest.raises(ManifestError, match="cannot read"):
        manifest.load(tmp_path)
    accelerator = manifest.load(write(GOOD))
    with pytest.raises(ManifestError, match=r"accel\.toml: no module or package 'sample' in"):
        library.rtl_files(accelerator)
    with pytest.raises(ManifestError, match=r"names 'sw/kernel\.c', which does not exist"):
        accelerator.kernel_files()


def test_unknown_names_list_what_there_is(write: Callable[[str], Path]) -> None:
    """A typing error on the command line gets the list of right names."""
    accelerator = manifest.load(write(GOOD))
    with pytest.raises(UsageError, match="full, half"):
        accelerator.variant("quarter")
    with pytest.raises(UsageError, match=manifest.discover()[0].name):
        manifest.find("no_such_accelerator")


def test_discovery_is_by_place(tmp_path: Path) -> None:
    """A folder is registered by standing there; the same name in two places is refused."""
    assert manifest.discover(tmp_path) == []
    first = tmp_path / "accelerators" / "sample"
    first.mkdir(parents=True)
    (first / "accel.toml").write_text(GOOD, encoding="utf-8")
    assert [accelerator.name for accelerator in manifest.discover(tmp_path)] == ["sample"]
    second = tmp_path / "sw" / "ref" / "sample"
    second.mkdir(parents=True)
    (second / "accel.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(ManifestError, match="share the name sample"):
        manifest.discover(tmp_path)


def test_the_root_has_accelerators() -> None:
    """The repository is found."""
    assert (ROOT / "accelerators").is_dir()


def test_operations_by_pattern(write: Callable[[str], Path]) -> None:
    """One text, or some of a list; a pattern that fits no operation is an error."""
    before = 'ops = ["sample_one"]'
    assert before in GOOD
    for ops, wanted in (
        ('"sample_*"', ["sample_one", "sample_two"]),
        ('["*_two"]', ["sample_two"]),
        ('"sample_one"', ["sample_one"]),
    ):
        found = manifest.load(write(GOOD.replace(before, f"ops = {ops}"))).manifest
        variant = next(variant for variant in found.variant if variant.ops)
        assert [operation.mnemonic for operation in found.operations(variant)] == wanted
    with pytest.raises(ManifestError, match=r"no such op: other_\*"):
        manifest.load(write(GOOD.replace(before, 'ops = "other_*"')))
