# SPDX-License-Identifier: Apache-2.0
"""Every platform: firmware runs, ends and fails as docs/architecture.md section 4 says."""

import multiprocessing
import re
import signal
import subprocess
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

import platform_support as support
from aesforge.base.errors import ManifestError, SimulationError, ToolError, UsageError
from aesforge.build import simulate
from aesforge.catalog import platform
from aesforge.catalog.platform import Platform
from platform_support import PLATFORMS

# Cases of tests/system/firmware/basic.c.
HELLO, STREAM, LOOP, ILLEGAL, LOAD, STORE, CALL, STORE_BYTE, MEMORY, LAST_WORD, EXIT_CODE = range(
    11
)

every_platform = pytest.mark.parametrize("found", PLATFORMS, ids=lambda found: found.name)


def basic(found: Platform, folder: Path, *given: int, **more: int) -> simulate.RunResult:
    """Run one case of basic.c."""
    made = support.firmware(found, "basic.c")
    return support.run(support.model(found), made, folder, given=given, **more)[0]


@every_platform
def test_hello(found: Platform, tmp_path: Path) -> None:
    """Characters, exit code and cycles arrive."""
    result = basic(found, tmp_path, HELLO, 0)
    assert (result.stdout, result.status, result.exit) == ("hello\nworld\n", "exit", 7)
    assert 0 < result.cycles < 20_000


@every_platform
def test_exit_code(found: Platform, tmp_path: Path) -> None:
    """The largest exit code is 99; a larger one is reported, never taken for another status."""
    assert basic(found, tmp_path, EXIT_CODE, 99).exit == 99
    result = basic(found, tmp_path, EXIT_CODE, 103)
    assert (result.status, result.exit) == ("exit", 99)
    assert "exit code 103" in result.stderr


@every_platform
@pytest.mark.parametrize("length", [0, 1, 3, 4, 5, 63, 2000])
def test_stream(found: Platform, tmp_path: Path, length: int) -> None:
    """Real bytes go in and out in pieces of any size."""
    data = bytes(index * 7 % 251 for index in range(length))
    made = support.firmware(found, "basic.c")
    given = support.words(STREAM) + data
    result, output = support.run(support.model(found), made, tmp_path, given=given)
    result.require("stream")
    assert output == data


@every_platform
def test_watchdog(found: Platform, tmp_path: Path) -> None:
    """A firmware that hangs is stopped at exactly the requested cycle, its output kept."""
    result = basic(found, tmp_path, LOOP, 0, max_cycles=12_345)
    assert (result.status, result.exit, result.cycles) == ("watchdog", simulate.WATCHDOG, 12_345)
    assert result.stdout == "forever\n"
    with pytest.raises(SimulationError, match="watchdog"):
        result.require("loop")


@every_platform
def test_illegal_instruction(found: Platform, tmp_path: Path) -> None:
    """An instruction that nobody knows stops the run."""
    result = basic(found, tmp_path, ILLEGAL, 0)
    assert (result.status, result.exit) == ("trap", simulate.TRAP)


@every_platform
@pytest.mark.parametrize("address", [0x0010_0000, 0x7000_0000, 0x8000_0034, 0xFFFF_FFF0])
@pytest.mark.parametrize("case", [LOAD, STORE, CALL, STORE_BYTE])
def test_outside_memory(found: Platform, tmp_path: Path, case: int, address: int) -> None:
    """An access outside memory and device is an error that names the address."""
    result = basic(found, tmp_path, case, address)
    assert (result.status, result.exit) == ("bad-access", simulate.BAD_ACCESS)
    assert f"0x{address:08x}" in result.stderr


@every_platform
def test_device_wants_words(found: Platform, tmp_path: Path) -> None:
    """A byte store to a device register is an error, not a character."""
    result = basic(found, tmp_path, STORE_BYTE, 0x8000_0000)
    assert result.exit == simulate.BAD_ACCESS


@every_platform
@pytest.mark.parametrize("memory", [1 << 16, 1 << 18])
def test_memory(found: Platform, tmp_path: Path, memory: int) -> None:
    """All of the memory is there, the stack begins at its end, code runs up to its last word."""
    basic(found, tmp_path, MEMORY, 0, memory=memory).require("memory")
    basic(found, tmp_path, LAST_WORD, 0, memory=memory).require("last word")


