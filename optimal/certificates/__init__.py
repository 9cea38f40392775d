"""Certificates of optimality: `prover` makes them, `checker` believes nothing that it hasn't counted itself."""
