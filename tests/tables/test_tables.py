"""Tables of objects and questions: files and arrays that are read, variants, and what is wrong with bad ones."""

from __future__ import annotations

import os
import random
import re
import shlex
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tables_util import damaged

from optimal.errors import InputError
from optimal.limits import LONGEST_LIST
from optimal.tables.cells import Cells
from optimal.tables.making import Layout, Source
from optimal.tables.replies import read_column
from optimal.tables.table import Table

PETS = "pet;legs;sings;coat;w;g\ncat;4;no;black/white;0,5;x\nwren;2;yes;?;1;\nhen;2;no;brown;2;x\ncost;1;2,5;1;;\n"


def written(folder: Path, text: str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_with_all_that_it_may_have(tmp_path: Path) -> None:
    table = Table.from_csv(written(tmp_path, PETS), cost_row="cost", weight_column="w", group_column="g")
    assert (table.name, table.questions, table.objects) == ("t", ("legs", "sings", "coat"), ("cat", "wren", "hen"))
    assert table.replies == (("4", "2"), ("no", "yes"), ("black", "white", "brown"))
    assert table.codes.tolist() == [[0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 2, 2]]
    assert table.object_of.tolist() == [0, 0, 1, 1, 1, 2]
    weights = [Fraction(weight, table.weight_scale) for weight in table.weights.tolist()]
    assert weights == [*[Fraction(1, 4)] * 2, *[Fraction(1, 3)] * 3, 2]
    assert (table.costs.tolist(), table.cost_scale, table.groups.tolist()) == ([2, 5, 2], 2, [0, 1, 0])


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_what_stands_between_cells(tmp_path: Path, mark: str) -> None:
    rows = [["", "has, or hasn't; wings", "b"], ["x", "1", "0"], ["", "", ""], ["y", "0", "1"]]
    lines = [mark.join(f'"{cell}"' if "," in cell else cell for cell in row) for row in rows]
    table = Table.from_csv(written(tmp_path, "\r\n".join(lines) + "\r\n"))
    assert (table.questions, table.objects) == (("has, or hasn't; wings", "b"), ("x", "y"))


def test_rows_for_columns(tmp_path: Path) -> None:
    turned = list(zip(*[line.split(";") for line in PETS.splitlines()], strict=True))
    path = written(tmp_path, "\n".join(";".join(row) for row in turned))
    plain = written(tmp_path, PETS, "p.csv")
    made = [
        Table.from_csv(file, cost_row="cost", weight_column="w", group_column="g", transpose=turn, name="t")
        for file, turn in ((path, True), (plain, False))
    ]
    assert made[0] == made[1]


def test_arrays_and_numpy(tmp_path: Path) -> None:
    codes = np.array([[7, 0], [7, 1], [3, 1]])
    table = Table.from_arrays(codes, groups=["a", None, "a"], costs=["0.25", 1], weights=[1, 2, 0])
    assert table.codes.tolist() == [[0, 0, 1], [0, 1, 1]]
    assert (table.replies, table.cost_scale, table.groups.tolist()) == ((("7", "3"), ("0", "1")), 4, [0, 1, 0])
    np.save(tmp_path / "t.npy", codes)
    assert Table.from_csv(tmp_path / "t.npy").codes.tolist() == table.codes.tolist()


def test_what_needs_not_be_told_apart() -> None:
    table = Table.from_arrays([["a", "x/y"], ["a", "y"], ["b", "y"], ["a", "x"]], groups=["1", "2", "2", "3"])
    together = [[one == other for other in table.outcome_of] for one in table.outcome_of]
    # x and y of the first object: its x is the fourth object, its y the second. Once y and a are known the third can be
    # excluded, and so its group is, though the second is of it.
    told = ["".join("+" if one else "-" for one in row) for row in together]
    assert told == ["+---+", "-++--", "-++--", "---+-", "+---+"]
    assert table.outcomes == ((0, 2), (0, 1), (1,))
    assert table.unresolved == (("object 1", "object 2"), ("object 1", "object 4"))
    assert Table.from_arrays([[1, 0], [1, 0], [0, 0]], groups=["1", "1", "2"]).unresolved == ()
    assert Table.from_arrays([["a/b"], ["b/a"], ["a"]]).unresolved == (("object 1", "object 2", "object 3"),)


def test_a_part_of_a_table() -> None:
    table = Table.from_arrays([["a", "x"], ["a", "y"], ["b", "y"]], groups=["1", "2", "1"])
    part = table.where(np.array([1, 2]), [0])
    assert (part.objects, part.questions, part.groups.tolist()) == (("object 2", "object 3"), ("question 2",), [1, 0])
    assert part.unresolved == (("object 2", "object 3"),)
    assert table.where(table.codes[0] == 0).objects == ("object 1", "object 2")


BAD = {
    "": "t.csv is empty",
    "a,b\n": "t.csv has no table of two rows and two columns at least",
    "a,b\nx,1,2\n": "t.csv, line 2, column 3: '2' stands beyond the 2 columns that the first row names",
    "a,b,c\nx,1\n": "t.csv, line 2: 2 cells, but the first row has 3",
    "a,b\nx,1\n,2\n": "t.csv, line 3, column 1 is empty: the object needs a name",
    "a,b,b\nx,1,2\n": "t.csv, line 1, column 3: 'b' stands in line 1, column 2 too",
    'a,b\nx,"1\ny,2\n': "t.csv, line 2: a quotation mark opens here, and none closes",
    "a,b\nx,red/\n": "t.csv, line 2, column 2 ('x', 'b'): 'red/' has nothing on one side of '/'",
    "a,b\nx,1/?\n": "t.csv, line 2, column 2 ('x', 'b'): '1/?' is known in part",
    "a,b\nx,1/1\n": "t.csv, line 2, column 2 ('x', 'b'): '1/1' has a reply twice; right would be 1",
    "a,b,c\nx,1,?\ny,2,\n": "t.csv, line 1, column 3: the question has no reply in any row",
    "a,b\nx,n/a\ny,1\n": "t.csv, line 2, column 2 ('x', 'b'): 'n/a' is no reply; leave the cell empty, or write ?, "
    "where the reply is unknown; where the question makes no sense, a word such as none",
    "a,b\nx,red:1/blue\ny,red\n": "t.csv, line 2, column 2 ('x', 'b'): 'red:1/blue' needs a share for each reply",
    "a,b\nx,red:0/blue:0\n": "t.csv, line 2, column 2 ('x', 'b'): 'red:0/blue:0' has no share above 0",
    "a,b\n" + 70000 * "x,1\n": "t.csv, line 65544: more than 65535 rows or 33554432 cells; that",
    "a,b\n" + 1100000 * "\n": "t.csv has more than 1048576 lines",
    "a,b\nx,\x1b[2J\n": "t.csv, line 2, column 2 ('x', 'b'): '\\x1b[2J' must have 1 to 300 printable characters",
}


BAD_NAMES: list[tuple[str, dict[str, Any], str]] = [
    (
        "a,b,c,w\nx,1,2,1\nprice,3,,\n",
        {"cost_row": "price"},
        "line 3, column 3 ('price', 'c') is empty: it needs a cost",
    ),
    ("a,w\nx,-1\ny,1\n", {"weight_column": "w"}, "line 2, column 2 ('x', 'w'): '-1' is no weight; right would be 0 or"),
    ("a,b,wt\nx,1,2\n", {"weight_column": "wr"}, "no column is called 'wr', for weights"),
    (
        "a,b\nx,1\n",
        {"cost_row": "b"},
        "no row is called 'b', for costs, but a column is; costs stand in a row: is --tr",
    ),
    (
        "a,b\nx,1\n",
        {"weight_column": "b", "transpose": True},
        "no row is called 'b', for weights, but a column is; weigh",
    ),
    (
        "a,b,Group\nx,1,\ncost,1,\n",
        {"cost_row": "cost"},
        "line 3, column 3 ('cost', 'Group') is empty: it needs a cost, such as 2 or 0.5; column 'Group' looks like",
    ),
    ("a,b,w\nx,1,2\n", {"weight_column": "w", "group_column": "w"}, "weights and groups can't both be column 'w'"),
    ("a,b,w\nx,1,0\ny,2,0\n", {"weight_column": "w"}, "every object has weight 0"),
]
CASES = [*((text, {}, told) for text, told in BAD.items()), *BAD_NAMES]


@pytest.mark.parametrize(("text", "names", "told"), CASES, ids=range(len(CASES)))
def test_what_is_odd_is_one_line(
    tmp_path: Path, text: str, names: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        Table.from_csv("t.csv", **names)
    assert re.sub(r"^t(\.csv)?[,:]? ", "", str(caught.value)).startswith(told.removeprefix("t.csv").lstrip(",: "))
    assert "\n" not in str(caught.value)


def test_parts_that_make_no_table() -> None:
    table = Table.from_arrays([["0"], ["1"]])
    with pytest.raises(InputError, match="do not fit together"):  # a key's file would have more replies than it may
        replace(table, replies=(tuple(map(str, range(LONGEST_LIST + 1))),))
    with pytest.raises(InputError, match="needs an object"):
        replace(table, codes=table.codes[:, :0], object_of=table.object_of[:0], weights=table.weights[:0])


def test_sums_that_are_too_large() -> None:
    rows = [[0, 0], [0, 1], [1, 1]]
    Table.from_arrays(rows, weights=[2**60, 1, 1], costs=[1, 1])
    with pytest.raises(InputError, match=r"their product must stay below 2\^62"):
        Table.from_arrays(rows, weights=[2**61, 1, 1], costs=[1, 1])
    with pytest.raises(InputError, match=r"weights sum to 2\^62 or more"):
        Table.from_arrays(rows, weights=[2**62, 1, 1])


def shares(*cells: str, **options: Any) -> list[dict[str, Fraction]]:
    """What each cell of a column means: replies with their shares."""
    rows = [["name", "q"], *([f"o{number}", cell] for number, cell in enumerate(cells))]
    source = Source.of_cells(Cells(rows, "t", "t.csv", comma=True), Layout(**options))
    replies, meant, _ = read_column(source.cells, 1, source.rows, source.borders.get(1))
    return [{replies[code]: share for code, share in meant[cell].items()} for cell in cells]


HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@pytest.mark.parametrize(
    ("cells", "options", "last"),
    [
        (["a", "b", "a/b"], {}, {"a": HALF, "b": HALF}),
        (["a", "b", "a/b"], {"separator": "|"}, {"a/b": 1}),
        (["a", "b", "a | b"], {"separator": "|"}, {"a": HALF, "b": HALF}),
        (["a", "b", "a or b"], {"separator": "or"}, {"a": HALF, "b": HALF}),
        (["a", "b|a", "b or a"], {"separator": ["or", "|"]}, {"a": HALF, "b": HALF}),
        (["0", "1", "(01)"], {}, {"0": HALF, "1": HALF}),
        (["0", "1/2", "{0, 2}"], {}, {"0": HALF, "2": HALF}),
        (["a1", "b", "(ab)"], {}, {"(ab)": 1}),
        # Ranges of whole numbers that overlap are split where others begin and end; others are classes.
        (["3-5", "4", "4-6"], {}, {"4": THIRD, "5": THIRD, "6": THIRD}),
        (["30-49", "40 to 59"], {}, {"40-49": HALF, "50-59": HALF}),
        (["1-2", "3-5", "4/1-3"], {}, {"4": Fraction(1, 4), "1-2": HALF, "3": Fraction(1, 4)}),
        (["4-5(-8)", "6", "(3-)4"], {}, {"3": HALF, "4": HALF}),
        (["3 bis 5", "4 à 6", "bis"], {"separator": ["bis", "à"]}, {"bis": 1}),
        (["3 bis 5", "4", "4 à 6"], {"separator": ["bis", "à"]}, {"4": THIRD, "5": THIRD, "6": THIRD}),
        (
            ["-3", "-1-4"],
            {"classes": {"q": ["-2.5", -1, 0.5]}},
            {"-1 to 0.5": THIRD, "above 0.5": THIRD, "-2.5 to -1": THIRD},
        ),
        (["4.2 (3.9-4.6)", "5"], {"classes": {"q": [4]}}, {"above 4": 1}),
        (["5", "4.2 (3.9 - 4.6)"], {"classes": {"q": [4]}}, {"below 4": HALF, "above 4": HALF}),
        (["5 (6-7)"], {}, {"5 (6-7)": 1}),
        (["3...5", "(2,5-)3-4 (-5)"], {"classes": {"q": ["2.8"]}}, {"below 2.8": HALF, "above 2.8": HALF}),
        (["0-9", "10-19"], {}, {"10-19": 1}),
        (["0-10", "10-20"], {}, {"10-20": 1}),
        (["2-1", "1-3", "1-2"], {}, {"1-2": 1}),
        (["01-03", "01-02"], {}, {"01-02": 1}),
        (["white:4/brown:1"], {}, {"white": Fraction(4, 5), "brown": Fraction(1, 5)}),
        (["a", "b", "a:0,75/b:0.25"], {}, {"a": Fraction(3, 4), "b": Fraction(1, 4)}),
        (["0", "1", "0:1/1:2"], {}, {"0": THIRD, "1": 1 - THIRD}),
        (["a", "a:75%/b:25 %"], {}, {"a": Fraction(3, 4), "b": Fraction(1, 4)}),
        (["10:30/11:30"], {}, {"10:30": HALF, "11:30": HALF}),
        (["red or blue"], {"separator": "or"}, {"red": HALF, "blue": HALF}),
        (["2 to 4", "10 or more"], {"separator": ["or", "to"]}, {"10 or more": 1}),
        (["a", "0-1"], {"separator": "-"}, {"0": HALF, "1": HALF}),
        (["a:1", "b:2", "a:1/b:2"], {}, {"a:1": HALF, "b:2": HALF}),
        (["9", "25"], {"classes": {"q": [10, 20]}}, {"above 20": 1}),
        (["9", "20"], {"classes": {"q": [10, 20]}}, {"10 to 20": HALF, "above 20": HALF}),
        (["1.000", "2,5-2,9"], {"classes": {"q": ["2.8", 10]}}, {"below 2,8": HALF, "2,8 to 10": HALF}),
        (["-3", "-3--1:3/5:1"], {"classes": {"q": [0]}}, {"below 0": Fraction(3, 4), "above 0": Fraction(1, 4)}),
        (["9", ">10"], {"classes": {"q": [10, 20, 30]}}, {"10 to 20": THIRD, "20 to 30": THIRD, "above 30": THIRD}),
        (["9", ">12"], {"classes": {"q": [10, 20]}}, {"10 to 20": HALF, "above 20": HALF}),
        (["9", ">20"], {"classes": {"q": [10, 20]}}, {"above 20": 1}),
        (["9", "<10"], {"classes": {"q": [10, 20]}}, {"below 10": 1}),
        (["9", ">=20"], {"classes": {"q": [10, 20]}}, {"10 to 20": HALF, "above 20": HALF}),
        (["9", "<=10"], {"classes": {"q": [10, 20]}}, {"below 10": HALF, "10 to 20": HALF}),
        (["bald", "+/- hairy/bald"], {}, {"+/- hairy": HALF, "bald": HALF}),
        (["9", "10+"], {"classes": {"q": [10]}}, {"below 10": HALF, "above 10": HALF}),
        (["9", "none"], {"classes": {"q": [10]}}, {"none": 1}),
        (["e\u0301t\u00e9"], {}, {"e\u0301t\u00e9": 1}),
    ],
)
def test_what_a_cell_means(cells: list[str], options: dict[str, Any], last: dict[str, Fraction]) -> None:
    assert shares(*cells, **options)[-1] == last


def test_shares_are_weights() -> None:
    table = Table.from_arrays([["x", "a:4/b:1", "c/d"], ["y/z", "a", "c"]], weights=[3, 2])
    assert [Fraction(weight, table.weight_scale) * 10 for weight in table.weights.tolist()] == [12, 12, 3, 3, 10, 10]


DOUBTS = {
    "red,Red,RED,red": "line 3, column 2 ('o1', 'q'): 'Red' differs from 'red' by capitals alone, and is a reply of",
    "red,blue,red?": "line 4, column 2 ('o2', 'q'): 'red?' is another reply than 'red'; write both alike in the cells",
    "1,NA": "line 3, column 2 ('o1', 'q'): 'NA' is taken as a reply of its own; leave the cell empty, or write ?,",
    "-,??,x": "line 2, column 2 ('o0', 'q'): '-' is taken as a reply of its own; leave the cell empty, or write ?,",
    "+,-,+/-": None,
    "red,blue,red|blue": "line 4, column 2 ('o2', 'q'): 'red|blue' is taken as one more reply beside 'red' and 'blue'; "
    "if either can come, --separator '|'",
    "r/b,b,r|b": "line 4, column 2 ('o2', 'q'): 'r|b' is taken as one more reply beside 'r' and 'b'; if either can "
    "come, --separator / --separator '|'",
    "r,b,(r or b),r": "line 4, column 2 ('o2', 'q'): '(r or b)' is taken as one more reply beside 'r' and 'b'; if "
    "either can come, write r/b",
    "red,blue,blue or tan": "line 4, column 2 ('o2', 'q'): 'blue or tan' is taken as one more reply beside 'blue'; if "
    "either can come, --separator or",
    "red,blue,red  blue": "line 4, column 2 ('o2', 'q'): 'red blue' is taken as one more reply beside 'red' and 'blue'"
    "; if either can come, write red/blue",
    "red,tan,do.": "line 4, column 2 ('o2', 'q'): 'do.' is taken as a reply of its own; where it means the cell above",
    "red,tan,usually red": "line 4, column 2 ('o2', 'q'): 'usually red' is another reply than 'red'; write both alike",
    "red,tan,tan 80%": "line 4, column 2 ('o2', 'q'): 'tan 80%' is another reply than 'tan'; write both alike",
    "low,high,low-high": "line 4, column 2 ('o2', 'q'): 'low-high' is taken as one more reply beside 'low' and 'high'; "
    "if either can come, write low/high",
    "rot,blau,rot oder gelb": "line 4, column 2 ('o2', 'q'): 'rot oder gelb' is taken as one more reply beside 'rot'",
    "red,tan,variable": "line 4, column 2 ('o2', 'q'): 'variable' is taken as a reply of its own; where any can come",
    "red,tan,not known": "line 4, column 2 ('o2', 'q'): 'not known' is taken as a reply of its own; leave the cell",
    "red,tan,w/o": "line 4, column 2 ('o2', 'q'): 'w/o' is taken as w or o, none of which stands alone in a cell; if",
    "a,b,a: 30%/b: 70%": None,
    "3 mm,4\N{EN DASH}5 mm,6 mm,3 mm": "line 2, column 2 ('o0', 'q'): '3 mm' has a unit, and is taken as a reply of",
    "3 mm,4 to 5 mm,>5 mm,3 mm": "line 2, column 2 ('o0', 'q'): '3 mm' has a unit, and is taken as a reply of its own",
    "4,5,{45},10,4": "line 4, column 2 ('o2', 'q'): '{45}' is taken as one more reply beside '4' and '5'; if either",
    "4,4,5(8)": "line 4, column 2 ('o2', 'q'): '5(8)' is taken as a reply of its own beside numbers; right would be",
    "4,4,5-4(-8)": "line 4, column 2 ('o2', 'q'): '5-4(-8)' is taken as a reply of its own beside numbers; right",
    "4,(3-)40-5(-80)": "line 3, column 2 ('o1', 'q'): '(3-)40-5(-80)' is taken as a reply of its own beside numbers",
    "4,4,5 cm": "line 4, column 2 ('o2', 'q'): '5 cm' has a unit, and is taken as a reply of its own; right would",
    "2-4 cm,3-6 cm": "line 2, column 2 ('o0', 'q'): '2-4 cm' has a unit, and is taken as a reply of its own; right",
    "2.0-2.8,2.5-3.5,1": "line 3, column 2 ('o1', 'q'): '2.0-2.8' and '2.5-3.5' overlap, but are taken as different "
    "replies; --classes q:1.7,2.7 makes classes, and what is in several varies",
    "0-10,10-20,5": "line 3",  # read as whole numbers
    "0-10,10-20": "line 3, column 2 ('o1', 'q'): '0-10' and '10-20' meet, but are taken as different replies; for "
    "counts write 10/11-20 in place of 10-20, else --classes q:9 makes classes",
    "12±2,5 ± 1,5 ± 1": "line 2, column 2 ('o0', 'q'): '12±2' is a mean with a deviation; right would be a range, here",
    "x,2024-05-03": "line 3, column 2 ('o1', 'q'): '2024-05-03' looks like a date, which spreadsheets make of ranges "
    "such as 3-5; if so, right would be the range, as text; if it is no question, --without q",
    "9,3. Mai": "line 3, column 2 ('o1', 'q'): '3. Mai' looks like a date, which",
    "9,3-face": "line 3, column 2 ('o1', 'q'): '3-face' is taken as a reply of its own beside numbers",
    "+,-,±": "line 4, column 2 ('o2', 'q'): '±' is taken as one more reply beside '+' and '-'; if either can",
    "hairy,bald,+/-hairy": "line 4, column 2 ('o2', 'q'): '+/-hairy' is another reply than 'hairy'",
    "2.1,2.5,9,1": "column 'q' has 4 different numbers for 4 objects, and may decide the key alone; for weights "
    "--weight-column q, for measurements --classes q:2,2.3, else --without q",
    "A7,B6,B7,B9": "column 'q' has another reply for each of 4 objects, and may decide the key alone; if it is no "
    "question, --without q",
    "A7,B6,B7": None,
    "a,b,c,a/b,b/a": None,
    "3,<5,10+,8,3": "line 3, column 2 ('o1', 'q'): '<5' is open to one side, but taken as a reply of its own; "
    "--classes q:4,6 makes classes, and what is in several varies",
    "1+,2+,3+,2+": None,
    "1,2,3,1": None,
    "3-5,4,4.5,4": "line 3, column 2 ('o1', 'q'): '3-5' and '4' overlap, but are taken as different replies; --classes",
    "w/o spots,spots,spots": None,
    "a b/c d,e,f": "line 2, column 2 ('o0', 'q'): 'a b/c d' is taken as a b or c d, none of which stands alone in a "
    "cell; if it is one reply, --separator '|'",
    "x,,": "column 'q' has no reply but 'x', and 2 empty cells, taken as unknown; fill them where it isn't so, such as",
    "rot,blau,rot oder blau": "line 4, column 2 ('o2', 'q'): 'rot oder blau' is taken as one more reply beside 'rot'",
    "-,+,\N{MINUS SIGN}": "line 4, column 2 ('o2', 'q'): '\N{MINUS SIGN}' is another reply than '-'; write both alike",
    "red,no data,red": "line 3, column 2 ('o1', 'q'): 'no data' is taken as a reply of its own; leave the cell empty",
    "S,M/S,L": None,
    "A,C,(C/T),{AC},(GT),A": None,
    "white,pink,white and/or pink": "line 4, column 2 ('o2', 'q'): 'white and/or pink' is taken as one more reply "
    "beside 'white' and 'pink'; if either can come, write white/pink",
    "w/ spots,w/o spots,5 km/h,I/O error": "column 'q' has another reply for each of 4 objects",
    "4,5,(many)": None,
    "05/03/2026,x,y": "line 2, column 2 ('o0', 'q'): '05/03/2026' is taken as 05, 03 or 2026; a date should be written",
    "5 mm,5mm,6mm": "line 3, column 2 ('o1', 'q'): '5mm' is another reply than '5 mm'; write both alike",
    "10,20,30,40,10": "column 'q' has 4 different numbers for 5 objects",
}


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("-,red,-,blue", "is '-' just where 'r' is 'no': so that is a reply of its own, not unknown"),
        (",red,,blue", "is empty just where 'r' is 'no', and unknown there; if it makes no sense there, write a word"),
        ("-,red,red,blue", "'-' is taken as a reply of its own; leave the cell empty"),
        ("?,red,?,blue", None),
        ("-,+,-,+", None),
        (",red,red,blue", None),
    ],
)
def test_what_makes_no_sense_where_another_column_has_one_value(column: str, told: str | None) -> None:
    cells = zip(column.split(","), ("no", "yes", "no", "yes"), strict=True)
    notes = Table.from_arrays(list(cells), questions=["q", "r"]).notes
    assert [str(told) in note for note in notes] == [True] * (told is not None)


