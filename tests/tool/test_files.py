# SPDX-License-Identifier: Apache-2.0
"""Files that `aesforge run` and the records write: mode, owner, links, devices, interruptions.

The core is a stand-in that inverts its input: these tests are about the files around it.
"""

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from aesforge.catalog import manifest, platform
from aesforge.records import record

UNIT, HOST = manifest.units()[0].name, platform.discover()[0].name
KEY = "2b7e151628aed2a6abf7158809cf4f3c"  # FIPS 197, appendix A.1
TEXT = b"a text of no round length"
INVERTED = bytes(255 - byte for byte in TEXT)

# The command line with a core that tells whose the streams are, and the key that it got.
TOOL = """
import os, stat, sys, time
from types import SimpleNamespace
from aesforge import cli
from aesforge.programs import run
from aesforge.reference.wire import gcm_header, stream_header

def core(model, image, *, stream_in, stream_out, **rest):
    for path in (stream_in, stream_out, stream_in.parent):
        if path.exists():
            print(f"mode {stat.S_IMODE(path.stat().st_mode):o}", file=sys.stderr, flush=True)
    exit = int(os.environ.get("CORE_EXIT", "0"))
    data = stream_in.read_bytes()
    print("header", data[:64].hex(), file=sys.stderr)
    text = data[len(stream_header("ctr", False, bytes(16), bytes(16))):]
    stream_out.write_bytes(bytes(255 - byte for byte in text))
    if "CORE_WAITS" in os.environ:
        print("waits", file=sys.stderr, flush=True)
        for _ in range(600):  # a signal just before a sleep is seen after it
            time.sleep(0.1)
    return SimpleNamespace(
        status="exit", exit=exit, cycles=1, seconds=0.0, require=lambda what: None
    )

run.run_model = core
run.build_system_model = lambda *_, **__: None
run.build_system_firmware = lambda *_: SimpleNamespace(image=None)
sys.argv[0] = "aesforge"
cli.main()
"""

Tool = Callable[..., "subprocess.CompletedProcess[bytes]"]


def words(*paths: str | Path, key: tuple[str, ...] = ("--key", KEY)) -> list[str]:
    """The command line of a run in CTR."""
    where = ("--accel", UNIT, "--platform", HOST, "--iv", "00" * 16)
    return [sys.executable, "-c", TOOL, "run", *where, *key, *map(str, paths)]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A build folder of the test's own."""
    return {**os.environ, "AESFORGE_BUILD": str(tmp_path / "build"), "COLUMNS": "300"}


@pytest.fixture
def tool(environment: dict[str, str]) -> Tool:
    """Return a function that runs the tool to its end."""

    def run_tool(
        *paths: str | Path,
        key: tuple[str, ...] = ("--key", KEY),
        given: bytes = b"",
        umask: int = 0o022,
        more: tuple[str, ...] = (),
        **settings: str,
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [*words(*paths, key=key), *more],
            input=given,
            capture_output=True,
            timeout=60,
            env={**environment, **settings},
            check=False,
            umask=umask,
        )

    return run_tool


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """The input."""
    path = tmp_path / "in"
    path.write_bytes(TEXT)
    return path


def mode(path: Path) -> int:
    """Permissions of what is at the end of all links."""
    return stat.S_IMODE(path.stat().st_mode)


def assert_tidy(tmp_path: Path) -> None:
    """No temporary file is left, neither beside the output nor in the build folder."""
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith((".", "tmp"))]
    assert not list((tmp_path / "build").glob("run-*"))


def assert_refused(done: "subprocess.CompletedProcess[bytes]", text: str) -> None:
    """One line that says what, no traceback, no success."""
    lines = [
        line
        for line in done.stderr.decode().splitlines()
        if not line.startswith(("mode", "header"))
    ]
    assert done.returncode not in (0, 130), done.stderr
    assert len(lines) == 1 and text in lines[0], done.stderr


@pytest.mark.parametrize("umask", [0o022, 0o027, 0o077])
def test_a_new_file_honours_the_umask(tool: Tool, source: Path, tmp_path: Path, umask: int) -> None:
    """And nobody else can read what is written on the way."""
    target = tmp_path / "out"
    done = tool(source, target, umask=umask)
    assert done.returncode == 0, done.stderr
    assert target.read_bytes() == INVERTED
    assert mode(target) == 0o666 & ~umask
    assert [line for line in done.stderr.decode().splitlines() if line.startswith("mode")] == [
        "mode 600",
        "mode 600",
        "mode 700",
    ]
    assert_tidy(tmp_path)


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o644])
def test_an_existing_file_keeps_its_mode(
    tool: Tool, source: Path, tmp_path: Path, kept: int
) -> None:
    """A private file stays private."""
    target = tmp_path / "out"
    target.write_bytes(b"older")
    target.chmod(kept)
    assert tool(source, target).returncode == 0
    assert (target.read_bytes(), mode(target)) == (INVERTED, kept)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_an_existing_file_keeps_its_owner(tool: Tool, source: Path, tmp_path: Path) -> None:
    """Root writes a user's file, and it stays the user's."""
    target = tmp_path / "out"
    target.write_bytes(b"older")
    os.chown(target, 65534, 65534)
    assert tool(source, target).returncode == 0
    assert target.read_bytes() == INVERTED
    assert (target.stat().st_uid, target.stat().st_gid) == (65534, 65534)


