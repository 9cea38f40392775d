"""Small wrong edits of the two checkers of certificates, one at a time, and whether the tests' certificates show each.

    python tests/certificates/mutate_checkers.py [WORD]

Makes the edits of the tables below in both checkers, in a copy of the repository. Each must show with the forged
certificates of test_certificates_forged.py (edits of the keys' part: of test_key_certificates_forged.py), or with those
of random games and tables and their mutations. Exit status 1 if not. What each guard is for, those tests say.

With WORD only the edits that it is a part of, as "keys", "chart" or "check_certificate.c".
"""

from __future__ import annotations

import argparse
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))

import test_key_certificates_forged as forged_keys
from certificates_util import (
    Forged,
    by_c,
    compiled,
    mutated_game,
    numbers_of,
    packed,
    random_peg_question,
    random_question,
    random_sample,
)
from key_certificates_util import mutated_key, packed_key, random_key_sample
from patience import SOON
from test_certificates import MUTATIONS
from test_certificates_forged import FORGED, SMALL
from test_key_certificates import MUTATIONS as KEY_MUTATIONS

from optimal.certificates.checker import Report, check_stream

ROOT = Path(__file__).resolve().parents[2]
CHECKER, STATEMENT, READING, BOARD = (
    f"optimal/certificates/{name}.py" for name in ("checker", "statement", "reading", "board")
)
KEYS, CHART = (f"optimal/certificates/{name}.py" for name in ("key_checker", "chart"))
IN_C = "tools/check_certificate.c"
#: Random tables of questions.
TABLES = range(40)
#: Random games: every other one of the tests.
GAMES = [*((seed, random_question) for seed in range(0, 96, 2)), *((seed, random_peg_question) for seed in range(16))]
#: Run in the copy: what its checker says of each certificate.
_SAY = """
import pickle, sys
from optimal.certificates.checker import check_stream
with open(sys.argv[1], "rb") as file:
    wanted = pickle.load(file)
for name, (stream, said) in wanted.items():
    report = check_stream(stream)
    if (report.problems, report.claims, report.steps) != said:
        sys.exit(name)
"""


@dataclass(frozen=True)
class Edit:
    file: str
    old: str
    new: str
    keys: bool = False  # of what checks keys


