// The reply to a guess in each kind of game: how it is scored, written and read. Codes are those of the tree file.

const BLACK = 0, YELLOW = 1, GREEN = 2;
const COLOURS = ["grey", "yellow", "green"];
const KEYS = { b: BLACK, x: BLACK, 0: BLACK, "-": BLACK, y: YELLOW, 1: YELLOW, "?": YELLOW, g: GREEN, 2: GREEN, "*": GREEN };

class WordRule {
  constructor(size) {
    this.size = size;
    this.win = 3 ** size - 1;
  }

  score(guess, answer) {
    const mine = Array.from(guess), theirs = Array.from(answer);
    const left = new Map();
    let code = 0;
    mine.forEach((letter, i) => {
      if (letter === theirs[i]) code += GREEN * 3 ** i;
      else left.set(theirs[i], (left.get(theirs[i]) || 0) + 1);
    });
    mine.forEach((letter, i) => {
      if (letter !== theirs[i] && left.get(letter)) {
        left.set(letter, left.get(letter) - 1);
        code += YELLOW * 3 ** i;
      }
    });
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
    return this.marks(code).map((mark) => COLOURS[mark]).join(", ");
  }
}

// Blacks and whites of Mastermind, bulls and cows: code = blacks x (size + 1) + whites.
class PegRule {
  constructor(size, names) {
    this.size = size;
    this.names = names;
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
    case "mastermind": return new PegRule(params.get("pegs"), ["black", "white"]);
    case "bulls-and-cows": return new PegRule(params.get("digits"), ["bulls", "cows"]);
    case "black-pegs": return new BlackRule(params.get("pegs"));
  }
  if (game.get("kind") !== null) throw new Error(`games of kind ${game.get("kind")} are not known here`);
  return new CodeRule(game.get("winning_code"), game.get("labels"));
}
