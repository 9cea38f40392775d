"""Advice at positions, and debriefs of finished games."""