@pytest.mark.parametrize("column", DOUBTS)
def test_what_may_mean_something_else_is_said(column: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"o{number},{cell},x\n" for number, cell in enumerate(column.split(",")))
    notes = Table.from_csv(written(tmp_path, f"n,q,r\n{rows}").name).notes
    told = DOUBTS[column] if column != "0-10,10-20,5" else None
    assert [note.split("t.csv", 1)[1].lstrip(",: ")[: len(told or "")] for note in notes] == ([told] if told else [])


def test_numbers_with_commas_names_and_questions(tmp_path: Path) -> None:
    def read(text: str, **options: Any) -> Table:
        return Table.from_csv(written(tmp_path, text), **options)

    weights = read("n;q;w\na;x;1.000\nb;y;500\nc;z;2,5\n", weight_column="w")
    assert [Fraction(one, weights.weight_scale) for one in weights.weights.tolist()] == [1000, 500, Fraction(5, 2)]
    assert weights.notes[0].endswith("'1.000' is taken as 1000, as others have decimal commas")
    classes = read("n;q;w\na;x;1,5\nb;y;7\n", classes={"w": ["2", "5"]})
    assert classes.notes[0].endswith("'w' are taken as 2 and 5; where a decimal is meant, write such as 2.5")
    with pytest.raises(InputError, match="each above the one before; write decimals with a point here, such as"):
        read("n;q;w\na;x;1,5\nb;y;7\n", classes={"w": ["7", "5"]})
    weights = read("n;q;w\na;x;1.000\nb;y;500\n#c;z;2\n", weight_column="w")
    assert weights.notes[0].endswith("'1.000' is taken as 1.000, not as 1000")
    assert weights.notes[1].endswith("line 4: '#c' begins like a comment, but is taken as an object")
    both = read("n;q;w\na;x;2,5\nb;y;3\nc;y;3,0\n", separator=["/", ","])
    assert both.notes[0].endswith("'2,5' is taken as 2 or 5; where a decimal is meant, write a point")
    split = read("n;q;w\na;x;2,5\nb;y;3\n", separator=",", classes={"w": [3]})
    assert split.replies[1] == ("below 3", "above 3")
    assert split.notes[-1].endswith("'2,5' is taken as one number; for several replies write /")
    states = read("n;q;w\na;x;4,5\nb;y;4\nc;z;5\n")
    assert [note.endswith("'4,5' is taken as one number; for several replies write /") for note in states.notes] == [
        True
    ]
    assert not read("n;q;w\na;x;4,5\nb;y;4\nc;z;5\nd;z;3,7\n").notes[1:]
    quoted = read('n,q,w\na,x,"2,5-3,1"\nb,y,"3,5"\nc,x,"2,5"\nd,x,"2,5"\n')
    assert quoted.notes[0].endswith("'2,5-3,1' is taken as a reply of its own; where a decimal is meant, write a point")
    summary = read("n,q,w\na,1,2\nb,4,6\nMean,2.5,4\n")
    assert "row 'Mean' looks like a summary, not an object: if so, take it out" in summary.notes[0]
    with pytest.raises(InputError, match="'5,5' has a reply twice; right would be 5; where a decimal is meant, write"):
        read("n;q;w\na;x;5,5\nb;y;3\n", separator=",")
    assert "'3,0' is another reply than '3'" in read("n;q;w\na;x;2,5\nb;y;3\nc;y;3,0\n").notes[0]
    with pytest.raises(InputError, match="'red/n/a' is no reply; leave the cell empty"):
        read("n;q\na;red/n/a\nb;3\n")
    thousands = read("n;q;w\na;x;1,200\nb;y;900\nc;z;2,500\n", weight_column="w")
    assert thousands.notes[0].endswith("'1,200' is taken as 1.200, not as 1200")
    assert not read("n;q;w\na;x;1,200\nb;y;9,5\nc;z;2,500\n", weight_column="w").notes
    for text, parts in {
        "w/o a": ["w/o a"], "w/ a": ["w/ a"], "and/or": ["and/or"], "5 km/h/6km/h": ["5 km/h", "6km/h"],
        "I/O a": ["I/O a"], "N/A/W": ["N", "A", "W"], "I/O": ["I", "O"], "m/s": ["m", "s"], "+/- a/b": ["+/- a", "b"],
    }.items():  # fmt: skip
        assert Cells([[""]], "t", "t").split(text) == parts
    assert read("n,q\na,A\nb,(C/T)\nc,(GT)\nd,C\n").replies == (("A", "C", "T", "G"),)
    open_ends = read("n;q;w\na;x;<2,5\nb;y;3\n", separator=",", classes={"w": [3]})
    assert (open_ends.variants, open_ends.replies[1]) == (3, ("below 3", "above 3"))  # of the number on the border two
    told = read("n;w\na;rot, blau\nb;rot\nc;blau\nd;2,5\n").notes[0]
    assert told.endswith("if either can come, --separator ', '")
    assert read("n;w\na;rot, blau\nb;rot\nc;blau\nd;2,5\n", separator=", ").replies == (("rot", "blau", "2,5"),)
    assert "'-' is taken as a reply of its own" in read("n;w\na;4\nb;-\nc;7\n", classes={"w": [5]}).notes[0]
    assert "as one more" not in " ".join(read("n;q\na;2,5\nb;2\nc;5\n").notes)
    assert "'1.200' is taken as 1.200, not as 1200" in read("n;q\na;1.200\nb;800\n", classes={"q": [9]}).notes[0]
    costs = read("t,leaf,pink,red\na,x,r,s\nb,y,r,t\nc,x,g,s\nd,y,g,u\ne,x,b,u\nf,y,b,s\ng,z,r,s\ncost,1,2,5\n").notes
    assert ["--transpose" in note for note in costs] == [False]
    for row in ("Preis,1,2.5,3", "Preis,5,9,1"):
        table = read(f"n,q,r,s\na,x,0,y\nb,y,1,y\nc,x,1,z\n{row}\n")
        assert table.notes[0].endswith("row 'Preis' looks like costs, not an object: if so, --cost-row Preis")
    assert read("n,q,r,s\na,0,0,1\nb,1,1,0\nc,1,0,2\n").notes == ()
    accents = read("n,e\u0301t\u00e9\na,e\u0301\nb,\u00e9\n")
    assert (accents.questions, accents.replies) == (("\u00e9t\u00e9",), (("\u00e9",),))
    assert accents.question_index("e\u0301te\u0301") == 0
    every = read("n,a,b,c\nx,1,2,3\ny,0,2,1\n", without=["b"])
    assert every.questions == ("a", "c")
    assert read("n,a,b,c\nx,1,2,3\ny,0,2,1\n", only=["b", "a"], weight_column="c").questions == ("a", "b")
    for options, told in (
        ({"without": ["d"]}, "no column is called 'd', for questions"),
        ({"only": "a"}, "only must be a list of texts"),
        ({"classes": {"a": [2, 1]}}, "the borders of 'a' must be one number or more, each above the one before"),
        ({"separator": "?"}, r"the separator must be a sign or a word such as \| or or, not '\?'"),
        ({"classes": {"q": [2]}}, r"\('x', 'q'\): 'red2' is in no class; right would be a number or a range"),
    ):
        with pytest.raises(InputError, match=told):
            read("n,a,q\nx,1,red2\ny,0,2\n", **options)


