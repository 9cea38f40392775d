"""Results as people read them: plain text and HTML."""
