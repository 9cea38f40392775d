"""Results for people: plain text and HTML."""