@every_platform
def test_timer(found: Platform, tmp_path: Path) -> None:
    """The interrupt handler runs once, at any distance, and leaves no trace."""
    made = support.firmware(found, "timer.c", "interrupted.S")
    for waits in ({}, {"iwait": 3, "dwait": 3, "seed": 7}):
        result, _ = support.run(support.model(found), made, tmp_path, **waits)
        result.require(f"timer with {waits}")


def work(found: Platform, folder: Path, executable: Path, **more: int) -> tuple[bytes, int]:
    """Run work.c for 200 rounds and return its output and cycles."""
    made = support.firmware(found, "work.c")
    result, output = support.run(executable, made, folder, given=[200], **more)
    return output, result.require("work").cycles


@every_platform
def test_wait_states(found: Platform, tmp_path: Path) -> None:
    """Results never depend on the memory's timing; fixed wait states cost cycles, on each side."""
    executable = support.model(found)
    plain = support.firmware(found, "work.c", custom=False)
    result, expected = support.run(executable, plain, tmp_path, given=[200])
    result.require("work without the unit")
    output, fastest = work(found, tmp_path, executable)
    assert output == expected
    for waits in ({"iwait": 2}, {"dwait": 2}, {"iwait": 1, "dwait": 1}):
        output, cycles = work(found, tmp_path, executable, **waits)
        assert output == expected, waits
        assert cycles > fastest, waits
    seen = set()
    for seed in range(1, 6):
        output, cycles = work(found, tmp_path, executable, iwait=4, dwait=4, seed=seed)
        assert output == expected, seed
        seen.add(cycles)
    assert len(seen) > 1, "the seed changes nothing"
    assert work(found, tmp_path, executable, iwait=4, dwait=4, seed=5)[1] == cycles


@every_platform
def test_slow_unit(found: Platform, tmp_path: Path) -> None:
    """A unit with random delays changes the time and nothing else."""
    expected, fastest = work(found, tmp_path, support.model(found))
    executable = support.model(found, delay=5)
    for seed in range(1, 4):
        for waits in ({}, {"iwait": 2, "dwait": 2}):
            output, cycles = work(found, tmp_path, executable, seed=seed, **waits)
            assert output == expected
            assert cycles > fastest


@every_platform
def test_timing(found: Platform, tmp_path: Path) -> None:
    """Single instructions take what the platform's timing.toml says, for each memory timing."""
    table = tomllib.loads((found.folder / "timing.toml").read_text(encoding="utf-8"))
    made = support.firmware(found, "timing.c")
    executable = support.model(found)
    for entry in table["timing"]:
        wait = entry["wait"]
        result, output = support.run(executable, made, tmp_path, iwait=wait, dwait=wait)
        result.require("timing")
        names = result.stdout.split()
        counts = [int.from_bytes(output[4 * i : 4 * i + 4], "little") for i in range(len(names))]
        measured = {name: count / 64 for name, count in zip(names, counts, strict=True)}
        assert measured == {name: float(value) for name, value in entry["cycles"].items()}


def test_wave_file(tmp_path: Path) -> None:
    """A simulator built with tracing writes waves; one without it refuses."""
    found = min(PLATFORMS, key=lambda one: sum(path.stat().st_size for path in one.core_files()))
    made = support.firmware(found, "basic.c")
    vcd = tmp_path / "waves.vcd"
    traced = support.model(found, trace=True)
    support.run(traced, made, tmp_path, given=[HELLO, 0], vcd=vcd)
    text = vcd.read_text()
    assert "$enddefinitions" in text and "clk_i" in text and len(text) > 10_000
    with pytest.raises(SimulationError, match="built with tracing"):
        support.run(support.model(found), made, tmp_path, given=[HELLO, 0], vcd=vcd)


