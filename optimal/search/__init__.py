"""Search: the order of openers, the incumbent, the jobs, and stopping."""
