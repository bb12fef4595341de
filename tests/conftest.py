"""Settings for all tests: deterministic, and without deadlines, as first calls compile."""

from hypothesis import settings

settings.register_profile("deterministic", deadline=None, derandomize=True)
settings.load_profile("deterministic")
