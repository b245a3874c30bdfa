# SPDX-License-Identifier: Apache-2.0
# Read by the scripts beside it: a virtual environment with the packages of $REQUIREMENTS.
. ./system.sh
python3 -m venv venv
. venv/bin/activate
pip install --quiet -r "$REQUIREMENTS"
