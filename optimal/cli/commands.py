"""What each command is for, in full, with examples, and which arguments it takes.

The command's code is `run(arguments)` in the module of its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from optimal.cli import options as opt
from optimal.cli.options import Option
from optimal.show.text import pairs

#: The forms that trees and keys are exported to, and the pictures among those of trees.
PAGE = "html"
TREE_FORMS = (PAGE, "json", "csv", "text", "svg")
PRINTED_FORMS = ("key", "markdown", "latex", "rtf")
KEY_FORMS = (PAGE, *PRINTED_FORMS, "indented", "svg", "dot", "json", "csv")
FORMS = tuple(dict.fromkeys((*TREE_FORMS, *KEY_FORMS)))
#: The pictures that `plot` draws.
PLOTS = ("distributions", "tree", "debrief", "classes", "gap")
RARE = "jqxz"  # letters that the openings in docs/howto/compare.md do without


@dataclass(frozen=True)
class Command:
    """A command as its help describes it.

    ``details`` go on after its line in `optimal --help`. ``hints`` are what an error adds for options that the command
    has not, and that somebody may well look for there; "=" stands for turns and replies.
    ``epilog`` is made when the help is shown.
    """

    details: str
    examples: Mapping[str, str]
    arguments: tuple[Option, ...]
    hints: Mapping[str, str] = field(default_factory=dict)
    epilog: Callable[[], str] | None = None


def _strategies() -> str:
    from optimal.baselines import entries  # here, because only the help of `compare` needs them

    names = [("optimal", "the shipped optimal tree of the game"), *((entry.name, entry.title) for entry in entries())]
    return f"strategies:\n{pairs(names)}"


COMMANDS = {
    "play": Command(
        """A key, which `optimal identify` writes, asks, and you type the replies, until it is known what it is; "?"
        stands for a reply that you don't know.""",
        {
            "optimal play": "today's Wordle",
            "optimal play --answer crane": "it plays by itself",
            "optimal play --rules hard": "hard rules",
            "optimal play mastermind": "another game",
        },
        (
            opt.TREE.but("...; or a game, whose shipped tree is played", nargs="?"),
            opt.game("--game GAME", f"play the shipped tree of this game (default: {opt.PLAYED_GAME})"),
            opt.RULES.but("and of these rules (default: normal)", default=None),
            opt.HARD,
            opt.question("--answer WORD", "play by itself until it finds this answer, or this object"),
            opt.TREE_MATRIX.but("..., for --answer"),
            *(option.but("...; for advice off the tree") for option in opt.WEIGHTS),
            opt.CONTRAST,
        ),
        hints={
            "--words": ": `optimal assist --words FILE` takes a list, and `optimal play TREE` the tree that `optimal "
            "solve --words FILE --output TREE` finds",
            "=": ": `optimal suggest` takes turns, `optimal suggest --table TABLE QUESTION=REPLY` replies to questions",
        },
    ),
    "assist": Command(
        """Type each guess with its feedback, such as salet=bybbb; the feedback alone when you made the guess that is
        advised. With --json the conversation goes to standard error, and at the end one JSON object has the turns
        and the last advice.""",
        {
            "optimal assist": "today's Wordle",
            "optimal assist --rules hard": "hard rules",
            "optimal assist --words own.txt": "a list of your own",
        },
        (
            *opt.game_options(opt.PLAYED_GAME),
            *opt.WEIGHTS,
            opt.CANDIDATES,
            opt.MAX_GUESSES,
            opt.top("how many guesses", 5, 1000),
            opt.JOBS,
            opt.TIME_LIMIT.but("until it advises (default: 1); :best goes on"),
            opt.CONTRAST,
        ),
    ),
    "suggest": Command(
        """Of each guess it is exact how many guesses it takes from now on over all answers left, on average and at
        worst. A position is the guesses made with their colours, such as salet=bybbb crony=byybb; without one, the
        start of the game. With --strategy another strategy gives its advice instead. --plot FILE draws the classes
        of the best guess, and with --strategy regions the regions of its letters.

        With --table, which is one of objects and questions, it says what to ask next, after replies such as Size=small;
        "?" is a reply that isn't known, small/sparrow one that may be either.""",
        {
            "optimal suggest salet=bybyb": "you have guessed salet: what is best now, in today's Wordle",
            "optimal suggest tarse=bbybb grind=bggbb --rules hard": "after two guesses, under hard rules",
            "optimal suggest mastermind 1123=1,1 --top 3": "another game, and only the best three",
            "optimal suggest salet=bybyb --strategy odds": "what another strategy says, and why",
            "optimal suggest --table guess-who hat=no": "what to ask next, of a table of objects and questions",
        },
        (
            opt.position("position GUESS=FEEDBACK", "such as salet=bybbb; a game may come first", nargs="*"),
            opt.TABLE_FILE,
            *opt.TABLE_PARTS,
            *opt.game_options(opt.PLAYED_GAME, placed=False),
            *opt.WEIGHTS,
            opt.CANDIDATES,
            opt.MAX_GUESSES,
            opt.top("how many guesses; ties of the last are shown too"),
            opt.output("--others", "all other legal guesses too, with proven bounds of their totals or chances"),
            *opt.ADVICE,
            opt.output("--plot FILE", "draw the classes of the best guess: .svg, .png or .pdf", file="write"),
            opt.strategies("--strategy NAME", "such as odds or odds=slate; see `optimal compare --help`"),
            opt.strategies("--board BOARD", "instead of a position: known letters and dots, such as C.G.."),
            opt.strategies("--good LETTERS", "letters known to be in the answer, for --board"),
            opt.strategies("--past WORD", "guesses made, for --board", nargs="+"),
            opt.strategies("--answer WORD", "instead of a position: every guess of its game when this is the answer"),
            replace(opt.SCORING, section="strategies"),
        ),
    ),
    "debrief": Command(
        """They are measured against exact best play. Name all guesses in their order, the answer last; or the guesses
        alone, and the answer of an unsolved game by --answer. With --grid the feedback comes from a pasted share
        grid, whose * stands for hard rules; the answer may then be left out. The limit of guesses is the game's; where
        not every answer can be found within it, chances to win are compared. By hard rules a poor first guess of a
        large game takes a while: --time-limit 20, or Ctrl-C, shows all that is known by then. With weights that limit
        is there unless you set one.""",
        {
            "optimal debrief salet round irony crony": "the guesses in their order, the answer last",
            "optimal debrief salet round --answer crony": "a game that was not won",
            "optimal debrief --grid share.txt salet round irony crony": "with the colours as they were shared",
        },
        (
            opt.words("guesses in playing order", nargs="+"),
            opt.question("--answer WORD", "the answer, where the last guess is another word"),
            opt.question("--grid FILE", "a share grid: a file, the text itself, or - for standard input", file="read"),
            *opt.game_options(opt.PLAYED_GAME, placed=False, rules=None),
            *opt.WEIGHTS,
            opt.CANDIDATES,
            opt.MAX_GUESSES,
            *opt.ADVICE,
        ),
    ),
    "page": Command(
        """It is the page of `optimal export --to
        html`, and stays where it is written, so that the browser finds it again. Of a key, which `optimal identify`
        writes, it is the page that asks.""",
        {
            "optimal page": "today's Wordle and the list of 2021, in the browser",
            "optimal page own.key": "a key of `optimal identify`",
            "optimal page nyt2023-hard mastermind-normal --output play.html": "other games, in a file that you can "
            "send to a friend",
        },
        (*opt.PAGE_TREES, opt.output_file("the file to write (default: optimal/page.html in your cache folder)")),
    ),
    "solve": Command(
        """Exit status 0: the tree is proven best (OPTIMAL); 3: it stopped with a tree that is not proven best
        (FEASIBLE); 1: there is no tree within the limit, or it stopped before it found one; 2: bad usage or bad
        input, or the tree that was found could not be written to the file named; 130: interrupted.""",
        {
            "optimal solve --jobs 2 --output classic.msgpack": "the best tree of the list of 2021, proven",
            "optimal solve --openers salet,crate": "which of two first guesses is better",
            "optimal solve mastermind:3x4 --certificate proof.xz": "with a proof for `optimal check`",
            "optimal solve --words own.txt --journal own.journal": "a list of your own; stopped, it goes on where it "
            "was",
        },
        (
            *opt.game_options(),
            opt.OBJECTIVE,
            *opt.WEIGHTS,
            opt.CANDIDATES,
            opt.MAX_GUESSES,
            opt.OPENERS,
            opt.question(
                "--position GUESS=FEEDBACK", "a tree from here on; limits count from the game's start", nargs="+"
            ),
            *opt.SEARCH,
            opt.gap("tree", "guesses"),
            opt.IMPORT,
            opt.output_file("write the strategy tree to this file", "TREE"),
            opt.CERTIFICATE,
            *opt.LOG,
        ),
    ),
    "rank": Command(
        """Of those named, of the best N with all ties, or of every one. With --journal FILE what is proven is kept, and
        the same command goes on where it stopped.""",
        {
            "optimal rank salet crane": "what two first guesses are worth",
            "optimal rank classic --top 10": "the best ten, and all that are as good",
            "optimal rank --words own.txt --csv own.csv": "of a list of your own, for a spreadsheet",
        },
        (
            opt.words("first guesses, as by --openers; parse+clint are two, made whatever the reply", file="read"),
            *opt.game_options(placed=False),
            *opt.WEIGHTS,
            opt.MAX_GUESSES,
            opt.OPENERS.but("value these first guesses (default: the best of all)"),
            opt.top("the best N with all ties").but("...", default=None),
            opt.question("--all-openers", "every first guess; the worst are the slowest"),
            opt.question("--pairs", "the best two first guesses that are made whatever the first reply; takes minutes"),
            opt.JOURNAL,
            opt.IMPORT,
            opt.JOBS,
            *opt.STOPS,
            *opt.LOG,
            opt.CSV,
        ),
    ),
    "status": Command(
        """It reads the journal of `optimal solve --journal FILE`, or of rank or identify, also while the run goes on.
        With --export the bounds of all openers go to a ledger, a small file from which anyone can go on: `--journal
        FILE --import LEDGER`. With --forget-imports the journal loses what it has from ledgers.""",
        {
            "optimal status own.journal": "how far `optimal solve --journal own.journal` is",
            "optimal status own.journal --export own.xz": "what is proven of every first guess, as a small file",
        },
        (
            opt.arguments("journal JOURNAL", "the journal of a run", file="journal"),
            opt.output("--export LEDGER", "write what is proven of every opener to this file", file="write"),
            opt.question("--forget-imports", "take all bounds back that --import has brought into the journal"),
            opt.output("--copy FILE", "copy the journal as it is now, also while its run goes on", file="write"),
        ),
    ),
    "identify": Command(
        """Its questions tell each object at the least expected cost, proven. TABLE has a row for each object, with its
        name first, and a column for each question: CSV with commas, semicolons or tabs, Excel, or .npy; or it is a
        matrix of NEXUS or DELTA. A cell that is empty or "?" is unknown, "a/b" varies. Or name one that ships: birds,
        car, guess-who, sorting:N, coins:N.""",
        {
            "optimal identify car -o car.key": "a key",
            "optimal identify guess-who --objective worst": "the fewest questions at worst",
            "optimal identify table.csv --limit 5 --strict": "a spreadsheet of your own, saved as CSV",
        },
        (
            opt.arguments("table TABLE", "the file, or the name of a table that ships", file="read"),
            *opt.TABLE_PARTS,
            opt.KEY_OBJECTIVE,
            opt.QUESTION_LIMIT,
            opt.question("--strict", "it is an error when there are objects that no question always tells apart"),
            opt.FIRST,
            *opt.SEARCH,
            opt.gap("key", "of the total"),
            opt.output_file("write the key to this file", "KEY"),
            opt.CERTIFICATE,
        ),
    ),
    "verify": Command(
        """Guesses are scored anew, by other code than the solver's. That proves the total, not that no tree has a
        lesser one. The tree of a bare matrix needs --matrix. Of a key, which `optimal identify` writes, every object
        is replayed; --table holds the table in it against yours.""",
        {
            "optimal verify classic-normal": "a tree that ships",
            "optimal verify own.key --table table.csv": "a key from `optimal identify`",
            "optimal verify tree.msgpack": "your own, from `optimal solve --output`",
        },
        (
            opt.TREE,
            *opt.LISTS,
            opt.TREE_MATRIX.but("...: CSV with labels; or numbers, whose labels --guesses and --answers have"),
            opt.TABLE_FILE.but("the table of a key"),
            *opt.TABLE_PARTS,
            opt.CONTRAST,
        ),
    ),
    "certify": Command(
        """It covers words, mastermind and bulls-and-cows under all rules and limits, for the objectives mean and worst,
        over all openers; and keys of tables, whose own files have all that it takes. Trees of own lists need
        --words, or --guesses and --answers.""",
        {
            "optimal certify tree.msgpack --words own.txt --output proof.xz": "the proof of a tree of your own list",
            "optimal certify birds.key --output proof.xz": "the proof of a key",
        },
        (
            opt.TREE.but("...; or a key"),
            opt.output_file("write the certificate to this file", required=True),
            *opt.LISTS,
            opt.JOBS,
        ),
    ),
    "check": Command(
        "Every claim is counted again.",
        {
            "optimal check mastermind-normal": "a proof that ships",
            "optimal check proof.xz --jobs 2": "your own, from `optimal certify`, on two cores",
            "optimal check birds.xz --key birds.key": "that a key is the best of its table",
        },
        (
            opt.arguments("certificate CERTIFICATE", "a file, or the name of one that ships, such as classic-normal"),
            opt.question("--key KEY", "the key that it should be of, whose table, limits and value are compared"),
            opt.JOBS,
        ),
    ),
    "games": Command(
        "With sizes and hashes of their lists.", {"optimal games": "names for --game, and for `optimal play`"}, ()
    ),
    "compare": Command(
        """They play against every answer of a game, beside its optimal tree and the proven least total. Strategies are
        named one after the other; first guesses may be forced after =, such as odds=slate,crony. A strategy of your
        own is named by its path, mine.py:Class or module:Class.""",
        {
            "optimal compare --strategies entropy odds": "two strategies beside the best tree",
            "optimal compare mastermind:3x3 --csv all.csv": "all that fit a game, for a spreadsheet",
        },
        (
            *opt.game_options(),
            opt.BASELINES.but("which (default: the shipped optimal tree and all that fit the game)"),
            opt.question("--tree TREE", "a tree file of this game, to play and to take the bound from", file="read"),
            opt.MAX_GUESSES,
            opt.SCORING,
            opt.JOBS,
            opt.CSV,
        ),
        epilog=_strategies,
    ),
    "report": Command(
        """`report WORD...` is about openers that are made whatever the feedback, then any word that fits: do they
        always win, and which classes of answers do they leave? --wins and --worst rank first guesses by the answers
        that the second guess finds; --search looks for openers that always win, and ends with status 1 when it finds
        none.""",
        {
            "optimal report handy swift": "what two openers leave, whatever the colours",
            "optimal report --wins": "first guesses that win most on the second",
        },
        (
            opt.words("openers, such as handy swift"),
            *opt.game_options(placed=False),
            opt.MAX_GUESSES,
            opt.question("--wins", "first guesses by guaranteed wins and by chances on the second"),
            opt.question("--worst", "the same from the other end: the worst openers"),
            opt.question("--search", "search for openers without a letter in common that always win"),
            opt.top("rank N"),
            opt.number("--tries", "shuffles to search", 1, opt.MOST_TOP, 200),
            opt.number("--seed", "of the shuffles", 0, 2**53, 42),
            opt.number("--count", "openers to search", 1, 26, 4),
            opt.question("--without LETTERS", "letters that they must not have", default=RARE),
        ),
    ),
    "export": Command(
        """Forms of trees: html, one page that plays them by look-up and needs no network; json, all that the tree's
        file says, and {"guess": "salet", "children": {"BYBBB": {"guess": ..., "children": {...}}}}; csv, a row for
        each answer with the guesses that find it; text; svg, a picture. Forms of keys: html, a page that
        asks; key, numbered leads as in floras, and markdown, latex and rtf, the same for documents; indented; svg; dot,
        for Graphviz; json; csv, a row for each object at each end.""",
        {
            "optimal export --to html --output play.html": "today's Wordle as a page, for a phone too",
            "optimal export tree.msgpack --output tree.json": "for another program; .csv, .txt and .html go too",
            "optimal export mastermind-normal --output tree.svg": "as a picture",
            "optimal export own.key --to key": "a key of `optimal identify`, as numbered leads",
            "optimal export own.key --output own.rtf --couplets": "for a word processor, two leads at a time",
        },
        (
            *opt.PAGE_TREES,
            opt.output("--to FORM", f"{', '.join(FORMS)} (default: what the name of the file ends in)"),
            opt.output_file("the file to write (default: standard output)"),
            opt.JSON.but("the same as --to json; with --output, print as JSON what was written"),
            opt.output("--csv", "the same as --to csv", action="store_const", const="csv", dest="to"),
            opt.TREE_MATRIX.but("..., for --to csv"),
            opt.output("--couplets", "print questions of more than two replies as couplets of two leads, the fewest"),
            opt.output("--indented", "print the leads of a key each above those that it leads to"),
        ),
    ),
    "plot": Command(
        """They are svg, png or pdf, and need matplotlib, the extra `plot`. distributions [TREE...]: how many answers
        each number of guesses finds, for trees and, with --strategies, for baselines of the game. gap JOURNAL: the
        best tree and the proven bound of a run over time. Both words may be left out. tree TREE: the tree, as
        `optimal export` draws it; without --output to a file of its name that ends in .svg. debrief GUESS...: skill
        lost and luck of a finished game, the answer last. classes GUESS [GUESS=FEEDBACK...]: how many candidates
        each reply to the guess leaves, at the start or at a position.""",
        {
            "optimal plot tree mastermind-normal --output tree.svg": "a tree, with the reply on every branch",
            "optimal plot classic-normal classic-hard --output both.svg": "how many answers each guess finds",
            "optimal plot debrief salet round irony crony --output game.svg": "skill and luck of a game",
        },
        (
            opt.arguments("what WHAT", f"which picture: {', '.join(PLOTS)}", file="read"),
            opt.words("trees, a journal, guesses or turns", file="read"),
            opt.BASELINES.but("baseline strategies beside the trees"),
            *opt.game_options("nyt, for strategies classic", placed=False),
            opt.CANDIDATES,
            opt.output_file("the picture: .svg, .png or .pdf"),
        ),
        hints={"--answer": ": the answer is the last word of `plot debrief`"},
    ),
}
