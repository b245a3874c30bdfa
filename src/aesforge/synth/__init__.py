# SPDX-License-Identifier: Apache-2.0
"""Area and clock: recipes of synthesis, block RAM, the jobs and their records."""
