// The fourth view: a finished game, guess by guess, beside what the tree would have done. Nothing is searched, so what
// a guess off the tree was worth is told in answers left and in luck, not in exact guesses.

function showDebrief(panel, { tree, steps }) {
  if (!tree.rule.score || tree.before.length) {
    const why = tree.rule.score ? "This tree begins in the middle of a game" : "This game's answers can't be scored here";
    fill(panel, h("h2", {}, "Debrief"), h("p", {}, `${why}, so it can't look back on one.`));
    return;
  }
  const words = steps.map((step) => tree.written(step));
  const input = h("textarea", { id: "game", rows: "3", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "game-hint" });
  input.value = words.join(" ");
  const form = h("form", { class: "search", submit: (event) => {
    event.preventDefault();
    go(addressOf("debrief", tree, input.value.split(/[\s,]+/).filter(Boolean)));
  } },
  h("label", { for: "game" }, "Your guesses in order, the answer last"), input, h("button", { type: "submit", class: "main" }, "Look back"),
  h("p", { class: "hint", id: "game-hint" }, "Not solved? End with the answer all the same."));
  const problem = words.length ? wrongGame(tree, words) : "";
  fill(
    panel,
    h("h2", { class: "hidden" }, "Debrief"),
    form,
    h("p", { class: "problem", id: "game-problem" }, problem),
    words.length && !problem ? told(tree, words) : null);
  if (problem) say(problem);
}

// What keeps these words from being a game; "" if nothing does.
function wrongGame(tree, words) {
  const wrong = words.find((word) => Array.from(word).length !== tree.rule.size);
  if (wrong) return `${wrong} has ${Array.from(wrong).length} letters; this game needs ${tree.rule.size}.`;
  const answer = words[words.length - 1];
  if (!tree.isAnswer.has(answer)) return `${answer} is not one of the ${tree.answers.length} answers of this tree.`;
  if (words.indexOf(answer) < words.length - 1) return `Guess ${words.indexOf(answer) + 1} found the answer; nothing comes after it.`;
  return "";
}

function told(tree, words) {
  const answer = words[words.length - 1];
  const path = tree.turns(tree.path(answer));
  const rows = [];
  let left = tree.root.answers, node = tree.root;
  for (const guess of words) {
    const turn = lookedBack(tree, guess, answer, left, node);
    rows.push(turnCard(tree, turn, rows.length + 1));
    left = turn.after;
    node = turn.next;
  }
  const mine = words.length, its = path.length;
  const verdict = mine < its ? `You beat the tree: ${mine} against ${its}.` : mine === its ? `As many as the tree: ${its}.` : `The tree needs ${its}, you needed ${mine}.`;
  return h("div", {},
    h("p", { class: "solved", id: "verdict" }, verdict),
    h("ol", { class: "turns" }, rows),
    h("h3", {}, `How the tree finds ${answer}`),
    h("ol", { class: "board path" }, path.map(([guess, code]) => h("li", {}, tiles(tree, guess, code, "small")))),
    h("p", {}, h("a", { href: addressOf("tree", tree, path.map(([, code]) => tree.rule.format(code))) }, "See it in the tree")));
}

// One guess of the game: the answers that it left, how lucky that was, and the tree's own guess while the game is on it.
function lookedBack(tree, guess, answer, before, node) {
  const code = tree.rule.score(guess, answer);
  const sizes = new Map();
  const after = [];
  for (const number of before) {
    const other = tree.rule.score(guess, tree.answers[number]);
    sizes.set(other, (sizes.get(other) || 0) + 1);
    if (other === code) after.push(number);
  }
  const size = sizes.get(code);
  let worse = 0, even = 0, expected = 0;
  for (const count of sizes.values()) {
    if (count > size) worse += count;
    else if (count === size) even += count;
    expected += (count * count) / before.length;
  }
  // How many of the answers would have left more than this one did; those that leave as many count half.
  const luck = Math.round((99 * (worse + even / 2)) / before.length);
  const solved = code === tree.rule.win;
  const same = node && node.guess === guess;
  return {
    guess, code, before, after, solved, node, same, expected, luck: sizes.size > 1 ? luck : null, classes: sizes.size,
    possible: before.some((number) => tree.answers[number] === guess),
    next: same && !solved ? node.children.get(code) || null : null,
  };
}

function turnCard(tree, turn, number) {
  const { node, same, guess } = turn;
  const lines = [];
  if (same) lines.push(turn.solved ? "The tree's guess, and the answer." : "The tree's guess.");
  else if (node) lines.push(`The tree guesses ${node.guess} here.`);
  else lines.push(turn.solved ? "The answer." : "Off the tree.");
  if (!tree.isAnswer.has(guess)) lines.push(`${guess} is none of the answers.`);
  else if (!turn.possible) lines.push(`${guess} could not be the answer any more.`);
  if (turn.before.length === 1 && !turn.solved) lines.push("Only one answer was left already.");
  else if (!turn.solved) {
    const average = decimals(turn.expected, turn.expected < 10 ? 1 : 0);
    lines.push(`It left ${counted(turn.after.length, "answer")} of ${turn.before.length}; ${average} on average.`);
  }
  if (same && !turn.solved && turn.next) {
    const gain = node.mean - 1 - turn.next.mean;
    const how = Math.abs(gain) < 0.005 ? "as expected" : `${decimals(Math.abs(gain))} guesses ${gain > 0 ? "better" : "worse"} than expected`;
    lines.push(`${decimals(turn.next.mean)} more guesses are needed on average, ${how}.`);
  }
  return h("li", {},
    h("div", { class: "turn" },
      h("span", { class: "number" }, String(number)),
      tiles(tree, guess, turn.code, "small"),
      turn.luck === null ? null : h("span", { class: "luck" }, "luck ", h("b", {}, String(turn.luck)), h("span", { class: "of" }, " of 99"))),
    h("p", {}, lines.join(" ")));
}
