# SPDX-License-Identifier: Apache-2.0
"""Commands that carry files through simulated hardware: run, stream."""

from pathlib import Path
from typing import Annotated

import typer

from aesforge.base.errors import UsageError
from aesforge.cli.app import MEASURE, app, err

Source = Annotated[str, typer.Argument(metavar="IN", help="File to read; -: standard input.")]

Target = Annotated[
    str,
    typer.Argument(metavar="OUT", help="File to write; -: standard output."),
]

Key = Annotated[
    str | None,
    typer.Option(
        help="Key: 32, 48 or 64 hexadecimal digits (xts: 64 or 128). Others see it: test keys only."
    ),
]

KeyFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Read the key from this file; -: standard input. Hexadecimal digits, white space"
        " ignored; a file that holds anything else is the raw key of 16, 24 or 32 bytes.",
    ),
]


@app.command(rich_help_panel=MEASURE)
def run(
    source: Source,
    target: Target,
    accel: Annotated[str, typer.Option(metavar="NAME[/VARIANT]", help="Accelerator or software.")],
    platform: Annotated[str, typer.Option(help="Platform.")],
    key: Key = None,
    key_file: KeyFile = None,
    mode: Annotated[str, typer.Option(help="One of the above.")] = "ctr",
    iv: Annotated[
        str,
        typer.Option(
            help="IV, first counter block or tweak: 32 hexadecimal digits; gcm, gmac: any, best 24;"
            " ccm: 14 to 26; gcm-siv: 24."
        ),
    ] = "",
    aad: Annotated[
        str, typer.Option(help="gcm, ccm, gcm-siv: what else is authenticated, hexadecimal.")
    ] = "",
    decrypt: Annotated[
        bool, typer.Option("--decrypt", "-d", help="Decrypt, unwrap, or check a MAC.")
    ] = False,
    variant: Annotated[
        str, typer.Option(help="Variant, if --accel has none; else the first.")
    ] = "",
    iwait: Annotated[
        int, typer.Option(metavar="N", min=0, max=255, help="Wait states of fetches.")
    ] = 0,
    dwait: Annotated[
        int, typer.Option(metavar="N", min=0, max=255, help="Wait states of loads and stores.")
    ] = 0,
    vcd: Annotated[
        Path | None,
        typer.Option(
            help="Write waveforms to this file: large, and the key can be read from them."
        ),
    ] = None,
) -> None:
    """Encrypt or decrypt a file on a simulated core, byte for byte what OpenSSL gives.

    Modes: ecb, cbc, ctr, gcm; of up to 8192 bytes also ccm, gcm-siv, xts (two keys, one after the
    other), cmac, gmac, kw and kwp (key wrap). A 16-byte tag follows the text, which a MAC leaves
    as it is; if the tag is wrong, nothing is written.
    OUT is written when the whole result is there; an existing file keeps its mode and owner.
    --key shows in the shell's history and the list of processes: prefer --key-file.
    """
    from aesforge.base import files
    from aesforge.catalog import manifest
    from aesforge.catalog import platform as platforms
    from aesforge.programs import run

    _require_one_key(source, key, key_file)
    given, made = _path(source, files.STDIN), _path(target, files.STDOUT)
    (accelerator, chosen), host = manifest.choose(accel, variant), platforms.find(platform)
    lengths = run.key_lengths(mode)
    secret = key if key_file is None else run.read_key(_path(key_file, files.STDIN), lengths)
    what = run.message(mode, decrypt, secret or "", iv or None, aad)
    from rich.progress import Progress

    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        bar = progress.add_task(f"{accelerator.name} on {host.name}", total=None)
        took = run.run_file(
            accelerator,
            chosen,
            host,
            what,
            given,
            made,
            iwait=iwait,
            dwait=dwait,
            vcd=vcd,
            on_progress=lambda done, total: progress.update(bar, completed=done, total=total),
        )
    rate = f", {took.cycles / took.size:.1f} cycles/byte with start-up and I/O" if took.size else ""
    err.print(
        f"{took.size} bytes in {took.cycles} cycles{rate} ({took.seconds:.1f} s)", highlight=False
    )


@app.command(rich_help_panel=MEASURE)
def stream(
    source: Source,
    target: Target,
    accel: Annotated[str, typer.Option(metavar="NAME[/VARIANT]", help="Accelerator on a stream.")],
    key: Key = None,
    key_file: KeyFile = None,
    iv: Annotated[
        str, typer.Option(help="CTR: first counter block, 32 hexadecimal digits; GCM: any IV.")
    ] = "",
    aad: Annotated[str, typer.Option(help="GCM: what is authenticated too, hexadecimal.")] = "",
    decrypt: Annotated[bool, typer.Option("--decrypt", "-d", help="Decrypt.")] = False,
    variant: Annotated[
        str, typer.Option(help="Variant, if --accel has none; else the first.")
    ] = "",
    verify: Annotated[bool, typer.Option("--verify", help="Compare with OpenSSL.")] = False,
) -> None:
    """Send a file through the simulated RTL of an accelerator on a stream.

    The variant decides mode, directions and key sizes. Of GCM the 16-byte tag follows the
    ciphertext; if it is wrong, nothing is written.
    --key shows in the shell's history and the list of processes: prefer --key-file.
    """
    from aesforge.base import files
    from aesforge.catalog import manifest
    from aesforge.programs import run, stream_sim

    _require_one_key(source, key, key_file)
    accelerator, chosen = manifest.choose(accel, variant)
    form = stream_sim.shape(accelerator, chosen)
    secret = key if key_file is None else run.read_key(_path(key_file, files.STDIN))
    what = run.message(form.mode, decrypt, secret or "", iv or None, aad)
    request = stream_sim.Transfer(what.key, what.iv, what.aad, decrypt=decrypt)
    given, made = _path(source, files.STDIN), _path(target, files.STDOUT)
    with err.status(f"{accelerator.name}/{chosen.name}"):
        played = stream_sim.run_file(accelerator, chosen, request, given, made, verify=verify)
    same = ", equal to OpenSSL's result" if verify else ""
    err.print(
        f"{len(played.beats)} beats in {played.cycles} cycles ({played.seconds:.1f} s){same}",
        highlight=False,
    )


def _require_one_key(source: str, key: str | None, key_file: str | None) -> None:
    """Refuse no key, two keys, and a key and an input from the same stream."""
    if (key is None) == (key_file is None):
        raise UsageError("one key is needed", "give either --key or --key-file")
    if source == key_file == "-":
        raise UsageError("key and input both are standard input", "give one of them as a file")


def _path(name: str, standard: Path) -> Path:
    """Return the path that a command line names; - is a standard stream, ./- a file."""
    return standard if name == "-" else Path(name)