def test_links_are_written_through(tool: Tool, source: Path, tmp_path: Path) -> None:
    """A link, a chain of links, and a link to a file that is not there yet."""
    (tmp_path / "data").mkdir()
    real = tmp_path / "data" / "real"
    real.write_bytes(b"older")
    real.chmod(0o600)
    (tmp_path / "one").symlink_to("data/real")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    assert tool(source, tmp_path / "two").returncode == 0
    assert (tmp_path / "one").is_symlink() and (tmp_path / "two").is_symlink()
    assert (real.read_bytes(), mode(real)) == (INVERTED, 0o600)
    (tmp_path / "fresh").symlink_to("data/fresh")
    assert tool(source, tmp_path / "fresh").returncode == 0
    assert (tmp_path / "fresh").is_symlink()
    assert (tmp_path / "data" / "fresh").read_bytes() == INVERTED
    (tmp_path / "loop").symlink_to("loop")
    assert_refused(tool(source, tmp_path / "loop"), "cannot write")
    assert_tidy(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes device nodes")
@pytest.mark.parametrize(("minor", "status"), [(3, 0), (7, 2)])
def test_a_device_stays_one(
    tool: Tool, source: Path, tmp_path: Path, minor: int, status: int
) -> None:
    """Nodes of our own like /dev/null and /dev/full: a full one is an error that says so."""
    target = tmp_path / "node"
    try:
        os.mknod(target, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        target.open("wb").close()
    except OSError:
        pytest.skip("this file system has no device nodes")
    done = tool(source, target)
    assert done.returncode == status, done.stderr
    if status:
        assert_refused(done, "node: No space left on device")
    assert stat.S_ISCHR(target.stat().st_mode)


@pytest.mark.skipif(os.geteuid() == 0, reason="the old code would destroy it")
def test_dev_full_is_an_error(tool: Tool, source: Path) -> None:
    """The device itself."""
    assert_refused(tool(source, "/dev/full"), "cannot write /dev/full: No space left on device")


def test_a_fifo_is_written_in_place(
    environment: dict[str, str], source: Path, tmp_path: Path
) -> None:
    """Its reader gets the whole text."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(words(source, fifo), env=environment) as child:
        reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        found = b""
        end = time.monotonic() + 60
        while child.poll() is None and time.monotonic() < end:
            with contextlib.suppress(BlockingIOError):
                found += os.read(reader, 1000)
            time.sleep(0.02)
        child.kill()
        found += os.read(reader, 1000)
        os.close(reader)
    assert found == INVERTED
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@pytest.mark.parametrize("target", ["-", "/dev/stdout"])
def test_standard_streams(
    environment: dict[str, str], tool: Tool, source: Path, tmp_path: Path, target: str
) -> None:
    """From a pipe into a pipe; into a file the shell opened, after what is there."""
    assert tool("-", target, given=TEXT).stdout == INVERTED
    redirected = tmp_path / "redirected"
    redirected.write_bytes(b"before ")
    with redirected.open("ab") as stream:
        subprocess.run(words(source, target), stdout=stream, env=environment, check=True)
        stream.write(b" after")
    assert redirected.read_bytes() == b"before " + INVERTED + b" after"


@pytest.mark.parametrize("name", ["in", "link"])
def test_input_may_be_output(tool: Tool, source: Path, tmp_path: Path, name: str) -> None:
    """The same name, or a link to it."""
    (tmp_path / "link").symlink_to("in")
    assert tool(source, tmp_path / name).returncode == 0
    assert source.read_bytes() == INVERTED
    assert (tmp_path / "link").is_symlink()


def test_waveforms_have_a_file_of_their_own(tool: Tool, source: Path, tmp_path: Path) -> None:
    """They would overwrite the input, or the output them."""
    for vcd in (source, tmp_path / "out"):
        done = tool(source, tmp_path / "out", more=("--vcd", str(vcd)))
        assert_refused(done, "is input or output")
    assert source.read_bytes() == TEXT


def test_what_cannot_be_written_is_said_before_the_work(
    tool: Tool, source: Path, tmp_path: Path
) -> None:
    """A folder, a folder that is not there; the core has not run."""
    for target, told in (
        (tmp_path, "Is a directory"),
        (tmp_path / "no" / "out", "No such file or directory"),
        (source / "out", "Not a directory"),
    ):
        done = tool(source, target)
        assert_refused(done, told)
        assert b"header" not in done.stderr


@pytest.mark.parametrize("older", [None, b"older"])
def test_a_wrong_tag_writes_nothing(
    tool: Tool, source: Path, tmp_path: Path, older: bytes | None
) -> None:
    """Neither to a file nor to standard output."""
    target = tmp_path / "out"
    if older is not None:
        target.write_bytes(older)
    more = ("--mode", "gcm", "--decrypt")
    assert_refused(tool(source, target, more=more, CORE_EXIT="5"), "the tag is wrong")
    assert (target.read_bytes() if target.exists() else None) == older
    done = tool(source, "-", more=more, CORE_EXIT="5")
    assert_refused(done, "the tag is wrong")
    assert done.stdout == b""
    assert_tidy(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_leaves_nothing(
    environment: dict[str, str], source: Path, tmp_path: Path, number: int
) -> None:
    """The older file as it was, no temporary one."""
    target = tmp_path / "out"
    target.write_bytes(b"older")
    child = subprocess.Popen(
        words(source, target),
        env={**environment, "CORE_WAITS": "1"},
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    assert child.stderr is not None
    while child.stderr.readline() not in (b"waits\n", b""):
        pass
    child.send_signal(number)
    _, rest = child.communicate(timeout=30)
    assert child.returncode == 130, rest
    assert target.read_bytes() == b"older"
    assert_tidy(tmp_path)


# --- keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "key"),
    [
        (KEY.encode(), KEY),
        (b" " + KEY.upper().encode() + b"\r\n", KEY),
        (KEY[:16].encode() + b"\n" + KEY[16:].encode(), KEY),
        (b"YELLOW SUBMARINE", b"YELLOW SUBMARINE".hex()),
        (bytes(range(24)), bytes(range(24)).hex()),
        (bytes(range(10, 42)), bytes(range(10, 42)).hex()),
    ],
)
@pytest.mark.parametrize("standard", [False, True])
def test_key_files(
    tool: Tool, source: Path, tmp_path: Path, held: bytes, key: str, standard: bool
) -> None:
    """Digits or raw bytes, from a file or from standard input, reach the core unchanged."""
    path = tmp_path / "key"
    path.write_bytes(held)
    option = ("--key-file", "-" if standard else str(path))
    done = tool(source, tmp_path / "out", key=option, given=held if standard else b"")
    assert done.returncode == 0, done.stderr
    header = done.stderr.decode().partition("header ")[2].split()[0]
    assert key.encode() in header.encode() or bytes.fromhex(key)[::-1].hex() in header


@pytest.mark.parametrize(
    "held",
    [
        b"",
        KEY[:-1].encode() + b"\n",  # 32 bytes, but a digit is missing
        KEY[:16].encode(),  # 16 bytes, but digits
        bytes(range(17)),
        b"x" * 5000,
    ],
)
def test_wrong_key_files_are_refused(tool: Tool, source: Path, tmp_path: Path, held: bytes) -> None:
    """A digit too few is no raw key, and the message does not tell what it read."""
    path = tmp_path / "key"
    path.write_bytes(held)
    done = tool(source, tmp_path / "out", key=("--key-file", str(path)))
    assert_refused(done, "the key file")
    assert b"raw bytes" in done.stderr
    assert not held or held.strip() not in done.stderr


def test_exactly_one_key(tool: Tool, source: Path, tmp_path: Path) -> None:
    """Both, none, one that is not there, and key and text from one stream."""
    path, target = tmp_path / "key", tmp_path / "out"
    path.write_text(KEY)
    for option in ((), ("--key", KEY, "--key-file", str(path))):
        assert_refused(tool(source, target, key=option), "either --key or --key-file")
    assert_refused(
        tool(source, target, key=("--key-file", str(target))), "cannot read the key file"
    )
    assert_refused(tool("-", target, key=("--key-file", "-")), "both are standard input")


def test_no_message_shows_the_key() -> None:
    """The representation of a message may reach a log."""
    from aesforge.programs import run

    assert KEY not in repr(run.message("ecb", False, KEY, None))
    assert repr(bytes.fromhex(KEY)) not in repr(run.message("ecb", False, KEY, None))


# --- records --------------------------------------------------------------------------------------


def test_records_honour_umask_mode_and_links(tmp_path: Path) -> None:
    """What write_atomically writes: as any program would, and in one step."""
    path = tmp_path / "fresh"
    before = os.umask(0o027)
    try:
        record.write_atomically(path, "one")
    finally:
        os.umask(before)
    assert (path.read_text(), mode(path)) == ("one", 0o640)
    path.chmod(0o600)
    (tmp_path / "link").symlink_to("fresh")
    record.write_atomically(tmp_path / "link", "two")
    assert (tmp_path / "link").is_symlink()
    assert (path.read_text(), mode(path)) == ("two", 0o600)
    with pytest.raises(UnicodeEncodeError):
        record.write_atomically(path, "\udcff")
    assert path.read_text() == "two"
    assert_tidy(tmp_path)
