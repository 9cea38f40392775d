// What is known at a position: what is left, how many guesses it takes, whether the game can be lost, the next words.

function drawOutlook(played, actions) {
  const { tree, node } = played;
  const hint = tree.words
    ? "Make this guess in the game, or type one of your own. Tap each tile until it has the colour that the game gave."
    : "Make this guess in the game, and choose the reply that it gave.";
  fill(byId("outlook"),
    figures(known(played)),
    tree.words ? h("p", { id: "risk" }, risk(played)) : null,
    tree.words ? null : replies(tree, node, actions),
    played.steps.length ? null : h("p", { class: "hint" }, hint));
  if (tree.words) fill(byId("advice"), ...adviceParts(played, actions));
}

// [figure, what it counts] each.
function known(played) {
  const { tree, likely, others, pool } = played, node = played.node ?? played.start;
  if (!tree.words) return outlook(tree, node);
  const exact = advice.exact.get(advice.best), [first] = ranked();
  const here = advice.key === current.key && consulted(played);
  const height = node ? node.worst : here ? advice.height : null;
  const mean = node ? decimals(node.mean) : !here ? "…" : exact !== undefined ? decimals(exact / pool.length) : first ? `≈ ${decimals(first[1] / pool.length)}` : "…";
  const sums = node || consulted(played) ? [[height ? String(height) : "…", height === 1 ? "guess at most" : "guesses at most"], [mean, "on average"]] : [];
  return [
    [String(likely.length), likely.length === 1 ? "likely answer left" : "likely answers left"],
    ...sums,
    ...(tree.known.list.length > tree.answers.length ? [[String(others.length), others.length === 1 ? "other word fits" : "other words fit"]] : []),
  ];
}

function risk(played) {
  const { left, likely, others } = played, node = played.node ?? played.start;
  if (!left) return "";
  const unless = likely.length && others.length ? `, unless the answer is one of the other words` : "";
  const safe = `Play the best words and you can't lose${unless}.`;
  if (node) return node.worst <= left ? safe : "The game can be lost from here.";
  if (played.pool.length <= 2) return played.pool.length <= left ? safe : "The game can be lost from here.";
  if (advice.key !== current.key || (!advice.best && !advice.risky)) return "";
  if (!advice.risky) return safe;
  const lost = played.tree.known.whole ? "can be lost from here:" : "may be lost from here: with the words that the page knows";
  return `The game ${lost} no way of playing finds all ${played.pool.length} within ${counted(left, "guess", "guesses")}.`;
}

function adviceParts(played, actions) {
  const { tree, pool } = played, parts = [];
  if (!consulted(played)) {
    const proven = played.start || (tree.proven && tree.objective === "mean"), which = played.turns.length ? "guess" : "first guess";
    if (!played.follows && !played.start) parts.push(h("p", { class: "hint" }, `A first guess that is good by ${tree.rules} rules; what it is worth by ${played.rules} rules is not known here. The page looks for the best words from the second guess on.`));
    else parts.push(h("p", { class: "hint" }, proven ? `No ${which} needs fewer guesses on average${within(tree)}.` : "Later on the page tells what any word is worth."));
    return parts;
  }
  if (advice.key !== current.key) return parts;
  if (advice.failed) {
    const instead = played.node ? "The page plays on by its tree." : "It suggests a word that fits, not the best one.";
    parts.push(h("p", { class: "problem", id: "lacks" }, `No exact advice here: ${advice.failed}. ${instead}`));
    return parts;
  }
  if (!advice.done) {
    const words = 1 + Math.max(MANY, advice.estimates.size), settled = Math.min(advice.exact.size, words) + words * advice.part;
    parts.push(h("p", { class: "working" },
      h("progress", { id: "bar", max: String(2 * words), value: settled ? String(settled) : null, "aria-label": "Working out what the words are worth" }),
      h("button", { type: "button", id: "stop", click: () => { hush(true); drawOutlook(played, actions); } }, "Stop")));
  }
  const table = adviceTable(played, (word) => actions.spell(word));
  if (table) parts.push(h("div", { class: "wide" }, table));
  const notes = [];
  if (advice.done && !advice.best) notes.push(searchable(played) ? "Stopped: these are estimates." : `The best of ${played.pool.length} words would take too long to find: these are estimates, by good play. From the second guess on the page looks for the best.`);
  if (tree.weights) notes.push(COUNTED_ONCE);
  if (!tree.known.whole) notes.push(FEW_KNOWN);
  if (!played.likely.length && pool.length) notes.push("No likely answer fits; the answer is one of the other words.");
  if (notes.length) parts.push(h("p", { class: "hint" }, notes.join(" ")));
  return parts;
}

function announced(played) {
  const { turns } = played, count = turns.length;
  if (played.solved) return `Solved in ${counted(count, "guess", "guesses")}: ${turns[count - 1][0]}.`;
  if (played.lost) return "The last guess is made.";
  const word = played.tree.words ? current.guess ?? "is being looked for" : played.node.guess;
  return `Guess ${count + 1}: ${word}. ${known(played).filter(([figure]) => figure !== "…").map((pair) => pair.join(" ")).join(", ")}.`;
}

// The words that are left, for those who want to see them.
function whatFits(played) {
  if (!played.tree.rule.score) return null;
  const lists = played.tree.words
    ? [[played.likely, "likely answer"], [played.others, "other word"]]
    : [[played.node.answers.map((number) => played.tree.answers[number]), "answer"]];
  return h("div", {}, lists.map(([list, what], i) => list.length && list.length <= 5000 ? folded(list, `${what} left`, `${what}s left`, i ? "others" : "candidates") : null));
}

function folded(list, one, many, id) {
  const words = h("p", { class: "words" });
  return h("details", { class: "candidates", id, toggle: (event) => { if (event.target.open) words.textContent = list.join(" "); } },
    h("summary", { id: `${id}-summary` }, `Show the ${list.length === 1 ? one : `${list.length} ${many}`}`), words);
}

function finished(played) {
  const { tree, turns, steps, rules } = played;
  const words = turns.map(([guess]) => guess);
  if (!played.solved) {
    return [h("p", { class: "solved" }, "The last guess is made."),
      h("p", {}, played.pool.length > MOST_NAMED ? `${played.pool.length} words still fit.` : `What still fits: ${played.pool.join(", ")}.`)];
  }
  const text = shareText(tree, rules, turns);
  return [
    h("p", { class: "solved" }, `Solved in ${counted(turns.length, "guess", "guesses")}.`),
    shareGrid(tree, rules, turns),
    h("div", { class: "buttons" },
      copyButton("Copy the grid", "copy-grid", () => text),
      location.protocol === "file:" ? null : copyButton("Copy a link", "copy-link", () => location.href),
      navigator.share ? h("button", { type: "button", id: "share-it", click: () => navigator.share({ text }).catch(() => {}) }, "Share") : null,
      tree.rule.score && !tree.before.length ? h("a", { class: "button", href: addressOf("debrief", tree, words, tree.words ? rules : undefined) }, "Debrief") : null),
  ];
}

const MOST_NAMED = 40;
const COUNTED_ONCE = "Here every answer counts once.";
const FEW_KNOWN = "Of the words that may be guessed the page knows only those of its tree.";
