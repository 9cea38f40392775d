// Answers used before: by the player's list of them a game goes on without its tree, and the engine advises by weight.

const USED = 1, UNUSED = 10;  // what an answer counts
const MONTHS = new Set(["march", "april"]);  // of five letters
// Beside a date in numbers, last after a number that is no day or year, or first before one.
const MONTH_AS_WORD = new RegExp([
  "\\b(\\d{4}[-/.]\\d\\d?[-/.]\\d\\d?|\\d\\d?[-/.]\\d\\d?[-/.]\\d{2,4})\\b",
  "\\b(?!(19|20)\\d\\d\\b)(3[2-9]|[4-9]\\d|\\d{3,})\\W+(march|april)\\W*$", "^\\W*(march|april)\\W+(?!(19|20)\\d\\d\\b)\\d{3}",
].join("|"));
// The player's lists, by where they are kept, and what is made of them.
const usedTexts = new Map();
let usedGames = new Map();

// The used words of a text: all of a line that has nothing but words of the length of the game; of one with dates or
// numbers that before each, where the line begins so, or else the first after each; else the last. Words that may be
// guessed come before others, and a month is one only beside the date. As optimal/games/used.py has it.
function readUsed(tree, text) {
  const { size } = tree.rule, { place } = tree.known;
  const found = new Set();
  for (const entry of tree.small(text).split(/[\r\n}]/)) {  // also between the objects of JSON
    const line = entry.replace(/"[^"]*"\s*:|#\P{Nd}*$/gu, " "), parts = line.match(/\p{Nd}+|\p{L}+/gu) ?? [], dated = parts.some(isNumber);  // no keys of JSON, no comments
    const fitting = parts.filter((part) => !isNumber(part) && Array.from(part).length === size), days = fitting.filter((word) => !MONTHS.has(word));
    if (!dated && fitting.length === parts.length) fitting.forEach((word) => found.add(word));
    if (dated && !days.length && MONTH_AS_WORD.test(line)) fitting.slice(-1).forEach((word) => found.add(word));
    if (!dated || !days.length) continue;
    const named = days.filter((word) => place.has(word)), many = byNumbers(parts, new Set(named));
    (many.length ? many : [named.pop() ?? days.pop()]).forEach((word) => found.add(word));
  }
  return [...found];
}

function isNumber(part) {
  return /\p{Nd}/u.test(part);
}

// Those of the words that stand before a number, if the first of them does, or else come first after one.
function byNumbers(parts, words) {
  if (words.has(parts[parts.findIndex(isNumber) - 1])) return parts.filter((part, i) => words.has(part) && i + 1 < parts.length && isNumber(parts[i + 1]));
  let waiting = false;
  return parts.filter((part) => {
    const taken = waiting && words.has(part);
    waiting = isNumber(part) || (waiting && !taken);
    return taken;
  });
}

// A game whose answers count by a list of those used before, with the words of it that were no answers, or no guesses,
// added; itself where none was an answer. As optimal/games/used.py has it. Words that its first turns exclude are none of it.
function usedGame(tree, text) {
  const words = readUsed(tree, text).filter((word) => fits(tree, tree.before, word)).sort(), added = words.filter((word) => !tree.isAnswer.has(word));
  if (added.length === words.length) return tree;
  const isUsed = new Set(words), answers = [...new Set([...tree.answers, ...words])].sort();
  const list = [...new Set([...tree.known.list, ...words])].sort();
  const named = added.slice(0, 5).join(", ") + (added.length > 5 ? ` and ${added.length - 5} more` : "");
  const told = [
    `${counted(words.length, "answer", "answers")} used before ${words.length === 1 ? "counts" : "count"} ${USED}, all others ${UNUSED}.`,
    added.length ? `Added, as ${counted(added.length, "word")} that the list of answers lacks: ${named}.` : "",
  ];
  return Object.assign(Object.create(tree, { known: { value: wordList(list, tree.known.whole) } }), {
    plain: tree, isUsed, answers, isAnswer: new Set(answers), root: null, usedTold: told.filter(Boolean).join(" "),
    weights: null, counts: new Map(answers.map((word) => [word, isUsed.has(word) ? USED : UNUSED])),
    first: () => [],
    path: () => null,
    // A good first word, not said to be the best.
    opener: (rules) => tree.first(rules)[0]?.[0] ?? tree.root?.guess,
  });
}

