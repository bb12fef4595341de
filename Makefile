# Each target sets up what it needs: a virtual environment in .venv with the versions of constraints.txt.
PYTHON ?= python3.11
OTHER ?= python3.13
RUN := .venv/bin/python
RULES := $(addprefix tests/,coinche hearts hokm sheephead snapszer)

.PHONY: demo web test test-rules test-slow test-web test-distributed test-python lint benchmark results
.PHONY: docs clean

demo: .venv/ready
	$(RUN) experiments/demo.py --workdir=runs/demo

web: .venv/ready
	$(RUN) -m spielgames.web

test: .venv/ready
	$(RUN) -m pytest -q -n 4 --dist loadgroup --max-worker-restart=0

# Runs without machine code, so that a change of the rules is tested in seconds. (Python warns when
# 64-bit numbers wrap around, which is intended.)
test-rules: .venv/ready
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -q -n 2 --dist worksteal -m 'not slow and not compiled' \
		-W ignore::RuntimeWarning $(RULES)

test-slow: .venv/ready
	$(RUN) -m pytest -q -n 2 --dist loadgroup -m slow

# The table in a real browser: Chromium, which is installed if it is missing; without it, skipped.
test-web: .venv/web-ready
	$(RUN) -m pytest -q -n 0 -m web tests/web

# The wheel on another Python, without PyTorch: a deal with machine code, and a game's tests without.
test-python: .venv/ready
	rm -rf runs/python && $(OTHER) -m venv runs/python
	$(RUN) -m pip wheel --quiet . --no-deps --no-build-isolation --wheel-dir runs/python/wheel
	runs/python/bin/python -m pip install --quiet --constraint constraints.txt numpy numba open_spiel \
		absl-py ml_collections matplotlib scipy tqdm safetensors openskill pytest hypothesis
	runs/python/bin/python -m pip install --quiet --no-deps runs/python/wheel/*.whl
	runs/python/bin/spielgames play --game=hokm --seats=rules,random,rules,random --hint=rules --seed=1
	NUMBA_DISABLE_JIT=1 runs/python/bin/python -m pytest -q -m 'not slow and not compiled' \
		-W ignore tests/hokm/test_play.py tests/hokm/test_players.py

.venv/web-ready: .venv/ready
	$(RUN) -m pip install --quiet --constraint constraints.txt playwright
	command -v chromium || apt-get install --yes --quiet chromium || $(RUN) -m playwright install chromium || true
	touch $@

# Ray on a cluster of two nodes, which this machine plays.
test-distributed: .venv/distributed-ready
	$(RUN) -m pytest -q -n 0 -m ray tests/distributed

.venv/distributed-ready: .venv/ready
	$(RUN) -m pip install --quiet --constraint constraints.txt ray
	touch $@

lint: .venv/ready
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

benchmark: .venv/ready
	$(RUN) -m analysis.speed.games

results: .venv/ready
	$(RUN) -m analysis.page_numbers
	$(RUN) -m analysis.game_pages --out=docs/games

docs: .venv/docs-ready
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict

.venv/docs-ready: .venv/ready
	$(RUN) -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[docs]'
	touch $@

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(RUN) -m pip install --quiet --constraint constraints.txt setuptools torch
	$(RUN) -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[test]'
	touch $@

clean:
	rm -rf .venv runs site
