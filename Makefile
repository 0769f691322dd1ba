# Each target is one obvious command. `make book` and `make test` are the two that a newcomer types.

SHELL := /bin/bash
PYTHON ?= python3
UV ?= uv
BIN := .venv/bin

.PHONY: help book test test-all check serve env cluster sessions strip clean distclean

help: ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

env: .venv/ready ## Make the environment .venv with the pinned packages

# TORCH=cpu asks for the CPU build of torch (0.2 GB instead of 5 GB).
.venv/ready: requirements.txt pyproject.toml scripts/workshop/setup_env.sh
	PYTHON="$(PYTHON)" TORCH="$(TORCH)" HASHES="$(HASHES)" UV="$(UV)" scripts/workshop/setup_env.sh

book: env ## Run the notebooks that are out of date and build the site in _build/html
	$(BIN)/workshop book build

test: env ## Run all tests, installing system packages where possible; says what did not run
	$(BIN)/python tests/run_all.py

test-all: env ## All tests and the extensive ones too (80 minutes at most on two cores)
	$(BIN)/python tests/run_all.py --all

check: env ## What to run before a commit (2 minutes at most)
	$(BIN)/python tests/run_all.py --quick

serve: book ## Show the site at http://localhost:8000
	cd _build/html && ../../$(BIN)/python -m http.server --bind 127.0.0.1 8000

cluster: env ## Start a practice cluster (real Slurm on this machine)
	$(BIN)/workshop cluster up

sessions: env ## Record the console sessions that pages show
	$(BIN)/python tests/sessions/reader.py --record
	$(BIN)/workshop book record

strip: env ## Remove outputs from the notebooks before a commit
	$(BIN)/workshop book strip

clean: ## Remove what was built
	rm -rf _build build runs .pytest_cache .ruff_cache

distclean: clean ## Remove the environment too
	rm -rf .venv
