"""`optimal report`: fixed openings, and first guesses that win on the second."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence

from optimal.baselines.openings import (
    OpeningReport,
    opening_report,
    rank_openers,
    search_openings,
    second_guess_wins,
)
from optimal.cli.console import DONE, NO
from optimal.cli.output import print_result
from optimal.cli.problems import game_of, guesses_in, take_game
from optimal.cli.progress import Reporter
from optimal.errors import InputError
from optimal.games.game import Game
from optimal.games.kinds import plain_word
from optimal.games.presets import titled
from optimal.show.text import columns, paragraph
from optimal.show.words import counted, quoted, within


def run(arguments: Namespace) -> int:
    words = [plain_word(word) for word in guesses_in(take_game(arguments, arguments.words))]
    if arguments.search:
        if words:
            raise InputError(f"--search finds openers by itself: leave out {' '.join(map(quoted, words))}")
        return _search(game_of(arguments), arguments)
    if arguments.wins or arguments.worst:
        return _wins(game_of(arguments), words, arguments)
    if not words:
        raise InputError("name openers, such as handy swift glove crump, or ask for --wins, --worst or --search")
    game = game_of(arguments)
    report = opening_report(game, words)
    heading = f"{titled(game.name)}, {counted(len(game.answers), 'answer')}"
    print_result(arguments, report.to_dict(), f"{heading}\n{report.text()}")
    return DONE


def _wins(game: Game, words: Sequence[str], arguments: Namespace) -> int:
    """Rank first guesses by the answers that the second guess finds."""
    if arguments.wins and arguments.worst:
        raise InputError("--wins and --worst are the two ends of one ranking: give one of them")
    for word in words:
        game.guess_index(word)  # complains of a word that is no guess
    wins = [row for row in second_guess_wins(game) if not words or row.guess in words]
    ranked = {
        order: rank_openers(wins, order, worst=arguments.worst, top=arguments.top)
        for order in ("guaranteed", "expected")
    }
    asked = {"game": game.name, "answers": len(game.answers), "worst": arguments.worst}
    found = "those that the second guess finds, the first word among them"
    counts = "guaranteed, as the only ones left; and the chances 1 in n of all replies, n answers left, added up"
    no_count = "Each reply counts once there, however often it comes: that is no number of answers."
    caption = paragraph(f"{titled(game.name)}: of {len(game.answers)} answers, {found}: {counts}. {no_count}")
    fields = {order: ranking.to_dict()["guesses"] for order, ranking in ranked.items()}
    tables = [ranking.text() for ranking in ranked.values()]
    print_result(arguments, {**asked, **fields}, "\n".join([caption, *tables]))
    return DONE


def _search(game: Game, arguments: Namespace) -> int:
    """Look for openers that always win."""
    asked = {"tries": arguments.tries, "seed": arguments.seed, "count": arguments.count}
    without = plain_word(arguments.without)
    with Reporter(plain=not arguments.json) as reporter:
        found = search_openings(
            game,
            arguments.tries,
            arguments.seed,
            arguments.count,
            without,
            progress=lambda done, tries: reporter.step("looking for openings", done, tries),
        )
    fields = {"game": game.name, **asked, "without": without, "openings": [report.to_dict() for report in found]}
    print_result(arguments, fields, _openings_text(game, found, arguments.tries))
    return DONE if found else NO


def _openings_text(game: Game, found: Sequence[OpeningReport], tries: int) -> str:
    if not found:
        none = f"none of {tries} shuffles brings openers that always win; another --seed may"
        return paragraph(f"{titled(game.name)}: {none}")
    always = f"openers that always win {within(game.max_guesses)}, whichever words that fit follow"
    rows = [
        (
            " ".join(report.openers),
            report.total,
            report.mean,
            report.worst,
            " ".join(f"{size}:{count}" for size, count in report.class_sizes.items()),
        )
        for report in found
    ]
    table = columns(("openers", "total", "mean", "worst", "classes_by_size"), rows)
    return f"{paragraph(f'{titled(game.name)}: {always}')}\n{table}"
