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
        "tests/engine/test_dominance.py",
        "tests/engine/test_weight_tiers.py",
        "tests/engine/test_missed.py",
    ),
    *("tests/engine/test_exactness.py", "-m", "not long"),
)
#: Those of teams, for edits of these files; and those of tables.
TEAM_FILES = ("search/team.h", "search/teamwork.h")
BEAM_FILE, BEAM_TESTS = "search/beams.h", ("tests/search/test_beams.py", "-k", "beam_costs or quick")
SLICE_FILE = "counting/bitslice.h"
SLICE_TESTS = ("tests/engine/test_portability.py", "-k", "find_the_same and sanitized", "-m", "long")
TEAM_TESTS = (
    *("tests/engine/test_portability.py::test_edges", "tests/engine/test_teams.py", "tests/engine/test_slices.py"),
)
TABLE_FOLDER, SHARE_FOLDER = "identify/", "shares/"
SHARE_TESTS = ("tests/tables/test_shares.py",)
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
    """One edit: in a file of ext/, `old`, which stands there once, becomes `new`."""

    name: str
    file: str
    old: str
    new: str


#: Edits by file: the name of each, `old` and `new`. None of them leaves every value as it is.
EDITS = {
    "base/costs.h": [
        ("cost-outside", "if (c->unit) return 3 * w->total - k;", "if (c->unit) return 3 * w->total - k + 1;"),
        ("cost-member", "if (c->unit) return 3 * w->total - k - 1;", "if (c->unit) return 3 * w->total - k;"),
        ("cost-charge-by", "if (t != c->by) return c->final", "if (t <= c->by) return c->final"),
        ("cost-charge-after", "c->final && t > c->by ? 0 : weight", "weight"),
        ("cost-is-trivial", "c->final && t >= c->by - 1", "c->final && t >= c->by - 2"),
        ("cost-trivial", "if (c->unit) return 2 * (int64_t)n - 1;", "if (c->unit) return 2 * (int64_t)n;"),
        ("cost-trivial-two", "if (d < n && d < 2) return COST_INF;", "if (d < 1) return COST_INF;"),
        ("cost-member-weight", "- cost_charge(c, weight, t + 1);", "- cost_charge(c, w->each, t + 1);"),
    ],
    "bounds/batched_bounds.h": [
        ("batch-member", "own >= 0 ? &has[own] : NULL, most", "NULL, most"),
        ("batch-top", "a->top[column] : f->cap[block]) + (own >= 0);", "a->top[column] : f->cap[block]);"),
        ("batch-least", "if (top <= least) return 0;", "if (top <= least + 1) return 0;"),
        ("batch-greatest", "if (number < least) least = number;", "if (i == 0 || number > least) least = number;"),
        ("batch-stopped", "for (int i = 0; i < a->sets && !s->stopped; i++) {", "for (int i = 0; i < a->sets; i++) {"),
        ("batch-sorted", "if (a->block != column / BLOCK) copy", "if (a->block < 0) copy"),
        ("batch-columns", "if (a->group != column / BATCH_COLUMNS) batch", "if (a->group < 0) batch"),
        ("batch-room", "while (lacks > 0 && !batch_full(a)) {", "while (lacks > 0) {"),
        ("batch-within", "= (uint16_t)a->place[class->answers[i]];", "= (uint16_t)i;"),
    ],
    "bounds/bounds.h": [
        ("stopped-table-bound", "most >= 0 ||", "(s->switches & SPLITS && n <= P->split_most && n <= MEMBERS_MOST) ||"),
        ("stopped-count-bound", "    if (m.most < 0) return trivial;\n", ""),
        ("members-n", "if (k == P->n && (s->costs.uniform || heaviest_splits(s, P)))", "if (k == P->n)"),
        ("members-pair-d", "if (k == P->n - 1 && d >= 3 && s->costs.unit)", "if (k == P->n - 1 && s->costs.unit)"),
        ("members-pair-cost", "2 * (int64_t)P->n;\n    }\n    tally", "2 * (int64_t)P->n - 1;\n    }\n    tally"),
        ("ceiling", "if (s->costs.unit) return (int64_t)P->n * d;", "if (s->costs.unit) return (int64_t)P->n * d - 1;"),
        ("ceiling-late", "if (s->costs.by < P->depth || s->costs.by >= P->depth + d) return weight", "return weight"),
        ("counted-two", "(most == n || d == 2)", "(most >= n - 1 || d == 2)"),
        ("outside-refuted", "->costs, w, P->depth, most) < need) most", "->costs, w, P->depth, most) < need - 1) most"),
        ("known-bound", "low = 2 * (int64_t)n - (k == n);", "low = 2 * (int64_t)n;"),
        ("table-height", "b->exact = e->exact && e->height <= d;", "b->exact = e->exact;"),
        ("sizes-member", "m.most > m.k ? m.most : m.k + 1, &b);", "m.most, &b);"),
        ("larger-floor", "most_classes(s, P, enough - 1, 0)", "most_classes(s, P, enough, 0)"),
        ("larger-asked", "if (m->most >= enough) m->k =", "if (m->most > enough) m->k ="),
    ],
    "bounds/families.h": [
        ("stopped-families", "if (taken >= size - 1 || s->stopped) return 1;", "if (taken >= size - 1) return 1;"),
        ("family-away", "const int away = counts[i] - 1;", "const int away = counts[i] - 2;"),
        ("family-d", "int j = d - 2;", "int j = d - 3;"),
    ],
    "bounds/most_classes.h": [
        (
            "stopped-members",
            "if (k < 0) return UNPROVEN;\n        if (k > best) best = k;\n    }",
            "if (k > best) best = k;\n    }",
        ),
        ("stopped-count-members", "    return s->stopped ? UNPROVEN : most;", "    return most;"),
        ("cap-raised", "(f->cap[b] <= floor) break;\n        while", "(f->cap[b] <= floor + 1) break;\n        while"),
        ("cap-raised-members", "/ BLOCK] >= least) who[m++]", "/ BLOCK] > least) who[m++]"),
        ("cap-of-restricted", "->cap[chosen.block] <= rows.count.floor", "->cap[chosen.block] <= rows.count.floor + 1"),
    ],
    "bounds/partition_bounds.h": [
        ("known-refute", "[n]) total += low - class_least[n];", "[n]) total += low - class_least[n] + 1;")
    ],
    "bounds/refutations.h": [
        ("nogood-left", "if (q->left >= d) return 1;", "if (q->left >= d - 1) return 1;"),
        ("nogood-boiled", "if (two_guesses_find(s, P, rest, n - out) || s->stopped) {", "if (s->stopped) {"),
    ],
    "bounds/size_bounds.h": [
        ("fewest-classes", "(t, d, split_most, n - member, k - member) >=", "(t, d, split_most, n - member, k - 1) >="),
        ("sizes-costs", "COST_INF : s->costs.unit ? low : 0;", "COST_INF : low;"),
        ("share-member", "z->total[column] + SHARE - 1) / SHARE - member >", "z->total[column] + SHARE - 1) / SHARE >"),
    ],
    "bounds/tiers.h": [
        ("tiers-charge", "s->tier[i] - (i ? s->tier[i - 1] : 0)", "s->tier[i]"),
        ("tiers-exact", "(t.many == 1 && t.P[0].n == P->n && t", "(t.many == 1 && t"),
        ("tiers-few", "Q->n > d ? COST_INF : 2 * (int64_t)Q->n - 1, 1, Q->n, 1}", "COST_INF, 1, Q->n, 1}"),
        ("tiers-alike", "!= weight) return 0;", "> weight) return 0;"),
    ],
    "bounds/top_guesses.h": [
        ("list-halved", "    l->listed = kept;\n    l->tail = tail;", "    l->listed = kept;\n    l->tail = tail - 1;")
    ],
    "counting/bitslice.h": [
        ("rise-left", "most, by->classes - c)", "most, by->classes - c - 1)"),
        ("rise-carry", "| (either & carry);", ";"),
        ("rise-sum", "sum = either ^ carry;", "sum = either;"),
        ("slice-filled", "        filled = 0;\n", ""),
        ("slice-last", "!looks && c < by->classes) continue;", "!looks) continue;"),
        ("slice-order", "at[in_order[c]] = out->start[c]", "out->start[c]"),
    ],
    "counting/kernels.h": [
        ("cap-of-blocks", "if (cap[b] <= floor) break;", "if (cap[b] <= floor + 1) break;"),
        ("similar-few", "if (out[c] <= least) continue;", "if (out[c] <= least + 1) continue;"),
    ],
    "game/automorphisms.h": [
        ("maps-not-kept", "if (s->name[old] != new_name) return 0;", ""),
        ("symmetry-leads", "if (y > g[p]) break;", ""),
    ],
    "game/depths.h": [
        ("depths-inside", "filling_add(&in); /* n - 1 answers */", "for (int i = n > 2; i < 2; i++) filling_add(&in);"),
        ("depths-capacity", "&& f->capacity[f->open - 1] <= f->level)", "&& f->capacity[f->open - 1] <= f->level + 1)"),
    ],
    "game/partition.h": [("all-legal", "to->strict |= (needs[w] & ~to->frame->needs[w]) != 0;", "to->strict = 0;")],
    "game/dominance.h": [
        ("dominance-refines", "else if (of[fine[a]] != coarse[a]) return 0;", ""),
        ("dominance-members", "if (is_member(s, s->game->answer_of[guess]) || D.f", "if (D.f"),
        ("dominance-cap", "f->cap[D.kept[i] / BLOCK];", "f->cap[D.kept[i] / BLOCK] / 2;"),
    ],
    "game/frames.h": [
        ("compact-one-class", "if (k <= 1) continue;\n        if (begin[", "if (k <= 2) continue;\n        if (begin[")
    ],
    "game/position.h": [
        ("key-stage", "if (P->depth <= s->costs.by) key", "if (P->depth < s->costs.by) key"),
        ("key-guesses-left", "if (guesses_that_bind(P, d) != FREE) key = key_with", "if (0) key = key_with"),
        ("key-past", "{P->set.lo + P->past.lo, P->set.hi + P->past.hi}", "{P->set.lo, P->set.hi}"),
        ("key-needs", "if (needs[w]) key", "if (needs[w] && w) key"),
        ("bind-at-n", "return d < P->n ? d : FREE;", "return d < P->n - 1 ? d : FREE;"),
    ],
    "game/search_state.h": [
        ("tiers-late", "s->costs.uniform || s->costs.by >= 0) return;", "s->costs.uniform) return;")
    ],
    "identify/canonical.h": [
        ("keys-first-cost-left", "after = limits_after(within, cost);", "after = limits_after(within, 0);"),
        ("keys-canonical-equal", "if (!s->stopped && it <= value) question", "if (!s->stopped && it < value) question"),
        ("keys-canonical-height", "if (s->stopped || lower.value > value) break;", "break;"),
    ],
    "identify/equal_partitions.h": [
        ("keys-equal-dearer", "if (f->column[column].cost < f->column[N->choice[other].column].cost) N-", "if (0) N-")
    ],
    "identify/isomorphism.h": [
        ("keys-isomorphism-cost", "mix64((uint64_t)w.cost[i].cost + 0x1f83d9abfb41bd6bull)", "0"),
        ("keys-isomorphism-costliest", "if (cost < w->cost[place].cost) w->cost[place]", "if (0) w->cost[place]"),
        ("keys-isomorphism-weight", "mix64((uint64_t)f->weight[place] + 0x510e527fade682d1ull) + *own;", "*own;"),
        ("keys-isomorphism-group", "0x510e527fade682d1ull) + *own;", "0x510e527fade682d1ull);"),
        ("keys-isomorphism-third", "const uint64_t times = mix64(*own) | 1;", "const uint64_t times = 1;"),
    ],
    "identify/key_bounds.h": [
        ("keys-hull-up", "return (sum + (1 << HULL_SCALE) - 1) >> HULL_SCALE;", "return (sum >> HULL_SCALE) + 1;"),
        ("keys-hull-line", "if ((y1 - y0) * (x - x0) < (y - y0) * (x1 - x0)) break;", "if (1) break;"),
        ("keys-split-off", "rest = off;\n        parts = replies - 1", "rest = off + 1;\n        parts = replies - 1"),
        ("keys-sorts-cost", "beaten = out[i].cost <= s.cost && out[i].replies", "beaten = out[i].replies"),
        ("keys-fits-late", "(filled < n && filled < told) f->fits[++", "(filled < n && filled < told - 1) f->fits[++"),
        ("keys-huffman-take", "take = take ? take + 1 : branches;", "take = 2;"),
        ("keys-layers-weight", "cost_times(weight[i] - before, least[n - i])", "cost_times(weight[i], least[n - i])"),
        ("keys-layer-left", "size_t)(d < f->layers ? d : f->layers", "size_t)(d < f->layers ? d - (d > 1) : f->layers"),
    ],
    "identify/key_frame.h": [
        ("keys-frame-alike-costs", "other >= 0 && column[other].cost <= fresh->cost) continue", "other >= 0) continue"),
        ("keys-frame-off", "*off = n - largest;", "*off = n - largest - (n > 2);"),
        ("keys-frame-cheapest", "if (k->cost < f->cheapest) f", "if (kept == 1 || k->cost > f->cheapest) f"),
        ("keys-frame-zero-weight", "if (other >= 0 && weighs) column[other]", "if (other >= 0) column[other]"),
    ],
    "identify/key_search.h": [
        ("keys-of-left", "const uint64_t salt", "if (within.left < FREE) within.left = 1;\n    const uint64_t salt"),
        ("keys-of-cost-left", "|| within.left < FREE || within.cost_left < COST_INF) {", "|| within.left < FREE) {"),
        ("keys-of-any", "(s->any ? 0x5851f42d4c957f2dull : 0)", "0"),
    ],
    "identify/limits.h": [
        ("keys-proves-height", "&& height <= asked.left && of.cost_left == asked.", "&& of.cost_left == asked."),
        ("keys-free-splits", "if (of.left >= n - 1) of.left = FREE;", "if (of.left >= n - 2) of.left = FREE;"),
    ],
    "identify/node.h": [
        (
            "keys-free-own",
            "    child_bound(s, N->frame, &own, unlimited);\n",
            "    own.groups = N->groups, own.low = N->low, own.within = unlimited, own.question = NO_GUESS;\n",
        ),
        ("keys-free-height", "of->height, N->within);", "of->height - 1, N->within);"),
        ("keys-settle-budget", "if (N->best < N->budget && !s->stopped) {", "if (N->best <= N->budget) {"),
        ("keys-stopped-choices", "if (N->choice[i].low < least) least = N->choice[i].low;", ";"),
        ("keys-stopped-sum", "            if (N->asked && N->sum < least) least = N->sum;", ""),
        ("keys-stopped-beam", "if (!(s->stopped && (beam || s->any))) key_node_remember", "if (1) key_node_remember"),
        ("keys-floor-left-out", "    N->floor = out;", ""),
        ("keys-floor-sum", "            if (N->sum < N->floor) N->floor = N->sum;", ""),
        ("keys-beam-as-proof", "const int beam = in_beam(s, N->groups);", "const int beam = 0;"),
        ("keys-stopped-best", "if (N->best < N->budget && !s->stopped) {", "if (N->best < N->budget) {"),
        ("keys-isomorphism-left", "N->isomorphism, N->within", "N->isomorphism, (limits_t){FREE, N->within.cost_left}"),
    ],
    "identify/pair_bounds.h": [
        ("keys-pairs-rate", "<< PAIRS_SCALE) / pairs,", "<< PAIRS_SCALE) / pairs + ((int64_t)1 << (PAIRS_SCALE - 4)),"),
        ("keys-pairs-groups", "return total * total - alike;", "return total * total;"),
        ("keys-pairs-dear", "            rates = -1;\n            break;\n", "            continue;\n"),
        ("keys-pairs-up", "(low + ((int64_t)1 << PAIRS_SCALE) - 1) >> PAIRS_SCALE;", "(low >> PAIRS_SCALE) + 1;"),
    ],
    "identify/questions.h": [("keys-plain-groups", "t->plain = t->groups == t->items;", "t->plain = 1;")],
    "identify/records.h": [
        ("keys-record-path", "if (A->waits != 1) s->place[many++]", "if (A->waits != 1 && A->above) s->place[many++]"),
        ("keys-record-first", "    if (s->first >= 0) s->place[many++] = s->first;\n", ""),
        ("keys-import-cost-left", "(*cost_left -= t->costs[asked[k]]) < 0) break;", "0) break;"),
        ("keys-import-any", "        s->any = any;\n        key_remember", "        key_remember"),
    ],
    "identify/set_bounds.h": [
        ("keys-fit-cost-left", "const int64_t paid = within.cost_left", "const int64_t paid = (within.cost_left - 1)"),
        ("keys-pair-cheapest", "if (k->cost == f->cheapest) break;", "break;"),
        ("keys-pair-cost-left", "if (best->cost > cost_left) return COST_INF;", ""),
        ("keys-question-bound", "cost_add(sum, k->cost * N->weight);", "cost_add(sum, k->cost * N->weight + 1);"),
    ],
    "search/beams.h": [
        ("quick-legal", "if (i >= P->n && !is_legal(g, P, guess)) continue;", ""),
        ("quick-ultra", "g->rules == ULTRA_HARD ? 0 : QUICK_GUESSES", "QUICK_GUESSES"),
    ],
    "search/canonical.h": [
        ("canonical_guess-budget", "= finish_guess(s, &p, v, N->left, V + 1,", "= finish_guess(s, &p, v, N->left, V,"),
        ("canonical_guess-least", "? FREE : s->costs.unit && V > 2 * (int64_t)P->n ? 3 : 2;", "? FREE : 3;"),
        ("canonical-final", "if (cost_is_trivial(&s->costs, P->depth)) {", "if (0) {"),
        ("canonical-heaviest", "if (weight > most || (weight == most && guess < best))", "if (weight > most)"),
        ("canonical_guess-order", "x->member != y->member ? y->member - x->member : x->guess - y->", "x->guess - y->"),
    ],
    "search/equivalence.h": [
        ("equivalence-code", "(uint64_t)(i << 20) + (uint64_t)code[i]);", "(uint64_t)(i << 20));"),
        ("equivalence-places", "symbol[order[p]];", "symbol[p];"),
        ("equivalence-names", "name[x] = (uint8_t)names++;", "name[x] = 0;"),
    ],
    "search/node.h": [
        ("stopped-node", "return node_settle(s, N, UNPROVEN);", "return node_settle(s, N, N->budget);"),
        ("sizes-member-node", ", n, d, node_most(N) > needless ? node_most(N)", ", n, d, N->most > needless ? N->most"),
        ("close-exact", "else if (N->best < N->budget) node_store(s,", "else if (N->best <= N->budget) node_store(s,"),
        ("close-costliest", "else if (N->budget > costliest_tree(s, N-", "else if (N->budget >= costliest_tree(s, N-"),
    ],
    "search/openers.h": [
        ("superset-tail", ">= shared->listed && shared->tail > best)", ">= shared->listed && shared->tail > best + 1)"),
        ("superset-most", "known[k]->list.most - 1, total)", "known[k]->list.most, total)"),
        ("all-answers-most", "s->game->root.cap[0] - 1, total)", "s->game->root.cap[0], total)"),
        ("listed-members", "const int inside = best_member(s, P) + 1;", "const int inside = best_member(s, P);"),
        ("tiers-openers", "FREE), p.low[i], 0, 0", "FREE), p.low[i] + 1, 0, 0"),
        ("dominance-symmetric", " && !s->game->symmetric && missing", " && missing"),
    ],
    "search/team.h": [("team-best", "if (M->best < o->best) {", "if (M->best <= o->best + 1) {")],
    "search/value.h": [
        ("stopped-class", "    if (s->stopped) return total;\n    if (v >= COST_INF)", "    if (v >= COST_INF)"),
        ("class-settled", "if (v < budget) class_settled", "if (v <= budget) class_settled"),
        ("free-first", "(v >= budget || *height <= d || s->stopped", "(v >= budget || *height <= d + 1 || s->stopped"),
        ("guess-bounds-exact", "N.best, N.guess != NO_GUESS, 1)", "N.best, 1, 1)"),
        ("guess-bounds-tree", "N.guess = NO_GUESS;\n        N.height = 0;", "N.height = 0;"),
        ("guess-bounds-least", "N.best = N.list[N.from].low; /*", "N.best = N.list[N.to - 1].low; /*"),
        ("tiers-rounding", ": (budget + weight - 1) / weight;", ": budget / weight;"),
    ],
    "search/waves.h": [
        ("stopped-wave", "if (v >= N->best || s->stopped) continue;", "if (v >= N->best) continue;"),
        ("frame-place", "N->list[i].column = place[N->list[i].column];", "N->list[i].column += 0;"),
        ("wave-ends", "if (c.low >= N->best) break;", "if (c.low >= N->best - 1) break;"),
    ],
    "shares/share_bounds.h": [
        ("shares-settled-now", "settled = share_groups(s, out + c) == groups;", "settled = 1;"),
        ("shares-settled-later", "settled = share_settled(s, out + c, left + 1, many - 1);", "settled = 1;"),
        ("shares-cover-paid", "if (cell[object] != cell[t->cover[c]]) paid", "if (0) paid"),
        ("shares-cover-twice", "else if (t->kept[S->object[i]])", "if (t->kept[S->object[i]])"),
        ("shares-kept", "if (all || t->kept[S->object[i]])", "if (1)"),
        ("shares-kept-groups", "if (!all && !t->kept[S->object[i]]) continue;", ""),
        ("shares-groups-rise", "        weights_rise(s->sums, n);\n", ""),
        ("shares-branches", " n < 2 ? 0 : huffman(s->sums, n, profile.branches", " n < 2 ? 0 : huffman(s->sums, n, 2"),
        (
            "shares-branches-covers",
            "(n < 2 ? 0 : huffman(s->sums, n, profile.branches",
            "(n < 2 ? 0 : huffman(s->sums, n, 2",
        ),
    ],
    "shares/share_search.h": [
        ("shares-factor", "*factor *= many;", "*factor = many;"),
        ("shares-factor-recall", "COST_INF : e->value / factor;", "COST_INF : e->value;"),
        ("shares-factor-remember", "cost_times(value, factor), exact,", "value, exact,"),
        ("shares-key-asked", "if (cells_differ(t, s->asked[d], S))", "if (d == 0 && cells_differ(t, s->asked[d], S))"),
        ("shares-key-beams", "if (share_beam(s, S->n)) {\n        uint64_t", "if (0) {\n        uint64_t"),
        ("shares-asked-again", "from[i] == last || ", ""),
        ("shares-profile", "t->replies[from[i]] > profile->branches", "t->replies[from[i]] < profile->branches"),
        ("shares-cheapest", "t->costs[from[i]] < profile->cheapest", "t->costs[from[i]] > profile->cheapest || i == 0"),
        ("shares-first-budget", "if (s->stopped || sum >= budget) *exact = 0;", "if (s->stopped) *exact = 0;"),
        ("shares-first-stopped", "if (s->stopped || sum >= budget) *exact = 0;", "if (sum >= budget) *exact = 0;"),
        ("shares-rest", "budget - (sum - low[c]), &settled", "budget - (sum - low[c]) - 1, &settled"),
        ("shares-known", "if (e && e->exact) {\n                sum", "if (e) {\n                sum"),
        ("shares-list-floor", "else if (it.low < *floor) *floor = it.low;", ""),
        ("shares-list-asked", "s->asked[s->depth++] = left[i]; /*", "s->asked[s->depth++] = left[0]; /*"),
        ("shares-recalled", "*exact = e->exact;\n", "*exact = 1;\n"),
        ("shares-once", "once = profile.cheapest * S->weight;", "once = (profile.cheapest + 1) * S->weight;"),
        ("shares-refuted", "else if (value < floor) floor = value;", ""),
        ("shares-stopped-list", "if (s->stopped) floor = 0; /* some", "/* some"),
        ("shares-stopped-rest", "if (choice[k].low < floor) floor = choice[k].low;", ";"),
        ("shares-stopped", "*exact = best < budget && !s->stopped;", "*exact = best < budget;"),
        ("shares-beam", "if (beam) low = s->stopped ? low : budget;\n        else if", "if"),
        ("shares-build", "if (question < 0 && share_settled(s, S, left, many)", "if (question < 0 && one_group(t, S)"),
    ],
    "shares/share_table.h": [
        ("shares-part", "const int64_t part = S->share[i] / many;", "const int64_t part = S->share[i];"),
        ("shares-rise", "        shares_rise(out + c);\n", ""),
        ("shares-differ", "return 1;\n    return 0;\n}\n\n/* Put", "return 1;\n    return S->n > 2;\n}\n\n/* Put"),
        ("shares-one-group", "if (t->group[S->object[i]] != t->group[S->object[0]]) return 0;", ""),
    ],
}
MUTANTS = [Mutant(name, file, old, new) for file, edits in EDITS.items() for name, old, new in edits]


def applies(mutant: Mutant) -> bool:
    return (ROOT / "ext" / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1


def tests_of(mutant: Mutant) -> tuple[str, ...]:
    if mutant.file.startswith(TABLE_FOLDER):
        return TABLE_TESTS
    if mutant.file.startswith(SHARE_FOLDER):
        return SHARE_TESTS
    if mutant.file == BEAM_FILE:
        return BEAM_TESTS
    if mutant.file == SLICE_FILE:
        return SLICE_TESTS
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

        for mutant, (wrong, seen, seconds) in zip(chosen, pool.map(tried, chosen), strict=True):
            if not seen:
                missed.append(mutant.name)
            told = f"not built: {wrong[:200]}" if wrong else seen or "NOT SEEN"
            print(f"{mutant.name:24}{mutant.file:16}{seconds:5.0f} s  {told}", flush=True)
    print(f"{len(chosen) - len(missed)} of {len(chosen)} seen" + (f"; not: {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