def test_ranges_beyond_the_forms_that_are_written_out_may_become_classes(tmp_path: Path) -> None:
    heads = [f"q {number}" for number in range(11)]
    rows = "".join(f"{name},{','.join([cell] * 11)}\n" for name, cell in (("x", "1-60"), ("y", "2-61"), ("z", "30-90")))
    path = written(tmp_path, f"n,{','.join(heads)}\n{rows}")
    with pytest.raises(InputError, match=r"beyond 65535 forms.*or make classes of ranges: --classes") as raised:
        Table.from_csv(path)
    (cure,) = shlex.split(str(raised.value).partition("--classes ")[2])
    assert cure.split(",q ")[0] == "q 0:31,46"
    assert Table.from_csv(path, classes={head: ["31", "46"] for head in heads}).variants > 65535


def test_costs_weights_and_groups_that_are_not_named(tmp_path: Path) -> None:
    costs, weights, groups = (
        "t.csv: row 'minutes' looks like costs, not an object: if so, --cost-row minutes",
        "t.csv: column 'often' looks like weights, not a question: if so, --weight-column often",
        "t.csv: column 'Group' looks like groups, not a question: if so, --group-column Group",
    )
    text = "a;b;often;Group\nx;1;2,5;i\ny;0;1;i\nminutes;1;;\n"
    path = written(tmp_path, text)
    every = {"cost_row": "minutes", "weight_column": "often", "group_column": "Group"}
    here = [note.replace(str(path), "t.csv") for note in Table.from_csv(path).notes]
    assert here == [costs, weights, groups]
    assert Table.from_csv(path, **every).notes == ()  # type: ignore[arg-type]
    signs = "n;g;q\na;-;x\nb;-;y\nc;+;z\nd;n/a;w\n"
    assert Table.from_csv(written(tmp_path, signs, "s.csv"), group_column="g").groups.tolist() == [0, 0, 1, 2]
    capitals = Table.from_csv(written(tmp_path, "n;g;q\na;Acer;x\nb;acer;y\n", "c.csv"), group_column="g").notes
    assert "'acer' differs from 'Acer' by capitals alone" in capitals[0]
    unsure = "n;g;q\na;?;x\nb;?;y\nc;-;z\nd;-;w\ne;i;u\nf;i;v\n"
    unsure_groups = Table.from_csv(written(tmp_path, unsure, "g.csv"), group_column="g")
    assert unsure_groups.groups.tolist() == [0, 1, 2, 3, 4, 4]
    assert unsure_groups.notes[0].endswith("group '-' is taken as none")
    odd = Table.from_csv(written(tmp_path, "n,my group,q\nunit,,mm\nminutes x,1,2\n", "u.csv")).notes
    assert odd[0].endswith("row 'unit' looks like units, not an object: if so, take it out")
    remarks = Table.from_csv(written(tmp_path, "n,q,Remarks\nx,1,rare\ny,2,\n", "r.csv")).notes
    assert ["looks like remarks, not a question: if so, --without Remarks" in note for note in remarks] == [True]
    turned = written(tmp_path, "\n".join(map(";".join, zip(*(line.split(";") for line in text.split()), strict=True))))
    assert f"{turned}: row 'often' looks like weights, not a question: if so, --weight-column often" in (
        Table.from_csv(turned, transpose=True).notes
    )
    # Words are no costs, and what is named already is nothing else
    assert Table.from_csv(written(tmp_path, "a,seen,time\nx,yes,1\ntime,no,2\n"), weight_column="time").notes == ()


