# SPDX-License-Identifier: Apache-2.0
"""Run the command-line tool as `python -m aesforge`."""

from aesforge.cli import main

if __name__ == "__main__":
    main()
