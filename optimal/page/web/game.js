// A game as it was played: along the tree as long as each guess is the tree's own, off it after any other.

// What the steps of an address lead to.
function playedGame(tree, rules, steps) {
  const follows = rules === tree.rules;
  const played = { tree, rules, follows, turns: [...tree.before], steps: [], node: follows ? tree.root : null, solved: false, problem: "" };
  for (const step of steps) {
    const found = stepOf(played, step);
    if (found.problem) {
      played.problem = found.problem;
      break;
    }
    take(played, found.guess, found.code);
  }
  return fitted(played);
}

const ASTRAY = "The rest of the link doesn't fit this game, and is left out.";

function stepOf(played, step) {
  const { tree } = played, [guess, code] = turnOf(tree, step, played.node) ?? [], limit = tree.file.get("max_guesses");
  if (!guess || played.solved || played.turns.length === limit) return { problem: ASTRAY };
  const why = tree.words ? whyNot(tree, played.rules, played.turns, guess) : "";
  return { guess, code, problem: why || (leads(played, guess, code) ? "" : ASTRAY) };
}

// Whether some word fits once this guess has this reply.
function leads(played, guess, code) {
  const { tree, node } = played;
  if (node && guess === node.guess && tree.replies(node).includes(code)) return true;
  if (!tree.words) return false;
  const turns = [...played.turns, [guess, code]];
  return tree.known.list.some((word) => fits(tree, turns, word));
}

function fits(tree, turns, word) {
  return turns.every(([guess, code]) => tree.rule.score(guess, word) === code);
}

// Of turns that no word fits, the one most likely mistyped: the one whose reply, changed by one mark, leaves most words of
// the likely answers, or else of the others; null where none does. A reply that would forbid a later guess is none that
// was meant. As optimal/games/tiers.py has it.
function likelySlip(tree, rules, turns) {
  const others = tree.known.list.filter((word) => !tree.isAnswer.has(word));
  for (const words of [tree.answers, others]) {
    const left = new Map();
    for (const word of words) {
      const odd = turns.map(([guess, code], turn) => [turn, tree.rule.score(guess, word), code]).filter(([, found, code]) => found !== code);
      const key = odd.length === 1 ? odd[0].slice(0, 2).join() : "";
      if (key) left.set(key, (left.get(key) ?? 0) + 1);
    }
    const near = [...left].map(([key, count]) => [...key.split(",").map(Number), count]).map(([turn, code, count]) => {
      const [seen, meant] = [turns[turn][1], code].map((one) => tree.rule.marks(one)), places = [...meant.keys()].filter((i) => meant[i] !== seen[i]);
      return { turn, code, count, place: places[0], colour: colourOf(meant[places[0]]), near: places.length === 1 };
    }).filter(({ turn, code, near }) => near && (code !== tree.rule.win || turn === turns.length - 1) && !turns.slice(turn + 1).some(([guess]) => whyNot(tree, rules, [[turns[turn][0], code]], guess)));
    near.sort((one, other) => other.count - one.count || one.turn - other.turn || one.code - other.code);
    if (near.length) return near[0];
  }
  return null;
}

// The places of a grey letter and of an equal yellow one after it in the last turn, which no word brings; null where there
// are none; and whether any word fits the other order. As `mistyped` in optimal/games/tiers.py has it.
function outOfOrder(tree, turns) {
  const [guess, code] = turns[turns.length - 1], letters = tree.rule.spelled(guess), marks = tree.rule.marks(code);
  for (const [i, letter] of letters.entries()) {
    const later = marks[i] === BLACK ? letters.findLastIndex((one, j) => j > i && one === letter && marks[j] === YELLOW) : -1;
    if (later < 0) continue;
    [marks[i], marks[later]] = [YELLOW, BLACK];
    const meant = [...turns.slice(0, -1), [guess, tree.rule.codeOf(marks)]];
    return { first: i, later, fits: tree.known.list.some((word) => fits(tree, meant, word)) };
  }
  return null;
}

function take(played, guess, code) {
  const { tree, node } = played;
  played.steps.push(...stepsOfTurns(tree, [[guess, code]]));
  played.turns.push([guess, code]);
  played.solved = code === tree.rule.win;
  if (played.solved) return;
  played.node = (node?.guess === guess && node.children.get(code)) || null;
}

// The likely answers and the other words that are left, what those count that are candidates, and how many guesses are
// left: 0 if there is no limit.
function fitted(played) {
  const { tree, node, turns } = played, limit = tree.file.get("max_guesses");
  if (tree.words) {
    const likely = node && turns.length === tree.before.length + depthOf(node)
      ? node.answers.map((number) => tree.answers[number])
      : tree.answers.filter((word) => fits(tree, turns, word));
    played.likely = heaviestFirst(tree, likely);
    played.others = tree.others(turns);
    played.pool = played.likely.length ? played.likely : played.others;
    Object.assign(played, weightOf(tree, played.pool));
  }
  // What is known of the start under other rules than the tree's.
  const [[guess, total, worst]] = [...(node || turns.length || tree.weights ? [] : tree.first(played.rules)), []];
  played.start = guess ? { guess, worst, mean: total / tree.answers.length } : null;
  played.left = limit ? limit - turns.length : 0;
  played.lost = Boolean(limit) && !played.solved && played.left <= 0;
  played.over = played.solved || played.lost;
  return played;
}

function depthOf(node) {
  let depth = 0;
  for (; node.parent; node = node.parent) depth++;
  return depth;
}
