"""Agents against each other: pairs, round robins, intervals, ratings."""
