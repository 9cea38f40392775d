// What the guesses of a finished game were worth: skill and luck as docs/reference/glossary.md defines them, in whole numbers.
//
// At a position with n candidates, `least` is the least total and `total` that of the guess that was made; so least / n
// guesses are expected with best play, and total / n with this guess.

const MOST_SCORE = 99;
// How good a guess is that throws so much away at most.
const GRADES = [[0.02, "nearly the best"], [0.1, "good"], [0.3, "fair"], [0.7, "weak"], [Infinity, "a mistake"]];

// Positive numerator and denominator, to the nearest whole number; a half to the even one, as Python has it.
function rounded(numerator, denominator) {
  const below = Math.floor(numerator / denominator), twice = 2 * (numerator - below * denominator);
  return below + (twice > denominator || (twice === denominator && below % 2 === 1) ? 1 : 0);
}

// Guesses thrown away, as a fraction; null where it isn't known.
function skillLoss({ total, least, count }) {
  return total === null || least === null ? null : [total - least, count];
}

// Guesses that the reply saved, more than expected; `after` is the turn that follows, null once the answer is found.
function luckOf({ total, count, solved, changes }, after) {
  if (total === null || changes || (!solved && (!after || after.least === null))) return null;
  return solved ? [total - count, count] : [total * after.count - count * after.count - after.least * count, count * after.count];
}

function skillScore(loss) {
  return loss && rounded(Math.max(0, MOST_SCORE * (loss[1] - loss[0])), loss[1]);
}

// 50 as expected, 99 a guess saved or more, 0 one lost; none where nothing was open.
function luckScore(luck, count) {
  return luck && count > 1 ? rounded(Math.min(Math.max(0, MOST_SCORE * (luck[0] + luck[1])), MOST_SCORE * 2 * luck[1]), 2 * luck[1]) : null;
}

function grade(loss) {
  return GRADES.find(([most]) => loss[0] <= most * loss[1])[1];
}

// Fill in what the turns are worth, the smaller positions first, and tell of each; all of it without a limit of guesses.
// The start of a game is not searched where its least total is known, or it is too large: a guess of one's own is worth
// what is left after each of its replies.
async function valueTurns(game, tell) {
  const { tree, rules, turns } = game;
  for (const turn of [...turns].reverse()) {
    const words = turn.played === null ? [] : [turn.played], start = turn.before.length === 0;
    if (start && (game.start || turn.count > MOST_SEARCHED)) {
      Object.assign(turn, { least: game.start?.total ?? null, best: game.start?.guess ?? null });
      const known = turn.least !== null && turn.played === turn.best;
      turn.total = known ? turn.least : await spread(game, turn, tell);
    } else {
      const found = await engine.exactly({ tree, rules, turns: turn.before, words });
      Object.assign(turn, { least: found.total, best: found.word, total: found.worth.get(turn.played) ?? null });
    }
    tell();
  }
}

async function spread({ tree, rules }, turn, tell) {
  const classes = new Map();
  for (const answer of tree.answers) {
    const code = tree.rule.score(turn.played, answer);
    classes.set(code, (classes.get(code) ?? 0) + 1);
  }
  classes.delete(tree.rule.win);
  let total = tree.answers.length, done = 0;
  for (const [code, count] of classes) {
    total += count <= 2 ? 2 * count - 1 : (await engine.exactly({ tree, rules, turns: [[turn.played, code]] })).total;
    turn.part = ++done / classes.size;
    if (done % 8 === 0) tell();
  }
  return total;
}
