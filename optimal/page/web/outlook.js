// What is known at a position: what is left, how many guesses it takes, whether the game can be lost, the next words.

function drawOutlook(played, actions) {
  const { tree, node } = played;
  fill(byId("outlook"),
    figures(known(played)),
    tree.words ? h("p", { id: "risk" }, risk(played)) : null,
    tree.words ? null : replies(tree, node, actions));
  if (!tree.words) return;
  fill(byId("advice"), ...adviceParts(played, actions));
  drawSoFar(played);
}

// [figure, what it counts] each.
function known(played) {
  const { tree, likely, others, pool } = played, node = played.node ?? played.start;
  if (!tree.words) return outlook(tree, node);
  const sums = firstOfOnesOwn(played) ?? (node ? expectedFigures(decimals(node.mean), node.worst, tree.weights && !tree.counts ? "on average by weight" : "on average") : consulted(played) ? searchFigures(played) : []);
  return [
    [String(likely.length), likely.length === 1 ? "likely answer left" : "likely answers left"],
    ...(tree.isUsed ? [[String(notUsed(tree, likely).length), "not used before"]] : []),
    ...sums,
    ...(tree.known.whole && tree.known.list.length > tree.answers.length ? [[String(others.length), others.length === 1 ? "other word fits" : "other words fit"]] : []),
  ];
}

// Of a first guess of the player's own, where it isn't searched for; none, if its total is not known.
function firstOfOnesOwn(played) {
  const { tree, rules, turns } = played, { own } = current;
  if (!isAlone(played) || !own || own === suggested(played) || whyNot(tree, rules, turns, own)) return null;
  const [opener] = tree.first(rules).filter(([guess]) => guess === own);
  const parts = advice.exact.get(own) ?? advice.estimates.get(own);
  const found = opener ? expectedFigures(decimals(opener[1] / played.weight), opener[2]) : parts ? worthFigures(played, parts, advice.exact.has(own)) : [];
  return found.map(([figure, what]) => [figure, `${what} with ${capitals(own)}`]);
}

function expectedFigures(mean, height, what = "on average") {
  const most = height ? [[String(height), height === 1 ? "guess at most" : "guesses at most"]] : advice.done ? [] : [["…", "guesses at most"]];
  return [...most, [mean, what]];
}

function searchFigures(played) {
  const { pool } = played, { parts, proven } = prospects(played);
  if (!parts) return expectedFigures("…", null);
  const found = worthFigures(played, parts, proven);
  return parts[0] ? found : expectedFigures(found[0][0], pool.length <= 2 ? pool.length : advice.heights.get(advice.best) ?? null);
}

function worthFigures({ weight }, [missed, total], proven) {
  const found = weight - missed;
  if (!missed) return [[`${proven ? "" : "≈ "}${decimals(total / weight)}`, "on average"]];
  return [[proven ? percent(found, weight) : `≥ ${percent(found, weight, Math.floor)}`, "chance to win"], [proven ? decimals(total / found) : "…", "on average if found"]];
}

// What the best word is worth, as far as it is known, off the tree: of the last guess, and of two candidates, that needs
// no search.
function prospects(played) {
  const { pool, weight, heaviest, left } = played;
  if (left === 1) return { parts: [weight - heaviest, heaviest], proven: true };
  if (pool.length <= 2) return { parts: [0, 2 * weight - heaviest], proven: true };
  if (advice.key !== current.key) return { parts: null, proven: false };
  const best = bestWorth();
  if (best) return { parts: best, proven: true };
  const { rows } = ranked(played), [first] = rows;
  return { parts: first ? first[1] : null, proven: false };
}

// Whether it is proven that not every candidate can be found any more.
function isRisky(played) {
  if (!played.tree.words || played.over || played.node || played.start || !played.left) return false;
  const { parts, proven } = prospects(played);
  return proven && parts[0] > 0;
}

function risk(played) {
  const { tree, turns, left, likely, others, weight } = played, node = played.node ?? played.start;
  if (!left) return "";
  const unless = !likely.length ? ", unless a colour is wrong" : others.length ? ", unless the answer is one of the other words" : "";
  const safe = `Play the best words and you can't lose${unless}.`;
  if (node) return node.worst <= left ? safe : "The game can be lost from here.";
  const { parts, proven } = prospects(played);
  if (!proven) return "";
  if (!parts[0]) return safe;
  if (left === 1) return `This is the last guess: ${lastOf(played)}${unless}.`;
  const few = tree.known.whole ? "" : "with the words that the page knows, ", sure = turns.length ? "can no longer" : "can't";
  const found = tree.counts ? `the chance is ${percent(weight - parts[0], weight)} at best` : `at best ${weight - parts[0]} of ${weight} are found`;
  return `You ${sure} be sure to win: ${few}${found}${few ? "" : " (proven)"}${unless}.`;
}

