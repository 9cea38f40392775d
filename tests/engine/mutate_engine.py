"""Small wrong edits of the engine, one after the other, and which tests see each of them.

    python tests/engine/mutate_engine.py                 # all of them, mostly some ten seconds each
    python tests/engine/mutate_engine.py --only key      # those whose name holds this
    python tests/engine/mutate_engine.py --jobs 8        # so many at a time, a core each
    python tests/engine/mutate_engine.py --list

Every edit makes a copy of the engine wrong in one place. It is built with small thresholds and assertions, as the tests
of `OPTIMAL_SMALL=1` want it, and without optimisation, which is quicker. A mutant that no test sees is told, and makes
the exit status 1. First the engine as it is has to pass every test: a test that fails anyhow sees nothing. Needs a C
compiler, Cython, the packages of the tests and a checkout that is built; nothing of it is changed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
#: Seconds of a core that the tests may take: a mutant that keeps them from their end has been seen. A test that waits
#: without working is ended by the clock.
LONGEST, WAITING = 300, 3600

#: Words for pytest: tests, those first that see most in the least time.
TESTS = (
    *(
        "tests/engine/test_slices.py",
        "tests/engine/test_symmetry.py",
        "tests/engine/test_depths.py",
        "tests/engine/test_supersets.py",
        "tests/engine/test_missed.py",
    ),
    *("tests/engine/test_exactness.py", "-m", "not long"),
)
#: Those of teams, for edits of these files; and those of tables.
TEAM_FILES = ("search/team.h", "search/teamwork.h")
TEAM_TESTS = (
    *("tests/engine/test_portability.py::test_edges", "tests/engine/test_teams.py", "tests/engine/test_slices.py"),
)
TABLE_FOLDER = "identify/"
TABLE_WORDS = (
    "promises or textbooks or switch or larger_sets or pairs or alike or lowest or stops or stopped or noted or shape "
    "or (share and tables) or test_key_limits"
)
TABLE_TESTS = (
    *(
        "tests/tables/test_key_limits.py",
        "tests/tables/test_identify.py",
        "tests/tables/test_key_journals.py",
        "tests/fuzz/test_fuzz.py",
    ),
    *("-k", TABLE_WORDS),
)


@dataclass(frozen=True)
class Mutant:
    """One edit: in a file of ext/, `old`, which stands there once, becomes `new`. `alike`: why that changes nothing,
    and why the code stands there all the same; such an edit is not tried."""

    name: str
    file: str
    old: str
    new: str
    alike: str = ""


MUTANTS = [
    # What a stopped search says
    Mutant(
        "stopped-table-bound",
        "bounds/bounds.h",
        "const int unsplit = most >= 0 ||",
        "const int unsplit = (s->switches & SPLITS && n <= P->split_most && n <= MEMBERS_MOST) ||",
    ),
    Mutant(
        "stopped-members",
        "bounds/most_classes.h",
        "if (k < 0) return UNPROVEN;\n        if (k > best) best = k;\n    }",
        "if (k > best) best = k;\n    }",
    ),
    Mutant(
        "stopped-count-members", "bounds/most_classes.h", "    return s->stopped ? UNPROVEN : most;", "    return most;"
    ),
    Mutant(
        "stopped-node", "search/node.h", "return node_settle(s, N, UNPROVEN);", "return node_settle(s, N, N->budget);"
    ),
    Mutant("stopped-count-bound", "bounds/bounds.h", "    if (m.most < 0) return trivial;\n", ""),
    Mutant(
        "stopped-remember",
        "game/search_state.h",
        "!(s->switches & TABLE) || s->stopped) return;",
        "!(s->switches & TABLE)) return;",
        "asked once more where all is stored: who stores has asked first, or had proved it before the search stopped",
    ),
    Mutant(
        "stopped-families",
        "bounds/families.h",
        "if (taken >= size - 1 || s->stopped) return 1;",
        "if (taken >= size - 1) return 1;",
    ),
    Mutant(
        "stopped-nogood",
        "bounds/refutations.h",
        "return most < 0 || most >= n;",
        "return most >= n;",
        "its caller asks whether the search stopped, too, and throws the set away: what is UNPROVEN never counts",
    ),
    Mutant(
        "stopped-nogood-added",
        "bounds/refutations.h",
        "if (s->stopped || n > NOGOOD_LARGEST",
        "if (n > NOGOOD_LARGEST",
        "asked once more before anything is kept: without it a stopped search boils down a set in vain",
    ),
    Mutant(
        "stopped-class",
        "search/value.h",
        "    if (s->stopped) return total;\n    if (v >= COST_INF)",
        "    if (v >= COST_INF)",
    ),
    Mutant(
        "stopped-wave", "search/waves.h", "if (v >= N->best || s->stopped) continue;", "if (v >= N->best) continue;"
    ),
    # Keys
    Mutant("key-stage", "game/position.h", "if (P->depth <= s->costs.by) key", "if (P->depth < s->costs.by) key"),
    Mutant(
        "key-guesses-left",
        "game/position.h",
        "if (guesses_that_bind(P, d) != FREE) key = key_with",
        "if (0) key = key_with",
    ),
    Mutant("key-past", "game/position.h", "{P->set.lo + P->past.lo, P->set.hi + P->past.hi}", "{P->set.lo, P->set.hi}"),
    Mutant("key-needs", "game/position.h", "if (needs[w]) key", "if (needs[w] && w) key"),
    Mutant("bind-at-n", "game/position.h", "return d < P->n ? d : FREE;", "return d < P->n - 1 ? d : FREE;"),
    Mutant(
        "before-last",
        "game/position.h",
        "return (n - 1) / s->game->split_off;",
        "return n / s->game->split_off;",
        "n - 1 rounded up would be as sound; where one answer is split off at a time, a limit of n guesses never binds",
    ),
    # Symmetry
    Mutant("maps-not-kept", "game/automorphisms.h", "if (s->name[old] != new_name) return 0;", ""),
    Mutant("symmetry-leads", "game/automorphisms.h", "if (y > g[p]) break;", ""),
    Mutant(
        "equivalence-past",
        "search/equivalence.h",
        "    out->form.past = (key128){0, 0}; /* the key holds",
        "    /* the key holds",
        "the same position by other hints would be searched again, and no value is another",
    ),
    # Costs
    Mutant(
        "cost-outside",
        "base/costs.h",
        "if (c->unit) return 3 * w->total - k;",
        "if (c->unit) return 3 * w->total - k + 1;",
    ),
    Mutant(
        "cost-member",
        "base/costs.h",
        "if (c->unit) return 3 * w->total - k - 1;",
        "if (c->unit) return 3 * w->total - k;",
    ),
    Mutant("cost-charge-by", "base/costs.h", "if (t != c->by) return c->final", "if (t <= c->by) return c->final"),
    Mutant("cost-charge-after", "base/costs.h", "c->final && t > c->by ? 0 : weight", "weight"),
    Mutant("cost-is-trivial", "base/costs.h", "c->final && t >= c->by - 1", "c->final && t >= c->by - 2"),
    Mutant(
        "cost-trivial", "base/costs.h", "if (c->unit) return 2 * (int64_t)n - 1;", "if (c->unit) return 2 * (int64_t)n;"
    ),
    Mutant("cost-trivial-two", "base/costs.h", "if (d < n && d < 2) return COST_INF;", "if (d < 1) return COST_INF;"),
    Mutant(
        "cost-member-weight", "base/costs.h", "- cost_charge(c, weight, t + 1);", "- cost_charge(c, w->each, t + 1);"
    ),
    # Bounds
    Mutant(
        "members-n",
        "bounds/bounds.h",
        "if (k == P->n && (s->costs.uniform || heaviest_splits(s, P)))",
        "if (k == P->n)",
    ),
    Mutant(
        "members-pair-d",
        "bounds/bounds.h",
        "if (k == P->n - 1 && d >= 3 && s->costs.unit)",
        "if (k == P->n - 1 && s->costs.unit)",
    ),
    Mutant(
        "members-pair-cost",
        "bounds/bounds.h",
        "return 2 * (int64_t)P->n;\n    }\n    tally",
        "return 2 * (int64_t)P->n - 1;\n    }\n    tally",
    ),
    Mutant(
        "ceiling",
        "bounds/bounds.h",
        "if (s->costs.unit) return (int64_t)P->n * d;",
        "if (s->costs.unit) return (int64_t)P->n * d - 1;",
    ),
    Mutant(
        "ceiling-late",
        "bounds/bounds.h",
        "if (s->costs.by < P->depth || s->costs.by >= P->depth + d) return weight * d;",
        "return weight * d;",
    ),
    Mutant("counted-two", "bounds/bounds.h", "(most == n || d == 2)", "(most >= n - 1 || d == 2)"),
    Mutant(
        "counted-flag",
        "bounds/bounds.h",
        "most >= uncounted || outside >= members",
        "1",
        "no value: what is told to be counted has a true bound, perhaps a weaker one, and isn't counted again for more",
    ),
    Mutant(
        "outside-refuted",
        "bounds/bounds.h",
        "cost_guess_outside(&s->costs, w, P->depth, most) < need) most--",
        "cost_guess_outside(&s->costs, w, P->depth, most) < need - 1) most--",
    ),
    Mutant("known-bound", "bounds/bounds.h", "low = 2 * (int64_t)n - (k == n);", "low = 2 * (int64_t)n;"),
    Mutant("table-height", "bounds/bounds.h", "b.exact = e->exact && e->height <= d;", "b.exact = e->exact;"),
    # Counting, frames, similarity
    Mutant(
        "cap-raised",
        "bounds/most_classes.h",
        "if (f->cap[b] <= floor) break;\n        while (top",
        "if (f->cap[b] <= floor + 1) break;\n        while (top",
    ),
    Mutant("cap-raised-members", "bounds/most_classes.h", "/ BLOCK] >= least) who[m++]", "/ BLOCK] > least) who[m++]"),
    Mutant("cap-of-blocks", "counting/kernels.h", "if (cap[b] <= floor) break;", "if (cap[b] <= floor + 1) break;"),
    Mutant(
        "cap-of-restricted",
        "bounds/most_classes.h",
        "f->cap[chosen.block] <= rows.count.floor) break;",
        "f->cap[chosen.block] <= rows.count.floor + 1) break;",
    ),
    Mutant(
        "similar-later",
        "game/similarity.h",
        "if (place < (uint32_t)i) to[found++]",
        "if (place <= (uint32_t)i) to[found++]",
        "the answer at place i itself isn't on its own list, and no other has that place",
    ),
    Mutant("similar-few", "counting/kernels.h", "if (out[c] <= least) continue;", "if (out[c] <= least + 1) continue;"),
    Mutant(
        "compact-one-class",
        "game/frames.h",
        "if (k <= 1) continue;\n        if (begin[k]",
        "if (k <= 2) continue;\n        if (begin[k]",
    ),
    Mutant("frame-place", "search/waves.h", "N->list[i].column = place[N->list[i].column];", "N->list[i].column += 0;"),
    Mutant(
        "strict",
        "game/partition.h",
        "to->strict = P->strict || memcmp",
        "to->strict = memcmp",
        "who splits three answers or more has restricted the position first; a class is right of any other, too",
    ),
    # Sizes, depths, families, parts, nogoods
    Mutant(
        "refuted-classes",
        "bounds/size_bounds.h",
        "while (most < n && size_bound(s, n, d, most + 1) >= budget) most++;",
        "while (most < n && size_bound(s, n, d, most) >= budget) most++;",
        "no value: the bound allows for the columns that aren't counted, and is a weaker one where there are more",
    ),
    Mutant(
        "fewest-classes",
        "bounds/size_bounds.h",
        "while (k <= split_most && n + depths_split(t, d, split_most, n - member, k - member) >= budget) k++;",
        "while (k <= split_most && n + depths_split(t, d, split_most, n - member, k - 1) >= budget) k++;",
    ),
    Mutant("sizes-member", "bounds/bounds.h", "m.most > m.k ? m.most : m.k + 1, &b);", "m.most, &b);"),
    Mutant(
        "sizes-member-node",
        "search/node.h",
        "size_bound(s, n, d, node_most(N) > needless ? node_most(N) : needless);",
        "size_bound(s, n, d, N->most > needless ? N->most : needless);",
    ),
    Mutant("sizes-costs", "bounds/size_bounds.h", "COST_INF : s->costs.unit ? low : 0;", "COST_INF : low;"),
    Mutant(
        "share-member",
        "bounds/size_bounds.h",
        "(z->total[column] + SHARE - 1) / SHARE - member >= budget;",
        "(z->total[column] + SHARE - 1) / SHARE >= budget;",
    ),
    Mutant(
        "depths-inside",
        "game/depths.h",
        "filling_add(&in); /* n - 1 answers */",
        "for (int i = n > 2; i < 2; i++) filling_add(&in);",
    ),
    Mutant(
        "depths-capacity",
        "game/depths.h",
        "while (f->open && f->capacity[f->open - 1] <= f->level)",
        "while (f->open && f->capacity[f->open - 1] <= f->level + 1)",
    ),
    Mutant(
        "equivalence-code", "search/equivalence.h", "(uint64_t)(i << 20) + (uint64_t)code[i]);", "(uint64_t)(i << 20));"
    ),
    Mutant("equivalence-places", "search/equivalence.h", "symbol[order[p]];", "symbol[p];"),
    Mutant("equivalence-names", "search/equivalence.h", "name[x] = (uint8_t)names++;", "name[x] = 0;"),
    Mutant("family-away", "bounds/families.h", "const int away = counts[i] - 1;", "const int away = counts[i] - 2;"),
    Mutant("family-d", "bounds/families.h", "int j = d - 2;", "int j = d - 3;"),
    Mutant("nogood-left", "bounds/refutations.h", "if (q->left >= d) return 1;", "if (q->left >= d - 1) return 1;"),
    Mutant(
        "nogood-boiled",
        "bounds/refutations.h",
        "if (two_guesses_find(s, P, rest, n - out) || s->stopped) {",
        "if (s->stopped) {",
    ),
    # The node, sums, openers
    Mutant("larger-floor", "bounds/bounds.h", "most_classes(s, P, enough - 1, 0)", "most_classes(s, P, enough, 0)"),
    Mutant("larger-asked", "bounds/bounds.h", "if (m->most >= enough) m->k =", "if (m->most > enough) m->k ="),
    Mutant(
        "class-settled",
        "search/value.h",
        "if (v < budget) class_settled",
        "if (v <= budget) class_settled",
    ),
    Mutant(
        "known-refute",
        "bounds/partition_bounds.h",
        "if (low > class_least[n]) total += low - class_least[n];",
        "if (low > class_least[n]) total += low - class_least[n] + 1;",
    ),
    Mutant(
        "close-exact",
        "search/node.h",
        "else if (N->best < N->budget) node_store(s, N, N->best, 1, 1);",
        "else if (N->best <= N->budget) node_store(s, N, N->best, 1, 1);",
    ),
    Mutant(
        "close-costliest",
        "search/node.h",
        "else if (N->budget > costliest_tree(s, N->P, N->d))",
        "else if (N->budget >= costliest_tree(s, N->P, N->d))",
    ),
    Mutant("wave-ends", "search/waves.h", "if (c.low >= N->best) break;", "if (c.low >= N->best - 1) break;"),
    Mutant(
        "free-first",
        "search/value.h",
        "if (v >= budget || *height <= d || s->stopped) {\n            tally",
        "if (v >= budget || *height <= d + 1 || s->stopped) {\n            tally",
    ),
    Mutant(
        "superset-tail",
        "search/openers.h",
        "if (at >= shared->listed && shared->tail > best) {",
        "if (at >= shared->listed && shared->tail > best + 1) {",
    ),
    Mutant(
        "superset-most",
        "search/openers.h",
        "known[k]->list.most - 1, total)",
        "known[k]->list.most, total)",
    ),
    Mutant(
        "all-answers-most",
        "search/openers.h",
        "s->game->root.cap[0] - 1, total)",
        "s->game->root.cap[0], total)",
    ),
    Mutant(
        "listed-members",
        "search/openers.h",
        "const int inside = best_member(s, P) + 1;",
        "const int inside = best_member(s, P);",
    ),
    Mutant(
        "list-halved",
        "bounds/top_guesses.h",
        "    l->listed = kept;\n    l->tail = tail;",
        "    l->listed = kept;\n    l->tail = tail - 1;",
    ),
    # The canonical tree, teams
    Mutant(
        "canonical_guess-budget",
        "search/canonical.h",
        "v = finish_guess(s, &p, v, N->left, V + 1, &height)",
        "v = finish_guess(s, &p, v, N->left, V, &height)",
    ),
    Mutant(
        "canonical_guess-least",
        "search/canonical.h",
        "? FREE : s->costs.unit && V > 2 * (int64_t)P->n ? 3 : 2;",
        "? FREE : 3;",
    ),
    Mutant("canonical-final", "search/canonical.h", "if (cost_is_trivial(&s->costs, P->depth)) {", "if (0) {"),
    Mutant(
        "canonical-heaviest",
        "search/canonical.h",
        "if (weight > most || (weight == most && guess < best))",
        "if (weight > most)",
    ),
    Mutant(
        "canonical_guess-order",
        "search/canonical.h",
        "x->member != y->member ? y->member - x->member : x->guess - y->guess",
        "x->guess - y->guess",
    ),
    Mutant(
        "team-refuted",
        "search/teamwork.h",
        "M->list[i].low = COST_INF; /* refuted */",
        "M->list[i].low = 0;",
        "a guess that is refuted is searched for nothing: the mark saves the time that this takes",
    ),
    Mutant("team-best", "search/team.h", "if (M->best < o->best) {", "if (M->best <= o->best + 1) {"),
    # Tables of questions
    Mutant(
        "keys-hull-up",
        "identify/key_bounds.h",
        "return (sum + (1 << HULL_SCALE) - 1) >> HULL_SCALE;",
        "return (sum >> HULL_SCALE) + 1;",
    ),
    Mutant(
        "keys-hull-line",
        "identify/key_bounds.h",
        "if ((y1 - y0) * (x - x0) < (y - y0) * (x1 - x0)) break;",
        "if (1) break;",
    ),
    Mutant(
        "keys-split-off",
        "identify/key_bounds.h",
        "rest = off;\n        parts = replies - 1;",
        "rest = off + 1;\n        parts = replies - 1;",
    ),
    Mutant(
        "keys-sorts-cost",
        "identify/key_bounds.h",
        "beaten = out[i].cost <= s.cost && out[i].replies",
        "beaten = out[i].replies",
    ),
    Mutant(
        "keys-fits-late",
        "identify/key_bounds.h",
        "while (filled < n && filled < told) f->fits[++filled] = d;",
        "while (filled < n && filled < told - 1) f->fits[++filled] = d;",
    ),
    Mutant("keys-huffman-take", "identify/key_bounds.h", "take = take ? take + 1 : branches;", "take = 2;"),
    Mutant(
        "keys-layers-weight",
        "identify/key_bounds.h",
        "cost_times(weight[i] - before, least[n - i])",
        "cost_times(weight[i], least[n - i])",
    ),
    Mutant(
        "keys-layer-left",
        "identify/key_bounds.h",
        "(size_t)(d < f->layers ? d : f->layers)",
        "(size_t)(d < f->layers ? d - (d > 1) : f->layers)",
    ),
    Mutant(
        "keys-frame-alike-costs",
        "identify/key_frame.h",
        "if (other >= 0 && column[other].cost <= fresh->cost) continue;",
        "if (other >= 0) continue;",
    ),
    Mutant("keys-frame-off", "identify/key_frame.h", "*off = n - largest;", "*off = n - largest - (n > 2);"),
    Mutant(
        "keys-frame-cheapest",
        "identify/key_frame.h",
        "if (k->cost < f->cheapest) f->cheapest = k->cost;",
        "if (kept == 1 || k->cost > f->cheapest) f->cheapest = k->cost;",
    ),
    Mutant(
        "keys-frame-zero-weight",
        "identify/key_frame.h",
        "if (other >= 0 && weighs) column[other]",
        "if (other >= 0) column[other]",
    ),
    Mutant("keys-plain-groups", "identify/questions.h", "t->plain = t->groups == t->items;", "t->plain = 1;"),
    Mutant(
        "keys-of-left",
        "identify/key_search.h",
        "    const uint64_t salt = (beam ? s->salt : 0)",
        "    if (within.left < KEY_FREE) within.left = 1;\n    const uint64_t salt = (beam ? s->salt : 0)",
    ),
    Mutant(
        "keys-of-cost-left",
        "identify/key_search.h",
        "if (salt || within.left < KEY_FREE || within.cost_left < COST_INF) {",
        "if (salt || within.left < KEY_FREE) {",
    ),
    Mutant("keys-of-any", "identify/key_search.h", "(s->any ? 0x5851f42d4c957f2dull : 0)", "0"),
    Mutant(
        "keys-fit-cost-left",
        "identify/set_bounds.h",
        "const int64_t paid = within.cost_left / f->cheapest;",
        "const int64_t paid = (within.cost_left - 1) / f->cheapest;",
    ),
    Mutant(
        "keys-class-groups",
        "identify/set_bounds.h",
        "} else s->sums[s->place[group]] += f->weight[at[i]];",
        "}",
        "no value: a group that is taken to weigh less makes the bound a weaker one",
    ),
    Mutant("keys-pair-cheapest", "identify/set_bounds.h", "if (k->cost == f->cheapest) break;", "break;"),
    Mutant("keys-pair-cost-left", "identify/set_bounds.h", "if (best->cost > cost_left) return COST_INF;", ""),
    Mutant(
        "keys-equal-dearer",
        "identify/equal_partitions.h",
        "if (f->column[column].cost < f->column[N->choice[other].column].cost) N->choice[other]",
        "if (0) N->choice[other]",
    ),
    Mutant(
        "keys-equal-masks",
        "identify/equal_partitions.h",
        "if (same_partition(a, b, N->at, N->n, s->label) && same_partition(b, a, N->at, N->n, s->label)) other",
        "if (same_partition(a, b, N->at, N->n, s->label)) other",
        "only where hashes collide, which no test can bring about: parts are compared so that no proof rests on chance",
    ),
    Mutant(
        "keys-pairs-rate",
        "identify/pair_bounds.h",
        "* ((int64_t)1 << PAIRS_SCALE) / pairs, c, 0};",
        "* ((int64_t)1 << PAIRS_SCALE) / pairs + ((int64_t)1 << (PAIRS_SCALE - 4)), c, 0};",
    ),
    Mutant("keys-pairs-groups", "identify/pair_bounds.h", "return total * total - alike;", "return total * total;"),
    Mutant(
        "keys-proves-height",
        "identify/limits.h",
        "exact && height <= asked.left && of.cost_left == asked.cost_left ? PROVES_VALUE",
        "exact && of.cost_left == asked.cost_left ? PROVES_VALUE",
    ),
    Mutant(
        "keys-proves-cost-left",
        "identify/limits.h",
        "if (of.left < asked.left || of.cost_left < asked.cost_left) return PROVES_NOTHING;",
        "if (of.left < asked.left) return PROVES_NOTHING;",
        "no value: bounds pass from limit to limit, and none from cost_left to cost_left yet",
    ),
    Mutant(
        "keys-free-own",
        "identify/node.h",
        "    child_bound(s, N->frame, &own, unlimited);\n",
        "    own.groups = N->groups, own.low = N->low, own.within = unlimited, own.question = NO_GUESS;\n",
    ),
    Mutant("keys-free-height", "identify/node.h", "of->height, N->within);", "of->height - 1, N->within);"),
    Mutant(
        "keys-free-splits",
        "identify/limits.h",
        "if (of.left >= n - 1) of.left = KEY_FREE;",
        "if (of.left >= n - 2) of.left = KEY_FREE;",
    ),
    Mutant(
        "keys-settle-budget",
        "identify/node.h",
        "if (N->best < N->budget && !s->stopped) {",
        "if (N->best <= N->budget) {",
    ),
    Mutant(
        "keys-stopped-choices",
        "identify/node.h",
        "                if (N->choice[i].low < least) least = N->choice[i].low;",
        "                ;",
    ),
    Mutant("keys-stopped-sum", "identify/node.h", "            if (N->asked && N->sum < least) least = N->sum;", ""),
    Mutant(
        "keys-stopped-beam",
        "identify/node.h",
        "if (!(s->stopped && (beam || s->any))) key_node_remember",
        "if (1) key_node_remember",
    ),
    Mutant("keys-floor-left-out", "identify/node.h", "    N->floor = out;", ""),
    Mutant("keys-floor-sum", "identify/node.h", "            if (N->sum < N->floor) N->floor = N->sum;", ""),
    Mutant("keys-beam-as-proof", "identify/node.h", "const int beam = in_beam(s, N->groups);", "const int beam = 0;"),
    Mutant(
        "keys-first-cost-left",
        "identify/canonical.h",
        "    const limits_t after = limits_after(within, cost);",
        "    const limits_t after = limits_after(within, 0);",
    ),
    Mutant(
        "keys-canonical-equal",
        "identify/canonical.h",
        "if (!s->stopped && it <= value) question",
        "if (!s->stopped && it < value) question",
    ),
    Mutant("keys-canonical-height", "identify/canonical.h", "if (s->stopped || lower.value > value) break;", "break;"),
    Mutant(
        "keys-record-path",
        "identify/records.h",
        "if (A->waits != 1) s->place[many++]",
        "if (A->waits != 1 && A->above) s->place[many++]",
    ),
    Mutant("keys-record-first", "identify/records.h", "    if (s->first >= 0) s->place[many++] = s->first;\n", ""),
    Mutant(
        "keys-import-cost-left",
        "identify/records.h",
        "(*cost_left -= t->costs[asked[k]]) < 0) break;",
        "0) break;",
    ),
    Mutant(
        "keys-import-any", "identify/records.h", "        s->any = any;\n        key_remember", "        key_remember"
    ),
    Mutant(
        "keys-stopped-best",
        "identify/node.h",
        "if (N->best < N->budget && !s->stopped) {",
        "if (N->best < N->budget) {",
    ),
    Mutant(
        "keys-pairs-dear",
        "identify/pair_bounds.h",
        "            rates = -1;\n            break;\n",
        "            continue;\n",
    ),
    Mutant(
        "keys-pairs-up",
        "identify/pair_bounds.h",
        "return (low + ((int64_t)1 << PAIRS_SCALE) - 1) >> PAIRS_SCALE;",
        "return (low >> PAIRS_SCALE) + 1;",
    ),
    Mutant(
        "keys-question-bound",
        "identify/set_bounds.h",
        "return cost_add(sum, k->cost * N->weight);",
        "return cost_add(sum, k->cost * N->weight + 1);",
    ),
    # Shapes
    Mutant(
        "keys-isomorphism-cost",
        "identify/isomorphism.h",
        "mix64((uint64_t)w.cost[i].cost + 0x1f83d9abfb41bd6bull)",
        "0",
    ),
    Mutant(
        "keys-isomorphism-costliest",
        "identify/isomorphism.h",
        "else if (cost < w->cost[place].cost) w->cost[place]",
        "else if (0) w->cost[place]",
    ),
    Mutant(
        "keys-isomorphism-weight",
        "identify/isomorphism.h",
        "mix64((uint64_t)f->weight[place] + 0x510e527fade682d1ull) + *own;",
        "*own;",
    ),
    Mutant(
        "keys-isomorphism-group", "identify/isomorphism.h", "0x510e527fade682d1ull) + *own;", "0x510e527fade682d1ull);"
    ),
    Mutant(
        "keys-isomorphism-third",
        "identify/isomorphism.h",
        "const uint64_t times = mix64(*own) | 1;",
        "const uint64_t times = 1;",
    ),
    Mutant(
        "keys-isomorphism-left",
        "identify/node.h",
        "const entry_t *e = key_recall(s, N->isomorphism, N->within, 0);",
        "const entry_t *e = key_recall(s, N->isomorphism, (limits_t){KEY_FREE, N->within.cost_left}, 0);",
    ),
    # Classes counted at once
    Mutant("batch-member", "bounds/batched_bounds.h", "own >= 0 ? &has[own] : NULL, most[q]", "NULL, most[q]"),
    Mutant("batch-top", "bounds/batched_bounds.h", "a->top[c] : f->cap[b]) + (own >= 0);", "a->top[c] : f->cap[b]);"),
    Mutant(
        "batch-least", "bounds/batched_bounds.h", "if (top <= least[q]) continue;", "if (top <= least[q] + 1) continue;"
    ),
    Mutant(
        "batch-greatest",
        "bounds/batched_bounds.h",
        "if (number < least) least = number;",
        "if (i == 0 || number > least) least = number;",
    ),
    Mutant(
        "batch-stopped",
        "bounds/batched_bounds.h",
        "for (int i = 0; i < a->sets && !s->stopped; i++) {",
        "for (int i = 0; i < a->sets; i++) {",
    ),
    Mutant("batch-sorted", "bounds/batched_bounds.h", "if (a->block != column / BLOCK) copy", "if (a->block < 0) copy"),
    Mutant(
        "batch-failed",
        "search/waves.h",
        "return refuted && p.failed < 0;",
        "return refuted;",
        "no value: what has no tree would be learned of less often",
    ),
]


def applies(mutant: Mutant) -> bool:
    return (ROOT / "ext" / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1


def tests_of(mutant: Mutant) -> tuple[str, ...]:
    if mutant.file.startswith(TABLE_FOLDER):
        return TABLE_TESTS
    return TEAM_TESTS if mutant.file in TEAM_FILES else TESTS


def built(mutant: Mutant | None, folder: Path, base: Path | None) -> str:
    """Make a copy of the checkout in `folder`, wrong in one place, and build it; what of it is like `base` is copied.
    Returns the compiler's complaint, empty if there is none."""
    for name in ("optimal", "tests", "ext", "data", "trees", "pyproject.toml", "README.md"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("*.so", "*.c.old", "__pycache__"))
        else:
            shutil.copy(source, folder / name)
    if mutant is not None:
        path = folder / "ext" / mutant.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    engine = "optimal/_engine"
    code = folder / "ext" / f"{engine}.c"
    if base is None:
        words = [sys.executable, "-m", "cython", "-3", "-X", "wraparound=False", "-X", "cdivision=True"]
        done = subprocess.run([*words, str(code.with_suffix(".pyx")), "-o", str(code)], capture_output=True, text=True)
        if done.returncode:
            return done.stderr
    else:
        shutil.copy(base / "ext" / f"{engine}.c", code)
    words = ["cc", "-O0", "-w", "-fPIC", "-shared", "-UNDEBUG", "-DOPTIMAL_SMALL=1", "-DOPTIMAL_NATIVE=1"]
    include = [f"-I{folder / 'ext'}", f"-I{sysconfig.get_paths()['include']}"]
    target = folder / f"{engine}{SUFFIX}"
    return subprocess.run(
        [*words, *include, str(code), "-o", str(target), "-lm"], capture_output=True, text=True
    ).stderr


