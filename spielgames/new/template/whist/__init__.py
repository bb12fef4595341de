"""Whist. Importing the package registers it as `python_whist`."""

from .game import WHIST

__all__ = ["WHIST"]
