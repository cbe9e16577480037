# Every target builds what it needs first; a fresh machine needs only Python 3.11 and make.
PYTHON ?= python3.11
SERVE ?= 1
KAFKA_PORT ?= 9092
DEVICES_PORT ?= 7070
CONSOLE_PORT ?= 8000
TABLES ?= 6
HOURS ?= 8
SPEED ?= 10
SECONDS ?= 120
CHANGES ?= 10000
TRIES ?= 100
FOLDER ?= var/year
DAYS ?= 30
SEED ?= 1
GATEWAY_METRICS ?= 9100
WORKER_METRICS ?= 9111
ARCHIVE_METRICS ?= 9120
BIN := .venv/bin
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
# Told to keep no compiled modules, each of the hundreds of processes that the tests start would compile all anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test thorough check chaos outage rebalances tamper bench bench-console bench-month bench-night bench-patterns bench-queue bench-shoes bench-week bench-year advantages shuffles kafka kafka-stop live lock mutants notebook screenshots store-page clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

# Each module is compiled as it is first imported: most never are, and all at once takes a third of the time.
# uv installs in five seconds what takes pip forty. It reads none of pip's settings; where those are needed, pip installs.
.venv/ready: infra/requirements.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not on the PATH: install Python 3.11 or say make PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: say make PYTHON=python3.11" >&2; exit 2; }
	@echo "Installing what discardrack needs into .venv, once; it takes half a minute or more"
	$(PYTHON) -m venv .venv
	sed -n '/^uv==/,/[^\\]$$/p' infra/requirements.txt >.venv/uv.txt
	$(PIP_INSTALL) --no-compile --require-hashes -r .venv/uv.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r infra/requirements.txt || \
	    $(PIP_INSTALL) --no-compile --require-hashes -r infra/requirements.txt
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

demo: .venv/ready ## Simulate a gaming day with labelled faults, audit it, open the console on its next one (SERVE=0 stops after the summary, CONSOLE_PORT=8000, SPEED=10)
	$(BIN)/discardrack demo --port $(CONSOLE_PORT) --speed $(SPEED) $(if $(filter 0,$(SERVE)),--no-serve)

# With a process that has died replaced by another, pytest-xdist 3.8 can wait for ever (its issue 1323).
# The order is that of tests/conftest.py, where xdist's own has the group of the most tests first.
test: .venv/ready ## Run every test
	$(BIN)/pytest -n auto --dist loadgroup --no-loadscope-reorder --max-worker-restart 0

thorough: .venv/ready ## Run every test, the properties on several times as many examples
	HYPOTHESIS_PROFILE=thorough $(MAKE) test

# Meanwhile all tests are read once, so that the processes of `make test` find them compiled.
check: .venv/ready ## Lint, types, import rules; the documents are tested by make test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pytest --collect-only -qq >/dev/null 2>&1 & $(BIN)/mypy; status=$$?; wait; exit $$status
	$(BIN)/lint-imports

chaos: .venv/ready ## Kill a live floor's processes at random and compare (SECONDS=120 SEED=1)
	$(BIN)/python -m tests.rehearsals.chaos --seconds $(SECONDS) --seed $(SEED)

outage: .venv/ready ## Take Kafka away from 100 tables at ten times their load and compare (SECONDS=120 SEED=1)
	$(BIN)/python -m tests.rehearsals.outage --seconds $(SECONDS) --seed $(SEED)

rebalances: .venv/ready ## Let workers join, leave, freeze and thaw while they recover a backlog, and compare (TRIES=100 SEED=1)
	$(BIN)/python -m tests.rehearsals.rebalances --tries $(TRIES) --seed $(SEED)

tamper: .venv/ready ## Change a closed archive at random and see that each change is found (CHANGES=10000 SEED=1)
	$(BIN)/python -m tests.rehearsals.tamper --changes $(CHANGES) --seed $(SEED)

bench: .venv/ready ## Measure the audit and the live road, and rewrite docs/benchmarks.md
	$(BIN)/python -m tests.bench.benchmarks

bench-console: .venv/ready ## Measure how soon an alert is in an open page, with 100 tables at ten times their pace, for six minutes (needs Chromium)
	$(BIN)/python -m tests.bench.console_page

bench-month: .venv/ready ## Play twenty tables of every game for DAYS days with every fault, audit them and count what is found (DAYS=30 SEED=1)
	$(BIN)/python -m tests.bench.month $(DAYS) $(SEED)

bench-night: .venv/ready ## Count how often a night of 100 tables rings for each operator, two minutes
	$(BIN)/python -m tests.bench.night_of_alerts

bench-patterns: .venv/ready ## Count the leads of 200 clean months of three tables, seven minutes
	$(BIN)/python -m tests.bench.patterns 200 1/20 1/1000

