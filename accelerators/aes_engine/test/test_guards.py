# SPDX-License-Identifier: Apache-2.0
"""Variants `hardened`: no flipped flip-flop gives a wrong result; each countermeasure is needed.

The published campaigns have every operation of the RTL as it is. Here the tables are logic
(sbox_rom_logic.sv), with the same registers.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from aesforge import export
from aesforge.base.errors import UsageError
from aesforge.base.paths import ROOT
from aesforge.build import library
from aesforge.catalog import manifest, planted
from aesforge.catalog.model_file import load_model
from aesforge.faults import campaign, step
from aesforge.faults.campaign import Target
from aesforge.synth import flow
from aesforge.synth.flow import Design

HERE = Path(__file__).resolve().parent
ENGINE = manifest.load(HERE.parent)
HARDENED = Target(ENGINE, ENGINE.variant("hardened"))
WITH_GCM = Target(ENGINE, ENGINE.variant("hardened-gcm"))
ECB, CBC, CTR = "ecb-encrypt-128", "cbc-decrypt-128", "ctr-encrypt-128"
HELD = "held-ecb-encrypt-128"
SEALED, OPENED, FORGED = "gcm-encrypt-128", "gcm-decrypt-128", "gcm-forged-128"

# The operation in which a countermeasure is missed.
NEEDS = {
    "BUG_GUARD_STATE": ECB,
    "BUG_GUARD_COPIES": ECB,
    "BUG_GUARD_CHANNELS": ECB,
    "BUG_GUARD_TABLES": ECB,
    "BUG_GUARD_KEYS": ECB,
    "BUG_GUARD_RING": ECB,
    "BUG_GUARD_INPUT": ECB,
    "BUG_GUARD_CHAIN": CBC,
    "BUG_GUARD_COUNT": CTR,
    "BUG_GUARD_OUTPUT": ECB,
    "BUG_GUARD_TEXT": SEALED,
    "BUG_GUARD_HASH_INPUT": SEALED,
    "BUG_GUARD_HASH_CONTROL": OPENED,
    "BUG_GUARD_LENGTHS": SEALED,
    "BUG_GUARD_HASH_KEY": SEALED,
    "BUG_GUARD_HASH_REST": SEALED,
    "BUG_GUARD_HASH_STATE": SEALED,
    "BUG_GUARD_HASH_STEPS": SEALED,
    "BUG_GUARD_TAG_GIVEN": FORGED,
    "BUG_GUARD_TAG_FLAGS": FORGED,
    "BUG_GUARD_WRITE": ECB,
    "BUG_GUARD_ADDRESS": CBC,
    "BUG_GUARD_READ": ECB,
    "BUG_GUARD_RESPONSE": ECB,
    "BUG_GUARD_CONTROL": ECB,
    "BUG_GUARD_STICKY": ECB,
    "BUG_GUARD_APB_READ": ECB,
    "BUG_GUARD_WB_READ": ECB,
    "BUG_GUARD_WB_RESPONSE": ECB,
}
# The bus of those that are not AXI4-Lite's.
HOSTS = {
    "BUG_GUARD_APB_READ": "apb",
    "BUG_GUARD_WB_READ": "wishbone",
    "BUG_GUARD_WB_RESPONSE": "wishbone",
}
BUGS = [
    bug.name
    for bug in ENGINE.manifest.bug
    if bug.variant in ("hardened", "hardened-gcm") and bug.bench == "none"
]


def flipped(operation: str, bug: str, host: str, folder: Path) -> campaign.Result:
    """The campaign of an operation on a bus, with a planted bug if one is named."""
    target = replace(WITH_GCM if operation in (SEALED, OPENED, FORGED) else HARDENED, host=host)
    top, params = campaign.circuit(target)
    files = [p for p in library.rtl_files(ENGINE, top) if p.stem != "aes_sbox_rom_guarded"]
    files = planted.plant(bug, ENGINE.bugs(), files, folder / "planted")
    logic = HERE / "sbox_rom_logic.sv"
    design = Design((*files, logic), top, params=tuple(params.items()))
    made = campaign.compile_program(design, folder, folder / "log")
    job = held_job() if operation == HELD else campaign.jobs(target, [operation])[0]
    return campaign.run_job(*made, job)


def held_job() -> step.Job:
    """One block as the C driver does it: the bus waits, and OWNER is read before and after."""
    host = load_model(HERE / "faults.py")
    key, text, mark = host.KEY[:16], host.TEXT[:16], 0x2A
    result = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(text)
    owner = host.REGISTERS.map["OWNER"].address
    same = step.Step("check", owner, mark)
    steps = [
        *host.set_up(128, HOLD=1),
        step.Step("write", owner, mark),
        same,
        *host.put("ENC_DATA_IN", text),
        *host.take("ENC_DATA_OUT", result),
        same,
    ]
    return step.Job(HELD, tuple(steps))


@pytest.mark.slow
@pytest.mark.parametrize("operation", [ECB, CBC, CTR, HELD, SEALED, OPENED, FORGED])
@pytest.mark.parametrize("host", ["axil", "apb", "wishbone"])
def test_no_flip_is_silent(host: str, operation: str, tmp_path: Path) -> None:
    """Every flip-flop in every cycle: the right result, none, or an alert."""
    found = flipped(operation, "", host, tmp_path)
    assert found.silent == 0, found.wrong_in
    assert found.outcomes["alert"] > 0.1 * found.faults


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_each_countermeasure_is_needed(bug: str, tmp_path: Path) -> None:
    """Without it flips are silent."""
    assert flipped(NEEDS[bug], bug, HOSTS.get(bug, campaign.DIRECT), tmp_path).silent > 0


def test_there_are_bugs() -> None:
    """One for each countermeasure."""
    assert len(BUGS) == len(NEEDS) == 29


def copies(files: list[Path], folder: Path) -> int:
    """Count the copies' flip-flops in the netlist; a constant one, such as of GCM, has none."""
    rtl = ENGINE.manifest.rtl
    assert rtl is not None
    params = tuple({**rtl.params, **HARDENED.variant.params}.items())
    design = Design(tuple(files), rtl.top, params=params)
    folder.mkdir()
    script = ["synth_ecp5 -abc9 -top aes_engine", "write_json net.json"]
    flow.yosys([*design.read_commands(), *script], folder, "map", folder / "log")
    found = json.loads((folder / "net.json").read_text())["modules"][rtl.top]
    cells = found["cells"].values()
    kept = {cell["connections"]["Q"][0] for cell in cells if cell["type"] == "TRELLIS_FF"}
    named = [net["bits"] for name, net in found["netnames"].items() if name.endswith("_r")]
    return sum(bit in kept for bits in named for bit in bits)


