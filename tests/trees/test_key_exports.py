"""What keys are written as, what rules of thumb make, and what a table tells beside its key."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import shutil
import subprocess
import xml.dom.minidom
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from operator import mul

import numpy as np
import pytest
from tables_util import PETS, best, random_table, random_varying

from optimal.advice.asking import Asker, replies_of
from optimal.errors import InputError
from optimal.page.keys import export_key
from optimal.search.identify import identify
from optimal.search.rules_of_thumb import RULES, greedy
from optimal.tables.findings import told_by_one, told_names
from optimal.tables.table import Table
from optimal.trees.key import Key
from optimal.trees.key_export import _latex_text, indented
from optimal.trees.key_leads import lead_letters

KEY = best(PETS)


def text_of(form: str, key: Key = KEY, **options: bool) -> str:
    return export_key(key, form, **options)


PETALS, INAPPLICABLE = (
    Table.from_arrays(
        [["3/4", "below 2"], ["5", "2 to 4"], [f"{none}/6", "4 to 8"], ["7/8", "above 8"], ["3", "above 8"]],
        questions=["Petals", "Leaf"],
        objects=["Iris", "Viola", "Acer", "Rosa", "Lilium"],
    )
    for none in ("none", "inapplicable")
)


@pytest.mark.parametrize(
    ("asked", "couplets", "leads"),
    [
        (0, False, "3; 4; 5; 6 or none; 7-8"),
        (0, True, "none; not none; up to 4; 5 or more; 3; 4; 5; 6 or more; 6; 7-8"),
        (1, True, "up to 4; above 4; below 2; 2 to 4; 4 to 8; above 8"),
    ],
)
def test_numbers_are_ranges_and_are_parted_at_thresholds(asked: int, couplets: bool, leads: str) -> None:
    for table in (PETALS, INAPPLICABLE):
        text = text_of("key", best(table.where(np.arange(table.variants), [1 - asked])), couplets=couplets)
        assert "; ".join(re.findall(r": (.*?) \.{3}", text)) == leads
        leads = leads.replace("not none", "applicable").replace("none", "inapplicable")


def test_replies_that_might_be_several_are_quoted_among_others() -> None:
    table = Table.from_arrays([["red"], ["red, blue"], ["blue or red"], ["green"]], questions=["hue"])
    leads = re.findall(r"hue: (.*?)(?: \.{3}|$)", text_of("key", best(table), couplets=True), re.MULTILINE)
    assert leads[:2] == ['red or "red, blue"', '"blue or red" or green']
    assert set(leads[2:]) == {"red", "red, blue", "blue or red", "green"}


def test_letters_and_levels() -> None:
    assert [lead_letters(number) for number in (0, 25, 26, 27, 701, 702)] == ["a", "z", "aa", "ab", "zz", "aaa"]
    assert "".join(indented(KEY, 1)) == "legs: 2 (3: sings?)\nlegs: 4 ... cat\n"


#: A line of each form as the number and the letters of a lead, its words, and where it leads.
LINES = {
    "key": r"^ *(\d+)([a-z]+)\.(?: \(\d+\))? (.*?)(?: \.{3,} (.*))?$",
    "markdown": r"^ *(?:- )?\*\*(\d+)([a-z]+)\.\*\*(?: \(\d+\))? (.*?)(?: \.{3} (.*?))?\\?$",
    "latex": r"^\\.*em \\textbf{(\d+)([a-z]+)}(?: \(\d+\))? (.*?)(?: \\dotfill\\ (.*))?\\par$",
    "rtf": r"^\\pard.* {\\b (\d+)([a-z]+)\.}\\tab(?: \(\d+\))? (.*?)(?:\\tab (.*))?\\par$",
}


def holds(said: str, reply: str) -> bool:
    """Whether a lead names the reply."""
    if found := re.fullmatch(r"up to (\d+)|(\d+) or more|(\d+)-(\d+)", said):
        return int(found[2] or found[3] or 0) <= int(reply) <= int(found[1] or found[4] or 99)
    one, *others = re.split(", | or ", said)
    return any(holds(part, reply) for part in (one, *others)) if others else reply == said


def followed(leads: list[tuple[str, str, str, str]], replies: dict[str, str]) -> tuple[str, int]:
    """Where a reader of the leads ends with these replies, and how many numbers come before."""
    number, read = "1", 0
    while number.isdecimal():
        fits = []
        for place, (its, _, words, to) in enumerate(leads):
            question, said = words.split(": ")
            if its == number and holds(said.removeprefix("not "), replies[question]) != said.startswith("not "):
                fits.append(to or leads[place + 1][0])
        (number,), read = fits, read + 1
    return number.replace(" (in part)", ""), read


@pytest.mark.parametrize("form", LINES)
@pytest.mark.parametrize("seed", range(8))
def test_all_forms_of_an_object_come_to_it_by_the_leads(form: str, seed: int) -> None:
    r = random.Random(seed)
    table = random_table(r, questions=3) if seed % 2 else random_varying(r).table()
    key = best(table)
    for couplets, nested in product((False, True), repeat=2):
        text = text_of(form, key, couplets=couplets, indented=nested)
        leads = re.findall(LINES[form], re.sub(r"\n +(?!\d+[a-z]+\.| |- )", " ", text), re.MULTILINE)
        assert form != "key" or not leads or max(map(len, text.splitlines())) <= 80
        assert set(Counter(number for number, *_ in leads).values()) <= ({2} if couplets else {2, 3})
        if form == "rtf":
            assert (text.isascii(), text.count("{"), text[-3:]) == (True, text.count("}"), "\n}\n")
        for path, end, _ in (way for place in range(len(key.objects)) for way in key.ways(place)):
            assert end is not None
            replies = {key.label(step): key.reply(step, code) for step, code in path}
            name = key.named(end)
            assert followed(leads, replies)[0] == name if leads else name in text


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_no_couplets_are_read_less(seed: int, ordered: bool) -> None:
    """Of words none at all; of numbers none that are parted at thresholds."""
    r = random.Random(seed)
    weights = [r.choice([0, 1, 1, 2, 3, 5, 30]) for _ in range(r.randint(2, 6))] + [1]

    def least(left: tuple[int, ...]) -> int:
        if len(left) == 1:
            return 0
        splits = (split for size in range(1, len(left)) for split in combinations(range(len(left)), size))
        splits = (split for split in splits if not ordered or split[-1] == len(split) - 1)
        ways = ([[left[i] for i in range(len(left)) if (i in split) == side] for side in (0, 1)] for split in splits)
        return sum(left) + min(least(tuple(a)) + least(tuple(b)) for a, b in ways)

    names = [(str(2 * i), str(2 * i + 1)) if ordered else (f"s{i}", f"l{i}") for i in range(len(weights))]
    cells = [[r.choice([one, f"{one}/{other}"])] for one, other in names]
    key = best(Table.from_arrays(cells, weights=weights))
    leads = re.findall(LINES["key"], text_of("key", key, couplets=True), re.MULTILINE)
    read = [followed(leads, {"question 1": one})[1] for one, _ in names]
    assert sum(map(mul, weights, read)) == least(tuple(weights))


@pytest.mark.parametrize("seed", range(20))
def test_every_form_has_every_end(seed: int) -> None:
    table = random_table(random.Random(seed))
    key = best(table)
    rows = list(csv.DictReader(io.StringIO(text_of("csv", key))))
    weights = {name: Fraction(0) for name in table.objects}
    for row in rows:
        weights[row["object"]] += Fraction(row["weight"]).limit_denominator(1000)
    for place, weight in enumerate(weights.values()):
        assert weight == Fraction(int(table.weights[table.object_of == place].sum()), table.weight_scale)
    paid = sum(Fraction(row["weight"]).limit_denominator(1000) * Fraction(row["cost"]) for row in rows)
    assert paid == Fraction(key.total, table.weight_scale * table.cost_scale)
    ends = [step for step in key.root.nodes() if step.question is None]
    assert len(rows) == sum(len(step.objects) for step in ends)
    assert text_of("dot", key).count("plaintext") == len(ends)
    xml.dom.minidom.parseString(text_of("svg", key))
    assert json.loads(text_of("json", key))["value"] == list(key.value)


def test_what_latex_stops_at() -> None:
    for text, other in {"♂": "(male)", "≤": r"\ensuremath{\le}", "ẽ": "e", "₂": r"\textsubscript{2}"}.items():
        assert _latex_text(f"a{text}%") == rf"a\orelse{{{text}}}{{{other}}}\%"
    whole = {
        "⅔": "2/3",
        "⅛": "1/8",
        "\N{FULLWIDTH PERCENT SIGN}": r"\%",
        "\N{FULLWIDTH AMPERSAND}": r"\&",
        "≮": "(not less-than)",
        "≯": "(not greater-than)",
        "℃": "(degree celsius)",
        "\N{SMALL TILDE}": "(small tilde)",
        "℠": r"\textsuperscript{SM}",
    }
    for text, other in whole.items():
        assert _latex_text(f"a{text}%") == rf"a\orelse{{{text}}}{{{other}}}\%"
    assert _latex_text("1⅔") == r"1\orelse{⅔}{ 2/3}"
    assert _latex_text("Ωéµ°") == r"\orelse{Ω}{\ensuremath{\Omega}}éµ°"


def test_names_that_mean_something_elsewhere() -> None:
    table = Table.from_arrays([["<a>"], ["50%"]], objects=["A & B*", 'C "_$ ✿é😀'], questions=["x\\y {}"])
    key = best(table)
    xml.dom.minidom.parseString(text_of("svg", key))
    assert r"x\textbackslash{}y \{\}: \textless{}a\textgreater{} \dotfill\ A \& B*\par" in text_of("latex", key)
    assert r"x\\y \{\}: \<a\> ... A \& B\*" in text_of("markdown", key)
    signs = "".join(rf"\u{number}\'3f" for number in (10047, 233, -10179, -8704))
    assert rf'x\\y \{{\}}: 50%\tab C "_$ {signs}\par' in text_of("rtf", key)
    assert r'label="C \"_$ ✿é😀"' in text_of("dot", key)
    if dot := shutil.which("dot"):
        subprocess.run([dot, "-Tplain"], input=text_of("dot", key), text=True, check=True, capture_output=True)


def test_replies_that_have_a_number_in_them() -> None:
    """What is open on one side has not its end."""
    for text, held in {
        "<4": ["2"],
        "less than 5": ["2", "4"],
        ">4": ["5-6"],
        "4 to 5": ["4", "5-6"],
        "4": ["4"],
    }.items():
        assert replies_of(text, ["2", "4", "5-6"]) == held, text
    assert replies_of("above 10", ["below 10", "10 to 20", "above 20"]) == ["10 to 20", "above 20"]
    with pytest.raises(InputError):
        replies_of("<2", ["2", "4"])


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("s10; s2; s0; s1", "s0; s1; s2; s10"),
        ("20; none; 10,5; -5; 5", "-5; 5; 10,5; 20; none"),
        ("small; no; large", "small; no; large"),
        ("6-8; 10-12; 3-5", "3-5; 6-8; 10-12"),
        ("above 3; 2.5 to 3; below 2.5", "below 2.5; 2.5 to 3; above 3"),
        ("low 10; a 1; low 2", "low 2; low 10; a 1"),
    ],
)
def test_replies_are_in_natural_order(given: str, wanted: str) -> None:
    """Those with numbers go by these; words stay as they come."""
    replies, names = given.split("; "), wanted.split("; ")
    key = best(
        Table.from_arrays([[reply] for reply in replies], objects=[f"<{one}" for one in replies], questions=["q"])
    )
    assert Asker(key).replies == tuple(names)
    for form in ("key", "indented", "rtf"):
        assert re.findall(r"<([^\\\n]*)", text_of(form, key)) == names, form
    places = [text_of("svg", key).index(f"&lt;{name}<") for name in names]
    assert places == sorted(places)


def test_a_picture_of_a_large_key_is_refused() -> None:
    table = Table.from_arrays([[number] for number in range(5001)])
    key = Key.of(table, [0, 5001, *(number for code in range(5001) for number in (code, -1))], bound=(0,))
    with pytest.raises(InputError, match="5001 ends"):
        text_of("svg", key)


@pytest.mark.parametrize("rule", RULES)
def test_rules_of_thumb_are_no_better(rule: str) -> None:
    for seed in range(40):
        table = random_table(random.Random(seed))
        key = greedy(table, rule)
        assert key.total >= best(table).total
        assert (key.status, key.bound) in (("FEASIBLE", (0,)), ("OPTIMAL", (0,)))


def test_what_the_rules_choose() -> None:
    # Legs, for 1, tell the cat, of 0.5 in 4.5; sings, for 2.5, the wren from a group of 4; coat, for 1, halves of both.
    assert [greedy(PETS, rule).total for rule in RULES] == [116, 138, 116, 116, 138]
    with pytest.raises(InputError, match="no rule 'luck'"):
        greedy(PETS, "luck")


def test_what_is_never_asked_and_what_rests_on_one_question() -> None:
    assert KEY.never_asked == ("coat",)
    ends = "3 of 5 objects stand at several ends, as cells are unknown or vary: Iris at 2, Acer at 2, Rosa at 2 "
    assert f"ends {ends}" in " ".join(str(identify(PETALS.where(np.arange(PETALS.variants), [1]))).split())
    assert told_by_one(PETS) == {"legs": (("cat", "hen"), ("cat", "duck")), "sings": (("wren", "duck"),)}


@pytest.mark.parametrize("seed", range(30))
def test_what_rests_on_one_question_may_end_together_without_it(seed: int) -> None:
    r = random.Random(seed)
    table = random_table(r) if seed < 20 else random_varying(r).table()

    def together(without: Sequence[int] = ()) -> set[tuple[str, str]]:
        """The objects of different groups that a key may leave together."""
        if len(without) == len(table.questions):
            sets = [table.objects]
        else:
            sets = list(table.where(np.arange(table.variants), without).unresolved)
        group = dict(zip(table.objects, table.groups.tolist(), strict=True))
        return {pair for names in sets for pair in combinations(names, 2) if group[pair[0]] != group[pair[1]]}

    ended, found = together(), told_by_one(table)
    assert found is not None
    want: dict[str, set[tuple[str, str]]] = {}
    for one, other in combinations(range(table.variants), 2):
        unlike = np.flatnonzero(table.codes[:, one] != table.codes[:, other])
        a, b = (table.objects[table.object_of[member]] for member in (one, other))
        apart = table.group_of[one] != table.group_of[other] and table.outcome_of[one] != table.outcome_of[other]
        if len(unlike) == 1 and apart and (a, b) not in ended:
            want.setdefault(table.questions[unlike[0]], set()).add((a, b))
    assert {question: set(pairs) for question, pairs in found.items()} == want
    for question, pairs in found.items():
        assert set(pairs) <= together([table.question_index(question)]) - ended


def test_what_rests_on_one_question_is_named_by_groups() -> None:
    rows = [["a", "x"], ["b", "x"], ["a", "y"], ["b", "z"]]
    table = Table.from_arrays(rows, objects=["ash 1", "ash 2", "elm", "oak"], groups=["ash", "ash", None, None])
    assert told_by_one(table) == {"question 2": (("ash 1", "elm"), ("ash 2", "oak"))}
    assert told_names(table) == told_by_one(table)
    rows = [["a", "x"], ["a", "x"], ["a", "y"], ["a", "z"]]
    table = Table.from_arrays(rows, objects=["ash 1", "ash 2", "elm", "oak"], groups=["ash", "ash", None, None])
    assert told_names(table) == {"question 2": (("ash", "elm"), ("ash", "oak"), ("elm", "oak"))}


def test_forms_and_options_that_are_refused() -> None:
    for form, options, said in (
        ("pdf", {}, "no form of keys 'pdf'; there are html, key, markdown"),
        ("svg", {"couplets": True}, "svg takes no couplets: that goes with key, markdown, latex, rtf"),
        ("key", {"indented": 1}, "indented must be True or False, not 1"),
    ):
        with pytest.raises(InputError, match=re.escape(said)):
            export_key(KEY, form, **options)
    with pytest.raises(InputError, match="a key is needed: a Key, or its file; not 7"):
        export_key(7)  # type: ignore[arg-type]
