// A list of the player's own, pasted or from a file: a game without a tree, which the engine alone advises.

const OWN = "*", MOST_OWN = 5000, LONGEST = 9;

class OwnList {
  constructor(words, told) {
    const length = words.length ? Array.from(words[0]).length : 5;
    const game = new Map([["name", "own list"], ["kind", "words"], ["guess_count", words.length], ["params", new Map([["length", length]])]]);
    Object.assign(this, {
      name: OWN, called: "your own list", title: "Your own list…", told, game, rule: ruleOf(game), words: true, answers: words,
      isAnswer: new Set(words), weights: null, before: [], root: null, rules: "normal", objective: "mean", file: new Map([["max_guesses", 6]]),
      known: { list: words, place: new Map(words.map((word, i) => [word, i])), whole: true },
    });
  }

  // Every word of the list is a likely answer.
  others() {
    return [];
  }

  path() {
    return null;
  }

  written(text) {
    return text.trim().toLowerCase().normalize("NFC");
  }
}

// The words of a text, those of the length that most of them have; or the reason why they make no game.
function readWords(text) {
  const given = text.normalize("NFC").toLowerCase().split(/[\s,;"]+/).filter((word) => word && !/^[\d.]+$/.test(word));
  const words = [...new Set(given)].filter((word) => /^[\p{L}\p{M}]+$/u.test(word));
  const byLength = new Map();
  for (const word of words) {
    const length = Array.from(word).length;
    if (!byLength.has(length)) byLength.set(length, []);
    byLength.get(length).push(word);
  }
  const [[length, found]] = [...byLength].filter(([letters]) => letters > 1 && letters <= LONGEST).sort(([, one], [, other]) => other.length - one.length).concat([[0, []]]);
  if (!found.length) return { problem: `There are no words of 2 to ${LONGEST} letters in it.` };
  if (found.length > MOST_OWN) return { problem: `${found.length} words of ${length} letters: the page takes ${MOST_OWN} at most. \`optimal play --words FILE\` takes more.` };
  const rest = new Set(given).size - found.length;
  return { problem: "", words: found.sort(), told: rest ? `${counted(rest, "word")} of other lengths or with other signs left out` : "" };
}

function ownForm(choose) {
  const text = h("textarea", { id: "own-words", rows: "6", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "own-hint" });
  const problem = h("p", { class: "problem", id: "own-problem" });
  const file = h("input", { type: "file", id: "own-file", accept: ".txt,.csv,text/plain,text/csv", change: async () => {
    if (file.files.length) text.value = await file.files[0].text();
  } });
  return h("form", { class: "search", submit: (event) => {
    event.preventDefault();
    const found = readWords(text.value);
    problem.textContent = found.problem;
    if (found.problem) say(found.problem);
    else choose(found);
  } },
  h("label", { for: "own-words" }, "The words of your game"), text,
  h("p", { class: "hint", id: "own-hint" }, `Paste up to ${MOST_OWN} words of one length, in any language; each of them may be the answer. They stay in this browser.`),
  h("label", { for: "own-file" }, "Or from a file"), file,
  h("button", { type: "submit", class: "main", id: "own-use" }, "Play with these words"),
  problem);
}

// What takes the place of the views that only a tree has, and of all of them while there are no words yet.
function showNoTree(panel, choose) {
  fill(panel, h("h2", {}, "Your own list"), choose ? ownForm(choose) : h("p", {},
    "Your own list has no tree: the page looks for the best words at every turn. `optimal solve --words FILE --output own.msgpack` finds the best strategy, and `optimal export own.msgpack --output own.html` makes a page of it."));
}