def seen_by(folder: Path, words: Sequence[str]) -> str:
    """The first test that fails, or comes to no end; empty if none does."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    tests = [sys.executable, "-m", "pytest", "-x", "-n0", "-vv", "-p", "no:cacheprovider", *words]
    command = ["sh", "-c", f'ulimit -t {LONGEST}; exec "$@"', "sh", *tests]
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=WAITING)
    except subprocess.TimeoutExpired:
        return "the clock"
    if done.returncode == 0:
        return ""
    lines = done.stdout.splitlines()
    told = [line.split()[1] for line in lines if line.startswith("FAILED tests/")]
    begun = [line.split()[0] for line in lines if line.startswith("tests/") and "::" in line]
    if not begun:
        sys.exit(f"the tests can't be run:\n{done.stdout}{done.stderr}")
    return (told or begun)[-1].rpartition("/test_")[2].replace(".py::test_", ": ")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[""], metavar="PART", help="those whose names hold one of these")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at a time, a core each (1)")
    parser.add_argument("--list", action="store_true", help="name them")
    arguments = parser.parse_args()
    chosen = [mutant for mutant in MUTANTS if any(part in mutant.name for part in arguments.only)]
    if arguments.list:
        print(*(f"{mutant.name:24}{mutant.file}" for mutant in chosen), sep="\n")
        return 0
    astray = [mutant.name for mutant in MUTANTS if not applies(mutant)]
    if astray:
        sys.exit(f"the text to change doesn't stand there once: {', '.join(astray)}")
    missed = []
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(arguments.jobs) as pool:
        base = Path(work, "base")
        wrong = built(None, base, None)
        if wrong:
            sys.exit(wrong)
        for words in dict.fromkeys(tests_of(mutant) for mutant in chosen):
            failed = seen_by(base, words)
            if failed:
                sys.exit(f"the engine as it is fails: {failed}")

        def tried(mutant: Mutant) -> tuple[str, str, float]:
            """The compiler's complaint, which test sees it, and the seconds it took."""
            start = time.monotonic()
            folder = Path(work, mutant.name)
            wrong = built(mutant, folder, base)
            seen = "" if wrong else seen_by(folder, tests_of(mutant))
            shutil.rmtree(folder)
            return wrong, seen, time.monotonic() - start

        for mutant in chosen:
            if mutant.alike:
                print(f"{mutant.name:24}{mutant.file:16}changes nothing: {mutant.alike}", flush=True)
        chosen = [mutant for mutant in chosen if not mutant.alike]
        for mutant, (wrong, seen, seconds) in zip(chosen, pool.map(tried, chosen), strict=True):
            if not seen:
                missed.append(mutant.name)
            told = f"not built: {wrong[:200]}" if wrong else seen or "NOT SEEN"
            print(f"{mutant.name:24}{mutant.file:16}{seconds:5.0f} s  {told}", flush=True)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} seen" + (f"; not: {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
