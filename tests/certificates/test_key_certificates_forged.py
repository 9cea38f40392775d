"""Forged certificates of keys, each wrong in one thing alone, for the guard that sees it: as in
tests/certificates/test_certificates_forged.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from certificates_util import Forged, by_c, by_python, check_ranges, check_size
from key_certificates_util import packed_key, theorem_is_true
from test_certificates_forged import guards_in_c, guards_of

from optimal.certificates import key_checker

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
class ForgedKey(Forged):
    """A certificate of a key; of the other version than its table takes."""

    other_version: bool = False

    @property
    def stream(self) -> bytes:
        return packed_key(self.numbers, other_version=self.other_version)


_NOT_SHOWN = "a question is not shown to cost the target"
_KEYS_NOT_SHOWN = "keys are not shown to cost what is claimed"
_VALUE = "the key has another value"
_TOO_SOON = "the key ends too soon"
FORGED = {
    # Claims
    "a claim that is not shown": ForgedKey(
        none_within(STAR, [4, 0, NONE, *ALL], limit=4), "is shown to cost 9 at least, not none", _NOT_SHOWN
    ),
    "a claim of one question": ForgedKey(
        none_within(table([0, 1]), [2, 0, NONE, 2, 0, 0], limit=2), "is shown to cost 2 at least, not none", _NOT_SHOWN
    ),
    "a claim of a question that may just be paid": ForgedKey(
        none_within(table([0, 1]), [0, 2, NONE, 2, 0, 0], purse=2), "is shown to cost 2 at least, not none", _NOT_SHOWN
    ),
    "a tree whose first node has fewer branches": ForgedKey(
        certificate(table([0, 1, 2, 2], [0, 0, 0, 1]), [7], [2, 2, 0, 1, 3, 0, 0, 1, 0, 2, 0, 1, 0]),
        "keys are shown to cost 6 at least, not 7",
        _KEYS_NOT_SHOWN,
    ),
    "no claim of one more": ForgedKey(
        certificate(STAR, [9], STAR_KEY), "keys are shown to cost 8 at least, not 9", _KEYS_NOT_SHOWN
    ),
    "no claim of one less": ForgedKey(
        certificate(STAR, [3, 9], STAR_KEY, NINE, worst=1),
        "keys are shown to cost 9 at least, not none",
        _KEYS_NOT_SHOWN,
    ),
    "no claim": ForgedKey(none_within(STAR, limit=4), "keys are shown to cost 8 at least, not none", _KEYS_NOT_SHOWN),
    "an opener that is not shown": ForgedKey(
        certificate(STAR, [], [], limit=4, openers=[1]), "question 1 is shown to cost 9 at least, not none", _NOT_SHOWN
    ),
    "a claim of fewer questions": ForgedKey(
        none_within(STAR, [3, 0, NONE, *ALL], limit=4), "keys are shown to cost 8 at least, not none", _KEYS_NOT_SHOWN
    ),
    "a claim of a smaller purse": ForgedKey(
        none_within(STAR, [0, 3, NONE, *ALL], purse=4), "keys are shown to cost 8 at least, not none", _KEYS_NOT_SHOWN
    ),
    "a claim of one group": ForgedKey(
        none_within(PAIRS, [1, 0, NONE, 2, 0, 0], [1, 0, NONE, 2, 2, 0], [2, 0, NONE, *ALL], limit=2),
        "a claim of kinds that need not be told apart",
    ),
    "a claim of one group of several": ForgedKey(
        none_within(SHARED, [1, 0, NONE, 2, 0, 0], [2, 0, NONE, *ALL], limit=2),
        "a claim of kinds that need not be told apart",
    ),
    "kinds of the same groups told apart": ForgedKey(
        certificate(SHARED, [10], [2, 2, 0, 1, 2, 0, 0, 1, 0, 1, 0]),
        "keys are shown to cost 6 at least, not 10",
        _KEYS_NOT_SHOWN,
    ),
    "a target that is too great": ForgedKey(
        certificate(STAR, [9], STAR_KEY, NINE, [2, 0, 13, *ALL]),
        "the target of a claim is more than any key costs",
        "a target that is more than any key costs",
    ),
    # The key
    "another branch": ForgedKey(
        certificate(STAR, [9], [*STAR_KEY[:-2], 2, 0], NINE),
        "the key has another branch where reply 1 should be",
        "the key has another branch",
    ),
    "another question first": ForgedKey(
        certificate(STAR, [9], STAR_KEY, openers=[1]), "the key does not begin with an opener"
    ),
    "nothing first": ForgedKey(
        certificate(table([0, 1], groups=[0, 0]), [0], [0], openers=[0]), "the key does not begin with an opener"
    ),
    "an end too soon": ForgedKey(
        certificate(STAR, [7], [1, 2, 0, 2, 2, 0, 0, 1, 0, 1, 0]),
        "the key ends where kinds must be told apart",
        _TOO_SOON,
    ),
    "an end of groups that overlap": ForgedKey(
        certificate(OVERLAPPING, [7], [1, 2, 0, 0, 1, 0]), "the key ends where kinds must be told apart", _TOO_SOON
    ),
    "an end of groups, and of some of them": ForgedKey(
        certificate(OVERLAPPING, [12], [1, 2, 0, 2, 2, 0, 0, 1, 0, 1, 0]),
        "the key ends where kinds must be told apart",
        _TOO_SOON,
    ),
    "a question that tells nothing": ForgedKey(
        certificate(
            table([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], weights=[1, 0, 0, 0]),
            [1],
            [1, 2, 0, 1, 1, 0, *STAR_KEY[3:]],
        ),
        "the key asks what tells nothing",
    ),
    "more branches": ForgedKey(
        certificate(STAR, [9], [*STAR_KEY[:7], 3, *STAR_KEY[8:]], NINE),
        "the key has more or fewer branches than the 2 of question 2",
        "a question of the key has another number of branches",
    ),
    "another value": ForgedKey(certificate(STAR, [8], STAR_KEY), "the key has the value [9], not [8]", _VALUE),
    "another worst cost": ForgedKey(
        certificate(STAR, [2, 9], STAR_KEY, NINE, worst=1), "the key has the value [3, 9], not [2, 9]", _VALUE
    ),
    "a value of the other objective": ForgedKey(
        certificate(STAR, [9], STAR_KEY, NINE, worst=1), "the values do not fit the objective", accepted=(False, False)
    ),
    "a key beyond the limit": ForgedKey(
        certificate(STAR, [9], STAR_KEY, NINE, limit=3),
        "the key asks 3 questions, more than the limit of 2",
        "the key asks more questions than the limit",
    ),
    "a key beyond the purse": ForgedKey(
        certificate(STAR, [9], STAR_KEY, NINE, purse=3),
        "a path of the key costs 3, more than the limit of 2",
        "a path of the key costs more than the limit",
    ),
    # The rest
    "version 2 for a kind of several groups": ForgedKey(
        certificate(SHARED, [6], SHARED_KEY),
        "version 2 has no two kinds of the same several groups: that takes version 3",
        other_version=True,
    ),
    "version 3 for none": ForgedKey(
        SMALL[0],
        "version 3 has two kinds of the same several groups: without them it takes version 2",
        other_version=True,
    ),
    "too great numbers": ForgedKey(
        none_within(table([0, 1], costs=[4], weights=[2**54, 1]), limit=1), "weights and costs that are too great"
    ),
    "too great weights": ForgedKey(
        none_within(table([0, 1], costs=[0], weights=[2**55, 2**55]), limit=1), "weights and costs that are too great"
    ),
    "more after the last claim": ForgedKey(
        [*SMALL[0], 0], "more integers follow the last claim", "bytes after the last claim"
    ),
    "openers that don't rise": ForgedKey(
        certificate(STAR, [9], STAR_KEY, openers=[2, 0]), "an opener is 0, not from 3 to 2", "opener"
    ),
    "a kind that is none": ForgedKey(
        certificate(STAR, [9], STAR_KEY, [0, 0, 5, 3, 1, 0, 1], NINE),
        "a kind is 1, not from 0 to 0",
        "kind",
        (False, False),
    ),
}


@pytest.mark.parametrize("numbers", SMALL)
def test_what_forgeries_are_made_of_is_sound(numbers: list[int], program: Path) -> None:
    stream = packed_key(numbers)
    report = by_python(stream)
    assert report.problems == []
    assert theorem_is_true(stream, report)
    assert by_c(program, stream)[0]


@pytest.mark.parametrize("name", FORGED)
def test_forgeries_are_refused(name: str, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FORGED[name].check(program, monkeypatch)


#: Guards that no certificate above meets, and why.
ELSEWHERE = {"more than .* replies": "made before they are read: it keeps memory", "more than .* steps": "below"}
ELSEWHERE_IN_C = {"too many replies": "the same"}


def test_every_guard_is_met() -> None:
    told = [by_python(forged.stream).problems[0] for forged in FORGED.values()]
    assert guards_of(key_checker) - {*guards_of(key_checker, told)} == ELSEWHERE.keys()
    assert guards_in_c(keys=True) - {forged.guard_in_c for forged in FORGED.values()} == ELSEWHERE_IN_C.keys()


#: The range of each integer, in the first place where it stands in SMALL[0] or SMALL[2].
RANGES = {
    (1, 65535): ["the number of questions", "the number of variants", "the number of branches"],
    (0, 2**56 - 1): [
        *("a cost", "a weight", "a value", "the limit of questions", "the limit of cost"),
        *("the questions left for a claim", "the purse of a claim", "the target of a claim"),
    ],
    (0, 65534): ["a group", "a reply", "a reply of the key"],
    (0, 3): ["the number of openers", "a question of the key", "a kind"],
    (0, 2): ["an opener"],
    (0, 1): ["the objective", "the number of values"],
    (0, 2**20): ["the number of claims"],
    (1, 4): ["the number of kinds of a claim"],
}


def test_every_integer_has_its_range(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_ranges(RANGES, [SMALL[0], SMALL[2]], packed_key, program, monkeypatch)


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
    check_size(f"key_checker.{name}", flag, least, packed_key(numbers), flaw, tmp_path, monkeypatch)
