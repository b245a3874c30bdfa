# SPDX-License-Identifier: Apache-2.0
# Read by setup.sh: a VexRiscv, and the accelerator as a peripheral.
RIGHT="vectors: right"  # what the program prints at its end

# Run a target script of LiteX with this system: its module, then its arguments.
target() {
  python target.py "$@" --cpu-type vexriscv --cpu-variant full
}