#: What counting, bounds, rules and references say: in both checkers where both have it.
OF_GAMES = [
    Edit(BOARD, "asked = np.flatnonzero(upper > enough)", "asked = np.flatnonzero(upper > enough + 1)"),
    Edit(BOARD, "upper[asked] > enough]", "upper[asked] > enough + 1]"),
    Edit(BOARD, "max(1, 3 * n - target", "max(2, 3 * n - target"),
    Edit(BOARD, "3 * n - target,", "3 * n - target + 1,"),
    Edit(BOARD, "n - 1 if left == 2 else 0", "n if left == 2 else 0"),
    Edit(BOARD, "n - 1 if left == 2 else 0", "n - 1 if left <= 3 else 0"),
    Edit(BOARD, "[bounds < target], bounds[bounds < target]", "[bounds + 1 < target], bounds[bounds + 1 < target]"),
    Edit(BOARD, "np.minimum(upper, n + member, out=upper)", "np.minimum(upper, n, out=upper)"),
    Edit(BOARD, "others[members] -= 2", "others[members] -= 3"),
    Edit(BOARD, "others[members] -= 2", "others[members] -= 1"),
    Edit(BOARD, "3 * size - largest", "3 * size - largest + 1"),
    Edit(BOARD, "bound[largest + 1 :] = NONE", "bound[largest:] = NONE"),
    Edit(BOARD, "if left == 2:\n            bound", "if left <= 3:\n            bound"),
    Edit(BOARD, "outside <= SMALL_CLASSES and", "outside <= SMALL_CLASSES + 1 and"),
    Edit(BOARD, "left = min(left, SIZES_MOST + 1)", "left = min(left, SIZES_MOST)"),
    Edit(BOARD, "np.arange(1, most + 1)", "np.arange(2, most + 2)"),
    Edit(BOARD, "_split(below, inside)[:-1]", "_split(below, max(0, inside - 1))[:-1]"),
    Edit(BOARD, "_split(below, outside)[1:]", "_split(below, max(1, outside - 1))[1:]"),
    Edit(BOARD, "2 * np.arange(most + 1, dtype=np.int64) - 1", "2 * np.arange(most + 1, dtype=np.int64)"),
    Edit(BOARD, "np.where(self.has_perfect_member(sets), cost[which], 2 * m)", "2 * m"),
    Edit(BOARD, "cost[which], 2 * m)", "cost[which], 2 * m + 1)"),
    Edit(BOARD, "and not self.has_perfect_member(answers[None])[0]", ""),
    Edit(BOARD, "            cost = 2 * m\n", "            cost = 2 * m - 1\n"),
    Edit(BOARD, "small = self.by_size(fewer(left), most, n)", "small = self.by_size(left, most, n)"),
    Edit(BOARD, "if left < 1:", "if left < 2:"),
    Edit(BOARD, "== self.winning, 0, small", "== self.winning, 1, small"),
    Edit(BOARD, "unmatched = unmatched - yellow", "pass"),
    Edit(BOARD, "np.minimum(self.copies[guess], self.copies[against])", "np.minimum(1, self.copies[against])"),
    Edit(BOARD, "self._replies_of(guess) == code", "self._replies_of(guess) != -1"),
    Edit(BOARD, "            if mark == 2:\n", "            if mark == 3:\n"),
    Edit(BOARD, "self._copied[symbol] >= copies", "self._copied[symbol] >= 1"),
    Edit(BOARD, "self._copied[symbol] >= copies", "self._copied[symbol] == copies"),
    Edit(BOARD, "self.upper[self.answer_guess] += 1", "pass"),
    Edit(BOARD, "np.array(names)[self.symbols[codes][:, places]]", "self.symbols[codes][:, places]"),
    Edit(BOARD, "np.array(names)[self.symbols[codes][:, places]]", "np.array(names)[self.symbols[codes]]"),
    Edit(CHECKER, "return [(worst - 1, NONE), (worst, total)]", "return [(worst, total)]"),
    Edit(CHECKER, "return [(worst - 1, NONE), (worst, total)]", "return [(worst - 1, NONE)]"),
    Edit(CHECKER, "return [(worst - 1, NONE), (worst, total)]", "return [(worst - 1, NONE), (worst - 1, total)]"),
    Edit(CHECKER, "had[name // 8] |= 1 << name % 8", "pass"),
    Edit(CHECKER, "if bound < target:\n            missing", "if bound + 1 < target:\n            missing"),
    Edit(CHECKER, "if other in missing:", "if other in missing and other != opener:"),
    Edit(CHECKER, "replace(section.proven[-1], legal=None)", "replace(section.proven[0], legal=None)"),
    Edit(CHECKER, "self.left = fewer(left)", "self.left = left"),
    Edit(CHECKER, "np.minimum(upper, len(part) + member)", "np.minimum(upper, len(part))"),
    Edit(CHECKER, "upper[asked] = board.count(asked, part) + member[asked]", "upper[asked] = most"),
    Edit(CHECKER, "self.proven = []\n        kind", "kind"),
    Edit(CHECKER, "part, board.forbid(upper, opener, code).copy(), self.left, 1)", "part, upper.copy(), self.left, 1)"),
    Edit(CHECKER, "max(0, bound - board.set_bound(part, self.left, board.most_classes_of_all))", "bound"),
    Edit(CHECKER, "max(0, bound - board.set_bound(part, self.", "1 + max(0, bound - board.set_bound(part, self."),
    Edit(CHECKER, "max(0, value - board.set_bound(part, below, most))", "value"),
    Edit(CHECKER, "gain = NONE if value == NONE else max(", "gain = NONE if value == NONE else 1 + max("),
    Edit(CHECKER, "if bound < target:\n                wanted", "if bound + 1 < target:\n                wanted"),
    Edit(CHECKER, "legal_now = None if board.rules == NORMAL else", "legal_now = None if True else"),
    Edit(CHECKER, "rest = len(answers) - len(mine)", "rest = 1 + len(answers) - len(mine)"),
    Edit(CHECKER, "earlier.target + int(self.board.sizes_of_all(", "earlier.target + 2 * int(self.board.sizes_of_all("),
    Edit(CHECKER, "if earlier.left < left:", "if earlier.left + 1 < left:"),
    Edit(CHECKER, "mine = self.board.moved(mine, places, names)", "pass"),
    Edit(CHECKER, "self.board.moved(legal, places, names)", "legal"),
    Edit(CHECKER, 'last = reader.next("a feedback code", last + 1', 'last = reader.next("a feedback code", 0'),
    Edit(CHECKER, "self.board.steps += LEAST_STEPS + self.guesses + len(self.board.everything)", "pass"),
    Edit(STATEMENT, "total, worst = total + depth, max(worst, depth)", "total, worst = total + depth, depth"),
    Edit(STATEMENT, "depth + 1) for code", "depth) for code"),
    Edit(IN_C, 'if (i && item_order(item - 1, item) == 0) fail("two items for one class of an opener");', ""),
    Edit(IN_C, "if (upper[g] <= enough) continue;", "if (upper[g] <= enough + 1) continue;"),
    Edit(IN_C, "count_above(enough, s, upper);", "count_above(enough + 1, s, upper);"),
    Edit(IN_C, "i64 enough = most_of(1, most_of", "i64 enough = most_of(2, most_of"),
    Edit(IN_C, "3 * (i64)s->n - target", "3 * (i64)s->n - target + 1"),
    Edit(IN_C, "left == 2 ? s->n - 1 : 0", "left == 2 ? s->n : 0"),
    Edit(IN_C, "if (bound >= target) continue;", "if (bound + 1 >= target) continue;"),
    Edit(IN_C, "] > s->n + member[g]) upper[g] = (uint16_t)(s->n + member[g])", "] > s->n) upper[g] = (uint16_t)s->n"),
    Edit(IN_C, "upper[g] - 2 * member[g]", "upper[g] - 3 * member[g]"),
    Edit(IN_C, "- limits.most ? bound : 3 * n - limits.most;", "- limits.most + 1 ? bound : 3 * n - limits.most + 1;"),
    Edit(IN_C, "left == 2 && n > limits.most", "left == 2 && n >= limits.most"),
    Edit(IN_C, "left == 2 && n > limits.most", "left <= 3 && n > limits.most"),
    Edit(IN_C, "if (!has_perfect_member(&part)) more +=", "more +="),
    Edit(IN_C, "more += 2 * part.n - c->cost", "more += 2 * part.n + 1 - c->cost"),
    Edit(IN_C, "&& !has_perfect_member(s) ?", "?"),
    Edit(IN_C, "? 2 * s->n : bound", "? 2 * s->n - 1 : bound"),
    Edit(IN_C, "split_sizes(below, inside_most", "split_sizes(below, inside_most > 1 ? inside_most - 1 : inside_most"),
    Edit(IN_C, "f[i] = least(NONE, i + least", "f[i] = least(NONE, i + 1 + least"),
    Edit(IN_C, ": 2 * n - 1;", ": 2 * n;"),
    Edit(IN_C, "size_bound(left, s->n - earlier->n)", "size_bound(left, s->n - earlier->n + 1)"),
    Edit(IN_C, "if (earlier->left < left)", "if (earlier->left + 1 < left)"),
    Edit(IN_C, "fewer |= !bit(earlier->legal, g) && upper[moved(g, &map)]", "fewer |= 0 && upper[moved(g, &map)]"),
    Edit(IN_C, "|= bit(earlier->answer, a) && !inside[moved(a, &map)]", "|= bit(earlier->answer, a) && !inside[a]"),
    Edit(IN_C, "most_of(0, value - bare));\n            free", "most_of(0, value - bare) + 1);\n            free"),
    Edit(IN_C, "if (bound < target) fail", "if (bound + 1 < target) fail"),
    Edit(IN_C, "most_of(0, value - bare)});", "most_of(0, value - bare) + 1});"),
    Edit(IN_C, "left = one_less(proof->left);", "left = proof->left;"),
    Edit(IN_C, "part.n + member[g]) lower[g] = (uint16_t)(part.n + member[g])", "part.n) lower[g] = (uint16_t)part.n"),
    Edit(IN_C, "state[opener] != 1 || state[other]", "state[opener] != 1 || state[other] == 2"),
    Edit(IN_C, "if (rules == ULTRA_HARD) return score(past, word) == code;", "if (rules == ULTRA_HARD) return 1;"),
    Edit(IN_C, "if (rest % 3 == 2 && word[i] != past[i]) return 0;", ""),
    Edit(IN_C, "if (has < wanted) return 0;", "if (has < 1) return 0;"),
    Edit(IN_C, "taken |= 1 << j;", ""),
    Edit(IN_C, "(int)value[0] - 1, NONE, threads);", "(int)value[0], NONE, threads);"),
    Edit(IN_C, "made += check_proof(everything, start, (int)value[0], value[1], threads);", ""),
    Edit(IN_C, "bound[found.guess[i]] < target;", "bound[found.guess[i]] + 1 < target;"),
]
#: The same of keys.
OF_KEYS = [
    Edit(KEYS, "sum(weights) * max(1, self.cost)", "sum(weights) * self.cost"),
    Edit(KEYS, "openers[-1] + 1 if openers else 0", "0"),
    Edit(KEYS, "total += cost * chart.weight(kinds)", "total += chart.weight(kinds)"),
    Edit(KEYS, "depth + 1, paid + cost) for", "depth, paid + cost) for"),
    Edit(KEYS, "depth + 1, paid + cost) for", "depth + 1, cost) for"),
    Edit(KEYS, "max(deepest, depth), max(costliest, paid)", "max(deepest, depth), paid"),
    Edit(KEYS, "max(deepest, depth), max(costliest, paid)", "depth, max(costliest, paid)"),
    Edit(KEYS, "target > weight * self.cost:", "target >= weight * self.cost:"),
    Edit(KEYS, "self.take_steps(many * len(chart.costs) ** 2)", "pass"),
    Edit(KEYS, "self.take_steps(chart.kinds * len(chart.costs))", "pass"),
    Edit(KEYS, "if len(classes) > 1:", "if len(classes) > 2:"),
    Edit(KEYS, "if left < 1 or", "if left < 2 or"),
    Edit(KEYS, "or cost > cost_left:", "or cost >= cost_left:"),
    Edit(KEYS, "found = cost * weight\n", "found = cost * weight + 1\n"),
    Edit(KEYS, "found + self.value(part, fewer(left)", "found + 1 + self.value(part, fewer(left)"),
    Edit(KEYS, "self.value(part, fewer(left), fewer", "self.value(part, left, fewer"),
    Edit(KEYS, "fewer(left), fewer(cost_left, cost))", "fewer(left), cost_left)"),
    Edit(KEYS, "found < target:\n            self.reader.fail(", "found + 1 < target:\n            self.reader.fail("),
    Edit(KEYS, "left >= left and claim.cost_left >= cost_left:", "left + 1 >= left and claim.cost_left >= cost_left:"),
    Edit(KEYS, "left >= left and claim.cost_left >= cost_left:", "left >= left and claim.cost_left + 1 >= cost_left:"),
    Edit(KEYS, "found < target:\n                self.reader", "found + 1 < target:\n                self.reader"),
    Edit(KEYS, "for question in theorem.openers:", "for question in theorem.openers[:1]:"),
    Edit(KEYS, "return number - 1 if number else NONE", "return number if number else NONE"),
    Edit(KEYS, "[(left, worst - 1, NONE)] if worst else []", "[]"),
    Edit(KEYS, "[(left, worst - 1, NONE)]", "[(left, worst - 2, NONE)]"),
    Edit(KEYS, ", (left, worst, total)]", "]"),
    Edit(CHART, "self.weights[kind] += weight", "self.weights[kind] = weight"),
    Edit(CHART, "known.setdefault(frozenset(own), len(known))", "known.setdefault(frozenset([min(own)]), len(known))"),
    Edit(CHART, ")) for own in held]", ")) - (len(own) > 1) * (1 + kind) * 9**9 for kind, own in enumerate(held)]"),
    Edit(CHART, "sum(len(own) > 1 for own in known) <", "sum(len(own) > 2 for own in known) <"),
    Edit(CHART, "< sum(len(own) > 1 for own in held)", "< len(held)"),
    Edit(CHART, "for kind in self.members(kinds)}) == 1", "for kind in self.members(kinds)}) <= 2"),
    Edit(CHART, "if groups == 1:", "if groups <= 2:"),
    Edit(CHART, "if cost_left >= NONE or not cheapest else min(left, cost_left // cheapest)", "if True else 0"),
    Edit(CHART, "min(left, cost_left // cheapest)", "min(left, (cost_left - 1) // cheapest)"),
    Edit(CHART, "return cheapest * least if", "return cheapest * (least + 1) if"),
    Edit(CHART, "sums.get(self.groups[kind], 0) + self.weights[kind]", "self.weights[kind]"),
    Edit(CHART, "sums[self.groups[kind]] = sums.get(self.groups[kind], 0)", "sums[kind] = sums.get(kind, 0)"),
    Edit(CHART, "cheapest, most = min(cheapest, cost), max(most, many)", "cheapest, most = cost, max(most, many)"),
    Edit(CHART, "cheapest, most = min(cheapest, cost), max(most, many)", "cheapest, most = min(cheapest, cost), 2"),
    Edit(CHART, "while leaves < groups and deep > 0:", "while leaves < groups and deep > 1:"),
    Edit(CHART, "return leaves >= groups", "return leaves > groups"),
    Edit(CHART, "take = branches if take == 1 else take", "pass"),
    Edit(CHART, "(branches - 1) + 1  #", "(branches - 1) + 2  #"),
    Edit(CHART, "insort(weights, joined)", "weights.append(joined)"),
    Edit(IN_C, "if (x != y) return x - y;", "if (x != y && q) return x - y;"),
    Edit(IN_C, "all_weights > NUMBER_MOST / most_of(1, all_costs)", "all_weights > NUMBER_MOST"),
    Edit(IN_C, "kind_weight[kind_of[v]] += weight[v];", "kind_weight[kind_of[v]] = weight[v];"),
    Edit(IN_C, "if (first || group_of[v] != group_of[order[i - 1]])", "if (first)"),
    Edit(IN_C, "if (first || group_of[v] != group_of[order[i - 1]])", ""),
    Edit(IN_C, ": group_of[a] - group_of[b];", ": a - b;"),
    Edit(IN_C, "return n != m ? n - m : memcmp", "return memcmp"),
    Edit(IN_C, "return n != m ? n - m : memcmp", "return n != m ? n - m : 0 * memcmp"),
    Edit(IN_C, "const int alike = i && !set_order(order + i - 1, order + i);", "const int alike = 0;"),
    Edit(IN_C, "merged |= alike && set_begin[order[i] + 1] - set_begin[order[i]] > 1;", "merged |= alike;"),
    Edit(IN_C, "from = 0, head = 0, tail = 0, take = (n - 1) % (k - 1) + 1", "from = 0, head = 0, tail = 0, take = k"),
    Edit(IN_C, "if (take == 1) take = k;", ""),
    Edit(IN_C, "cheapest = least(cheapest, cost[q]);", "cheapest = cost[q];"),
    Edit(IN_C, "k = classes > k ? classes : k;", "k = 2;"),
    Edit(IN_C, "if (met[group] != meeting) met[group] = meeting, met_as", "met_as"),
    Edit(IN_C, "sum[met_as[group]] += kind_weight", "sum[met_as[group]] = kind_weight"),
    Edit(IN_C, "if (purse < NO_KEY && cheapest && purse / cheapest < deep) deep = purse / cheapest;", ""),
    Edit(IN_C, "/ cheapest < deep) deep = purse / cheapest;", "/ cheapest <= deep) deep = purse / cheapest - 1;"),
    Edit(IN_C, "for (; deep > 0 && leaves < groups; deep--)", "for (; deep > 1 && leaves < groups; deep--)"),
    Edit(IN_C, "groups) found = cheapest * huffman(sum, groups", "groups) found = 1 + cheapest * huffman(sum, groups"),
    Edit(IN_C, "->n || memcmp(claim->set.kind, s->kind, (size_t)s->n * sizeof *s->kind)) continue;", "->n) continue;"),
    Edit(IN_C, "(claim->left >= left && claim->purse >= purse)", "(claim->left + 1 >= left && claim->purse >= purse)"),
    Edit(IN_C, "(claim->left >= left && claim->purse >= purse)", "(claim->left >= left && claim->purse + 1 >= purse)"),
    Edit(IN_C, "if (left < 1 || cost[question] > purse) return;", "if (left < 2 || cost[question] > purse) return;"),
    Edit(IN_C, "if (left < 1 || cost[question] > purse) return;", "if (left < 1 || cost[question] >= purse) return;"),
    Edit(IN_C, "i64 sum = cost[question] * weight_of(s);", "i64 sum = 1 + cost[question] * weight_of(s);"),
    Edit(IN_C, "known(&part, less(left, 1), less(purse, cost[question", "known(&part, left, less(purse, cost[question"),
    Edit(IN_C, "known(&part, less(left, 1), less(purse, cost[question]))", "known(&part, less(left, 1), purse)"),
    Edit(IN_C, "target > weight_of(&s) * all_costs)", "target >= weight_of(&s) * all_costs)"),
    Edit(IN_C, "if (classes_on(q, &s) > 1) ask", "if (classes_on(q, &s) > 2) ask"),
    Edit(IN_C, "key_deepest = most_of(key_deepest, depth);", "key_deepest = depth;"),
    Edit(IN_C, "key_dearest = most_of(key_dearest, paid);", "key_dearest = paid;"),
    Edit(IN_C, "(worst && key_dearest != value[0])", "0"),
    Edit(IN_C, "i ? opener_at[i - 1] + 1 : 0, questions - 1", "0, questions - 1"),
    Edit(IN_C, "ask(opener_at[i], all, limit_of_all, purse,", "if (!i) ask(opener_at[i], all, limit_of_all, purse,"),
    Edit(IN_C, "if (value[0]) check_root(&all, value[0] - 1, NO_KEY);", ""),
    Edit(IN_C, "check_root(&all, value[0] - 1, NO_KEY);", "check_root(&all, value[0] - 2, NO_KEY);"),
    Edit(IN_C, "        check_root(&all, value[0], value[1]);\n", ""),
]
TABLE = [*OF_GAMES, *(replace(edit, keys=True) for edit in OF_KEYS)]
#: Edits that these certificates don't show: another test does, or they change nothing that matters.
EQUAL = {
    "SMALL_CLASSES + 1": "a sound bound for more sets",
    "and not self.has_perfect_member(answers[None])[0]": "a class with such an answer costs what the bound says",
    "&& !has_perfect_member(s) ? -> ?": "the same",
    "->n || memcmp(claim": "only where the hashes of two sets of one size meet",
}


