# SPDX-License-Identifier: Apache-2.0
"""Questions with vectors and judges of their own, one file each."""
