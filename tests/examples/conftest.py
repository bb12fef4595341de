"""Examples learn a little, as the tests of solvers do."""

from tests.solvers.conftest import one_thread  # noqa: F401
