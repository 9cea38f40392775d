"""Strategy trees: files, look-up, replay, export."""
