"""Matrices of taxa and characters: NEXUS and DELTA. The samples are ours, in the forms that programs write."""

from __future__ import annotations

from pathlib import Path

import pytest

from optimal.errors import InputError
from optimal.tables.nexus import read_nexus
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
        ["the weights of characters are costs here", "1 by the weight"],
        ["left out", "1 character of which no taxon has a state"],
    ]
    assert Table.from_csv(tmp_path / "m.nex", without=["tail"]).questions == table.questions[1:]


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
