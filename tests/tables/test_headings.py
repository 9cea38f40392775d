"""What stands around tables in files, and which way round they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from optimal.errors import InputError
from optimal.tables.reading import read_cells
from optimal.tables.table import Table


def written(folder: Path, text: str) -> Path:
    (folder / "t.csv").write_text(text, encoding="utf-8")
    return folder / "t.csv"


def test_which_way_round_a_table_stands(tmp_path: Path) -> None:
    numbers = "n,a,b,c\nleaf,1-3,4-10,2-5\nhue,red,blue,red\nstyles,2,3,3\n"
    for text in (numbers, "n,a,b,c,d\nq,x,y,x,x\nr,s,s,s,t\nt,tuft,creep,tuft,creep\nu,o/r,r,r,o\n"):
        turned = "\n".join(map(",".join, zip(*(line.split(",") for line in text.split()), strict=True)))
        for file, turn, cure in ((text, False, "row.*--transpose"), (turned, True, "column.*row.*leave out --tr")):
            path = written(tmp_path, file)
            assert re.search(f"its {cure}", Table.from_csv(path, transpose=turn).notes[0])
            assert "its " not in "".join(Table.from_csv(path, transpose=not turn).notes)
    with pytest.raises(InputError, match=r"'n/a' is no reply; .*; .* its rows look like questions, and its columns"):
        Table.from_csv(written(tmp_path, numbers.replace("2-5", "n/a")))


def test_space_between_columns_and_names_in_the_second_one(tmp_path: Path) -> None:
    table = Table.from_csv(written(tmp_path, "n,q,,r\na,x,,y\nb,x,,z\n"))
    assert (table.questions, table.notes) == (("q", "r"), ())
    with pytest.raises(InputError, match="give them two names and one group; or put 'species' first, if it has the na"):
        Table.from_csv(written(tmp_path, "family,species,q\nF,a,x\nF,b,y\n"))


@pytest.mark.parametrize(
    ("text", "names", "told"),
    [
        (
            "Sedges, 2024\n\nname;width, mm;hue\na;2,5;red\nb;3;red\n",
            "name width, mm hue",
            "line 3; 'Sedges, 2024' above",
        ),
        ("No,name,q,r\n1,a,x,y\n2,b,x,z\n3,c,z,y\n4,d,x,y\n", "name q r", "'No' numbers the rows, and is left out"),
        (",,,\n,name,q,r\n,a,x,y\n,b,,z\n", "name q r", "first column is empty, and is left out; 'name' has"),
        ("n,q,r\na,x,y\nb,x,z\nSource: x,,\nc\n", "n q r", "line 4: 'Source: x' stands alone, and is left out "),
        ("n,q,r\na,x,y\nb,x,z\nAll of these were seen by me.,,\n", "n q r", "line 4: 'All of these"),
        ("n,Leaf,,Size\n,hue,rim,\na,x,y,1\nb,x,z,1\n", "n Leaf hue Leaf rim Size", "are joined from two lines, s"),
        ("n,Leaf,,Size\nn,hue,rim,Size\na,x,y,1\nb,x,z,1\n", "n Leaf hue Leaf rim Size", "are joined from two"),
        (
            "n,q,r\na,x,y\nNew,New,New\nb,x,z\nn,q,r\n",
            "n q r",
            "line 3: 'New' stands in all cells, and is left out; an",
        ),
        ("n,q,r\na,x,y\n1,1,1\nb,1,z\n", "n q r", ""),
        ("n,q,r,s\na,x,y,z\nNew,New,New,\nb,x,z,z\nN,Q,R,S\n", "n q r s", "line 5: the heading stands once more, and"),
        (",Leaf,,Size\nn,hue,rim,\na,x,y,1\nb,x,z,1\n", "n Leaf hue Leaf rim Size", "are joined from two lines"),
        ("n,long,q\n,mm,(%)\na,1,2\nb,2,3\n", "n long mm q (%)", "are joined from two lines, such as"),
        ("n,size,q\nn,mm,\na,1,x\nb,2,y\n", "n size mm q", "are joined from two lines, such as 'size mm'"),
        ("class,name,q\n1,a,x\n2,b,x\n3,c,z\n4,d,x\n", "class name q", "'class' may number the rows, and 'name' have"),
        (",rose,lily,tulip\n,white,red,blue\n", "", "line 2, column 1 is empty"),
        (",rose,lily,tulip\n,white,red,blue\nsize,1,2,3\nhue,4,5,6\n", "", "line 2, column 1 is empty"),
        ("A,B,C\nA,x,y\nD,x,z\nE,y,z\n", "A B C", ""),
        ("name,,\nrose,red,big\nlily,white,small\n", "", "'name' stands alone"),
        ("name,,\nrose,red,big\nlily,white,tall\ntulip,blue,wide\n", "", "'name' stands alone"),
        ("x,x,x\na,p,q\nb,r,s\n", "", "'x' stands alone"),
        ("No,q,r\n1,x,y\n2,x,y\n3,x,y\n4,z,y\n", "No q r", ""),
        (",q\na,x\n", " q", ""),
        ("pet\na,x\nb,x\n", "", "line 1: 'pet' stands alone, and no names of questions and two obj"),
        ("pet\na,4\nb,2\n", "", "line 1: 'pet' stands alone, and no names of questions and two obj"),
        ("n,q\n,2\nb,3\n", "", "line 2, column 1 is empty: the object needs a name"),
    ],
)
def test_what_stands_around_a_table(tmp_path: Path, text: str, names: str, told: str) -> None:
    path = written(tmp_path, text)
    if not names:
        with pytest.raises(InputError, match=told):
            Table.from_csv(path)
        return
    cells = read_cells(path)
    assert (" ".join(cells.rows[0]), told in " ".join(cells.notes), bool(cells.notes)) == (names, True, bool(told))
    assert cells.at(1, 1).endswith(f"column {2 + cells.left}")


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("name,parts\nrose,a;b;c\nlily,a;c;d\ntulip,b;c;e\naster,x;y;z\n", (4, 1)),
        ("name,parts\n\nrose,a;b;c\nlily,a;c;d\n\ntulip,b;c;e\n\n", (3, 1)),
        ('name,note\nrose,"red, a\nb; c"\nlily,"w; d\ne"\ntulip,q\n', (3, 1)),
        ("Sedges\nname,parts\nrose,a\tb\nlily,a\tc\n", (2, 1)),
        ("Sedges, 2024\nname;width, mm;hue\na;2,5;red\nb;3;red\n", (2, 2)),
        ("name;width, mm;length, mm\na;2,5;1,5\nb;3,5;2,5\n", (2, 2)),
    ],
)
def test_what_separates_cells(tmp_path: Path, text: str, shape: tuple[int, int]) -> None:
    rows = read_cells(written(tmp_path, text)).rows
    assert (len(rows) - 1, len(rows[0]) - 1) == shape


def test_objects_without_replies_at_the_end_are_kept(tmp_path: Path) -> None:
    text = "name,colour,size\nrose,red,big\nlily,white,small\ntulip,,\naster,,\niris,,\n"
    assert len(read_cells(written(tmp_path, text)).rows) == 6
