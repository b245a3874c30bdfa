# SPDX-License-Identifier: Apache-2.0
"""What was run and what came out: records, and the tables made from them."""
