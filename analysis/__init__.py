"""Reads games, runs and policies: benchmarks, figures, reports."""

from pathlib import Path

from spielgames.core import cache

cache.include(Path(__file__).parent)
