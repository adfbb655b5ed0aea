# Needs Python 3.11 or newer, make, and the network once. `make` alone lists the targets.
# PYTHON=python3.12 picks the interpreter; ARGS='…' is passed on to tour, test and bench.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help tour test test-web audit-score wrong-numbers check check-style check-format check-types check-layers check-logic format bench \
	clean distclean run-environment dev-environment web-environment

BIN := .venv/bin
ARGS :=
BROWSER :=

help:
	@echo 'make tour       a newcomer'"'"'s walk through riese-kb'
	@echo 'make test       all tests (ARGS="tests/riese -k diagonal" for some)'
	@echo 'make test-web   the tests of the page in a browser (installs Chromium; BROWSER=none does without)'
	@echo 'make audit-score  which planted defects the audit finds'
	@echo 'make wrong-numbers  what finds a wrong number in the tables, for new ones (ARGS=all for all, 20 minutes)'
	@echo 'make check      style, types, layers, logic programs'
	@echo 'make format     put the code into shape'
	@echo 'make bench      how long things take'
	@echo 'make clean      remove builds and caches; make distclean removes .venv too'
	@echo
	@echo 'The first run makes .venv and needs the network; later ones do not. PYTHON=python3.12 picks an interpreter.'

tour: run-environment
	@$(BIN)/riese-kb tour $(ARGS)

test: dev-environment
	$(BIN)/python -m pytest -n 2 --dist loadgroup --benchmark-disable $(ARGS)

# What a browser and a hail of requests find; `make test` collects none of tests/web. One process: browser and server take
# the other core, and xdist would run one of schemathesis's tests for all of them, since they share a name.
test-web: web-environment
	@browser="$(BROWSER)" && if test -z "$$browser"; then browser=$$(sh .ci/browser) || exit; fi && \
	RIESE_KB_BROWSER="$$browser" $(BIN)/python -m pytest -p no:xdist tests/web $(ARGS)

audit-score: dev-environment
	@$(BIN)/python -m tests.audit_book

wrong-numbers: dev-environment
	@$(BIN)/python -m tests.riese.wrong_numbers $(ARGS)

check: check-style check-format check-types check-layers check-logic

check-style: dev-environment
	$(BIN)/ruff check

check-format: dev-environment
	$(BIN)/ruff format --check

# The package under --strict, then tests and bench too under the settings in pyproject.toml.
check-types: dev-environment
	$(BIN)/mypy --strict riese_kb
	$(BIN)/mypy

check-layers: dev-environment
	$(BIN)/lint-imports

check-logic: dev-environment
	@if test -f riese_kb/lint.py; then echo '$(BIN)/python -m riese_kb.lint' && $(BIN)/python -m riese_kb.lint; fi

format: dev-environment
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Exit status 5 is pytest's word for "nothing collected".
bench: dev-environment
	@$(BIN)/python -m pytest bench -p no:xdist --benchmark-only $(ARGS) || { test $$? -eq 5 && echo 'No benchmarks yet.'; }

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .grimp_cache .hypothesis .benchmarks
	find riese_kb tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv

run-environment:
	@sh .ci/environment run

dev-environment:
	@sh .ci/environment dev

web-environment:
	@sh .ci/environment web
