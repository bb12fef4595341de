# Each target sets up what it needs: a virtual environment in .venv with the versions of constraints.txt.
PYTHON ?= python3.11
RUN := .venv/bin/python

.PHONY: demo test test-slow lint benchmark clean

demo: .venv/ready
	$(RUN) experiments/demo.py --workdir=runs/demo

test: .venv/ready
	$(RUN) -m pytest -q -n 2 --dist loadgroup

test-slow: .venv/ready
	$(RUN) -m pytest -q -n 2 --dist loadgroup -m slow

lint: .venv/ready
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

benchmark: .venv/ready
	$(RUN) -m analysis.speed.games

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(RUN) -m pip install --quiet --constraint constraints.txt setuptools torch
	$(RUN) -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[test]'
	touch $@

clean:
	rm -rf .venv runs
