# make run    play on this machine: installs, starts Postgres and Redis, web, worker and beat
# make quick  style, types, layers, and the tests of the rooms that you changed: after each step
# make test   everything that must hold: style, types, layers, templates, scripts, tests (PROCESSES=2 of each kind)
# make test-dates  a part of the tests on other days: change of the clock, 29 February, New Year (needs faketime)
# make compiled  compile the rules to machine code, where a C compiler is there: three times as fast, from the same source
# make clean  forget the games, the accounts and the mails of make run
# make messages  write the catalogue of everything that people read, and bring all translations up to date
# make lock   write the lock files from pyproject.toml (needs uv; UPGRADE=--upgrade for newer packages)

PYTHON ?= python3
PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(os.cpu_count() or 1)')
BIN := .venv/bin
INSTALLED := .venv/.installed
CHECKERS := node_modules/.installed
SCRIPTS := static/languages
TRANSLATIONS := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/django.po))

# Each process of the tests would compile everything again: ten seconds for each that collects them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run
run: install
	@$(BIN)/python -m embedded up

.PHONY: clean
clean:
	@$(PYTHON) -m embedded clean

# --- Packages -----------------------------------------------------------------------------------------------

.PHONY: install
install: $(INSTALLED) $(TRANSLATIONS) $(SCRIPTS)

$(INSTALLED): requirements-dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else \
	    f"Robo Runner needs Python 3.11 to 3.13, and $(PYTHON) is {sys.version.split()[0]}: try make PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
	    || { echo "Python is here without venv; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing packages into .venv ..." >&2
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/pip install -qq --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r $<
	@$(BIN)/pip check -qq
	@$(BIN)/python -m roborunner.translations  # LANGUAGES may name them already
	@$(BIN)/python -m embedded ready  # so that the first site starts in seconds
	@touch $@

$(TRANSLATIONS): %.mo: %.po roborunner/translations.py | $(INSTALLED)
	@$(BIN)/python -m roborunner.translations

# Written with the translations above, but not always deleted with them.
$(SCRIPTS): | $(TRANSLATIONS)
	@test -d $@ || $(BIN)/python -m roborunner.translations

# The compiler that checks the scripts. npm install --package-lock-only writes its lock file, without any registry in it.
$(CHECKERS): package-lock.json .npmrc $(INSTALLED)
	@echo "Installing the checks of scripts into node_modules ..." >&2
	@$(BIN)/npm ci --silent
	@touch $@

# Under .local/compiled, by a hash of the source: what is compiled of another source is never used.
.PHONY: compiled
compiled: install
	@$(BIN)/python compile_rules.py

# Files without line numbers: a catalogue that changes with every line would be in everybody's way.
CATALOGUE := locale/django.pot
KEYWORDS := gettext_lazy ngettext_lazy:1,2 pgettext_lazy:1c,2 npgettext_lazy:1c,2,3 Sentence counted:1,2
.PHONY: messages catalogue
messages: catalogue
	$(BIN)/python -m roborunner.catalogue -q update --no-fuzzy-matching --ignore-pot-creation-date \
	    -i $(CATALOGUE) -d locale -D django

catalogue: install
	$(BIN)/python -m roborunner.catalogue -q extract -F pyproject.toml --add-location=file --sort-by-file \
	    $(KEYWORDS:%=-k %) --omit-header --ignore-dirs='node_modules .* tests bench' -o $(CATALOGUE) .

LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

.PHONY: lock
lock:
	$(LOCK) $(UPGRADE) pyproject.toml --group dev --output-file requirements-dev.lock
	$(LOCK) pyproject.toml --constraint requirements-dev.lock --no-annotate --output-file requirements.lock
	$(LOCK) --group compile --constraint requirements-dev.lock --no-annotate --output-file requirements-compile.lock

# --- Tests --------------------------------------------------------------------------------------------------

.PHONY: quick quick-tests test beside style types layers templates scripts test-rules test-site test-browser test-dates
quick: install style
	+@$(MAKE) --no-print-directory --jobs=3 types layers quick-tests

quick-tests: install
	$(BIN)/python -m tests.support.quick

# Tests of the site wait for servers much of the time, and those in a browser for pages: they run at once, once the
# rules are compiled, and beside that all that takes one processor. Tests of the rules only compute, and stand back.
test: install $(CHECKERS) style
	+@$(MAKE) --no-print-directory --jobs=4 FIRST=compiled test-site types layers templates scripts test-browser beside

beside: install
	+@nice -n 10 $(MAKE) --no-print-directory test-rules

style: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

layers: install
	$(BIN)/lint-imports --no-logo

templates: install
	$(BIN)/djlint --quiet --lint templates

# What browsers are served: types, and logic that needs no browser. Node comes with the packages of .venv, so this is never left out.
scripts: install $(CHECKERS)
	$(BIN)/node node_modules/typescript/bin/tsc
	$(BIN)/node --test --test-reporter=dot "tests/scripts/*.test.js"

# The rules have to work where nothing but Python is installed, and compiled just as well.
# Generator and wind tunnel are not compiled, and what they play on is tested by the rest.
TEST_RULES := $(BIN)/python -m pytest -o addopts="-p no:django -p no:valkey -p no:schemathesis -p tests.support.without_django --import-mode=importlib" --numprocesses=$(PROCESSES)
test-rules: compiled
	RULES=interpreted $(TEST_RULES) tests/rules
	if $(BIN)/python compile_rules.py --done; then RULES=compiled $(TEST_RULES) --ignore=tests/rules/design --ignore=tests/rules/tunnel tests/rules; fi

# In small portions: the longest tests come first, and by default whoever has them has a twelfth of all others as well.
TEST_SITE := $(BIN)/pytest --numprocesses=$(PROCESSES) --durations=25 --durations-min=15
test-site: install $(FIRST)
	$(TEST_SITE) --maxschedchunk=50 --ignore=tests/rules --ignore=tests/browser

test-browser: install $(FIRST)
	$(TEST_SITE) --maxschedchunk=5 tests/browser

test-dates: install
	$(BIN)/python -m tests.support.dates