// The words that the last guess may be, and the chance of each.
function lastOf({ tree, pool, weight, heaviest }) {
  const most = countOf(tree, pool[0]), best = pool.filter((word) => countOf(tree, word) === most);
  if (best.length === 1) return `${capitals(best[0])}, ${percent(heaviest, weight)}`;
  const these = best.length < pool.length ? best.map(capitals).join(", ") : "these";
  const which = best.length > MOST_EQUAL ? `the ${best.length} ${best.length < pool.length ? "likeliest" : "left"}` : these;
  return `any of ${which}, ${percent(heaviest, weight)} each`;
}

function adviceParts(played, actions) {
  const { tree, pool } = played, parts = [];
  if (!consulted(played)) {
    const proven = played.start || (tree.proven && tree.objective === "mean"), which = played.turns.length ? "guess" : "first guess";
    if (tree.isUsed) parts.push(h("p", { class: "hint" }, `${capitals(suggested(played))} is a good first guess; what it is worth by weight takes too long to find. The page looks for the best words from the second guess on.`));
    else if (!played.follows && !played.start) parts.push(h("p", { class: "hint" }, `A first guess that is good by ${tree.rules} rules; what it is worth by ${played.rules} rules is not known here. The page looks for the best words from the second guess on.`));
    else parts.push(h("p", { class: "hint" }, proven ? `No ${which} needs fewer guesses on average than ${suggested(played)}${within(tree)}.` : "Later on the page tells what any word is worth."));
    return [...parts, ...openerParts(played, actions)];
  }
  if (advice.key !== current.key) return parts;
  if (advice.failed) {
    const instead = played.node ? "The page plays on by its tree." : "It suggests a word that fits, not the best one.";
    parts.push(h("p", { class: "problem", id: "lacks" }, `No exact advice here: ${advice.failed}. ${instead}`));
    return parts;
  }
  if (!advice.done) {
    const words = 1 + Math.max(MANY, advice.estimates.size), settled = Math.min(advice.exact.size, words) + words * advice.part;
    parts.push(working(settled / (2 * words), "Working out what the words are worth", actions.stop));
  }
  const table = adviceTable(played, (word) => actions.spell(word));
  if (table) parts.push(h("div", { class: "wide" }, table));
  const notes = [], { risky, more, last } = ranked(played);
  if (more) notes.push(`${counted(more, "more word is", "more words are")} as good as ${capitals(last)}.`);
  if (risky && !prospects(played).proven) notes.push("No way of playing is known yet that finds all.");
  if (advice.done && !advice.best) notes.push(!table ? "Stopped: what this word is worth is not known yet." : searchable(played) ? "Stopped: these are estimates." : `The best of ${played.pool.length} words would take too long to find: these are estimates, by good play. From the second guess on the page looks for the best.`);
  if (tree.weights) notes.push(counting(tree));
  if (!tree.known.whole) notes.push(FEW_KNOWN);
  if (!played.likely.length && pool.length) notes.push("No likely answer fits; the answer is one of the other words.");
  if (notes.length) parts.push(h("p", { class: "hint" }, notes.join(" ")));
  return parts;
}

// First guesses whose totals are known, the player's own beside them.
function openerParts(played, actions) {
  const { tree, rules, turns } = played, { own } = current;
  if (turns.length || !tree.words) return [];
  const [best, ...others] = tree.first(rules), typed = own && !whyNot(tree, rules, turns, own) ? own : "";
  if (best?.[0] === suggested(played)) {
    for (const [guess, total] of [best, ...others]) advice.exact.set(guess, [0, total]);
    Object.assign(advice, { best: best[0], ranked: true });
  }
  if (typed) advice.typed.add(typed);
  const parts = [], table = adviceTable(played, (word) => actions.spell(word)), notes = tree.weights && (typed || tree.counts) ? [counting(tree)] : [];
  const asked = typed && advice.own === typed;
  if (asked && advice.busy) parts.push(working(advice.part, `Working out what ${typed} is worth`, actions.stop));
  if (table) parts.push(h("div", { class: "wide" }, table));
  if (asked && advice.failed) notes.push(`No exact advice here: ${advice.failed}.`);
  else if (asked && advice.done && !advice.exact.has(typed)) notes.push(advice.estimates.has(typed) ? `Stopped: what ${capitals(typed)} is worth is an estimate, by good play.` : `Stopped: what ${capitals(typed)} is worth is not known yet.`);
  return notes.length ? [...parts, h("p", { class: "hint", id: "unknown" }, notes.join(" "))] : parts;
}

// How far a search is, a share of it, with a button to stop it.
function working(part, label, stop) {
  return h("p", { class: "working" }, h("progress", { id: "bar", max: "1", value: part ? String(part) : null, "aria-label": label }),
    h("button", { type: "button", id: "stop", click: stop }, "Stop"));
}

