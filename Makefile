# make run    play on this machine: installs, starts Postgres and Redis, web, worker and beat
# make test   everything that must hold: style, types, layers, templates, tests
# make clean  forget the games, the servers and the mails of make run
# make lock   write the lock files anew from pyproject.toml (needs uv on the path)

PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: install
install: $(INSTALLED)

$(INSTALLED): requirements-dev.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else \
	    f"Robo Runner needs Python 3.11 to 3.13, and $(PYTHON) is {sys.version.split()[0]}: choose another by make PYTHON=...")'
	@$(PYTHON) -m venv .venv || { echo "On Debian, the package python3-venv is needed: apt-get install python3-venv" >&2; exit 1; }
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -r requirements-dev.lock
	@$(BIN)/pip check --quiet
	@touch $@

.PHONY: lock
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock:
	$(LOCK) $(UPGRADE) pyproject.toml --group dev --output-file requirements-dev.lock
	$(LOCK) pyproject.toml --constraint requirements-dev.lock --output-file requirements.lock

.PHONY: run
run: install
	@$(BIN)/python -m embedded up

.PHONY: clean
clean:
	@$(PYTHON) -m embedded clean
