"""Which of these is it? Tables of objects and replies, and keys: trees of questions that tell the objects apart."""
