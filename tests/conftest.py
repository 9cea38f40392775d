"""What every test shares: the same examples in every run, however slow the machine."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "same", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same")

# Help and texts are as wide as on a terminal of 80, also in programs that a test runs.
os.environ["COLUMNS"] = "80"