def test_tables_that_ship_know_their_parts() -> None:
    for name in ("birds", "car", "guess-who", "sorting:4", "coins:4"):
        assert Table.from_csv(name).notes == ()
    named = Table.from_csv("birds", cost_row="effort", weight_column="seen", group_column="group")
    assert Table.from_csv("birds") == Table.from_csv("birds", group_column="group") == named


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs pipes with names")
def test_a_pipe_can_bring_text_alone() -> None:
    for start, kind in ((b"\x93NUMPY\x01\x00", r"\.npy"), (b"PK\x03\x04\x14\x00", "Excel")):
        below, above = os.pipe()
        os.write(above, start)
        os.close(above)
        with pytest.raises(InputError, match=f"no ordinary file, as {kind} must be; a pipe can bring a table as text"):
            Table.from_csv(f"/dev/fd/{below}")
        os.close(below)


def test_damaged_files_give_one_line_or_a_table(tmp_path: Path) -> None:
    good, chance = PETS.encode(), random.Random(26)
    path, read = tmp_path / "t.csv", 0
    told: list[str] = []
    for _ in range(1500):
        path.write_bytes(damaged(good, chance))
        try:
            Table.from_csv(path, cost_row="cost", weight_column="w", group_column="g")
            read += 1
        except InputError as error:
            told.append(str(error))
    assert not any("\n" in one for one in told)
    assert 100 < read < 1400


