// Why a word may not be guessed: it is none, or the rules forbid it.

const RULES = ["normal", "hard", "ultra-hard"];

// What keeps a word from being the next guess, as a sentence; "" if nothing does.
function whyNot(tree, rules, turns, word) {
  const length = Array.from(word).length;
  if (length !== tree.rule.size) return `${word} has ${counted(length, "letter")}; this game needs ${tree.rule.size}.`;
  if (!tree.known.place.has(word)) {
    return tree.known.whole ? `${word} is not a word of this list.` : `${word} is not among the words that this page knows of this game.`;
  }
  if (rules === "normal") return "";
  for (const [number, [guess, code]] of turns.entries()) {
    const why = rules === "hard" ? unhinted(tree, guess, code, word) : disagreeing(tree, guess, code, word);
    if (why) return `${word} is not allowed by ${rules} rules: ${why} guess ${number + 1}, ${guess}.`;
  }
  return "";
}

// Hard rules: greens stay where they are, and letters with a colour come again as often.
function unhinted(tree, guess, code, word) {
  const mine = Array.from(word), letters = Array.from(guess), marks = tree.rule.marks(code);
  for (const [i, mark] of marks.entries()) {
    if (mark === GREEN && mine[i] !== letters[i]) return `letter ${i + 1} must be ${capitals(letters[i])}, green in`;
  }
  for (const letter of new Set(letters)) {
    const asked = letters.filter((one, i) => one === letter && marks[i] !== BLACK).length;
    const has = mine.filter((one) => one === letter).length;
    if (has < asked) return `it must have ${asked === 1 ? capitals(letter) : `${asked} times ${capitals(letter)}`}, coloured in`;
  }
  return "";
}

// Ultra-hard rules: a guess might be the answer still.
function disagreeing(tree, guess, code, word) {
  return tree.rule.score(guess, word) === code ? "" : "it can't be the answer after the colours of";
}
