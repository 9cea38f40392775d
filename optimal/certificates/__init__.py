"""Certificates of optimality: `prover` makes them, `checker` trusts only what it has counted itself."""