@pytest.mark.slow
def test_synthesis_keeps_the_copies(tmp_path: Path) -> None:
    """Complements stay in the netlist for ECP5; copies that are equal would be merged."""
    files = library.rtl_files(ENGINE)
    kept = copies(files, tmp_path / "complements")
    assert kept > 90
    equal = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        if path.stem.endswith("_guarded"):
            text = re.sub(r"(_r(?:\[[^;]*?\])?\s*<= )~(\([^;]*\);)", r"\1\2", text)
            text = text.replace("!= ~{", "!= {")
        equal.append(tmp_path / path.name)
        equal[-1].write_text(text, encoding="utf-8")
    merged = copies(equal, tmp_path / "equal")
    assert merged < kept


def wishbone_copies(text: str, folder: Path) -> int:
    """Count the flip-flops of ACK and ERR in the guarded slave's netlist for ECP5."""
    folder.mkdir()
    path = folder / "wb_slave_guarded.sv"
    path.write_text(text, encoding="utf-8")
    design = Design((path, ROOT / "rtl" / "bus" / "wb_slave.sv"), path.stem)
    script = [f"synth_ecp5 -abc9 -top {path.stem}", "write_json net.json"]
    flow.yosys([*design.read_commands(), *script], folder, "map", folder / "log")
    found = json.loads((folder / "net.json").read_text())["modules"][path.stem]
    cells = [cell for cell in found["cells"].values() if cell["type"] == "TRELLIS_FF"]
    return len(cells) - 33  # the word and its parity


def test_synthesis_keeps_the_copies_on_wishbone(tmp_path: Path) -> None:
    """Two registers and two complements, unless nothing compares them."""
    text = (ROOT / "rtl" / "bus" / "wb_slave_guarded.sv").read_text(encoding="utf-8")
    assert wishbone_copies(text, tmp_path / "complements") == 4
    bug = ENGINE.bugs()["BUG_GUARD_WB_RESPONSE"]
    (unused,) = bug.texts().values()
    assert wishbone_copies(unused.replace("(* keep *)", ""), tmp_path / "unused") == 2


@pytest.mark.parametrize("host", ["axil", "apb", "wishbone"])
def test_guards_without_tables_are_refused(host: str, tmp_path: Path) -> None:
    """There is no RTL for both: an export says so and names the parameters."""
    variant = HARDENED.variant
    both = variant.model_copy(update={"params": {**variant.params, "SboxImpl": "lut"}})
    with pytest.raises(UsageError, match=f"hardened does not exist for host {host}") as caught:
        export.export(ENGINE, both, host, tmp_path / "out")
    assert 'SboxImpl = "lut"' in str(caught.value) and "Guarded = 1" in str(caught.value)
    assert not (tmp_path / "out").exists()
