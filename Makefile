# powergrid-env. `make` alone lists what there is to make; every target first makes .venv if that is missing or out of date.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
ARGS ?=
COVERAGE_TESTS := tests/rules tests/cases

.DEFAULT_GOAL := help
.PHONY: help setup train test check format type docs bench fuzz coverage matrix wheel others clean

help:  ## Print this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16
	@echo 'Options for a command go into ARGS: make train ARGS="--players 4". Another Python: make setup PYTHON=python3.12'

setup: $(INSTALLED)  ## Make .venv with all extras, at the versions of constraints.txt

# For a small download of torch: PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu make setup
$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("powergrid-env needs Python 3.11 or newer, not " + sys.version.split()[0] + "; name another one: make setup PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	@echo 'Setting up $(VENV); the first time takes some minutes.'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[train,tables,notebooks,dev]'
	@touch $@

train: $(INSTALLED)  ## Train a bidder against bots and show how it does
	$(BIN)/powergrid train $(ARGS)

test: $(INSTALLED)  ## Run the quick tests (everything: make test ARGS='-m ""')
	$(BIN)/python -m pytest $(ARGS)

check: $(INSTALLED)  ## Lint, format and types, changing nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(INSTALLED)  ## Format the code and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

type: $(INSTALLED)  ## Check the types only
	$(BIN)/mypy

docs: $(INSTALLED)  ## Print the tables of the README files anew from the code
	$(BIN)/python -m training.pages

bench: $(INSTALLED)  ## Measure speed
	$(BIN)/powergrid bench $(ARGS)

fuzz: $(INSTALLED)  ## Throw anything at the public surface for long (FUZZ_EXAMPLES each), and the slow property tests
	FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-3000} $(BIN)/python -m pytest tests/test_fuzz.py tests/test_fuzz_options.py --timeout=3600 $(ARGS)
	$(BIN)/python -m pytest -m slow tests/test_naive.py tests/test_bots_endgame.py tests/test_invariants.py tests/test_position.py --timeout=3600 $(ARGS)

coverage: $(INSTALLED)  ## Lines of the rules that their tests reach, uncompiled
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest $(COVERAGE_TESTS) $(ARGS)
	$(BIN)/python -m coverage report --include='powergrid_env/rules/*' --show-missing --fail-under=95

matrix: $(INSTALLED)  ## The rules and conformance tests under other versions; the table in CONTRIBUTING.md
	$(BIN)/python -m tests.matrix $(ARGS)

wheel: $(INSTALLED)  ## Build wheel and sdist into dist/ (their test: make test ARGS='-m slow tests/test_package.py')
	$(BIN)/python -m build --outdir dist .

# Apart from .venv, as RLlib takes one version of gymnasium only.
others:  ## Install TorchRL and RLlib into .venv-others (2 GB) and run their examples' tests
	$(PYTHON) -m venv .venv-others
	grep -v '^gymnasium==' constraints.txt > .venv-others/constraints.txt
	.venv-others/bin/python -m pip install --quiet -c .venv-others/constraints.txt -e '.[others,dev]'
	.venv-others/bin/python -m pytest -m '' tests/test_other_libraries.py $(ARGS)

clean:  ## Remove .venv, .venv-others, caches and build output
	rm -rf $(VENV) .venv-others build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage htmlcov
	find powergrid_env agents training tests -name __pycache__ -type d -prune -exec rm -rf {} +
