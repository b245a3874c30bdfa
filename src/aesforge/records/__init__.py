# SPDX-License-Identifier: Apache-2.0
"""Records of runs and their results, and the tables made from them."""
