"""Every bad input gets one clear line that says what is wrong, and exit status 2."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from cli_util import run
from test_cli_tables import NAMES, PETS
from trees_util import matrix_tree, small_folder

from optimal.cli import COMMANDS

NAMED = " ".join(NAMES)
LISTS = "--guesses g.txt --answers a.txt"
GRID = "Wordle 1,234 2/6\n\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩\n"
A_TABLE = (
    "pets.csv: not a tree file but what looks like a table: `optimal identify TABLE --output KEY` makes a key of one"
)
NO_WORD = "pets.csv looks like a table, not a word: `optimal identify pets.csv` finds the key"

REFUSED = [
    # The command itself.
    ("slove", "unknown command 'slove': did you mean solve?"),
    ("mastermind:2x3", "'mastermind:2x3' is a game: name a command before it, such as `optimal suggest"),
    ("--json suggest salet=bybyb", "options come after the command: `optimal suggest --json`"),
    # Options.
    ("games classic", "unrecognized arguments: classic; see `optimal games --help`"),
    ("solve --opener salet", "unrecognized arguments: --opener: did you mean --openers?"),
    ("suggest salet=bybyb hard", "'hard' is no word of this game: write --rules hard"),
    ("rank salet --ultra-hard", "unrecognized arguments: --ultra-hard: write --rules ultra-hard"),
    ("solve hard", "'hard' is no game: write --rules hard"),
    ("suggest classic-ultra-hard crane=bbbbb", "no word of this game: write classic --rules ultra-hard"),
    ("suggest mastermind 1122,2,1", "'1122,2,1' is no turn of a position: write GUESS=FEEDBACK, the feedback such as"),
    ("play pets.key legs=2", "unrecognized arguments: legs=2: `optimal suggest` takes turns, `optimal suggest --table"),
    ("verify classic-normal --weights w", "--weights w: `optimal solve` alone takes weights"),
    ("debrief nyt classic salet crony", "a second game is named, 'classic'"),
    ("rank nyt classic salet", "a second game is named, 'classic'"),
    ("report handy swift --hard", "report is for normal rules: others may forbid the guesses to come"),
    ("report --search --rules ultra-hard", "report is for normal rules: others may forbid the guesses to come"),
    ("suggest sale=bybb", "turn 1: 'sale' has 4 letters, and words of this game have 5"),
    ("play --hard --rules normal", "--hard and --rules are both given: give one"),
    ("suggest --used a.txt --used b.txt", "--used is given twice: give one"),
    ("plot debrief salet --answer crane", "the answer is the last word of `plot debrief`"),
    ("play --answer crane --answer slate", "--answer is given twice: give one"),
    ("solve --rules hrad", "argument --rules: unknown rules 'hrad': there are normal, hard"),
    ("solve --max-guesses 0", "'0' is not a limit of guesses: give a number from 1 on, or none"),
    ("solve --jobs 0", "argument --jobs: '0' is not a whole number from 1 to"),
    ("solve --time-limit 0", "the time limit must be more than 0 seconds and at most 1000000000, not 0.0"),
    ("identify birds --time-limit 0", "the time limit must be more than 0 seconds and at most 1000000000, not 0.0"),
    ("solve --time-limit soon", "'soon' is not a time: give seconds, such as 90, or such as 4m or 2h"),
    ("solve --memory-limit 2", "'2' is not an amount of memory: write such as 800M or 2G"),
    # Games, words and turns.
    ("suggest clasic salet=bybbb", "unknown game 'clasic': did you mean classic"),
    ("rank classic --game nyt2022", "the game is named twice, 'classic' and --game 'nyt2022'"),
    ("suggest salet=bybyb classic", "'classic' is a game: name it before the turns, or by --game"),
    (f"solve classic {LISTS}", "name a game, 'classic', or give --guesses and --answers, not both"),
    ("solve --words a.txt --answers a.txt", "in one: leave out --answers"),
    ("solve --length 5", "--length is for own lists of words"),
    ("solve --guesses g.txt", "--answers is missing: own lists need both"),
    ("solve --guesses latin.txt --answers a.txt", "latin.txt, line 1: not UTF-8"),
    ("rank cornd", "'cornd' is not among the 12972 guesses of classic: did you mean corny or"),
    ("solve --openers salte", "'salte' is not among the 12972 guesses of classic: did you mean slate or salet or"),
    ("rank tarse salet", "'tarse' is not among the 12972 guesses of classic; nyt has it: name that game"),
    ("solve --openers ''", "no opener is named; write such as salet,crane"),
    ("rank salet --openers crane", "as words, and by --openers; write --openers WORD,WORD"),
    ("rank --all-openers --top 3", "all openers are asked for: give no openers"),
    ("rank --pairs --rules hard", "under hard rules a reply may forbid the second guess"),
    ("rank --pairs --weights frequency", "the best pairs are of all, for equal weights"),
    ("suggest classic 'salet=bybbb trace=bbbbb'", "(salet=BYBBB) and turn 2 (trace=BBBBB) contradict each other: no"),
    ("play --used nofile", "can't read the words used before nofile"),
    ("play --answer crane --used u", "--used and --weights are for exact advice in a game: leave them out with"),
    ("suggest salet=bbbbb --strategy odds --used u", "--used and --weights are for exact advice in a game: leave them"),
    ("suggest classic salet=gbbbb crony=bbbbb --rules ultra-hard", "turn 2 is illegal under ultra-hard rules: 'crony'"),
    ("suggest classic salet=bybb", "turn 1, 'salet': feedback 'bybb' has 4 marks"),
    ("suggest classic salet=bybbb zzzzz=bbbbb", "turn 2: 'zzzzz' is not among the 12972 guesses of classic"),
    ("suggest classic crony=ggggy", "turn 1 may be mistyped: crony=GGGGB would leave 1 word\n"),
    ("suggest classic crane=bbbbb --max-guesses 1", "no guess is left: 1 are made, and the limit is 1"),
    ("solve --position crony=ggggg", "turn 1, crony=GGGGG, found the answer: the game is over"),
    ("debrief classic", "no guess is named: give all guesses in their order, the answer last"),
    ("debrief salet=bybyb crane=ggggg", "'salet=bybyb': name the guesses alone, the answer last"),
    ("debrief salet:bybyb crane", "'salet=bybyb': name the guesses alone, the answer last"),
    ("debrief classic crony salet --answer crony", "guess 1, crony, found the answer; salet comes after it"),
    ("debrief classic crony --grid latin.txt", "latin.txt, line 1: not UTF-8; save the grid as UTF-8"),
    ("debrief classic crane salet crony --rules hard", "turn 2 is illegal under hard rules: 'salet' breaks"),
    ("debrief classic salet --grid 'hello\nhello'", "row 1 of the grid: feedback 'hello'"),
    ("debrief classic salet crony --grid 'ybbbb\nggggg'", "row 1 of the grid is YBBBB, but salet against crony"),
    ("debrief classic crane crony --grid 'bbbbb\nybbbb\nbbbbb\nggggg'", "the grid has 4 rows, but there are 2 guesses"),
    ("debrief classic crony --grid grid.txt", "the grid has a row for a guess that is not named, and 235 words fit"),
    # Files of another kind, or that can't be used.
    ("solve empty.txt", "empty.txt is a file, not a game: `--words empty.txt` takes a list of words"),
    (f"play {'a' * 100_000}", "there is no game, no tree and no file 'aaaaaaaaaaaa"),
    ("assist gone.txt", "there is no file 'gone.txt'"),
    ("play g.txt", "g.txt is a file, not a strategy tree: `optimal assist --words g.txt` takes a list of words"),
    ("verify g.txt", "not a tree file: it does not begin as one; `optimal solve --words FILE --output TREE` makes one"),
    ("assist salet=bybbb", "'salet=bybbb' is a turn, and no game: `optimal suggest` takes turns, and `optimal"),
    ("play salet=bybbb", "'salet=bybbb' is a turn, and no game: `optimal suggest` takes turns, and `optimal"),
    ("suggest g.txt salet=bybbb", "g.txt is a file, not a word: `--words g.txt` takes a list of words"),
    ("suggest tree.msgpack salet=bybbb", "tree.msgpack is a strategy tree, not a word: `optimal play"),
    ("rank --journal grid.txt", "grid.txt: not a journal of optimal"),
    (f"solve {LISTS} --weights g.txt", "is not a word and a number"),
    (f"solve {LISTS} --output ''", "the name of the output file is empty"),
    (f"solve {LISTS} --output round", "cannot write round: the link leads nowhere"),
    ("verify cut.msgpack", "cut.msgpack: the tree file ends too early"),
    ("verify tree.msgpack --matrix g.txt", "--matrix is for the trees of bare matrices"),
    ("verify", "the following arguments are required: TREE"),
    ("play no.key", "there is no file 'no.key'\n"),
    ("check no.xz", "there is no certificate file 'no.xz'\n"),
    ("play cut.key", "cut.key: the key file ends too early: it is truncated\n"),
    ("check j", "j is a journal"),
    ("check pets.key", "pets.key is a key, not a certificate: `optimal play pets.key` asks along it, `optimal certify"),
    ("check car", "'car' is a table: `optimal identify car --certificate FILE` writes"),
    ("check pets.xz --key pets.csv", "pets.csv: not a key file but what looks like a table: `optimal identify TABLE"),
    *((f"{command} pets.csv", A_TABLE) for command in ("play", "verify", "page", "certify -o p.xz")),
    ("play birds", "'birds' is a table: `optimal identify birds --output birds.key` makes"),
    ("rank pets.csv", NO_WORD),
    ("suggest birds Where=?", "'birds' is a table: write --table birds\n"),
    ("plot tree pets.key", "pets.key: not a tree file but a key: `optimal play KEY` asks along it, `optimal export"),
    # No output over a file that is read, nor over another output.
    *(
        (words, f"{named} name the same file, {path}")
        for words, named, path in (
            ("solve --matrix m.csv --output m.csv", "--matrix and --output", "m.csv"),
            (f"solve {LISTS} --certificate link.txt", "--answers and --certificate", "a.txt"),
            (f"solve {LISTS} --certificate hard.txt", "--answers and --certificate", "a.txt"),
            ("solve --words a.txt --journal a.txt", "--words and --journal", "a.txt"),
            ("solve --words a.txt -o new --certificate new", "--output and --certificate", "new"),
            ("rank @g.txt --words a.txt --csv g.txt", "WORD and --csv", "g.txt"),
            (f"debrief salet wreck --grid grid.txt {LISTS} --csv grid.txt", "--grid and --csv", "grid.txt"),
            ("export tree.msgpack --to json --output tree.msgpack", "TREE and --output", "tree.msgpack"),
            ("status grid.txt --copy new --export new", "--export and --copy", "new"),
        )
    ),
    # Games as tables.
    ("solve --matrix number.csv --words number.csv", "--matrix is a whole game: leave out --words"),
    ("solve --matrix number.csv --length 5", "--length is for lists of words"),
    ("solve --matrix number.csv --winning left", "no feedback is called 'left'"),
    ("solve --matrix number.csv --rules hard", "hard rules need words"),
    ("solve --winning right", "--winning goes with --matrix FILE"),
    # Certificates.
    ("solve --weights frequency --certificate x.xz", "certificates cover answers of one weight"),
    ("solve --objective within:3 --certificate x.xz", "certificates cover the objectives mean and worst"),
    ("solve --openers salet --certificate x.xz", "certificates cover all openers"),
    ("solve --position salet=bbbbb --certificate x.xz", "certificates cover trees from the start"),
    ("certify best.msgpack -o x.xz", "give them with --words, or --guesses and --answers"),
    ("certify best.msgpack -o x.xz --guesses g.txt --answers g.txt", "the lists are not those of the tree"),
    (f"certify one.msgpack -o x.xz {LISTS}", "certificates cover all openers"),
    ("check .", "Is a directory"),
    # Playing and exporting.
    ("play tree.msgpack --rules hard", "name a tree, or a game and its rules, not both"),
    ("play tree.msgpack --answer zesty", "'zesty' is not one of the 20 answers of this tree"),
    ("play pets.key --rules hard", "pets.key is a key, which asks by itself: leave out --rules\n"),
    ("play pets.key --answer hem", "there is no object 'hem': did you mean hen?\n"),
    ("play --game mastermind:2x3", "no tree of mastermind:2x3 under normal rules is shipped"),
    ("play gone", "there is no game, no tree and no file 'gone': `optimal play` alone is today's Wordle"),
    ("play --words g.txt", "--words: `optimal assist --words FILE` takes a list"),
    ("play matrix.msgpack --answer 3", "is a bare matrix, whose feedback is not in the tree's file: add --matrix FILE"),
    ("export tree.msgpack", "name a form: --to html, json, csv"),
    ("export tree.msgpack --to docx", "trees have no form 'docx'; name a form: --to html, json, csv, text, svg\n"),
    ("export tree.msgpack tree.msgpack --to text", "--to text takes one tree, not 2; --to html takes"),
    ("export 'two\nlines\x1b[31m' --to text", "there is no tree file 'two"),
    ("export --to json", "--to json takes a tree: name one"),
    ("export tree.msgpack --to html --json", "--json and --to html both go to standard output"),
    ("export tree.msgpack --to html --guesses a.txt", "guesses are not those of twenty"),
    ("export tree.msgpack --to text --guesses g.txt", "--guesses goes with --to html"),
    ("export pets.key tree.msgpack --to html", "pets.key is a key, whose page has it alone"),
    ("export pets.key --to csv --couplets", "--couplets goes with a key and --to key, markdown, latex, rtf"),
    ("export pets.key --to csv --matrix m.csv", "--matrix goes with a tree"),
    # Strategies and openings.
    ("compare --strategies optimal --max-guesses none", "normal rules, no limit of guesses: solve it"),
    ("compare --strategies entrpy", "unknown strategy 'entrpy': did you mean entropy"),
    ("compare --strategies odds=", "names no word after ="),
    (f"compare {LISTS} --strategies odds=slate", "opens with 'slate', which is not among"),
    ("compare --strategies entropy classic", "'classic' for a strategy: name the game before it"),
    ("compare mastermind:2x3 --strategies odds", "looks at letters, and mastermind:2x3 has no words"),
    (f"compare {LISTS} --scoring naive --rules hard", "the naive rule goes with normal rules"),
    (f"compare {LISTS} --csv --json", "name a file after --csv"),
    ("compare --csv classic", "--csv takes 'classic' for a file: put it before --csv, or name a file such as out.csv"),
    (f"compare {LISTS} --tree matrix.msgpack", "its tree has another kind of feedback than a"),
    ("report", "name openers, such as handy swift glove crump, or ask for --wins, --worst or --search"),
    ("report abhor cleft dumpy swing abbey abbot", "need a limit of 7"),
    (f"report {LISTS} salet salet", "each may stand once"),
    (f"report {LISTS} --wins --worst", "--wins and --worst are the two ends of one ranking"),
    (f"report {LISTS} --search salet", "--search finds openers by itself: leave out 'salet'"),
    ("report --search --game mastermind:2x3", "has no words: openings are searched for by their letters"),
    (f"suggest --strategy odds {LISTS} salet", "'salet' is no turn of a position: write GUESS=FEEDBACK"),
    (f"suggest --strategy odds {LISTS} cigar=ggggg", "cigar=GGGGG found the answer: the game is over"),
    (f"suggest --strategy odds {LISTS} --board c.... --rules hard", "leave out --rules hard, or ask odds-hard"),
    (f"suggest --strategy odds {LISTS} salet=bybbb --board .....", "not two of them"),
    (f"suggest --strategy odds {LISTS} --answer salet", "'salet' is not among the 20 answers"),
    (f"suggest --strategy odds {LISTS} --good ai", "--good and --past go with --board"),
    ("suggest classic --strategy odds --board C.G.", "board 'C.G.' has 4 places"),
    ("suggest classic --strategy odds --board C.G.1", "neither a letter nor a dot"),
    ("suggest classic --strategy odds --board ..... --good a1", "give letters alone"),
    ("suggest classic --strategy odds --board ..... --past zzzzz", "not among"),
    ("suggest classic --strategy odds --board zzzzz", "no answer fits board"),
    ("suggest --board C.G..", "--board goes with --strategy NAME"),
    # Pictures.
    ("plot distributions --output a.svg", "name trees, such as classic-normal, or --strategies"),
    ("plot distributions tree.msgpack --output a.gif", "a picture is a file that ends in .svg, .png or .pdf, not"),
    ("plot tree tree.msgpack --output a.png", "a tree is drawn as SVG: name a file that ends in .svg"),
    ("plot gap --output a.svg", "name one journal"),
    ("plot classes salet=bbbbb --output a.svg", "name a guess and then the position"),
    ("plot debrief crony --strategies odds --output a.svg", "--strategies goes with plot distributions"),
    ("plot portrait --output a.svg", "no picture 'portrait'; there are distributions,"),
    ("suggest --strategy odds --plot a.svg", "of the strategies only regions has a picture"),
    # Tables.
    (f"identify pets.csv --strict {NAMED}", "pets.csv: no question tells apart hen, duck"),
    ("identify pets.csv --cost-row prize", "pets.csv: no row is called 'prize', for costs: did you mean price?"),
    (f"identify pets.csv {NAMED} --openers leg", "there is no question 'leg': did you mean legs?"),
    ("identify birds --first Sise", "there is no question 'Sise': did you mean Size?"),
    ("identify birds --without Sise", "birds: no column is called 'Sise', for questions: did you mean Size?"),
    ("identify birds --only tial", "birds: no column is called 'tial', for questions: did you mean Tail?"),
    ("identify birds --classes Size:1,Q:2", "called 'Q', for questions: there are group, seen, Size, Breast"),
    ("identify birds --classes Size:1,2,Tail:3,Size:4", "--classes has 'Size' twice: give all of its borders at once"),
    ("identify birds --classes Size:1,Tail:x", "a border of 'Tail': 'x' is no"),
    ("identify birds --classes Size", "'Size' names no borders of classes: write such as size:10,20"),
    ("identify birds --first Size --openers Tail", "--first and --openers are both given: give one"),
    ("identify birds --cost-row effort --cost-row=x", "--cost-row is given twice: give one"),
    ("identify pets.key", "pets.key is a key, not a table: `optimal play pets.key` asks along it"),
    ("identify brids", "there is no file 'brids', and no table of that name ships: did you mean birds?"),
    ("identify sorting:05", "has N from 3 to"),
    ("identify coins:2", "has N from 3 to"),
    (f"suggest --table pets.csv {NAMED} legs=7", "there is no reply to 'legs' '7': there are 2, 4"),
    (f"suggest --table pets.csv {NAMED} leg=4", "there is no question 'leg': did you mean legs?"),
    (f"suggest --table pets.csv {NAMED} legs", "'legs' is no question and reply, such as legs=..."),
    (f"suggest --table pets.csv {NAMED} legs=4 sings=yes", "no object fits 'sings'='yes' after what was said"),
    ("suggest --cost-row price", "--cost-row goes with --table: it is about a table"),
    ("verify classic-normal --transpose", "--transpose goes with --table: it is about a table"),
    ("verify classic-normal --table pets.csv", "--table is for keys; classic-normal is a tree"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small lists, a tree and a key, and files that are wrong in every way."""
    here = small_folder(tmp_path_factory.mktemp("refusals"))
    (here / "latin.txt").write_bytes(b"caf\xe9s\n")
    (here / "grid.txt").write_text(GRID, encoding="utf-8")
    (here / "pets.csv").write_text(PETS, encoding="utf-8")
    (here / "number.csv").write_text(",1,2\n1,right,higher\n2,lower,right\n", encoding="utf-8")
    (here / "empty.txt").touch()
    for name, to in (("link.txt", "a.txt"), ("round", "round")):
        (here / name).symlink_to(to)
    (here / "hard.txt").hardlink_to(here / "a.txt")
    matrix_tree().save(here / "matrix.msgpack")
    (here / "cut.msgpack").write_bytes((here / "tree.msgpack").read_bytes()[:-9])
    made = run(here, "identify", "pets.csv", *NAMES, "-o", "pets.key", "--certificate", "pets.xz", "--journal", "j")
    assert made.status == 0, made.err
    for name, *words in (("best.msgpack",), ("one.msgpack", "--openers", "salet")):
        assert run(here, "solve", *LISTS.split(), *words, "-o", name).status == 0
    (here / "cut.key").write_bytes((here / "pets.key").read_bytes()[:5])
    return here


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=[words[:60] for words, _ in REFUSED])
def test_bad_input_is_one_clear_line(folder: Path, words: str, message: str) -> None:
    before = {file: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    command, *options = shlex.split(words)
    if "plot" in words:
        pytest.importorskip("matplotlib", reason="needs matplotlib, the extra `plot`")
    done = run(folder, command, *options)
    assert (done.status, done.out, done.err.count("\n"), "\x1b" in done.err) == (2, "", 1, False)
    assert message in done.err
    assert done.err.startswith(f"optimal {command}: " if command in COMMANDS else "optimal: ")
    assert {file: file.read_bytes() for file in folder.iterdir() if file.is_file()} == before


def test_what_is_no_such_file_may_be_named_twice(folder: Path) -> None:
    # A weight's name is no file of that name; a device is read and written; one list may be guesses and answers.
    (folder / "uniform").write_text("keep")
    lists = ("--guesses", "a.txt", "--answers", "a.txt")
    done = run(folder, "solve", *lists, "--weights", "uniform", "--output", "uniform")
    assert (done.status, done.err) == (0, "")
    done = run(folder, "debrief", "wreck", *LISTS.split(), "--grid", "-", "--csv", typed="🟩🟩🟩🟩🟩\n")
    assert (done.status, done.err) == (0, "")
