"""Solvers of small games that know the whole tree."""
