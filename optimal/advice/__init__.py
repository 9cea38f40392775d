"""Positions in the middle of a game: advice, and what finished games were worth."""