// The game as it is played: by the player's list of answers used before, where there is one.
function byUse(tree) {
  if (!tree.words || tree.plain) return tree;
  if (!usedGames.has(tree)) usedGames.set(tree, usedText(tree) ? usedGame(tree, usedText(tree)) : tree);
  return usedGames.get(tree);
}

// Where the list of a game is kept: others may have its name, and other words.
function usedPlace(tree) {
  return `used-${tree.game.get("name")}-${tree.mark ?? hex(tree.game.get("guesses_sha256")).slice(0, 10)}`;
}

function usedText(tree) {
  return usedTexts.get(usedPlace(tree)) ?? stored(usedPlace(tree)) ?? "";
}

function keepUsed(tree, text) {
  usedTexts.set(usedPlace(tree), text);
  stored(usedPlace(tree), text || null);
  usedGames = new Map();
}

// Keep a list, or forget it where it is empty. Returns what is wrong with it.
function useUsed(tree, text) {
  if (text.length > MOST_TEXT) return `That is a text of ${text.length} characters; past answers are fewer.`;
  if (text && usedGame(tree, text) === tree) {
    return readUsed(tree, text).length ? "None of its words is an answer here."
      : `No words of ${tree.rule.size} letters could be read: a word a line, or dates and words.`;
  }
  const { view, rules, steps } = readAddress(lists), waiting = view === "play" ? waitingSteps(tree) : [];
  keepUsed(tree, text);
  current.key = "";  // what is known by other weights
  advice = newAdvice("");
  if (waiting.length) go(addressOf("play", tree, [...steps, ...waiting], rules));
  else render();
  say(byUse(tree).usedTold ?? (tree.weights ? counting(tree) : "Every answer counts once."));
  return "";
}

function notUsed(tree, words) {
  return words.filter((word) => !tree.isUsed.has(word));
}

// What a word counts; those without a weight once each.
function countOf(tree, word) {
  return tree.counts?.get(word) ?? 1;
}

// What these words count in sum and at most, in units of their greatest common divisor: where all count alike, once each.
function weightOf(tree, words) {
  const all = words.map((word) => countOf(tree, word)), unit = all.reduce(commonDivisor, 0) || 1;
  return { weight: all.reduce((sum, count) => sum + count, 0) / unit, heaviest: all.reduce((most, count) => Math.max(most, count), 0) / unit, unit };
}

function commonDivisor(one, other) {
  return other ? commonDivisor(other, one % other) : one;
}

// The words that count most first.
function heaviestFirst(tree, words) {
  return tree.counts ? [...words].sort((one, other) => countOf(tree, other) - countOf(tree, one)) : words;
}

function usedForm(game) {
  const tree = game.plain ?? game;
  const form = listForm("used", {
    label: "Answers of this game so far", button: "Count them less",
    hint: `Some games repeat an answer, but seldom: so does that of the New York Times. Paste a list of its past answers, as many sites have one: a word a line, or with dates and numbers. These then count ${USED}, all others ${UNUSED}. The list stays in this browser.`,
    more: game.isUsed ? h("button", { type: "button", id: "used-forget", click: () => useUsed(tree, "") }, "Forget the list") : null,
  }, (text) => useUsed(tree, text));
  const show = (event) => { if (event.target.open) form.querySelector("textarea").value ||= usedText(tree); };
  return h("div", {},
    h("details", { class: "candidates", id: "used", toggle: show }, h("summary", { id: "used-summary" }, "Answers used before"), form),
    game.isUsed ? h("p", { class: "hint", id: "used-told" }, game.usedTold) : null);
}
