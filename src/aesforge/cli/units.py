# SPDX-License-Identifier: Apache-2.0
"""Commands about the repository itself: list, new, registers, modules, pictures, doctor."""

import json
from typing import Annotated

import typer

from aesforge.base.errors import AesforgeError
from aesforge.cli.app import EXTEND, START, JsonFlag, app, out
from aesforge.cli.tables import Form, Format, Wide, print_table, print_tables


@app.command("list", rich_help_panel=START)
def list_command(as_json: JsonFlag = False, wide: Wide = False, form: Format = Form.table) -> None:
    """List what has a manifest: accelerators, software baselines and platforms."""
    from aesforge.build.system import reason_to_skip
    from aesforge.catalog import manifest, platform
    from aesforge.records.rows import Table

    accelerators, platforms = manifest.discover(), platform.discover()
    if as_json:
        for accelerator in accelerators:
            for variant in accelerator.manifest.variant:
                row = {
                    "accelerator": accelerator.name,
                    "kind": accelerator.manifest.kind,
                    "variant": variant.name,
                    "summary": variant.summary or accelerator.manifest.summary,
                    "operations": [op.mnemonic for op in accelerator.manifest.operations(variant)],
                    "directions": variant.directions,
                    "platforms": [
                        p.name for p in platforms if not reason_to_skip(accelerator, variant, p)
                    ],
                }
                print(json.dumps(row))
        return
    heads = [(head, False) for head in ("name", "kind", "what it is", "variants", "operations")]
    units = [
        (
            *(found.name, found.kind, found.summary),
            ", ".join(variant.name for variant in found.variant),
            ", ".join(operation.mnemonic for operation in found.op) or "-",
        )
        for found in (accelerator.manifest for accelerator in accelerators)
    ]
    host_heads = [(head, False) for head in ("platform", "port", "operands", "core")]
    hosts = [
        (host.name, host.manifest.port, str(host.manifest.operands), host.manifest.summary)
        for host in platforms
    ]
    shown = [
        Table("Accelerators and software", tuple(heads), tuple(units), ("variants", "operations")),
        Table("Platforms", tuple(host_heads), tuple(hosts)),
    ]
    print_tables(shown, wide=wide, form=form)


@app.command(rich_help_panel=EXTEND)
def new(
    name: Annotated[str, typer.Argument(help="Name of the accelerator: a-z, 0-9, _.")],
    kind: Annotated[str, typer.Option(help="instruction, peripheral or stream.")] = "instruction",
) -> None:
    """Make accelerators/NAME from a template that passes `aesforge check NAME` as it is."""
    from aesforge.base.paths import ROOT
    from aesforge.build import new as template

    folder = template.create(name, ROOT, kind)
    out.print(f"made {folder.relative_to(ROOT)}; next: aesforge check {name}")


@app.command(rich_help_panel=EXTEND)
def registers() -> None:
    """Write C headers, RTL constants and data sheets from the register maps (SystemRDL).

    From each accelerators/NAME/NAME.rdl: rtl/NAME_regs_pkg.sv, sw/NAME_regs.h and registers.md.
    """
    from aesforge.build import registers as maps

    for path in maps.maps():
        changed = [target.name for target in maps.write(path)]
        out.print(f"{path.name}: {', '.join(changed) or 'everything is current'}")


@app.command(rich_help_panel=EXTEND)
def modules() -> None:
    """Write again the RTL modules that are made from templates (NAME.sv.j2 beside NAME.sv)."""
    from aesforge.base.paths import ROOT
    from aesforge.build import written

    changed = [path.relative_to(ROOT).as_posix() for path in written.write()]
    out.print("\n".join(changed) or "everything is current", highlight=False, soft_wrap=True)


@app.command(rich_help_panel=EXTEND)
def pictures() -> None:
    """Draw the diagrams of the pages anew as SVG, from their sources in TOML.

    From each accelerators/NAME/diagram.toml and docs/pictures/*.toml the SVG of the same name, and
    a timing diagram of each interface that the report shows.
    """
    from aesforge.base.paths import ROOT
    from aesforge.report import pictures as drawing

    changed = [path.relative_to(ROOT).as_posix() for path in drawing.write()]
    out.print("\n".join(changed) or "everything is current", highlight=False, soft_wrap=True)


@app.command(rich_help_panel=START)
def doctor(as_json: JsonFlag = False, wide: Wide = False, form: Format = Form.table) -> None:
    """Say what is installed, what is missing and how to get it."""
    from aesforge.base.doctor import examine
    from aesforge.records.rows import Table

    findings = examine()
    if as_json:
        for finding in findings:
            print(json.dumps(finding.__dict__))
    else:
        heads = [(head, False) for head in ("", "needed", "version", "for", "get it with")]
        shown = [
            (
                "ok" if finding.present else "MISSING",
                *(finding.name, finding.version, finding.purpose),
                "" if finding.present else finding.remedy,
            )
            for finding in findings
            if not finding.present or finding.purpose != "Python package"
        ]
        print_table(Table("What is needed", tuple(heads), tuple(shown)), wide=wide, form=form)
        good = sum(f.present for f in findings if f.purpose == "Python package")
        if form is Form.table:
            out.print(f"{good} pinned Python packages in place")
    if missing := [finding for finding in findings if not finding.present]:
        raise AesforgeError(
            f"{len(missing)} missing: {', '.join(f.name for f in missing)}", "make setup"
        )