def certificates(keys: bool) -> dict[str, bytes]:
    """The forged ones, some sound ones, and those of random games or tables with their mutations."""
    forged: Mapping[str, Forged] = forged_keys.FORGED if keys else FORGED
    found = {name: one.stream for name, one in forged.items()}
    sound = map(packed_key, forged_keys.SMALL) if keys else map(packed, SMALL)
    found |= {f"sound {number}": stream for number, stream in enumerate(sound)}
    mutated, mutations = (mutated_key, KEY_MUTATIONS) if keys else (mutated_game, MUTATIONS)
    for name, rng, stream in samples(keys):
        found[name] = stream
        for number in range(mutations):
            found[f"{name}, changed {number}"] = mutated(rng, numbers_of(stream))
    return found


def samples(keys: bool) -> Iterator[tuple[str, random.Random, bytes]]:
    """Name, further chances and certificate of each random game or table."""
    with tempfile.TemporaryDirectory() as folder:
        for seed in TABLES if keys else ():
            rng = random.Random(seed)
            yield f"table {seed}", rng, random_key_sample(rng, Path(folder)).stream
        for seed, question in () if keys else GAMES:
            rng = random.Random(seed)
            yield f"{question.__name__} {seed}", rng, random_sample(rng, Path(folder), question).stream


