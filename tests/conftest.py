"""What every test shares: the same examples in every run."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("same", deadline=None, derandomize=True, database=None)
settings.load_profile("same")
