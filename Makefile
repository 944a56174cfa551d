# Everything a newcomer needs: `make ladder` sets up and runs the main job, `make test` sets up and runs the tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

COMPILED := build/compiled
SOURCES := setup.py pyproject.toml $(shell find kumite referee bots/*.py bots/bundled ladder -name '*.py' -o -name '*.toml')

.PHONY: ladder test quick test-browser pictures test-languages test-compiled lint proto docs bench bench-compiled soak coverage wheel clean

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]' --config-settings editable_mode=compat
	touch $@

ladder: $(READY) ## play a ladder on every game for a minute: house bots on workers, and two bots that connect over gRPC
	PATH="$(CURDIR)/$(BIN):$$PATH" examples/ladder.sh 60s

test: $(READY) ## lint, types and the quick test suite, side by side
	$(MAKE) --jobs 2 lint quick

quick: $(READY) ## the quick test suite alone, two workers for each core
	$(BIN)/python -m pytest -m 'not slow' -n auto --dist worksteal

test-browser: $(READY) ## every page in a real browser, in every theme and width; a skip says what to install
	$(BIN)/python -m pytest tests/web/browser -m 'not soak' -n 2

pictures: $(READY) ## the pictures of the README, from a small ladder that is played for them
	$(BIN)/python -m tools.screenshots

test-languages: $(READY) ## build the bots in other languages and play each against the real referee; a skip says what to install
	$(BIN)/python -m pytest tests/languages -m slow

$(COMPILED)/.ready: $(SOURCES)
	$(PYTHON) -m venv --clear $(COMPILED)
	$(COMPILED)/bin/python -m pip install --quiet --upgrade pip
	KUMITE_COMPILE=1 $(COMPILED)/bin/python -m pip install --quiet '.[dev]'
	$(COMPILED)/bin/python -I -c 'from referee.match import match; assert not match.__file__.endswith(".py")'
	mkdir -p $(COMPILED)/only && ln -sfn ../../../tests $(COMPILED)/only/tests
	touch $@

test-compiled: $(COMPILED)/.ready ## the quick test suite against a compiled build
	$(COMPILED)/bin/pytest -m 'not slow' -o pythonpath=$(COMPILED)/only

lint: $(READY) ## ruff and mypy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

proto: $(READY) ## generate referee/v1 from proto/
	$(BIN)/python proto/generate.py

docs: $(READY) ## generate docs/cli.md from the commands and docs/decisions-*.md from the games
	$(BIN)/python -m tools.cli_reference
	$(BIN)/python -m tools.decision_pages

bench: $(READY) ## the performance table
	$(BIN)/kumite bench

bench-compiled: $(COMPILED)/.ready ## the same of a compiled build
	$(COMPILED)/bin/kumite bench

soak: $(READY) ## the slow checks: long fuzzing, many matches, the coverage of intervals, new examples for property tests
	$(BIN)/python -m pytest -m 'slow or hypothesis' --hypothesis-profile explore --timeout 7200

coverage: $(READY) ## which lines the quick suite enters, in child processes too, as a table on standard output
	$(BIN)/coverage erase
	COVERAGE_FILE=$(CURDIR)/.coverage $(BIN)/coverage run -m pytest -m 'not slow' -n auto --dist worksteal
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

wheel: $(READY) ## build the sdist and the wheel into dist/
	$(BIN)/python -m build --outdir dist

clean:
	rm -rf $(VENV) build dist *.egg-info
