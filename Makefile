# Two commands are all a newcomer needs: `make demo` and `make test`.
# Everything happens in .venv; only Python 3.11+, git and make are required.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: demo test lint types check test-torch bench lock clean

demo: .venv/ready            ## start the server, build a small town with every part, tell its story
	@$(BIN)/asterism up
	@$(BIN)/asterism demo
	@echo "Stop the server with  $(BIN)/asterism down"

test: .venv/ready            ## every test, against a real Neo4j: two servers side by side
	@$(BIN)/python -m pytest $(if $(NEO4J_URI),,-n 2 --dist loadfile) --cov --cov-report=term

lint: .venv/ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/ready
	@$(BIN)/mypy

check: lint types test       ## what has to pass before a commit

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
