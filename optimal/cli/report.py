"""What fixed openers leave of the answers, and which first guesses win most on the second guess.

`report WORD...` tells of openers that are made whatever the feedback, then any word that fits: do they always
win, and which classes of answers do they leave? --wins and --worst rank first guesses by the answers that the
second guess finds; --search looks for openers that always win, and ends with status 1 when it finds none.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from optimal.cli import DONE, NO
from optimal.cli.common import (
    MOST_TOP,
    add_game,
    add_json,
    add_limit,
    check_no_file,
    game_of,
    print_json,
    print_text,
    take_game,
    whole_number,
)
from optimal.errors import InputError
from optimal.games.kinds import plain_word
from optimal.games.presets import titled
from optimal.show.text import columns, paragraph
from optimal.show.words import counted, quoted, within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optimal.baselines import OpeningReport
    from optimal.games.game import Game

TRIES, SEED, COUNT, RARE = 200, 42, 4, "jqxz"  # the search that found the openings in docs/baselines.md

EXAMPLES = (
    ("optimal report handy swift", "what two openers leave, whatever the colours"),
    ("optimal report --wins", "first guesses that win most on the second"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORD", help="openers, such as handy swift; a game may come first")
    add_game(parser, placed=False)
    add_limit(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--wins", action="store_true", help="first guesses by most guaranteed and most expected wins on the second"
    )
    what.add_argument("--worst", action="store_true", help="the same from the other end: the worst openers")
    what.add_argument(
        "--search", action="store_true", help="search for openers without a letter in common that always win"
    )
    parser.add_argument("--top", type=whole_number(1, MOST_TOP), default=10, metavar="N", help="rank N (default: 10)")
    parser.add_argument(
        "--tries",
        type=whole_number(1, MOST_TOP),
        default=TRIES,
        metavar="N",
        help=f"shuffles to search (default: {TRIES})",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, 2**53), default=SEED, metavar="N", help=f"of the shuffles (default: {SEED})"
    )
    parser.add_argument(
        "--count", type=whole_number(1, 26), default=COUNT, metavar="N", help=f"openers to search (default: {COUNT})"
    )
    parser.add_argument(
        "--without", default=RARE, metavar="LETTERS", help=f"letters that they must not have (default: {RARE})"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    named = take_game(arguments, arguments.words)
    check_no_file(arguments, named)
    words = [plain_word(word) for text in named for word in text.split(",")]
    if arguments.search:
        if words:
            raise InputError(f"--search finds openers by itself: leave out {' '.join(map(quoted, words))}")
        return _search(game_of(arguments), arguments)
    if arguments.wins or arguments.worst:
        return _wins(game_of(arguments), words, arguments)
    if not words:
        raise InputError("name openers, such as handy swift glove crump, or ask for --wins, --worst or --search")

    from optimal.baselines import opening_report

    game = game_of(arguments)
    report = opening_report(game, words)
    if arguments.json:
        print_json(report.to_dict())
    else:
        print_text(f"{titled(game.name)}, {counted(len(game.answers), 'answer')}\n{report.text()}")
    return DONE


def _wins(game: Game, words: Sequence[str], arguments: argparse.Namespace) -> int:
    from optimal.baselines import rank_openers, second_guess_wins, wins_text

    for word in words:
        game.guess_index(word)  # complains of a word that is no guess
    wins = [row for row in second_guess_wins(game) if not words or row.guess in words]
    ranked = {
        order: rank_openers(wins, order, worst=arguments.worst, top=arguments.top)
        for order in ("guaranteed", "expected")
    }
    if arguments.json:
        rankings = {order: [row.to_dict() for row in rows] for order, rows in ranked.items()}
        print_json({"game": game.name, "answers": len(game.answers), "worst": arguments.worst, **rankings})
        return DONE
    end = "fewest" if arguments.worst else "most"
    print(paragraph(f"{titled(game.name)}: of {len(game.answers)} answers, those that the second guess finds"))
    print("\n".join(wins_text(f"{end} {order} wins", rows) for order, rows in ranked.items()), end="")
    return DONE


def _search(game: Game, arguments: argparse.Namespace) -> int:
    from optimal.baselines import search_openings
    from optimal.cli.progress import Reporter

    without = plain_word(arguments.without)
    with Reporter(plain=not arguments.json, verbose=False) as reporter:
        found = search_openings(
            game,
            arguments.tries,
            arguments.seed,
            arguments.count,
            without,
            progress=lambda done, tries: reporter.step("looking for openings", done, tries),
        )
    if arguments.json:
        print_json(
            {
                "game": game.name,
                "tries": arguments.tries,
                "seed": arguments.seed,
                "count": arguments.count,
                "without": without,
                "openings": [report.to_dict() for report in found],
            }
        )
    else:
        _show(game, found, arguments.tries)
    return DONE if found else NO


def _show(game: Game, found: Sequence[OpeningReport], tries: int) -> None:
    if not found:
        told = f"{titled(game.name)}: none of {tries} shuffles brings openers that always win; another --seed may"
        print(paragraph(told), end="")
        return
    told = f"{titled(game.name)}: openers that always win {within(game.max_guesses)}, whichever words that fit follow"
    print(paragraph(told))
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
    print(columns(("openers", "total", "mean", "worst", "classes_by_size"), rows), end="")
