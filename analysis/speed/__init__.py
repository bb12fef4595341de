"""Benchmarks, each against a peer in the same run."""
