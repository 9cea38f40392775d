from optimal._positions import PositionSearch

ROUNDS: int

def fail_allocation(after: int) -> int: ...

class BeamSearch(PositionSearch):
    failed: int
    def beam_opener(self, guess: int, max_guesses: int, round: int, budget: int = ..., looks: int = ...) -> int: ...
