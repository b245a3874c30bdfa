# SPDX-License-Identifier: Apache-2.0
# Read by the scripts beside it: a virtual environment with the packages of $REQUIREMENTS, and
# Cfu.sv, the unit as the one file that LiteX takes.
python3 -m venv venv
. venv/bin/activate
pip install --quiet -r "$REQUIREMENTS"
(cd ../rtl && xargs cat <files.f) >Cfu.sv
