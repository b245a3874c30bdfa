# SPDX-License-Identifier: Apache-2.0
# Read by setup.sh: a VexRiscv with the unit as its custom function unit.
RIGHT="FIPS 197: right"  # what the program prints at its end

# Run a target script of LiteX with this system: its module, then its arguments.
target() {
  python -m "$@" --cpu-type vexriscv --cpu-variant full+cfu --cpu-cfu "$PWD/Cfu.sv"
}

# The unit as the one file that LiteX takes.
(cd ../rtl && xargs cat <files.f) >Cfu.sv
