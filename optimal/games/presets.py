"""The games known by name. Cheap to import: no numpy, and no list is read before it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import cache

from optimal.errors import InputError, did_you_mean
from optimal.games.feedback import BlackFeedback, BullsFeedback, Feedback, PegFeedback, WordFeedback
from optimal.games.resources import ALIASES, data_file
from optimal.games.wordlists import sha256_of
from optimal.limits import LONGEST_LIST
from optimal.show.words import quoted, shown


@dataclass(frozen=True)
class WordList:
    """A list of words, or all codes of a peg game: its file, where it has one, its length and its hash."""

    file: str
    count: int
    sha256: str


CLASSIC_GUESSES = WordList(
    "classic-guesses.txt", 12972, "feacc549249b5dcb43e2799fbbcda14ebc33d55904fb15d043779104e60c1579"
)
CLASSIC_ANSWERS = WordList(
    "classic-answers.txt", 2315, "f40e47975cf360ff9febe7d49c8e285054d8fa3fb9644cea575922060951d6ee"
)
NYT_GUESSES = WordList("nyt-guesses.txt", 14855, "ba86911aea83d038d53c0999fe6cbe310c8f59d2b79626c73bd0cd0773adc320")
NYT2022_ANSWERS = WordList(
    "nyt2022-answers.txt", 2309, "c495f6cbc36475358a89e30ac16bd5c0c05073c8c7647bb6c35dd01f7bae6e32"
)
NYT2023_ANSWERS = WordList(
    "nyt2023-answers.txt", 3158, "3e443482b78dee0f6f8de4f74dbb67537db781524279b1d40ca3353c592b03ce"
)
_COLOURS_4X6 = WordList("", 1296, "62de1e2250e1db6ff4a1cd8140bb2c7fd523ec8ba0cb2795d716e03dce8d2950")
_DIGITS_4X10 = WordList("", 5040, "048c683e6e1937842b4e409e345a832fc92794bf0b0bf9e771a93153b172972d")


@dataclass(frozen=True)
class Preset:
    """A game by name: its feedback, its default limit of guesses and its two lists.

    >>> preset("classic").answer_count
    2315
    """

    name: str
    title: str
    feedback: Feedback
    max_guesses: int | None
    guess_list: WordList
    answer_list: WordList

    @property
    def kind(self) -> str:
        """The kind of feedback: "words", "mastermind", "bulls-and-cows" or "black-pegs"."""
        return self.feedback.kind

    @property
    def guess_count(self) -> int:
        return self.guess_list.count

    @property
    def answer_count(self) -> int:
        return self.answer_list.count

    @property
    def guesses_sha256(self) -> str:
        return self.guess_list.sha256

    @property
    def answers_sha256(self) -> str:
        return self.answer_list.sha256

    def guesses(self) -> tuple[str, ...]:
        """Every legal first guess, sorted by code point."""
        return _entries(self.feedback, self.guess_list)

    def answers(self) -> tuple[str, ...]:
        """Every possible answer, sorted by code point."""
        return _entries(self.feedback, self.answer_list)


@cache
def _entries(feedback: Feedback, words: WordList) -> tuple[str, ...]:
    return tuple(sorted(file_order(words))) if words.file else feedback.all_guesses()


@cache
def file_order(words: WordList) -> tuple[str, ...]:
    """A shipped list as its file has it: classic answers stand in the order in which the game used them."""
    # The hash vouches for the words, so the slower checks of read_words aren't needed.
    found = tuple(data_file(words.file).read_text(encoding="utf-8").split())
    if len(found) != words.count or sha256_of(found) != words.sha256:
        raise InputError(f"the shipped list {words.file} was changed: install the package anew")
    return found


def _words(name: str, title: str, guesses: WordList, answers: WordList) -> Preset:
    return Preset(name, title, WordFeedback(5), 6, guesses, answers)


def _pegs(name: str, title: str, feedback: Feedback, codes: WordList) -> Preset:
    return Preset(name, title, feedback, None, codes, codes)


_PRESETS = {
    known.name: known
    for known in (
        _words("classic", "Wordle list of 2021", CLASSIC_GUESSES, CLASSIC_ANSWERS),
        _words("classic-answers", "Wordle list of 2021, answers as guesses", CLASSIC_ANSWERS, CLASSIC_ANSWERS),
        _words("nyt2022", "New York Times list of August 2022", NYT_GUESSES, NYT2022_ANSWERS),
        _words("nyt2023", "New York Times list of July 2023", NYT_GUESSES, NYT2023_ANSWERS),
        _words("classic-all", "Wordle list of 2021, every guess an answer", CLASSIC_GUESSES, CLASSIC_GUESSES),
        _words("nyt-all", "New York Times list, every guess an answer", NYT_GUESSES, NYT_GUESSES),
        _pegs("mastermind", "Mastermind, 4 pegs and 6 colours", PegFeedback(4, 6), _COLOURS_4X6),
        _pegs("bulls-and-cows", "Bulls and Cows, 4 distinct digits", BullsFeedback(4), _DIGITS_4X10),
        _pegs("black-pegs", "Black pegs alone, 4 pegs and 6 colours", BlackFeedback(4, 6), _COLOURS_4X6),
    )
}

#: Those whose search may take days by normal rules.
LONG = ("classic-all", "nyt-all", "black-pegs")

#: The peg games, each of any pegs x colours: their kinds, and titles by size. A kind is called as its games are.
_SIZED: dict[str, tuple[Callable[[int, int], Feedback], str]] = {
    "mastermind": (PegFeedback, "Mastermind, {} pegs and {} colours"),
    "bulls-and-cows": (BullsFeedback, "Bulls and Cows, {} distinct symbols of {}"),
    "black-pegs": (BlackFeedback, "Black pegs alone, {} pegs and {} colours"),
}


def presets() -> list[Preset]:
    """All presets in a fixed order. Beside them, `preset("mastermind:4x6")` takes any pegs x colours, and so do the
    other peg games."""
    return list(_PRESETS.values())


def preset(name: str) -> Preset:
    """The preset of that name, in any letter case; "nyt" is the newest list of the New York Times that is shipped."""
    if not isinstance(name, str):
        raise InputError(f"a game is named by text, such as 'classic', not {shown(name)}")
    plain = name.strip().lower()
    plain = ALIASES.get(plain, plain)
    if plain in _PRESETS:
        return _PRESETS[plain]
    if _is_sized(plain):
        return _sized(plain)
    hint = did_you_mean(plain, game_names(), f"there are {', '.join(game_names())}")
    if not plain:
        raise InputError(f"name a game{hint}")
    raise InputError(f"unknown game {quoted(name)}{hint}")


def game_names() -> list[str]:
    """All names of presets, those that stand for another among them."""
    return [*_PRESETS, *ALIASES]


def is_game(name: str) -> bool:
    """Whether this is meant as the name of a game, though perhaps of no good one."""
    plain = name.strip().lower()
    return plain in game_names() or _is_sized(plain)


def _is_sized(plain: str) -> bool:
    """Whether it begins as the name of a peg game of some size does."""
    game, colon, _ = plain.partition(":")
    return bool(colon) and game in _SIZED


def titled(name: str) -> str:
    """The name of a game, with the list of words that it stands for.

    >>> titled("nyt2023")
    'nyt2023 (New York Times list of July 2023)'
    """
    known = _PRESETS.get(name)
    return name if known is None or known.kind != "words" else f"{name} ({known.title})"


@cache
def _sized(name: str) -> Preset:
    game, _, size = name.partition(":")
    made, title = _SIZED[game]
    match = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", size)
    if match is None:
        raise InputError(f"game {quoted(name)}: write pegs x colours, such as {game}:4x6")
    pegs, colours = int(match[1]), int(match[2])
    feedback = made(pegs, colours)
    if feedback == _PRESETS[game].feedback:
        return _PRESETS[game]
    count = feedback.count or 0
    if count > LONGEST_LIST:
        raise InputError(f"game {quoted(name)} has {count} codes: at most {LONGEST_LIST} are possible")
    # Named without leading zeros, so that one game has one name.
    name = f"{game}:{pegs}x{colours}"
    codes = WordList("", count, sha256_of(feedback.all_guesses()))
    return _pegs(name, title.format(pegs, colours), feedback, codes)


def preset_of(feedback: Feedback | None, guesses_sha256: str, answers_sha256: str) -> Preset | None:
    """The preset with this feedback and these two lists, peg games of any size among them; None for other games.

    Lists alone tell no game: a matrix, or a kind of feedback of somebody's own, may have the words of a preset.
    """
    known = list(_PRESETS.values())
    if isinstance(feedback, PegFeedback | BullsFeedback | BlackFeedback) and feedback.count <= LONGEST_LIST:
        known.append(preset("{}:{}x{}".format(feedback.kind, *astuple(feedback))))
    wanted = (feedback, guesses_sha256, answers_sha256)
    return next((one for one in known if (one.feedback, one.guesses_sha256, one.answers_sha256) == wanted), None)


def frequencies() -> dict[str, int]:
    """How often each word stands in print: 14561 of the 14855 words; the others aren't in the table."""
    lines = data_file("frequencies.txt").read_text(encoding="utf-8").splitlines()
    return {word: int(count) for word, count in map(str.split, lines)}
