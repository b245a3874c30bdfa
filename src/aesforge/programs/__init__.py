# SPDX-License-Identifier: Apache-2.0
"""What runs on simulated hardware beside the questions: random programs, files of users."""
