// The fourth view: a finished game, guess by guess, along the tree or off it: what was skill, what was luck.

let lookedBackOn = "";

function showDebrief(panel, { tree, rules, steps }) {
  if (!tree.words || tree.before.length) {
    const why = tree.words ? "This tree begins in the middle of a game" : "The page can look back on games of words alone";
    fill(panel, h("h2", {}, "Debrief"), h("p", {}, ...coded(`${why}. \`optimal debrief\` can do more.`)));
    return;
  }
  const grid = isGrid(steps) ? gridOf(tree, steps) : null, words = grid ? [] : steps.map((step) => tree.written(step));
  const hint = "Not solved? End with the answer all the same, in brackets: (crony). Or paste a share grid, yours or a friend's, to find the words that fit it.";
  const input = h("textarea", { id: "game", rows: "3", maxlength: 2000, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "game-hint" });
  input.value = words.join(" ");
  const gridSteps = (rows) => {
    const words = wordsBeside(tree, input.value, rows), found = rows.map(({ word, marks }, i) => ({ word: tree.written(word) || words[i] || "", code: tree.rule.codeOf(marks) }));
    return stepsOf(tree, found, words[rows.length]);
  };
  // What is asked, as it stands in the field, though nobody has asked yet.
  const typed = () => {
    const rows = readGrid(tree, input.value);
    if (rows.length && rows.every(({ marks }) => marks.length === tree.rule.size)) return gridSteps(rows);
    return grid && !input.value.trim() ? steps : read();
  };
  const read = () => input.value.replace(/\(\s+/g, "(").replace(/\s+\)/g, ")").split(input.value.includes("=") ? /[\s,;]+/ : /[^\p{L}\p{M}()]+/u).filter((piece) => /\p{L}/u.test(piece));
  const form = h("form", { class: "search", submit: (event) => {
    event.preventDefault();
    const rows = readGrid(tree, input.value), odd = rows.findIndex(({ marks }) => marks.length !== tree.rule.size);
    const why = odd >= 0 ? `Row ${odd + 1} of the grid has ${counted(rows[odd].marks.length, "mark")} of ⬛⬜🟨🟦🟩🟧; this game needs ${tree.rule.size}.`
      : rows.length ? partOf(tree, input.value, rows)
      : read().length ? "" : "Type your guesses first, or paste a grid of squares.";
    if (why) {
      fill(about);
      say(byId("game-problem").textContent = why);
    } else if (!rows.length) go(addressOf("debrief", tree, read(), rules));
    else {
      const by = scoreOf(input.value)?.rules ?? rules;
      go(addressOf("debrief", treeFor(tree, by), gridSteps(rows), by));
    }
  } },
  h("label", { for: "game" }, "Your guesses in order, the answer last"), input, h("button", { type: "submit", class: "main" }, "Look back"),
  h("p", { class: "hint", id: "game-hint" }, hint));
  const game = words.length ? gameOf(tree, rules, words) : { problem: grid?.problem ?? "" };
  const about = h("div", { id: "told" });
  fill(
    panel,
    h("h2", { class: "hidden" }, "Debrief"),
    rulesSwitch(rules, (other) => go(addressOf("debrief", treeFor(tree, other), typed(), other))),
    form,
    h("p", { class: "problem", id: "game-problem" }, game.problem),
    about);
  lookedBackOn = addressOf("debrief", tree, words, rules);
  if (grid) showGrid(about, grid, rules);
  if (game.problem) say(game.problem);
  else if (words.length) lookBack(game, about, lookedBackOn);
}