class Checkers:
    """The two in a folder, with what they say of certificates as they are, of games or of keys."""

    def __init__(self, folder: Path, streams: dict[str, bytes]) -> None:
        self.folder = folder
        self.wanted = {name: (stream, _said(check_stream(stream))) for name, stream in streams.items()}

    def seen(self, file: str) -> str:
        """The first certificate of which the edited checker says something else; "" for none."""
        if file == IN_C:
            return self.seen_in_c()
        (self.folder / "streams").write_bytes(pickle.dumps(self.wanted))
        command = [sys.executable, "-c", _SAY, str(self.folder / "streams")]
        environment = {**os.environ, "PYTHONPATH": str(self.folder)}
        try:
            done = subprocess.run(
                command, env=environment, cwd=self.folder, capture_output=True, text=True, check=False, timeout=4 * SOON
            )
        except subprocess.TimeoutExpired:
            return "the clock"
        return done.stderr.splitlines()[-1] if done.returncode else ""

    def seen_in_c(self) -> str:
        try:
            program = compiled(self.folder, "-Wno-error", source=self.folder / IN_C)
        except subprocess.CalledProcessError:
            return "the compiler"
        for name, (stream, (problems, claims, steps)) in self.wanted.items():
            try:
                ok, line = by_c(program, stream)
            except (AssertionError, subprocess.TimeoutExpired):
                return f"{name}: it goes down"
            if ok == bool(problems) or (ok and f" ({claims} claims, {steps} steps)" not in line):
                return name
        return ""


