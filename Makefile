# SPDX-License-Identifier: Apache-2.0
# The two commands are `make bench` (set up, print the published table, measure its headline)
# and `make test` (set up, test).
# The tool does everything else: `.venv/bin/aesforge --help`.

JOBS ?= $(shell nproc)
AESFORGE := .venv/bin/aesforge

.PHONY: help setup bench bench-full papers dist test test-quick test-full prove lint clean

help:            ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

setup:           ## install what is missing: Debian packages and the Python environment
	@setup/setup.sh

bench: setup     ## print the published table, measure its headline here, compare every figure
	@$(AESFORGE) reproduce --jobs $(JOBS)

bench-full: setup ## measure all: cycles, every vector, constant time, AES-GCM (hours)
	@$(AESFORGE) bench --jobs $(JOBS)

papers: setup    ## run the benches and syntheses that papers' rows name, compare, print (hours)
	@AESFORGE_PATIENCE=4 $(AESFORGE) papers --all --strict --measure --jobs $(JOBS)

dist: setup      ## make a release in dist/: source archive, wheel, a bundle for each unit and host
	@$(AESFORGE) dist --jobs $(JOBS)

test: setup lint ## the tests: tool, RTL, proofs, platforms, repository rules
	@.venv/bin/python -m pytest -n $(JOBS) --dist worksteal --durations=20 -m "not slow"

test-quick: setup lint ## what needs no simulation (two minutes)
	@.venv/bin/python -m pytest -n $(JOBS) --dist worksteal -m "quick and not slow"

test-full: setup lint ## all tests, Monte Carlo tests, interrupts on every unit, proofs, papers (a day)
	@.venv/bin/python -m pytest -n $(JOBS) --dist worksteal
	@$(AESFORGE) bench --jobs $(JOBS) --question test --question irq --mct 100
	@$(AESFORGE) montecarlo --jobs $(JOBS)
	@$(AESFORGE) prove --jobs $(JOBS)
	@AESFORGE_PATIENCE=4 $(AESFORGE) papers --all --strict --measure --every-seed --jobs $(JOBS)

prove: setup     ## all formal proofs, and each of their planted bugs (an hour)
	@$(AESFORGE) prove --jobs $(JOBS)

lint: setup      ## format and types of the Python code
	@.venv/bin/ruff check src tests accelerators
	@.venv/bin/ruff format --check src tests accelerators
	@.venv/bin/mypy

clean:           ## remove everything generated (the environment stays)
	rm -rf build