def test_excel(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl, of the extra `excel`")
    path, book = tmp_path / "t.xlsx", openpyxl.Workbook()
    sheet = book.active
    pets = (["pet", "legs", "sings", "w"], ["cat", 4, "no", 0.5], [None] * 4, ["wren", 2, None, 1], ["cost", 1, 2.5])
    for row in pets:
        sheet.append(row)

    def read(cost_row: str | None = "cost", weight_column: str | None = "w") -> Table:
        book.save(path)
        return Table.from_csv(path, cost_row=cost_row, weight_column=weight_column)

    table = read()
    assert (table.replies, table.costs.tolist(), table.weights.tolist()) == ((("4", "2"), ("no",)), [2, 5], [1, 2])
    with pytest.raises(InputError, match=r"line 5, column 4 \('cost', 'w'\) is empty: it needs a weight"):
        read(cost_row=None)
    sheet["B2"], sheet["C2"] = datetime(2026, 5, 3), "nan"
    book.create_sheet("second")
    assert read().replies == (("2026-05-03", "2"), ("nan",))
    sheet["C4"] = "#DIV/0!"
    with pytest.raises(InputError, match=r"line 4, column 3 \('wren'\): an error of Excel, #DIV/0!; leave the cell"):
        read()
    sheet["C4"] = "=B4+1"  # as it is before Excel has saved it
    with pytest.raises(InputError, match="cell C4: a formula without a value; a spreadsheet program that saves"):
        read()
    sheet.delete_rows(2, 4)
    with pytest.raises(InputError, match=r"has no table .* \(of its 2 sheets only the first is read\)"):
        read()
    book.remove(book["second"])
    sheet.delete_rows(1, 9)
    for row in (["Pets"], ["pet", "legs", "coat"], ["cat", 4, "red"], ["hen", 2, None], ["hen 2", 2, "white"]):
        sheet.append(row)
    for merged in ("A1:C1", "C3:C4", "D4:XFD9"):
        sheet.merge_cells(merged)
    assert read(None, None).replies == (("4", "2"), ("red", "white"))
    assert read(None, None).variants == 3
    sheet["XFD1048576"] = 1  # 16 milliards of empty cells before it
    with pytest.raises(InputError, match="line 1048576, column 16384: '1' stands beyond the 3 columns"):
        read()
    path.write_bytes(path.read_bytes()[:900])
    with pytest.raises(InputError, match=r"t\.xlsx: not a good Excel file"):
        Table.from_csv(path)


def test_frames() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"legs": [4, 2.0], "sings": ["no", None], "n": [1, 2]}, index=["cat", "wren"])
    table = Table.from_frame(frame, weight_column="n")
    assert (table.objects, table.replies, table.weights.tolist()) == (("cat", "wren"), (("4", "2"), ("no",)), [1, 2])
    turned = Table.from_frame(frame.drop(columns="n").T, transpose=True)
    assert turned.codes.tolist() == table.codes.tolist()
    with pytest.raises(InputError, match="the frame, row 2, column 1 \\('wren', 'legs'\\): '2/' has nothing"):
        Table.from_frame(pandas.DataFrame({"legs": ["4", "2/"]}, index=["cat", "wren"]))
    days = pandas.DataFrame({"on": pandas.to_datetime(["2026-05-03", None])}, index=["cat", "wren"])
    assert Table.from_frame(days).replies == (("2026-05-03",),)
    read = pandas.DataFrame({"pet": ["cat", "wren"], "legs": [4, 2]})
    right = r"its column 'pet' looks like their names: right would be frame\.set_index\('pet'\), or index_col=0"
    with pytest.raises(InputError, match=right):
        Table.from_frame(read)
    assert Table.from_frame(read.set_index("pet")).objects == ("cat", "wren")
    assert Table.from_frame(read[["legs", "pet"]]).objects == ("0", "1")
    with pytest.raises(InputError, match="a DataFrame of pandas is needed, not 3"):
        Table.from_frame(3)
