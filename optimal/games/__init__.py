"""Guessing games as data: words, feedback, rules, lists, weights."""
