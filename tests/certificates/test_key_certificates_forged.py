"""Forged certificates of keys, each wrong in one thing alone, for the guard that sees it: as in
tests/certificates/test_certificates_forged.py."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import pytest
from certificates_util import by_c, by_python, check_refused, compiled, unguarded
from key_certificates_util import packed_key, theorem_is_true
from test_certificates_forged import guards_in_c, guards_of

from optimal.certificates import keys
from optimal.certificates.reading import KEY_MAGIC, Reader

NONE = 0  # a target: no key


def table(
    *codes: Sequence[int], costs: Sequence[int] = (), weights: Sequence[int] = (), groups: Sequence[int] = ()
) -> list[int]:
    """The integers of a table; what isn't told is 1, or a group of its own."""
    questions, variants = len(codes), len(codes[0])
    numbers = [questions, variants, *(costs or [1] * questions), *(weights or [1] * variants)]
    return [*numbers, *(groups or range(variants)), *(code for row in codes for code in row)]


def certificate(
    table: Sequence[int],
    value: Sequence[int],
    key: Sequence[int],
    *claims: Sequence[int],
    limit: int = 0,
    purse: int = 0,
    openers: Sequence[int] = (),
    worst: int = 0,
) -> list[int]:
    """Limits are as the file has them."""
    said = [limit, purse, len(openers), *openers, worst, len(value), *value]
    return [*table, *said, *key, len(claims), *(number for claim in claims for number in claim)]


# Four kinds, each told from all others by a question of its own, but for the last: they take 9, and three of them 5,
# which is what counting shows; of all four it shows 8.
STAR = table([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0])
STAR_KEY = [1, 2, 0, 2, 2, 0, 3, 2, 0, 0, 1, 0, 1, 0, 1, 0]
ALL = [4, 0, 0, 0, 0]
NINE = [0, 0, 9, *ALL]
#: Two pairs of one group each, which one question tells apart.
PAIRS = table([0, 0, 1, 1], [0, 1, 0, 1], groups=[0, 0, 1, 1])
#: Two kinds of the groups 0 and 1, and two of group 2, which the last question tells apart.
SHARED = table([0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 1, 1], groups=[0, 1, 1, 0, 2, 2])
SHARED_KEY = [2, 2, 0, 0, 1, 0]
#: As STAR, with kinds of the groups 0 and 1, 0 and 2, 1 and 2, and 2 alone: counting shows 14 of 15.
OVERLAPPING = table([1, 1, 0, 0, 0, 0, 0], [0, 0, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0], groups=[1, 0, 0, 2, 2, 1, 2])
#: Six kinds by two questions of three replies.
COINS = table([0, 0, 1, 1, 2, 2], [0, 1, 2, 0, 1, 2], costs=[2, 3])


def none_within(table: Sequence[int], *claims: Sequence[int], limit: int = 0, purse: int = 0) -> list[int]:
    """That no key keeps to these limits."""
    return certificate(table, [], [], *claims, limit=limit, purse=purse)


#: Of what forgeries are made.
SMALL = [
    certificate(STAR, [9], STAR_KEY, NINE),
    certificate(STAR, [3, 9], STAR_KEY, NINE, [0, 3, NONE, *ALL], worst=1),
    certificate(STAR, [9], STAR_KEY, openers=[0, 2]),
    certificate(PAIRS, [4], [1, 2, 0, 0, 1, 0]),
    none_within(COINS, [0, 5, NONE, 6, *[0] * 6], purse=5),
    none_within(STAR, [3, 0, NONE, *ALL], limit=3),
    certificate(table([0, 1]), [2], [1, 2, 0, 0, 1, 0], [0, 0, 2, 2, 0, 0]),
    certificate(SHARED, [6], SHARED_KEY),
    certificate(OVERLAPPING, [15], STAR_KEY, [0, 0, 15, *ALL]),
    none_within(SHARED, [1, 0, NONE, 4, 0, 0, 0, 0], limit=1),
]


@dataclass(frozen=True)
class Forged:
    """A certificate with what the two checkers say of it; whether they would accept it without that guard, and whether
    what it says would be false."""

    numbers: list[int]
    python: str
    c: str
    accepted: tuple[bool, bool] = (True, True)
    false: bool = True
    other_version: bool = False

    @property
    def stream(self) -> bytes:
        return packed_key(self.numbers, other_version=self.other_version)


