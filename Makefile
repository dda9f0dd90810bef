# Everything a newcomer needs: `make demo`, `make test`. Both can be run again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: demo test test-slow lint types bench schema setups clean

$(STAMP): pyproject.toml requirements/lock.txt hatch_build.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/lock.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

demo: $(STAMP)
	@rm -rf build/demo
	@$(BIN)/gen build --mode iii --n 50 --out build/demo
	@echo
	@$(BIN)/gen show build/demo --nth 1
	@echo
	@rm -rf build/demo-travel
	@$(BIN)/gen build --mode travel --n 8 --lang en --setups dialogue --out build/demo-travel
	@echo
	@$(BIN)/gen show build/demo-travel --nth 2
	@echo
	@echo "The other tasks: $(BIN)/gen show build/demo        Their keys: $(BIN)/gen show build/demo ID --key"

lint: $(STAMP)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMP)
	@$(BIN)/mypy

test: lint types
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/python -m pytest -n auto -m "not slow"

test-slow: $(STAMP)
	@$(BIN)/python -m pytest -n auto -m slow

bench: $(STAMP)
	@$(BIN)/python -m benchmarks
	@$(BIN)/python -m benchmarks.travel

schema: $(STAMP)
	@$(BIN)/python docs/make_schema.py

# The table of setups in docs/travel.md.
setups: $(STAMP)
	@$(BIN)/python docs/make_setups.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build/demo build/demo-travel
