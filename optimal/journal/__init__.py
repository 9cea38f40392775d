"""The journal of a run: what is proven is kept in a file, so that a run can be stopped, killed and taken up again."""