// The turns of a game, or what keeps these words from being one. The answer of a game that was lost stands in brackets,
// or after the last guess that the limit allows.
function gameOf(tree, rules, steps) {
  const words = steps.map((step) => step.replace(/[()]/g, "")), end = steps.length - 1, limit = tree.file.get("max_guesses");
  const answer = words[end], lost = steps[end].startsWith("(");
  const made = lost || (limit && words.length === limit + 1) ? words.slice(0, end) : words;
  if (!made.length) return { problem: "Type your guesses first." };
  if (limit && made.length > limit) return { problem: `${made.length} guesses: this game ends after ${limit}.` };
  const first = words.indexOf(answer);
  for (const word of words) {
    const why = whyNot(tree, "normal", [], word);
    if (why) return { problem: why };
  }
  if (first < words.length - 1) return { problem: `Guess ${first + 1} found the answer; nothing comes after it.` };
  const turns = [];
  let likely = tree.answers, others = tree.others([]);
  for (const guess of made) {
    const before = turns.map(({ played, code }) => [played, code]);
    const why = whyNot(tree, rules, before, guess);
    if (why) return { problem: why };
    const code = tree.rule.score(guess, answer), pool = likely.length ? likely : others, fit = [[guess, code]];
    likely = likely.filter((word) => fits(tree, fit, word));
    others = others.filter((word) => fits(tree, fit, word));
    const changes = !likely.length && pool.length > 0 && tree.isAnswer.has(pool[0]);
    const rest = (likely.length ? likely : others).length;
    turns.push({ ...weightOf(tree, pool), played: guess, code, before, pool, count: pool.length, rest, solved: code === tree.rule.win, changes, worth: null, least: null, best: null, part: 0 });
  }
  const last = turns[turns.length - 1];
  if (!last.solved && made.length !== limit) {
    // The position that is left, where nothing was played any more.
    const pool = likely.length ? likely : others;
    turns.push({ ...weightOf(tree, pool), played: null, before: turns.map(({ played, code }) => [played, code]), pool, count: pool.length, worth: null, least: null, best: null });
  }
  return { problem: "", tree, rules, answer, turns, limit };
}

function lookBack(game, about, address) {
  const draw = (failed = "") => { if (lookedBackOn === address && about.isConnected) fill(about, ...debriefParts(game, failed, stop)); };
  const stop = () => {
    engine.quiet();
    Object.assign(game, { done: true, stopped: true });
    draw();
    say("Stopped.");
  };
  draw();
  say("Working out what the guesses were worth.");
  valueTurns(game, draw).then(() => {
    game.done = true;
    draw();
    if (lookedBackOn === address && about.isConnected) say(byId("verdict").textContent);
  }, (error) => draw(error.message));
}

function debriefParts(game, failed, stop) {
  const made = game.turns.filter((turn) => turn.played !== null);
  const parts = [h("p", { class: "solved", id: "verdict" }, verdictOf(game, made))];
  if (failed) parts.push(h("p", { class: "problem", id: "lacks" }, `Skill and luck can't be told here: ${failed}.`));
  else if (!game.done) parts.push(working(null, "Working out what the guesses were worth", stop));
  parts.push(h("ol", { class: "turns" }, made.map((turn, i) => turnCard(game, turn, i))));
  const notes = [`Skill is ${MOST_SCORE} for a best guess and 0 for one that throws away a whole guess; luck is 50 for colours as good as expected, ${MOST_SCORE} for those that save a whole guess.`];
  if (game.stopped) notes.unshift("Stopped: what some guesses were worth is not known yet.");
  if (made.some(({ worth }) => worth?.[0])) notes.push("Where the limit leaves no certainty, skill is the chance to win that was kept.");
  if (game.tree.weights || game.tree.isUsed) notes.push(counting(game.tree));
  if (!game.tree.known.whole) notes.push(FEW_KNOWN);
  parts.push(h("p", { class: "hint" }, notes.join(" ")));
  // A tree for other rules may make guesses that these forbid.
  const path = game.rules === game.tree.rules ? game.tree.path(game.answer) : null;
  if (path) {
    parts.push(h("h3", {}, `How the tree finds ${game.answer}`));
    parts.push(h("ol", { class: "board path" }, game.tree.turns(path).map(([guess, code]) => h("li", {}, tiles(game.tree, guess, code, "small")))));
    parts.push(h("p", {}, h("a", { href: addressOf("tree", game.tree, stepsOfTurns(game.tree, game.tree.turns(path))) }, "See it in the tree")));
  }
  return parts;
}

