// Why a word may not be guessed: it is none, or the rules forbid it.

const RULES = ["normal", "hard", "ultra-hard"];

// What keeps a word from being the next guess, as a sentence; "" if nothing does.
function whyNot(tree, rules, turns, word) {
  const length = Array.from(word).length;
  if (length !== tree.rule.size) return `${word} has ${counted(length, "letter")}; this game needs ${tree.rule.size}.`;
  if (!tree.known.place.has(word)) {
    return tree.known.whole ? `${word} is not a word of this list${meant(tree, word)}` : `${word} is not among the words that this page knows of this game.`;
  }
  if (rules === "normal") return "";
  for (const [number, [guess, code]] of turns.entries()) {
    const why = rules === "hard" ? unhinted(tree, guess, code, word) : disagreeing(tree, guess, code, word);
    if (why) return `${word} is not allowed by ${rules} rules: ${why} guess ${number + 1}, ${guess}.`;
  }
  return "";
}

// The end of a sentence about a word that is none: those with two letters swapped or one other, likely answers first.
function meant(tree, word) {
  const mine = Array.from(word), near = tree.known.list.filter((known) => {
    const letters = Array.from(known), odd = [...mine.keys()].filter((i) => mine[i] !== letters[i]), [i, j] = odd;
    return odd.length === 1 || (odd.length === 2 && j === i + 1 && letters[i] === mine[j] && letters[j] === mine[i]);
  });
  const swapped = (known) => [...word].sort().join() === [...known].sort().join();
  const first = near.sort((one, other) => swapped(other) - swapped(one) || tree.isAnswer.has(other) - tree.isAnswer.has(one)).slice(0, 3);
  return first.length ? `: did you mean ${first.join(" or ")}?` : ".";
}

// Hard rules: greens stay where they are, and letters with a colour come again as often.
function unhinted(tree, guess, code, word) {
  const mine = Array.from(word), letters = Array.from(guess), marks = tree.rule.marks(code);
  for (const [i, mark] of marks.entries()) {
    if (mark === GREEN && mine[i] !== letters[i]) return `letter ${i + 1} must be ${capitals(letters[i])}, ${colourOf(GREEN)} in`;
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
