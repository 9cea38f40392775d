"""What the engine is asked: which opener next, the incumbent, the jobs, when to stop."""
