"""Web pages of one file: trees that play, keys that ask."""
