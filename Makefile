# The two commands a newcomer needs: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test check format bench screenshots clean

run: $(READY)
	@$(BIN)/sessions || [ $$? -eq 130 ]

test: $(READY)
	$(BIN)/python -m pytest

# mypy does not follow setuptools' package-dir, so it is shown the same names through links.
check: $(READY)
	@mkdir -p .types/sessions_tui
	@for room in app widgets storage; do ln -sfn ../../$$room .types/sessions_tui/$$room; done
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy -p sessions_tui
	$(BIN)/mypy tests screenshots

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)
	$(BIN)/python -m tests.bench

screenshots: $(READY)
	$(BIN)/python screenshots/make.py

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sessions needs Python 3.11 or newer; name one with: make PYTHON=python3.11 run")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $(READY)

clean:
	rm -rf $(VENV) .types build dist *.egg-info