_NOT_SHOWN = "a question is not shown to cost the target"
_KEYS_NOT_SHOWN = "keys are not shown to cost what is claimed"
_VALUE = "the key has another value"
FORGED = {
    # Claims
    "a claim that is not shown": Forged(
        none_within(STAR, [4, 0, NONE, *ALL], limit=4), "is shown to cost 9 at least, not none", _NOT_SHOWN
    ),
    "a claim of one question": Forged(
        none_within(table([0, 1]), [2, 0, NONE, 2, 0, 0], limit=2), "is shown to cost 2 at least, not none", _NOT_SHOWN
    ),
    "a claim of a question that may just be paid": Forged(
        none_within(table([0, 1]), [0, 2, NONE, 2, 0, 0], purse=2), "is shown to cost 2 at least, not none", _NOT_SHOWN
    ),
    "a tree whose first node has fewer branches": Forged(
        certificate(table([0, 1, 2, 2], [0, 0, 0, 1]), [7], [2, 2, 0, 1, 3, 0, 0, 1, 0, 2, 0, 1, 0]),
        "keys are shown to cost 6 at least, not 7",
        _KEYS_NOT_SHOWN,
    ),
    "no claim of one more": Forged(
        certificate(STAR, [9], STAR_KEY), "keys are shown to cost 8 at least, not 9", _KEYS_NOT_SHOWN, false=False
    ),
    "no claim of one less": Forged(
        certificate(STAR, [3, 9], STAR_KEY, NINE, worst=1),
        "keys are shown to cost 9 at least, not none",
        _KEYS_NOT_SHOWN,
        false=False,
    ),
    "no claim": Forged(none_within(STAR, limit=4), "keys are shown to cost 8 at least, not none", _KEYS_NOT_SHOWN),
    "an opener that is not shown": Forged(
        certificate(STAR, [], [], limit=4, openers=[1]), "question 1 is shown to cost 9 at least, not none", _NOT_SHOWN
    ),
    "a claim of fewer questions": Forged(
        none_within(STAR, [3, 0, NONE, *ALL], limit=4), "keys are shown to cost 8 at least, not none", _KEYS_NOT_SHOWN
    ),
    "a claim of a smaller purse": Forged(
        none_within(STAR, [0, 3, NONE, *ALL], purse=4), "keys are shown to cost 8 at least, not none", _KEYS_NOT_SHOWN
    ),
    "a claim of one group": Forged(
        none_within(PAIRS, [1, 0, NONE, 2, 0, 0], [1, 0, NONE, 2, 2, 0], [2, 0, NONE, *ALL], limit=2),
        "a claim of kinds that need not be told apart",
        "a claim of kinds that need not be told apart",
    ),
    "a claim of one group of several": Forged(
        none_within(SHARED, [1, 0, NONE, 2, 0, 0], [2, 0, NONE, *ALL], limit=2),
        "a claim of kinds that need not be told apart",
        "a claim of kinds that need not be told apart",
    ),
    "kinds of the same groups told apart": Forged(
        certificate(SHARED, [10], [2, 2, 0, 1, 2, 0, 0, 1, 0, 1, 0]),
        "keys are shown to cost 6 at least, not 10",
        _KEYS_NOT_SHOWN,
    ),
    "a target that is too great": Forged(
        certificate(STAR, [9], STAR_KEY, NINE, [2, 0, 13, *ALL]),
        "the target of a claim is more than any key costs",
        "a target that is more than any key costs",
        false=False,
    ),
    # The key
    "another branch": Forged(
        certificate(STAR, [9], [*STAR_KEY[:-2], 2, 0], NINE),
        "the key has another branch where reply 1 should be",
        "the key has another branch",
        false=False,
    ),
    "another question first": Forged(
        certificate(STAR, [9], STAR_KEY, openers=[1]),
        "the key does not begin with an opener",
        "the key does not begin with an opener",
        false=False,
    ),
    "nothing first": Forged(
        certificate(table([0, 1], groups=[0, 0]), [0], [0], openers=[0]),
        "the key does not begin with an opener",
        "the key does not begin with an opener",
    ),
    "an end too soon": Forged(
        certificate(STAR, [7], [1, 2, 0, 2, 2, 0, 0, 1, 0, 1, 0]),
        "the key ends where kinds must be told apart",
        "the key ends too soon",
    ),
    "an end of groups that overlap": Forged(
        certificate(OVERLAPPING, [7], [1, 2, 0, 0, 1, 0]),
        "the key ends where kinds must be told apart",
        "the key ends too soon",
    ),
    "an end of groups, and of some of them": Forged(
        certificate(OVERLAPPING, [12], [1, 2, 0, 2, 2, 0, 0, 1, 0, 1, 0]),
        "the key ends where kinds must be told apart",
        "the key ends too soon",
    ),
    "a question that tells nothing": Forged(
        certificate(
            table([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], weights=[1, 0, 0, 0]),
            [1],
            [1, 2, 0, 1, 1, 0, *STAR_KEY[3:]],
        ),
        "the key asks what tells nothing",
        "the key asks what tells nothing",
        false=False,
    ),
    "more branches": Forged(
        certificate(STAR, [9], [*STAR_KEY[:7], 3, *STAR_KEY[8:]], NINE),
        "the key has more or fewer branches than the 2 of question 2",
        "a question of the key has another number of branches",
        false=False,
    ),
    "another value": Forged(certificate(STAR, [8], STAR_KEY), "the key has the value [9], not [8]", _VALUE),
    "another worst cost": Forged(
        certificate(STAR, [2, 9], STAR_KEY, NINE, worst=1), "the key has the value [3, 9], not [2, 9]", _VALUE
    ),
    "a value of the other objective": Forged(
        certificate(STAR, [9], STAR_KEY, NINE, worst=1),
        "the values do not fit the objective",
        "the values do not fit the objective",
        (False, False),
        false=False,
    ),
    "a key beyond the limit": Forged(
        certificate(STAR, [9], STAR_KEY, NINE, limit=3),
        "the key asks 3 questions, more than the limit of 2",
        "the key asks more questions than the limit",
    ),
    "a key beyond the purse": Forged(
        certificate(STAR, [9], STAR_KEY, NINE, purse=3),
        "a path of the key costs 3, more than the limit of 2",
        "a path of the key costs more than the limit",
    ),
    # The rest
    "version 2 for a kind of several groups": Forged(
        certificate(SHARED, [6], SHARED_KEY),
        "version 2 has no two kinds of the same several groups: that takes version 3",
        "version 2 has no two kinds of the same several groups: that takes version 3",
        false=False,
        other_version=True,
    ),
    "version 3 for none": Forged(
        SMALL[0],
        "version 3 has two kinds of the same several groups: without them it takes version 2",
        "version 3 has two kinds of the same several groups: without them it takes version 2",
        false=False,
        other_version=True,
    ),
    "too great numbers": Forged(
        none_within(table([0, 1], costs=[4], weights=[2**54, 1]), limit=1),
        "weights and costs that are too great",
        "weights and costs that are too great",
        false=False,
    ),
    "too great weights": Forged(
        none_within(table([0, 1], costs=[0], weights=[2**55, 2**55]), limit=1),
        "weights and costs that are too great",
        "weights and costs that are too great",
        false=False,
    ),
    "more after the last claim": Forged(
        [*SMALL[0], 0], "more integers follow the last claim", "bytes after the last claim", false=False
    ),
    "openers that don't rise": Forged(
        certificate(STAR, [9], STAR_KEY, openers=[2, 0]), "an opener is 0, not from 3 to 2", "opener", false=False
    ),
    "a kind that is none": Forged(
        certificate(STAR, [9], STAR_KEY, [0, 0, 5, 3, 1, 0, 1], NINE),
        "a kind is 1, not from 0 to 0",
        "kind",
        (False, False),
        false=False,
    ),
    "a claim of no kinds": Forged(
        certificate(STAR, [9], STAR_KEY, [0, 0, NONE, 0], NINE),
        "the number of kinds of a claim is 0",
        "kinds of a claim",
        (True, False),
        false=False,
    ),
}


