"""Reads games, runs and policies: benchmarks, figures, reports."""
