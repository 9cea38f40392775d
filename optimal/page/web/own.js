// A list of the player's own, pasted or from a file: a game without a tree, which the engine alone advises.

const OWN = "*", MOST_OWN = 5000, LONGEST = 10, MOST_TEXT = 1000000;

class OwnList {
  constructor(words, told) {
    const length = words.length ? Array.from(words[0]).length : 5;
    const game = new Map([["name", "own list"], ["kind", "words"], ["guess_count", words.length], ["params", new Map([["length", length]])]]);
    Object.assign(this, {
      name: OWN, called: "your own list", title: "Your own list…", told, game, rule: ruleOf(game), words: true, answers: words,
      isAnswer: new Set(words), weights: null, counts: null, before: [], root: null, rules: "normal", objective: "mean", file: new Map([["max_guesses", 6]]),
      known: wordList(words, true), mark: words.length ? sumOf(words.join(" ")) : "",
    });
  }

  // Every word of the list is a likely answer.
  others() {
    return [];
  }

  path() {
    return null;
  }

  first() {
    return [];
  }

  small(text) {
    return smallOfOwn(text, this.known.isDotless);
  }

  written(text) {
    return this.small(text.trim());
  }
}

// In Greek a letter has one tile, wherever it stands.
function smallOfOwn(text, isDotless) {
  return small(text, isDotless).replaceAll("ς", "σ");
}

// The words of a text, those of the length that most of them have; or the reason why they make no game.
function readWords(text) {
  if (text.length > MOST_TEXT) return { problem: `That is a text of ${text.length} characters: the page takes ${MOST_OWN} words at most. \`optimal assist --words FILE\` takes more.` };
  const lines = smallOfOwn(text, writesDotless(text)).split("\n").map((line) => line.split(/[\s,;"]+/).filter(Boolean));
  const isNumber = (cell) => /^[\d.]+$/.test(cell), isWord = (cell) => /^\p{L}+$/u.test(cell);
  const isWeighted = (cells) => cells.some(isNumber) && cells.filter(isWord).length === 1;
  const [first, ...others] = lines.filter((cells) => cells.length), weighted = others.some(isWeighted) || (first && isWeighted(first));
  if (first?.length > 1 && first.every(isWord) && others.length && others.every(isWeighted)) {
    return { problem: `The first line, ${first.join(" ")}, is a heading: leave it out.` };
  }
  const given = lines.flat().filter((cell) => !isNumber(cell));
  const marked = given.find((word) => /\p{L}/u.test(word) && /\p{M}/u.test(word));
  if (marked) return { problem: `${marked} has a mark that joins no letter into one; scripts that write a letter as several characters can't be played.` };
  const words = [...new Set(given)].filter(isWord);
  const byLength = new Map();
  for (const word of words) {
    const length = Array.from(word).length;
    if (!byLength.has(length)) byLength.set(length, []);
    byLength.get(length).push(word);
  }
  const [[length, found]] = [...byLength].filter(([letters]) => letters > 1 && letters <= LONGEST).sort(([, one], [, other]) => other.length - one.length).concat([[0, []]]);
  if (!found.length) return { problem: `There are no words of 2 to ${LONGEST} letters in it.` };
  if (found.length > MOST_OWN) return { problem: `${found.length} words of ${length} letters: the page takes ${MOST_OWN} at most. \`optimal assist --words FILE\` takes more.` };
  const rest = new Set(given).size - found.length;
  const told = [rest ? `${counted(rest, "word")} of other lengths or with other signs left out` : "", weighted ? "the numbers left out: every word counts once" : ""];
  return { problem: "", words: found.sort(), told: told.filter(Boolean).join("; ") };
}

// A field for a list of words: pasted, dropped on it, or from a file. `take` gets the text, and returns what is wrong with
// it.
function listForm(id, { label, hint, button, more = null }, take) {
  const text = h("textarea", {
    id: `${id}-words`, rows: "6", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": `${id}-hint`,
    dragover: (event) => event.preventDefault(),
    drop: (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      read(event.dataTransfer.files[0]);
    },
  });
  const problem = h("p", { class: "problem", id: `${id}-problem` });
  const tell = (why) => {
    fill(problem, ...coded(why));
    if (why) say(problem.textContent);
  };
  const read = async (chosen) => {
    try {
      text.value = new TextDecoder("utf-8", { fatal: true }).decode(await chosen.arrayBuffer());
      tell("");
    } catch {
      tell(`${chosen.name} is not UTF-8; save the list as UTF-8.`);
    }
  };
  const file = h("input", { type: "file", id: `${id}-file`, accept: ".txt,.csv,text/plain,text/csv", change: () => { if (file.files.length) read(file.files[0]); } });
  return h("form", { class: "search", submit: (event) => {
    event.preventDefault();
    tell(take(text.value));
  } },
  h("label", { for: `${id}-words` }, label), text,
  h("p", { class: "hint", id: `${id}-hint` }, hint),
  h("label", { for: `${id}-file` }, "Or from a file"), file,
  h("button", { type: "submit", class: "main", id: `${id}-use` }, button), more,
  problem);
}

function ownForm(choose) {
  return listForm("own", {
    label: "The words of your game", button: "Play with these words",
    hint: `Paste up to ${MOST_OWN} words of one length, in any language; each of them may be the answer. They stay in this browser.`,
  }, (text) => {
    const found = readWords(text);
    if (!found.problem) choose(found);
    return found.problem;
  });
}

// What takes the place of the views that only a tree has, and of all of them while there are no words yet.
function showNoTree(panel, choose) {
  fill(panel, h("h2", {}, "Your own list"), choose ? ownForm(choose) : h("p", {}, ...coded(
    "Your own list has no tree: the page looks for the best words at every turn. `optimal solve --words FILE --output own.msgpack` finds the best strategy, and `optimal export own.msgpack --output own.html` makes a page of it.")));
}