bench-queue: .venv/ready ## Measure the queue's page over ten thousand open alerts
	$(BIN)/python -m tests.bench.queue_page

bench-shoes: .venv/ready ## Count how many of a thousand clean shoes of each game are warned of, for docs/shoes.md
	$(BIN)/python -m tests.bench.shoes

bench-week: .venv/ready ## Compare the sums of rows, pages, call scripts, disputes and reports with the audit, over a week of all games, some minutes
	$(BIN)/python -m tests.bench.week_of_sums

bench-year: .venv/ready ## Build a year of a hundred tables in FOLDER, an hour and 12 GB, and time single hands of it (FOLDER=var/year)
	mkdir -p $(FOLDER) && $(BIN)/python -m tests.bench.year $(FOLDER)

advantages: .venv/ready ## Prove every wager anew and rewrite replay/proofs/advantages.json, which theoretical win is told by
	$(BIN)/python -m replay.cli.prove

shuffles: .venv/ready ## Measure shuffled shoes anew and rewrite projections/engine/accounts/shuffles.json, by which orders of cards are judged
	$(BIN)/python -m replay.proofs.shuffles

kafka: .venv/ready ## Start a Kafka broker on this machine, with the topics of a live floor (KAFKA_PORT=9092)
	$(BIN)/python -m streams.broker start --port $(KAFKA_PORT)
	$(BIN)/discardrack topics --broker localhost:$(KAFKA_PORT) --create

kafka-stop: .venv/ready ## Stop it; its data stays in ./var/kafka
	$(BIN)/python -m streams.broker stop

live: export BROKER := localhost:$(KAFKA_PORT)
live: export DEVICES := 127.0.0.1:$(DEVICES_PORT)
live: export LIVE := var/live
export ARCHIVE_METRICS CONSOLE_PORT GATEWAY_METRICS HOURS SEED SPEED TABLES WORKER_METRICS
# Each frame is a line, which would leave no other on the screen: those of the level info go to the log alone. What is
# in the background does not hear Ctrl-C, and ends with what it reads.
# The simulated devices begin their numbers anew, so all that an earlier floor left would be taken for theirs.
live: .venv/ready ## Play a simulated floor through every live process, in this terminal (TABLES=6 HOURS=8 SPEED=10)
	@if [ -e var/live/pid ] && kill -0 $$(cat var/live/pid) 2>/dev/null; then \
	    echo "make live: another one runs here; stop it with Ctrl-C in its terminal" >&2; exit 2; fi
	@if [ -e var/live ]; then echo "The floor of an earlier make live is removed, from Kafka too"; \
	    $(BIN)/python -m streams.broker stop && rm -rf var/live var/kafka/data; fi
	@$(MAKE) --no-print-directory kafka
	@mkdir -p var/live/archive
	@for key in archive bundle; do $(BIN)/discardrack key var/live/$$key.key >/dev/null || exit 2; done
	@echo "Console, in a few seconds: http://127.0.0.1:$(CONSOLE_PORT). In another terminal make who may log in:"
	@echo "  $(BIN)/discardrack user add NAME --store var/live/floor.duckdb --role operator"
	@echo "Whatever is said is written to var/live/log; here it is without what is usual. Ctrl-C stops all"
	@mkfifo var/live/said; tee var/live/log <var/live/said | grep --line-buffered --invert-match '"level": "info"' & \
	    echo $$$$ >var/live/pid; PATH="$(CURDIR)/$(BIN):$$PATH" exec $(BIN)/honcho -f infra/Procfile start >var/live/said

mutants: .venv/ready ## Change 200 lines of the engine at random and count what the tests notice (SEED=1; needs .venv/bin/pip install cosmic-ray)
	$(BIN)/python -m tests.bench.mutants 200 $(SEED)

notebook: .venv/ready ## Run docs/notebook.ipynb anew, and write what its cells give into it
	$(BIN)/python -m tests.builders.notebook

screenshots: .venv/ready ## Take the README's pictures of the console anew (needs Chromium: apt-get install chromium)
	$(BIN)/python -m tests.browser.screenshots docs/img

store-page: .venv/ready ## Write docs/store.md anew, from the store's form
	$(BIN)/python -m projections.store.store_page >docs/store.md

lock: .venv/ready ## Pin every dependency with its hashes in infra/requirements.txt
	$(BIN)/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links --python-version 3.11 \
	    --group dev --extra notify --extra oidc --output-file infra/requirements.txt pyproject.toml infra/build.in

clean: ## Stop the broker and remove what make built
	@if [ -e var/kafka/running ]; then $(BIN)/python -m streams.broker stop; fi
	rm -rf .venv var dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