function announced(played) {
  const { turns } = played, count = turns.length;
  if (played.solved) return `Solved in ${counted(count, "guess", "guesses")}: ${turns[count - 1][0]}.`;
  if (played.lost) return "The last guess is made.";
  const word = played.tree.words ? current.guess ?? "is being looked for" : played.node.guess;
  const figures = known(played).filter(([figure]) => figure !== "…").map((pair) => pair.join(" ")).join(", ");
  return [`Guess ${count + 1}: ${word}. ${figures}.`, ...(isRisky(played) ? [risk(played)] : [])].join(" ");
}

// The words that are left, for those who want to see them.
function whatFits(played) {
  if (!played.tree.rule.score) return null;
  const lists = played.tree.words
    ? [[played.likely, "likely answer"], [played.others, "other word"]]
    : [[played.node.answers.map((number) => played.tree.answers[number]), "answer"]];
  return h("div", {}, lists.map(([list, what], i) => list.length && list.length <= 5000 ? folded(list, `${what} left`, `${what}s left`, i ? "others" : "candidates", i ? null : played.tree) : null));
}

// What each reply to the word in the row would leave, the most first.
function howItSplits(played, open = false) {
  const { tree, pool } = played, { guess } = current, whole = guess !== null && Array.from(guess).length === tree.rule.size;
  const rows = h("ol", { class: "splits" });
  const draw = () => {
    const classes = new Map();
    for (const word of pool) {
      const code = tree.rule.score(guess, word);
      if (!classes.has(code)) classes.set(code, []);
      classes.get(code).push(word);
    }
    const rest = (words) => (words.length > MOST_NAMED ? ` and ${words.length - MOST_NAMED} more` : "");
    fill(rows, ...[...classes].sort(([, one], [, other]) => other.length - one.length).map(([code, words]) =>
      h("li", {}, tiles(tree, guess, code, "mini"), h("b", {}, String(words.length)), h("span", { class: "words" }, words.slice(0, MOST_NAMED).join(" ") + rest(words)))));
  };
  if (open && whole) draw();
  return h("details", { class: "candidates", id: "splits", open, hidden: !whole || pool.length < 2, toggle: (event) => { if (event.target.open && whole) draw(); } },
    h("summary", { id: "splits-summary" }, `What each reply to ${capitals(guess ?? "")} would leave`), rows);
}

function folded(list, one, many, id, tree = null) {
  const words = h("p", { class: "words" }), fresh = tree?.isUsed ? notUsed(tree, list) : list;
  const texts = () => [fresh.join(" "), fresh.length < list.length ? `Used before: ${list.slice(fresh.length).join(" ")}` : ""];
  return h("details", { class: "candidates", id, toggle: (event) => { if (event.target.open) words.textContent = texts().filter(Boolean).join(". "); } },
    h("summary", { id: `${id}-summary` }, `Show the ${list.length === 1 ? one : `${list.length} ${many}`}`), words);
}

function finished(played) {
  const { tree, turns, rules } = played;
  const debrief = (steps) => (tree.words && !tree.before.length ? h("a", { class: "button", href: addressOf("debrief", tree, steps, rules) }, "Debrief") : null);
  if (!played.solved) {
    return [h("p", { class: "solved" }, "The last guess is made."),
      h("p", {}, stillFits(played)),
      h("div", { class: "buttons" }, debrief(stepsOfTurns(tree, turns)))];
  }
  const text = shareText(tree, rules, turns);
  return [
    h("p", { class: "solved" }, `Solved in ${counted(turns.length, "guess", "guesses")}.`),
    shareGrid(tree, rules, turns),
    h("div", { class: "buttons" },
      copyButton("Copy the grid", "copy-grid", () => text),
      location.protocol === "file:" ? null : copyButton("Copy a link", "copy-link", () => location.href),
      navigator.share ? h("button", { type: "button", id: "share-it", click: () => navigator.share({ text }).catch(() => {}) }, "Share") : null,
      debrief(turns.map(([guess]) => guess))),
  ];
}

// The words that the answer of a lost game may be, the likely ones first.
function stillFits({ pool, likely, others }) {
  const also = likely.length && others.length ? `; ${counted(others.length, "other word fits", "other words fit")} too` : "";
  return pool.length > MOST_NAMED ? `${pool.length} words still fit${also}.` : `What still fits: ${pool.join(", ")}${also}.`;
}

const MOST_NAMED = 40;
const FEW_KNOWN = "Of the words that may be guessed the page knows only those of its tree.";

// How the answers count, where they don't count alike or the tree's own weights are too large for the engine.
function counting(tree) {
  if (tree.isUsed) return `Answers used before count ${USED}, all others ${UNUSED}.`;
  return tree.counts ? "Answers count by their weights." : "The page can't search by the weights of this tree: here every answer counts once.";
}
