# Two commands are all a newcomer needs: `make demo` and `make test`.
# Everything happens in .venv; only Python 3.11+, git and make are required.

PYTHON ?= python3
BIN := .venv/bin
COVERAGE := .coverage.json
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
TEST_MINUTES := 22
TEST_FAST_MINUTES := 2

.PHONY: demo test test-fast lint types check docs node-client test-torch bench lock clean

demo: .venv/ready            ## start the server, build a small town with every part, tell its story
	@$(BIN)/asterism up
	@$(BIN)/asterism demo
	@echo "Stop the server with  $(BIN)/asterism down"

# Compiled once, not by each of the processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

# Three servers side by side, since each waits for disks and processes now and then. Fast tests wait
# for nothing: there each more would have to plan every statement too. None where one is named.
WORKERS = $(if $(NEO4J_URI),,-n $(1) --dist loadfile --no-loadscope-reorder)

test: .venv/ready            ## every test, against a real Neo4j
	@echo "Every test: about $(TEST_MINUTES) minutes on a quiet machine with two cores. For every day: make test-fast"
	@$(BIN)/python -m slipcover --json --out $(COVERAGE) --dont-wrap-pytest -m pytest $(call WORKERS,3)
	@$(BIN)/python -m slipcover --merge $(COVERAGE) --out $(COVERAGE) --fail-under 90

test-fast: .venv/ready       ## what needs no restart, no kill, no crowd and no long wait
	@echo "The fast tests: about $(TEST_FAST_MINUTES) minutes on a quiet machine with two cores."
	@$(BIN)/python -m pytest -q $(call WORKERS,2) -m "not torch and not slow"

lint: .venv/ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/lint-imports --no-logo

types: .venv/ready
	@$(BIN)/mypy

check: lint types test       ## what has to pass before a commit

docs: .venv/ready            ## renew what is generated from the code
	@$(BIN)/python -m docs.architecture
	@$(BIN)/python -m docs.requests
	@$(BIN)/python -m docs.data_model
	@$(BIN)/python -m docs.commands
	@$(BIN)/python -m docs.sync_stub

node-client: .venv/ready     ## the Node client of the MCP tests, which are skipped without it
	@npm install --prefix .venv/node --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2

test-torch: .venv/torch      ## the sentence-transformers extra: downloads 2.5 GB, needs 6 GB of disk
	@$(BIN)/python -m pytest -m torch --timeout 900

bench: .venv/ready           ## print the tables of benchmarks/, write their JSON
	@$(BIN)/python -m benchmarks.run

lock: .venv/ready            ## renew locks/ and the list of the server's jars
	@$(BIN)/python -m pip --quiet install uv
	@$(BIN)/python locks/renew.py

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* dist build

.venv/ready: pyproject.toml locks/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Asterism needs Python 3.11 or newer: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "Building .venv (once, about a minute)"
	@$(PYTHON) -m venv .venv
	@$(PIP) install --require-hashes -r locks/dev.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

.venv/torch: .venv/ready locks/torch.txt
	@$(PIP) install --require-hashes -r locks/torch.txt
	@touch $@