// The sum of it: guesses = expected + thrown away - luck, exactly.
function verdictOf({ turns }, made) {
  const used = made[made.length - 1].solved ? `Solved in ${counted(made.length, "guess", "guesses")}` : `Not solved in ${counted(made.length, "guess", "guesses")}`;
  const losses = made.map(skillLoss), lucks = made.map((turn, i) => luckOf(turn, turns[i + 1]));
  if ([...losses, ...lucks].some((part) => part === null)) return `${used}.`;
  const sum = (parts) => parts.reduce((all, [part, of]) => all + part / of, 0);
  const luck = sum(lucks), left = turns.length > made.length ? turns[made.length] : null;
  const lucky = luck >= 0 ? `− ${decimals(luck)} by luck` : `+ ${decimals(-luck)} by bad luck`;
  return `${used}: ${decimals(made[0].least[1] / made[0].weight)} expected + ${decimals(sum(losses))} thrown away ${lucky}${left ? ` − ${decimals(left.least[1] / left.weight)} still to come` : ""}.`;
}

function turnCard({ tree, turns }, turn, i) {
  const { played, count } = turn, after = turns[i + 1];
  const luck = luckOf(turn, after);
  const lines = [];
  if (!tree.isAnswer.has(played)) lines.push(`${played} is not a likely answer${isOdd(turn) ? ", though it was the answer: by the list nobody could know" : ""}.`);
  else if (!turn.pool.includes(played)) lines.push(`${played} could not be the answer any more.`);
  if (count === 1 && !turn.solved) lines.push("Only one answer was left already.");
  if (!turn.solved) lines.push(turn.changes ? `No likely answer was left of ${count}, and ${counted(turn.rest, "other word")}.` : `It left ${counted(turn.rest, turn.pool.every((word) => tree.isAnswer.has(word)) ? "likely answer" : "other word")} of ${count}.`);
  const value = valueOf(turn);
  if (value) lines.push(value);
  else if (turn.part) lines.push(`Looking at each reply: ${Math.floor(100 * turn.part)} %.`);
  if (luck && count > 1) {
    const size = decimals(Math.abs(luck[0] / luck[1]));
    lines.push(luck[0] === 0 ? "The colours were as good as expected." : `The colours ${luck[0] > 0 ? "saved" : "cost"} ${size} guesses against what was to be expected.`);
  }
  const score = (what, value) => value === null ? null : h("span", { class: what }, `${what} `, h("b", {}, String(value)));
  return h("li", {},
    h("div", { class: "turn" },
      h("span", { class: "number" }, String(i + 1)),
      tiles(tree, played, turn.code, "small"),
      h("span", { class: "scores" }, ...[score("skill", skillScore(lossOf(turn))), score("luck", luckScore(luck, count))].filter(Boolean))),
    h("p", {}, lines.join(" ")));
}

// Whether it found an answer while others were likely: by those alone it would seem a weak guess.
function isOdd({ solved, changes }) {
  return solved && changes;
}

// What a guess was worth, as a sentence; nothing while it isn't known.
function valueOf(turn) {
  const { worth, least, weight, best } = turn, loss = skillLoss(turn), lost = chanceLost(turn);
  if (!worth) return "";
  const mean = ([missed, total]) => decimals(total / (weight - missed));
  if (lost?.[0]) {
    return `${sentenceOf(grade(lossOf(turn), 2))}: a chance of ${percent(weight - worth[0], weight)} to win, ${percent(weight - least[0], weight)} with ${best}.`;
  }
  const chance = worth[0] ? `a chance of ${percent(weight - worth[0], weight)} to win, ` : "";
  const expected = worth[0] === weight ? "no chance to win any more" : `${chance}${mean(worth)} guesses expected from here on${worth[0] ? " if it is won" : ""}`;
  if (!least) return `${sentenceOf(expected)}; the best first guess of this game is not known here.`;
  if (!loss || loss[0] === 0) return `A best guess: ${expected}.`;
  return `${sentenceOf(grade(loss))}: ${expected}, ${mean(least)} with ${best}, so ${decimals(loss[0] / loss[1])} thrown away.`;
}

function sentenceOf(text) {
  return text[0].toUpperCase() + text.slice(1);
}
