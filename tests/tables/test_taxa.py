"""Matrices of taxa and characters: NEXUS and DELTA. The samples are ours, in the forms that programs write."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tables_util import damaged

from optimal.errors import InputError
from optimal.tables.nexus import read_nexus
from optimal.tables.reading import read_cells
from optimal.tables.table import Table

#: As Mesquite writes it: characters and states by name, weights of characters.
MESQUITE = """#NEXUS
[written by [a program], it's a comment; with all]
BEGIN TAXA;
  DIMENSIONS NTAX=4; TAXLABELS Homo_sapiens 'Pan (it''s)' Gorilla Outgroup;
END;
BEGIN CHARACTERS;
  TITLE 'a matrix';
  DIMENSIONS NCHAR=4;
  FORMAT DATATYPE = STANDARD GAP = - MISSING = ? SYMBOLS = "  0 1 2";
  CHARSTATELABELS 1 tail / absent present, 2 'coat, colour' / black brown 'light/grey', 3 tail, 4 none ;
  MATRIX
  Homo_sapiens  0(0 1)1?
  'Pan (it''s)' 0{1,2}1?
  Gorilla       0 0
                ??
  Outgroup      12-?
;
END;
BEGIN ASSUMPTIONS;
  WTSET other = 5: 1;
  WTSET * one = 1: 1 3, 0.5: 2;
END;
"""
#: As PAUP has it: in blocks one below the other, with signs for others.
PAUP = """#nexus
begin data;
dimensions ntax=3 nchar=7;
format interleave missing=x gap=- symbols="012" equate="B=(01) T=2" matchchar=.;
charlabels a b c_d e 'f g' h i;
statelabels 1 no yes, 5 small large;
eliminate 7;
matrix
A 0B[comment]1
B 1.0
C {0~2}XT

A 010 3
B (01)-1 0
C .{01}0 1
;
end;
"""


def test_nexus_with_names_and_weights(tmp_path: Path) -> None:
    (tmp_path / "m.nex").write_text(MESQUITE, encoding="cp1252")
    table = Table.from_csv(tmp_path / "m.nex")
    assert table.objects == ("Homo sapiens", "Pan (it's)", "Gorilla", "Outgroup")
    assert table.questions == ("tail", "coat, colour", "tail (3)")
    assert table.replies == (("absent", "present"), ("black", "brown", "light/grey"), ("1", "inapplicable"))
    assert (table.costs.tolist(), table.variants) == ([1, 2, 1], 7)
    assert [note.split(": ")[1:] for note in table.notes] == [
        ["the weights of characters are costs here", "1 divided by the weight"],
        ["left out", "1 character of which no taxon has a state"],
    ]
    assert Table.from_csv(tmp_path / "m.nex", without=["tail"]).questions == table.questions[1:]


def test_what_nexus_leaves_out() -> None:
    odd = MESQUITE.replace("WTSET * one = 1:", "EXSET * one = 2; OPTIONS GAPMODE = MISSING; WTSET * one = 0: 4, 1:")
    cells = read_nexus(odd.replace("Homo_sapiens  0", "Homo_sapiens  2"), "m.nex")
    assert cells.characters == ["tail", "tail"]
    assert cells.rows == [[["2"], ["1"]], [["absent"], ["1"]], [["absent"], []], [["present"], []]]
    assert cells.notes == [
        "left out by ELIMINATE, EXSET or a weight of 0: coat, colour; none",
        "'tail': 2 stands in a cell, and is no state's name",
    ]


def test_sets_of_characters_by_their_names() -> None:
    """A matrix may be named where a set begins, and has a digit in its name more often than not."""
    sets = "CHARSET set1 = 4; EXSET * x (CHARACTERS = m1) = set1 odd; "
    sets += "WTSET * w (CHARACTERS = m1) = 3: 1, 1: 'coat, colour'"
    cells = read_nexus(MESQUITE.replace("WTSET * one = 1: 1 3, 0.5: 2", sets), "m.nex")
    assert (cells.characters, cells.costs) == (["tail", "coat, colour", "tail"], ["1", "3", "3"])
    assert cells.notes[0] == "'odd' is no character and no set of them, and is passed over"
    twice = read_nexus(MESQUITE + "BEGIN DATA; DIMENSIONS NCHAR=1; MATRIX x 0; END;", "m.nex")
    assert twice.notes[0] == "2 blocks of characters; only the first matrix that can be is read"


def test_nexus_in_blocks() -> None:
    matrix = read_nexus(PAUP, "m.nex")
    assert matrix.characters == ["a", "b", "c d", "e", "f g", "h"]
    none = "inapplicable"
    assert matrix.rows == [
        [["no"], ["0", "1"], ["1"], ["0"], ["large"], ["0"]],
        [["yes"], ["0", "1"], ["0"], ["0", "1"], [none], ["1"]],
        [["no", "yes", "2"], [], ["2"], ["0"], ["small", "large"], ["0"]],
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("NTAX=4", "NTAX=5", "NTAX is 5, and the MATRIX has 4 rows; mend NTAX, or add what is missing"),
        ("Gorilla       0 0\n                ??\n", "", "in TAXLABELS, but without a row in the MATRIX: 'Gorilla'"),
        ("  Outgroup ", "  Outgrop", "in the MATRIX, but not in TAXLABELS: 'Outgrop'; write names alike in both"),
        ("  Outgroup ", "  4", ""),
        ("  Outgroup ", "  OUTGROUP ", ""),
        ("Gorilla Outgroup;", "Gorilla Outgroup Pongo; END; BEGIN TAXA; TAXLABELS Pan;", ""),
    ],
)
def test_taxa_of_nexus(old: str, new: str, told: str) -> None:
    notes = read_nexus(MESQUITE.replace(old, new), "m.nex").notes[:-1]
    assert notes[0].startswith(told) if told else not notes, notes


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("STANDARD", "DNA", "a matrix of datatype DNA; only STANDARD, characters with states, is read"),
        ("MATRIX", "MATRIZ", "no block CHARACTERS or DATA with a MATRIX is in it"),
        ("NCHAR=4", "NCHAR=5", "the taxon 'Homo sapiens', character 5: \"'\" is no state"),
        ("NCHAR=4", "NTAX=4", "a MATRIX without NCHAR in DIMENSIONS before it"),
        ("(0 1)", "(0 1", r"the taxon 'Homo sapiens', character 2: \( opens and nothing closes in its line"),
        ("Gorilla       0", "Homo_sapiens  0", "the taxon 'Homo sapiens' comes twice"),
        ("12-?", "12-", "the taxon 'Outgroup' has 3 states; NCHAR is 4"),
        ("DATATYPE", "TRANSPOSE DATATYPE", "a matrix with TRANSPOSE in its FORMAT"),
    ],
)
def test_nexus_that_is_not_read(old: str, new: str, told: str) -> None:
    with pytest.raises(InputError, match=f"m.nex: {told}"):
        read_nexus(MESQUITE.replace(old, new), "m.nex")


#: As the programs of DELTA have it: three files, and directives for keys in a fourth.
SPECS = """*SHOW ~ ours
*NUMBER OF CHARACTERS 9
*CHARACTER TYPES 1,TE 4,RN 5,IN 7-8,OM
*IMPLICIT VALUES 6,1
*DEPENDENT CHARACTERS 2,1:3:8-9 3,2/3:9
"""
CHARS = """*SHOW ~ ours
*CHARACTER LIST
#1. including <synonyms>/

#2. wings/ 1. absent/ 2. present <<rarely> small>/

#3. wings <colour, and/or pattern>/ 1. red/
      2. \\i{}light\\i0{} yellow/ 3. blue/
#4. body <length>/ mm long/
#5. antennae/ joints/
#6. <habitat>/ 1. land/ 2. water/
#7. eyes/ 1. small/ 2. middling/ 3. large/
#8. spots <of wings>/ 1. no/ 2. yes/
#9. veins/ 1. few/ 2. many/
"""
ITEMS = """*ITEM DESCRIPTIONS
# \\i{}Formica\\i0{} <L.>/
1<a text, with 2,2 in it> 2,1 4,4.5-9 5,(2-)3-5(-7) 7,1<rarely>/3 9,1
# Bée/
2,2 3,1&3 4,10.5 5,6 6,2 7,1-2 8,U
#+ variant/
3,2 5,3-4-8 8,V 9,-
# Wasp/
2,1/2 3,- 7,2
# Midge/
2,1/2 3,1/2 7,2 9,1
"""
TOKEY = """*SHOW Translate into KEY format
*INPUT FILE specs
*EXCLUDE CHARACTERS 9
*CHARACTER RELIABILITIES 2-3,7 7,10
*INPUT FILE CHARS
*INPUT FILE items
"""


def test_delta(tmp_path: Path) -> None:
    for name, text in (("specs", SPECS), ("chars", CHARS), ("items", ITEMS), ("tokey", TOKEY)):
        (tmp_path / name).write_text(text, encoding="cp1252")
    cells = read_cells(tmp_path)
    assert "has it inapplicable: 'Formica', character 9; take it out" in cells.notes[0]
    assert cells.notes[1].endswith("the reliabilities in tokey aren't used; name that file, and they are costs")
    lone = ["inapplicable"]
    assert [cell.split("\x1f") for cell in cells.rows[0]] == [
        [""], ["wings"], ["wings (colour, and/or pattern)"], ["body (mm long)"], ["antennae (joints)"], ["habitat"],
        ["eyes"], ["spots"], ["veins"],
    ]  # fmt: skip
    assert [[cell.split("\x1f") for cell in row] for row in cells.rows[1:]] == [
        [["Formica"], ["absent"], lone, ["4.5-9"], ["2-7"], ["land"], ["small", "large"], lone, ["few"]],
        [["B\xe9e"], ["present"], ["red", "blue"], ["10.5"], ["6"], ["water"], ["small", "middling"], [""], [""]],
        [["variant"], ["present"], ["light yellow"], ["10.5"], ["3-8"], ["water"], ["small", "middling"],
         ["no", "yes"], lone],
        [["Wasp"], ["absent", "present"], lone, [""], [""], ["land"], ["middling"], [""], lone],
        [["Midge"], ["absent", "present"], ["red", "light yellow", *lone], [""], [""], ["land"], ["middling"], [""],
         ["few", *lone]],
    ]  # fmt: skip
    assert all(read_cells(tmp_path / name).rows == cells.rows for name in ("items", "specs", "chars"))
    table = Table.from_csv(tmp_path / "tokey")
    assert {"body (mm long)", "veins"}.isdisjoint(table.questions)
    assert [cost / table.cost_scale for cost in table.costs.tolist()] == [2.744, 2.744, 5.3782, 5.3782, 1, 5.3782]
    assert "1.4^(10 - reliability)" in table.notes[0]
    assert "'body (mm long)'" in table.notes[1]
    measured = Table.from_csv(tmp_path, classes={"body (mm long)": [5, 10]}, without=["spots"])
    assert measured.replies[2] == ("below 5", "5 to 10", "above 10")
    assert measured.replies[3] == ("2", "3-5", "6", "7", "8")
    with pytest.raises(InputError, match="its rows are taxa; leave out --transpose"):
        read_cells(tmp_path / "items", transpose=True)
    (tmp_path / "items").write_text(ITEMS.replace("7,2\n", "7 ,2 /3 <a\nb>\n"), encoding="cp1252")
    odd = "no attribute, and left out: ',2' in line 8; '/3' in line 8; right would be such as 3,1/2"
    assert odd in read_cells(tmp_path).notes[0]
    for new, what in (
        ("2,x 4", ": 'x' is no state"),
        ("2,3 4", ": '3' is no state; its states are 1, 2"),
        ("2,2-1 4", ": '2-1' goes down; write the lower end first"),
        ("2,1 2 2,2 4", " comes twice; if either can be, write 2,1/2"),
        ("12,1 4", ": CHARACTER LIST has 9, and none so numbered"),
    ):
        (tmp_path / "items").write_text(ITEMS.replace("2,1 4", new), encoding="cp1252")
        with pytest.raises(InputError, match=f"s: line 2: 'Formica', character {new.partition(',')[0]}{what}"):
            read_cells(tmp_path)
    (tmp_path / "items").write_text(ITEMS, encoding="cp1252")
    (tmp_path / "tokey").write_text(
        TOKEY.replace("*EXC", "*EXCLUDE ITEMS 2\n*KEY STATES 5,~3/4~\n*EXC"), encoding="utf-8"
    )
    assert "not followed: EXCLUDE ITEMS, KEY STATES" in Table.from_csv(tmp_path / "tokey").notes[0]
    (tmp_path / "specs").write_text(SPECS + "*EXCLUDE CHARACTERS 9-7\n", encoding="utf-8")
    with pytest.raises(InputError, match="tokey: specs, line 6: '9-7' goes down; write the lower end first"):
        Table.from_csv(tmp_path / "tokey")
    (tmp_path / "specs").unlink()
    (tmp_path / "chars").unlink()
    with pytest.raises(InputError, match="a data set of DELTA also needs the file chars, beside it; there is none"):
        read_cells(tmp_path)


def test_damaged_matrices_give_one_line_or_a_table(tmp_path: Path) -> None:
    files = {"m.nex": MESQUITE, "p.nex": PAUP, "specs": SPECS, "chars": CHARS, "items": ITEMS, "tokey": TOKEY}
    good = {name: text.encode("cp1252") for name, text in files.items()}
    chance, read, told = random.Random(26), 0, []
    for name, data in good.items():
        for path, text in good.items():
            (tmp_path / path).write_bytes(text)
        for _ in range(100):
            (tmp_path / name).write_bytes(damaged(data, chance, ";,'()[]{}<>#*-=~/?"))
            try:
                Table.from_csv(tmp_path / (name if name.endswith(".nex") else "tokey"))
                read += 1
            except InputError as error:
                told.append(str(error))
    assert not any("\n" in one for one in told)
    assert 100 < read < 500
