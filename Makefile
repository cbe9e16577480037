# Every target builds what it needs first; a fresh machine needs only Python 3.11 and make.
PYTHON ?= python3.11
SERVE ?= 1
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help demo test check bench lock clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

.venv/ready: infra/requirements.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not on the PATH: install Python 3.11 or say make PYTHON=..." >&2; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r infra/requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: .venv/ready ## Simulate a gaming day with labelled faults, audit it, serve the findings (SERVE=0 stops after the summary)
	$(BIN)/discardrack demo $(if $(filter 0,$(SERVE)),--no-serve)

test: .venv/ready ## Run every test
	$(BIN)/pytest -n auto

check: .venv/ready ## Lint, types, import rules, documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --quiet tests/test_docs.py

bench: .venv/ready ## Measure the audit against bare decoding and rewrite docs/benchmarks.md
	$(BIN)/python tests/bench.py

lock: ## Pin every dependency with its hashes in infra/requirements.txt (needs uv)
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --python-version 3.11 \
	    --group dev --output-file infra/requirements.txt pyproject.toml infra/build.in

clean: ## Remove what make built
	rm -rf .venv var dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