def test_bad_arguments(tmp_path: Path) -> None:
    """Each wrong argument is refused with status 104, one line and the final JSON object."""
    found = PLATFORMS[0]
    executable, made = support.model(found), support.firmware(found, "basic.c")
    big = tmp_path / "big"
    big.write_bytes(bytes(8192))
    for words, message in (
        ([], "image=FILE is missing"),
        (["+image=/nonexistent"], "cannot open"),
        ([f"+image={made.image}", "+mem=1000"], "multiple of 4096"),
        ([f"+image={made.image}", "+max=many"], "wants a number"),
        ([f"+image={made.image}", "+iwait=256"], "from 0 to 255"),
        ([f"+image={made.image}", "+colour=red"], "no argument '\\+colour'"),
        ([f"+image={made.image}", "verbose"], "is not an argument"),
        ([f"+image={big}", "+mem=4096"], "does not fit"),
        ([f"+image={made.image}", "+in=/nonexistent"], "cannot open"),
        ([f"+image={made.image}", f"+out={tmp_path}/none/out"], "cannot open"),
    ):
        done = subprocess.run([executable, *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == simulate.BAD_ARGUMENTS, words
        assert re.search(f"^error: .*{message}", done.stderr, re.MULTILINE), (words, done.stderr)
        assert '"status": "bad-arguments", "exit": 104' in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal(tmp_path: Path, number: signal.Signals) -> None:
    """A stopped simulation ends cleanly: output flushed, result printed, status 128 + signal."""
    found = PLATFORMS[0]
    executable, made = support.model(found), support.firmware(found, "basic.c")
    given = tmp_path / "in"
    given.write_bytes(support.words(LOOP, 0))
    command = [executable, f"+image={made.image}", f"+in={given}", "+max=0", "+progress=100000"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        assert child.stderr.readline().startswith("progress: ")
        child.send_signal(number)
        stdout, stderr = child.communicate(timeout=60)
    assert child.returncode == 128 + number
    assert stdout == "forever\n"
    assert f'"status": "interrupted", "exit": {128 + number}' in stderr.splitlines()[-1]


def test_wall_clock() -> None:
    """A simulation that outlives its wall-clock bound is killed."""
    found = PLATFORMS[0]
    executable, made = support.model(found), support.firmware(found, "basic.c")
    started = time.monotonic()
    with pytest.raises(ToolError, match="did not finish"):
        # Without input the first word is zero, the hello case; the loop comes from a huge delay.
        simulate.run_model(
            executable, made.image, max_cycles=0, iwait=255, dwait=255, seconds=0.001
        )
    assert time.monotonic() - started < 30


def test_progress() -> None:
    """Progress lines reach the caller while the simulation runs."""
    found = PLATFORMS[0]
    executable, made = support.model(found), support.firmware(found, "basic.c")
    seen: list[str] = []
    simulate.run_model(executable, made.image, progress=100, on_progress=seen.append)
    assert seen[0].startswith("progress: 100 cycles, ")


def test_firmware_sizes(tmp_path: Path) -> None:
    """Code, constants and variables are counted for each file, after unused sections are gone."""
    found = PLATFORMS[0]
    one = tmp_path / "one.c"
    one.write_text(
        "#include <stdint.h>\n"
        "const uint8_t table[300] = {1};\n"
        "const uint8_t unused_table[5000] = {1};\n"
        'const uint8_t __attribute__((section(".rodata.special"))) special[64] = {1};\n'
        "uint32_t counter[8];\n"
        "int unused(int x); int unused(int x) { return x + unused_table[x]; }\n"
        "int pick(int x); int pick(int x) { counter[x]++; return table[x] + special[x]; }\n"
    )
    main = tmp_path / "main.c"
    main.write_text("int pick(int x);\nint main(void) { return pick(3); }\n")
    made = simulate.build_firmware(found, [simulate.Sources((main, one))], name="test-sizes")
    size = made.size([one])
    assert size.table_bytes == 364
    assert size.ram_bytes == 32
    assert 16 <= size.code_bytes <= 120
    assert made.size([one], tables=[".rodata.special"]).table_bytes == 64
    assert made.size([main]).table_bytes == 0
    one.write_text(one.read_text() + "\n#error broken\n")
    with pytest.raises(ToolError, match="broken"):
        simulate.build_firmware(found, [simulate.Sources((main, one))], name="test-sizes")


def test_warnings_are_errors_unless_foreign(tmp_path: Path) -> None:
    """Our own sources must be clean; those of others may not be."""
    source = tmp_path / "main.c"
    source.write_text("int main(void) { int unused = 3; return 0; }\n")
    with pytest.raises(ToolError, match="gcc failed"):
        simulate.build_firmware(PLATFORMS[0], [simulate.Sources((source,))], name="test-warn")
    foreign = simulate.Sources((source,), strict=False)
    assert simulate.build_firmware(PLATFORMS[0], [foreign], name="test-warn").image.is_file()


def test_models_are_cached() -> None:
    """The same inputs give the same simulator at once; another macro gives another one."""
    found = min(PLATFORMS, key=lambda one: sum(path.stat().st_size for path in one.core_files()))
    first = support.model(found)
    started = time.monotonic()
    assert support.model(found) == first
    assert time.monotonic() - started < 2
    assert support.model(found, delay=5) != first


def _build_counted(folder: Path) -> None:
    """Build a cached folder slowly and leave a mark for each time that it was built."""

    def build(fresh: Path) -> None:
        time.sleep(0.3)
        (fresh / "made").write_text("whole")
        with (folder / "marks").open("a") as marks:
            marks.write("x")

    assert (simulate.cached(folder / "cached", build) / "made").read_text() == "whole"


def test_cache_is_parallel_safe(tmp_path: Path) -> None:
    """Processes that want the same thing build it once; a failed build leaves nothing."""
    context = multiprocessing.get_context("spawn")
    children = [context.Process(target=_build_counted, args=(tmp_path,)) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert (tmp_path / "marks").read_text() == "x"

    def fail(fresh: Path) -> None:
        (fresh / "half").write_text("")
        raise ToolError("failed")

    with pytest.raises(ToolError):
        simulate.cached(tmp_path / "broken", fail)
    assert not (tmp_path / "broken").exists()
    assert not list(tmp_path.glob(".new-*"))


def test_source_edited_during_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled from a file that changed meanwhile is not kept under the old digest."""
    source = tmp_path / "main.c"
    source.write_text("int main(void) { return 0; }\n")
    read_map = simulate._linked_sections

    def edit(*words: Any) -> Any:
        source.write_text("int main(void) { return 1; }\n")
        return read_map(*words)

    monkeypatch.setattr(simulate, "_linked_sections", edit)
    with pytest.raises(ToolError, match="changed while"):
        simulate.build_firmware(PLATFORMS[0], [simulate.Sources((source,))], name="test-edit")


def changed(found: Platform, folder: Path, old: str, new: str) -> Platform:
    """Load a copy of a platform's manifest with a text replaced."""
    copy = folder / found.name
    copy.mkdir()
    text = (found.folder / "platform.toml").read_text(encoding="utf-8")
    assert old in text
    (copy / "platform.toml").write_text(text.replace(old, new), encoding="utf-8")
    return platform.load(copy)


def test_broken_platforms(tmp_path: Path) -> None:
    """Mistakes in a platform's manifest are named with file and key."""
    found = PLATFORMS[0]
    name = found.name
    for number, (old, new, message) in enumerate(
        (
            (f'name = "{name}"', 'name = "other"', "differs from the folder"),
            ("operands = ", 'colour = "red"\noperands = ', "colour"),
            ("operands = ", "operands = 1", "operands"),
            ('summary = "', 'summary = "" # "', "summary"),
            ("[rtl]", "[rtl", "not valid TOML"),
        )
    ):
        (tmp_path / str(number)).mkdir()
        with pytest.raises(ManifestError, match=message):
            changed(found, tmp_path / str(number), old, new)
    with pytest.raises(UsageError, match=f"known: .*{name}"):
        platform.find("nonexistent")


def test_missing_package(tmp_path: Path) -> None:
    """A core whose package is not installed is named, with the command that installs it."""
    found = PLATFORMS[0]
    module = f'module = "{found.manifest.module}"'
    (tmp_path / "a").mkdir()
    broken = changed(found, tmp_path / "a", module, 'module = "no_such_module"')
    with pytest.raises(ToolError, match=f"{found.manifest.package}.*not installed.*make setup"):
        broken.core_files()
    (tmp_path / "b").mkdir()
    first = found.manifest.rtl.core[0]
    broken = changed(found, tmp_path / "b", f'"{first}"', '"no/such/file.v"')
    with pytest.raises(ManifestError, match=r"has no 'no/such/file\.v'"):
        broken.core_files()