@pytest.mark.parametrize("numbers", SMALL)
def test_what_forgeries_are_made_of_is_sound(numbers: list[int], forgiving: Path) -> None:
    stream = packed_key(numbers)
    report = by_python(stream)
    assert report.problems == []
    assert theorem_is_true(stream, report)
    assert by_c(forgiving, stream)[0]


@pytest.mark.parametrize("name", FORGED)
def test_forgeries_are_refused(name: str, forgiving: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forged = FORGED[name]
    stream = forged.stream
    check_refused(forgiving, stream, forged.python, forged.c)
    report = unguarded(monkeypatch, stream, forged.python)
    assert (report.ok, by_c(forgiving, stream, forgiven=forged.c)[0]) == forged.accepted
    if report.ok:
        assert theorem_is_true(stream, report) != forged.false


#: Guards that no certificate above meets, and why.
ELSEWHERE = {"more than .* replies": "made before they are read: it keeps memory", "more than .* steps": "below"}
ELSEWHERE_IN_C = {"too many replies": "the same"}


def test_every_guard_is_met() -> None:
    told = [by_python(forged.stream).problems[0] for forged in FORGED.values()]
    assert guards_of(keys) - {*guards_of(keys, told)} == ELSEWHERE.keys()
    assert guards_in_c(keys=True) - {forged.c for forged in FORGED.values()} == ELSEWHERE_IN_C.keys()


#: The range of each integer, in the first place where it stands in SMALL[0] or SMALL[2].
RANGES = {
    "the number of questions": (1, 65535),
    "the number of variants": (1, 65535),
    "a cost": (0, 2**56 - 1),
    "a weight": (0, 2**56 - 1),
    "a group": (0, 65534),
    "a reply": (0, 65534),
    "the limit of questions": (0, 2**56 - 1),
    "the limit of cost": (0, 2**56 - 1),
    "the number of openers": (0, 3),
    "an opener": (0, 2),
    "the objective": (0, 1),
    "the number of values": (0, 1),
    "a value": (0, 2**56 - 1),
    "a question of the key": (0, 3),
    "the number of branches": (1, 65535),
    "a reply of the key": (0, 65534),
    "the number of claims": (0, 2**20),
    "the questions left for a claim": (0, 2**56 - 1),
    "the purse of a claim": (0, 2**56 - 1),
    "the target of a claim": (0, 2**56 - 1),
    "the number of kinds of a claim": (1, 4),
    "a kind": (0, 3),
}


def test_every_integer_has_its_range(forgiving: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, tuple[list[int], int]] = {}
    read = Reader.next
    numbers: list[int] = []

    def noting(reader: Reader, what: str, low: int, high: int) -> int:
        if what not in found:
            assert RANGES[what] == (low, high), what
            found[what] = numbers, sum(byte < 128 for byte in reader.stream[len(KEY_MAGIC) : reader.at])
        return read(reader, what, low, high)

    monkeypatch.setattr(Reader, "next", noting)
    for numbers in (SMALL[0], SMALL[2]):
        assert by_python(packed_key(numbers)).problems == []
    monkeypatch.undo()
    assert found.keys() == RANGES.keys()
    for what, (low, high) in RANGES.items():
        numbers, at = found[what]
        for wrong in (low - 1, high + 1):
            if 0 <= wrong < 2**56:
                stream = packed_key([*numbers[:at], wrong, *numbers[at + 1 :]])
                problem = by_python(stream).problems[0]
                assert problem.endswith(f": {what} is {wrong}, not from {low} to {high}")
                assert not by_c(forgiving, stream)[0], what


@pytest.mark.parametrize(
    ("name", "flag", "least", "numbers", "flaw"),
    [
        ("MOST_STEPS", "STEPS_MOST", 36, SMALL[0], "steps"),
        ("MOST_STEPS", "STEPS_MOST", 24, SMALL[2], "steps"),
        ("MOST_CELLS", "CELLS_MOST", 12, SMALL[0], "replies"),
        ("MOST_CLAIMS", "CLAIMS_MOST", 1, SMALL[0], "number of claims"),
    ],
)
def test_what_is_refused_for_its_size(
    name: str, flag: str, least: int, numbers: list[int], flaw: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Just what the page lets checkers refuse: here with smaller bounds."""
    for most in (least, least - 1):
        monkeypatch.setattr(keys, name, most)
        problems = by_python(packed_key(numbers)).problems
        assert [flaw in problem for problem in problems] == [True] * (most < least)
        if shutil.which("cc") is not None:
            ok, line = by_c(compiled(tmp_path, f"-D{flag}={most}"), packed_key(numbers))
            assert ok == (most == least)
            assert ok or flaw in line


def test_kinds_of_two_groups_are_told_from_all_others(forgiving: Path) -> None:
    """Variants 0 and 2 are one kind, of groups 0 and 1; 1 is of group 0, and 3 of group 1."""
    mixed = table([0, 1, 0, 2], groups=[0, 0, 1, 1])
    for key, value, right in (([0], 0, False), ([1, 3, 0, 0, 1, 0, 2, 0], 4, True)):
        stream = packed_key(certificate(mixed, [value], key))
        assert by_python(stream).ok == by_c(forgiving, stream)[0] == right


def test_kinds_end_together_where_their_groups_are_the_same(forgiving: Path) -> None:
    """In whatever order the groups stand, and once or twice."""
    sets = [[*one] for many in (1, 2, 3) for one in combinations((0, 1, 300), many)]
    for one, other in product(sets, sets):
        codes, groups = [0] * len(one) + [1] * (len(other) + 1), [*one, *reversed(other), other[0]]
        stream = packed_key(certificate(table(codes, groups=groups), [0], [0]))
        report = by_python(stream)
        assert report.ok == by_c(forgiving, stream)[0] == (one == other)
        assert report.ok or "must be told apart" in report.problems[0]
