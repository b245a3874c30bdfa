# SPDX-License-Identifier: Apache-2.0
"""`python -m aesforge.verify.prove_abc -c SCRIPT`: Debian's berkeley-abc as SymbiYosys calls ABC.

SymbiYosys is written for a newer ABC and takes its word at once. So a switch is left out that only
changes what is printed, the end of a counterexample gets a separate line, and a verdict counts
only if all was done: all frames of a bounded search, the check of an invariant that was found.
The script may take AESFORGE_ABC_SECONDS of processor time, whatever becomes of its caller.
"""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

PROGRAM = "berkeley-abc"
SECONDS = "AESFORGE_ABC_SECONDS"
_FRAMES = re.compile(r"bmc3 -F (\d+)")
_UNREFUTED = re.compile(r"No output asserted in (\d+) frames")
_CHECKED = re.compile(r"Verification of invariant with \d+ clauses was successful")
_TRACE = re.compile(r"write_cex -a (\S+)")


def complaint(script: str, printed: str) -> str:
    """Return what is wrong with a verdict that ABC printed; nothing if it counts."""
    unrefuted, frames = _UNREFUTED.search(printed), _FRAMES.search(script)
    if unrefuted and (frames is None or unrefuted[1] != frames[1]):
        return f"ERROR: the search ended after {unrefuted[1]} frames"
    if "Property proved." in printed and not _CHECKED.search(printed):
        return "ERROR: a proof without an invariant that was checked"
    return ""


def main(arguments: list[str]) -> int:
    """Run a script with the command line that ABC has; status 1 if its verdict does not count."""
    _, script = arguments
    seconds = int(os.environ[SECONDS])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    printed = []
    command = [PROGRAM, "-c", script.replace("pdr -v -l", "pdr -v")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as child:
        assert child.stdout is not None
        for line in child.stdout:
            # Held back until it is known to count: SymbiYosys reads verdicts line by line.
            printed.append(line)
    if wrong := complaint(script, "".join(printed)):
        print(wrong)
        return 1
    sys.stdout.writelines(printed)
    if (found := _TRACE.search(script)) and (trace := Path(found[1])).is_file():
        text = trace.read_text(encoding="ascii")
        trace.write_text(re.sub(r"(?<!\n)# DONE", "\n# DONE", text), encoding="ascii")
    return child.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