def told(edit: Edit) -> str:
    of = " (keys)" if edit.keys else ""
    return f"{edit.file.rpartition('/')[2]}{of}: {' '.join(edit.old.split())} -> {' '.join(edit.new.split())}"


def _said(report: Report) -> tuple[list[str], int, int]:
    return report.problems, report.claims, report.steps


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("word", nargs="?", default="")
    word = parser.parse_args().word
    unseen = 0
    with tempfile.TemporaryDirectory() as name:
        for part in ("optimal", "tests", "tools"):
            shutil.copytree(ROOT / part, Path(name) / part, ignore=shutil.ignore_patterns("*.pyc"))
        chosen = [edit for edit in TABLE if word in told(edit)]
        checkers = {}
        for keys in (False, True):
            if any(edit.keys == keys for edit in chosen):
                checkers[keys] = Checkers(Path(name), certificates(keys))
        for edit in chosen:
            path = Path(name) / edit.file
            text = path.read_text()
            assert text.count(edit.old) == 1, edit
            path.write_text(text.replace(edit.old, edit.new))
            known = (why for part, why in EQUAL.items() if part in told(edit))
            by = checkers[edit.keys].seen(edit.file) or next(known, "")
            path.write_text(text)
            unseen += not by
            print(f"{told(edit)}\t{by or 'NOT SEEN'}", flush=True)
    print(f"{unseen} not seen")
    return 1 if unseen else 0


if __name__ == "__main__":
    raise SystemExit(main())
