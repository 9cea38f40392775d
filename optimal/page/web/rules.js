// The reply to a guess in each kind of game: how it is scored, written and read. Codes are those of the tree file.

const BLACK = 0, YELLOW = 1, GREEN = 2;
const COLOURS = ["grey", "yellow", "green"], CONTRASTING = ["grey", "blue", "orange"];
const KEYS = { b: BLACK, x: BLACK, 0: BLACK, "-": BLACK, y: YELLOW, 1: YELLOW, "?": YELLOW, g: GREEN, 2: GREEN, "*": GREEN };

// A colour by the name of what is seen.
function colourOf(mark) {
  return (palette() === "contrast" ? CONTRASTING : COLOURS)[mark];
}

class WordRule {
  constructor(size) {
    this.size = size;
    this.win = 3 ** size - 1;
    this.spellings = new Map();
  }

  score(guess, answer) {
    return this.compare(this.spelled(guess), this.spelled(answer));
  }

  // A word's letters as numbers, kept for the next time.
  spelled(word) {
    let letters = this.spellings.get(word);
    if (!letters) {
      letters = Array.from(word, (letter) => letter.codePointAt(0));
      this.spellings.set(word, letters);
    }
    return letters;
  }

  compare(mine, theirs) {
    const { size } = this;
    let code = 0, used = 0;  // letters of the answer, as bits
    for (let i = 0, worth = GREEN; i < size; i++, worth *= 3) {
      if (mine[i] === theirs[i]) {
        code += worth;
        used |= 1 << i;
      }
    }
    for (let i = 0, worth = YELLOW; i < size; i++, worth *= 3) {
      if (mine[i] === theirs[i]) continue;
      for (let j = 0; j < size; j++) {
        if (mine[i] === theirs[j] && !(used & (1 << j))) {
          code += worth;
          used |= 1 << j;
          break;
        }
      }
    }
    return code;
  }

  marks(code) {
    return Array.from({ length: this.size }, (_, i) => Math.floor(code / 3 ** i) % 3);
  }

  codeOf(marks) {
    return marks.reduce((code, mark, i) => code + mark * 3 ** i, 0);
  }

  format(code) {
    return this.marks(code).map((mark) => "BYG"[mark]).join("");
  }

  parse(text) {
    const marks = Array.from(text.toLowerCase(), (letter) => KEYS[letter]);
    return marks.length === this.size && !marks.includes(undefined) ? this.codeOf(marks) : null;
  }

  // In words, for those who hear the page.
  spoken(code) {
    return this.marks(code).map(colourOf).join(", ");
  }
}

// Blacks and whites of Mastermind, bulls and cows: code = blacks x (size + 1) + whites.
class PegRule {
  constructor(size, names, told) {
    this.size = size;
    this.names = names;
    this.told = told;
    this.win = size * (size + 1);
  }

  score(guess, answer) {
    const theirs = Array.from(answer);
    let blacks = 0, shared = 0;
    Array.from(guess).forEach((symbol, i) => { blacks += symbol === answer[i]; });
    for (const symbol of guess) {
      const found = theirs.indexOf(symbol);
      if (found >= 0) {
        theirs.splice(found, 1);
        shared++;
      }
    }
    return blacks * (this.size + 1) + shared - blacks;
  }

  pair(code) {
    return [Math.floor(code / (this.size + 1)), code % (this.size + 1)];
  }

  format(code) {
    return this.pair(code).join(",");
  }

  parse(text) {
    const found = /^(\d+),(\d+)$/.exec(text);
    return found ? Number(found[1]) * (this.size + 1) + Number(found[2]) : null;
  }

  spoken(code) {
    return this.pair(code).map((count, i) => `${count} ${this.names[i]}`).join(", ");
  }
}

// Black pegs alone: code = blacks.
class BlackRule {
  constructor(size) {
    this.size = size;
    this.told = "Black is a colour in its place.";
    this.win = size;
  }

  score(guess, answer) {
    return Array.from(guess).filter((symbol, i) => symbol === answer[i]).length;
  }

  pair(code) {
    return [code, 0];
  }

  format(code) {
    return String(code);
  }

  parse(text) {
    return /^\d{1,2}$/.test(text) ? Number(text) : null;
  }

  spoken(code) {
    return `${code} black`;
  }
}

// A bare matrix: codes mean nothing outside it but what their labels say, and answers can't be scored here.
class CodeRule {
  constructor(win, labels) {
    this.win = win;
    this.labels = labels;
    this.score = null;
  }

  format(code) {
    return this.labels?.[code] ?? String(code);
  }

  parse(text) {
    const labelled = this.labels ? this.labels.indexOf(text) : -1;
    if (labelled >= 0) return labelled;
    return !this.labels && /^\d{1,5}$/.test(text) ? Number(text) : null;
  }

  spoken(code) {
    if (this.labels) return this.format(code);
    return code === this.win ? "it is the answer" : `feedback ${code}`;
  }
}

function ruleOf(game) {
  const params = game.get("params");
  switch (game.get("kind")) {
    case "words": return new WordRule(params.get("length"));
    case "mastermind": return new PegRule(params.get("pegs"), ["black", "white"], "Black is a colour in its place, white one in another.");
    case "bulls-and-cows": return new PegRule(params.get("digits"), ["bulls", "cows"], "Black is a bull, a symbol in its place; white is a cow, one in another.");
    case "black-pegs": return new BlackRule(params.get("pegs"));
  }
  if (game.get("kind") !== null) throw new Error(`games of kind ${game.get("kind")} are not known here`);
  return new CodeRule(game.get("winning_code"), game.get("labels"));
}
