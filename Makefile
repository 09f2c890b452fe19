# The two commands a newcomer needs: `make run` and `make test`.
# Needs Python 3.11 or newer and a package index. Another Python: make PYTHON=python3.12 run

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# More words for the command, as in: make test ARGS='-k follow'
ARGS ?=

.PHONY: run test check format bench soak real screenshots clean

run: $(READY)
	@$(BIN)/sessions $(or $(ARGS),open --or-demo) || [ $$? -eq 130 ]

# Hundreds of processes start: none may have to compile what another has compiled.
test: export PYTHONDONTWRITEBYTECODE =
test: $(READY)
	@$(BIN)/python -m pytest -n 3 --dist loadfile $(ARGS)

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
	@$(BIN)/python -m tests.bench $(ARGS)

soak: $(READY)
	@$(BIN)/python -m tests.soak $(ARGS)

real: $(READY)
	@$(BIN)/python -m tests.real $(ARGS)

screenshots: $(READY)
	@$(BIN)/python -m screenshots.make $(ARGS)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"sessions needs Python 3.11 or newer; name one with: make PYTHON=python3.12 run")'
	@echo "Setting up $(VENV) with $$($(PYTHON) --version), once"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) "pip>=25.1"  # the first that knows --group
	@PYTHONWARNINGS=ignore $(PIP) --editable . --group dev  # setuptools warns of every such install
	@touch $(READY)

clean:
	rm -rf .venv* .types .bench .real build dist *.egg-info
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
