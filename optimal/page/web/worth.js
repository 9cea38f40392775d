// What the guesses of a finished game were worth: skill and luck as optimal/advice/review.py defines them, in whole numbers.
//
// At a position whose candidates count `weight` in sum, `least` is what a best guess is worth within the guesses left and
// `worth` what the one made is: [candidates missed, total over the others]. With none missed, total / weight guesses are
// expected. Where some are,
// it is the chance to win that counts, then the guesses expected over those found.

const MOST_SCORE = 99;
// How good a guess is that throws so much away at most.
const GRADES = [[0.02, "nearly the best"], [0.1, "good"], [0.3, "fair"], [0.7, "weak"], [Infinity, "a mistake"]];

// Positive numerator and denominator, to the nearest whole number; a half to the even one, as Python has it.
function rounded(numerator, denominator) {
  const below = Math.floor(numerator / denominator), twice = 2 * (numerator - below * denominator);
  return below + (twice > denominator || (twice === denominator && below % 2 === 1) ? 1 : 0);
}

// Guesses thrown away, as a fraction; null where it isn't known, or other chances are.
function skillLoss({ worth, least, weight }) {
  if (!worth || !least || worth[0] !== least[0] || worth[0] === weight) return null;
  return [worth[1] - least[1], weight - worth[0]];
}

// The chance to win thrown away, as a fraction; null where it isn't known, or nothing is missed.
function chanceLost({ worth, least, weight }) {
  return worth && least && worth[0] ? [worth[0] - least[0], weight] : null;
}

// What counts as the loss: the share of the chance, or else the guesses.
function lossOf(turn) {
  const chance = chanceLost(turn);
  return chance && chance[0] ? [chance[0], turn.weight - turn.least[0]] : skillLoss(turn);
}

// Guesses that the reply saved, more than expected; `after` is the turn that follows, null once the answer is found.
function luckOf({ worth, weight, solved, changes }, after) {
  if (!worth || worth[0] || changes || (!solved && (!after?.least || after.least[0]))) return null;
  const [, total] = worth;
  return solved ? [total - weight, weight] : [total * after.weight - weight * after.weight - after.least[1] * weight, weight * after.weight];
}

function skillScore(loss) {
  return loss && rounded(Math.max(0, MOST_SCORE * (loss[1] - loss[0])), loss[1]);
}

// 50 as expected, 99 a guess saved or more, 0 one lost; none where nothing was open.
function luckScore(luck, count) {
  return luck && count > 1 ? rounded(Math.min(Math.max(0, MOST_SCORE * (luck[0] + luck[1])), MOST_SCORE * 2 * luck[1]), 2 * luck[1]) : null;
}

// A lost chance counts `times` 2.
function grade(loss, times = 1) {
  return GRADES.find(([most]) => times * loss[0] <= most * loss[1])[1];
}

// Fill in what the turns are worth within the guesses left, the smaller positions first, and tell of each. The start of a
// game is not searched where its best guesses are known, or it is too large: a guess of one's own is worth what is left
// after each of its replies.
async function valueTurns(game, tell) {
  const { tree, rules, turns, limit } = game, openers = tree.first(rules);
  for (const turn of [...turns].reverse()) {
    const words = turn.played === null ? [] : [turn.played], start = turn.before.length === 0;
    if (start && (openers.length || turn.count > MOST_SEARCHED)) {
      const [best] = openers, mine = openers.find(([guess]) => guess === turn.played);
      Object.assign(turn, { least: best ? [0, best[1]] : null, best: best ? best[0] : null });
      turn.worth = isOdd(turn) ? null : mine ? [0, mine[1]] : await spread(game, turn, () => tell());
    } else {
      const found = await engine.exactly({ tree, rules, turns: turn.before, words, left: limit ? limit - turn.before.length : 0 });
      Object.assign(turn, { least: found.least, best: found.word, worth: isOdd(turn) ? null : found.worth.get(turn.played) ?? null });
    }
    tell();
  }
}

// What a first guess is worth by what each of its replies leaves, the small ones first; `tell` hears how far that is, and,
// where greedy play is asked for, too, what the guess is worth about until all is exact.
async function spread({ tree, rules, limit }, turn, tell, greedy = false) {
  const left = limit ? limit - 1 : 0, classes = new Map();
  for (const answer of tree.answers) {
    const code = tree.rule.score(turn.played, answer);
    if (!classes.has(code)) classes.set(code, []);
    classes.get(code).push(answer);
  }
  classes.delete(tree.rule.win);
  const order = [...classes].sort(([, one], [, other]) => one.length - other.length), worth = order.map(() => null);
  const sum = () => worth.every(Boolean) ? worth.reduce((all, [missed, total]) => [all[0] + missed, all[1] + total], [0, turn.weight]) : null;
  for (const exact of greedy ? [false, true] : [true]) {
    let done = 0;
    for (const [i, [code, words]] of order.entries()) {
      const { weight, heaviest, unit } = weightOf(tree, words), question = { tree, rules, turns: [[turn.played, code]], left };
      const easy = words.length <= 2 && left !== 1 ? [0, 2 * weight - heaviest] : null;
      const found = easy ?? (exact ? (await engine.exactly(question)).least : (await engine.exactly({ ...question, many: 1, exact })).about);
      if (found) worth[i] = [found[0] * unit / turn.unit, (found[1] - found[0]) * unit / turn.unit];
      done += words.length;
      if (exact) turn.part = done / tree.answers.length;
      if (i % 8 === 7 || i === order.length - 1 || words.length > 30) tell(greedy ? sum() : null);
    }
  }
  return sum();
}
