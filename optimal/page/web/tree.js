// A strategy tree, which is played by look-up.

// The words that may be guessed, of games whose lists the page has; read once they are asked for.
const guessable = new Map();

function wordsOf(tree) {
  const sha256 = hex(tree.game.get("guesses_sha256"));
  if (!guessable.has(sha256)) {
    const element = document.querySelector(`script[type='text/words'][data-sha256='${sha256}']`);
    guessable.set(sha256, element ? new TextDecoder().decode(bytesOf(element.textContent)).split("\n") : []);
  }
  return guessable.get(sha256);
}

// What the engine takes of one answer at most, and the guesses that a game without a limit is taken to have.
const MOST_WEIGHT = 2 ** 25, MOST_GUESSES = 20;

// Whether the engine and the debrief can count by these weights: costs of answers that are missed, and luck, are whole
// numbers as large as the square of their sum times the guesses allowed.
function isCountable(weights, limit) {
  if (!weights?.every((weight) => weight >= 1 && weight <= MOST_WEIGHT)) return false;
  const sum = weights.reduce((all, weight) => all + weight, 0) / weights.reduce(commonDivisor, 0);
  return sum ** 2 * (limit || MOST_GUESSES) < Number.MAX_SAFE_INTEGER / 2;
}

class Tree {
  constructor(name, called, base64, openers) {
    const [, , checksum, payload] = unpack(bytesOf(base64));
    this.bytes = [checksum, payload];
    const file = unpack(payload);
    const game = file.get("game");
    Object.assign(this, { name, called, base64, openers, file, game, rule: ruleOf(game) });
    this.words = this.rule instanceof WordRule;
    this.answers = file.get("answers");
    this.isAnswer = new Set(this.answers);
    this.weights = file.get("weights");
    // What each answer counts for the engine, where weights are as small as it takes them.
    this.counts = this.words && isCountable(this.weights, file.get("max_guesses")) ? new Map(this.answers.map((word, i) => [word, this.weights[i]])) : null;
    this.before = file.get("position");  // guesses made before the root, each with its code
    this.root = this.grown(file.get("tree"), file.get("guesses"));
    if (this.rule.score) this.count();
    else this.measure();
  }

  get title() {
    const limit = this.file.get("max_guesses");
    const goal = { mean: "", worst: ", least worst case" }[this.objective] ?? `, ${this.objective}`;
    const weighted = this.weights ? ", weighted" : "";
    const start = this.before.length ? `, after ${this.before.map(([guess]) => guess).join(" ")}` : "";
    return `${this.called}, ${this.file.get("rules")} rules${limit ? `, ${limit} guesses` : ""}${goal}${weighted}${start}`;
  }

  get rules() {
    return this.file.get("rules");
  }

  // The words that may be guessed, sorted: those of the list where the page has it, else those that the tree's file names.
  get known() {
    if (!this.knownWords) {
      const listed = wordsOf(this);
      const list = listed.length ? listed : [...new Set([...this.file.get("guesses"), ...this.answers, ...this.before.map(([guess]) => guess)])].sort();
      this.knownWords = wordList(list, list.length === this.game.get("guess_count"));
    }
    return this.knownWords;
  }

  // Whether its maker has proven that no strategy is better by its objective and weights, within its limit: whatever the
  // first guess, and nothing taken from others.
  get optimal() {
    return this.file.get("status") === "OPTIMAL" && !this.file.get("openers") && !this.file.get("ledgers");
  }

  // The same, with every answer counted once.
  get proven() {
    return this.optimal && !this.weights;
  }

  // The best first guesses within the limit, [guess, total, worst case] each: those that ship, or the tree's own; none
  // where neither is proven.
  first(rules) {
    const own = rules === this.rules && this.optimal && this.objective === "mean" && !this.before.length;
    if (this.weights) return own && this.counts ? [[this.root.guess, this.file.get("total") / weightOf(this, this.answers).unit, this.file.get("worst")]] : [];
    return this.openers[rules] ?? (own ? [[this.root.guess, this.file.get("total"), this.file.get("worst")]] : []);
  }

  get objective() {
    return this.file.get("objective");
  }

  get weight() {
    return this.weights ? this.weights.reduce((sum, weight) => sum + weight, 0) : this.answers.length;
  }

  get mean() {
    return this.file.get("total") / this.weight;
  }

  // The nodes of the flat list: guess, number of children, then for each child its code and its own node.
  grown(flat, guesses) {
    const root = { guess: null, children: new Map(), parent: null, code: null, answers: [] };
    this.nodes = [];  // parents first
    let at = 0;
    const open = [];  // [node, children still to come]
    for (let node = root; ;) {
      node.guess = guesses[flat[at]];
      this.nodes.push(node);
      open.push([node, flat[at + 1]]);
      at += 2;
      while (open.length && open[open.length - 1][1] === 0) open.pop();
      if (!open.length) return root;
      const last = open[open.length - 1];
      last[1]--;
      node = { guess: null, children: new Map(), parent: last[0], code: flat[at++], answers: [] };
      last[0].children.set(node.code, node);
    }
  }

  // The answers left at every node, by number, and what the tree still needs for them.
  count() {
    this.root.answers = this.answers.map((_, number) => number);
    for (const node of this.nodes) {
      for (const number of node.answers) {
        const code = this.rule.score(node.guess, this.answers[number]);
        if (code === this.rule.win) node.wins = true;
        else node.children.get(code)?.answers.push(number);
      }
    }
    this.measure();
  }

  // Upwards: guesses still needed at most, and the weighted sum of them; `worst` and `mean` count the node's own guess.
  measure() {
    for (const node of [...this.nodes].reverse()) {
      const children = [...node.children.values()];
      node.worst = 1 + children.reduce((most, child) => Math.max(most, child.worst), 0);
      node.weight = node.answers.reduce((sum, number) => sum + (this.weights ? this.weights[number] : 1), 0);
      node.total = children.reduce((sum, child) => sum + child.total, node.weight);
      node.mean = node.weight ? node.total / node.weight : null;
    }
  }

  // Where these steps lead: the node whose guess comes next, or the one that won, and the codes of the replies. Stops
  // before a guess that isn't the tree's, or a reply that no answer fits.
  at(steps) {
    let node = this.root, solved = false;
    const codes = [];
    for (const step of steps) {
      const [guess, code] = turnOf(this, step, node) ?? [];
      if (solved || guess !== node.guess || !this.replies(node).includes(code)) break;
      if (code === this.rule.win) solved = true;
      else node = node.children.get(code);
      codes.push(code);
    }
    return { node, solved, codes };
  }

  // The turns of these codes from the root on, [guess, code] each.
  turns(codes) {
    let node = this.root;
    return codes.map((code) => {
      const turn = [node.guess, code];
      node = node.children.get(code) || node;
      return turn;
    });
  }

  // The replies by which the tree finds an answer; null for what is no answer of it.
  path(answer) {
    if (!this.rule.score || !this.isAnswer.has(answer)) return null;
    const codes = [];
    for (let node = this.root; node; node = node.children.get(codes[codes.length - 1])) {
      codes.push(this.rule.score(node.guess, answer));
      if (codes[codes.length - 1] === this.rule.win) return codes;
    }
    return null;
  }

  // The replies that lead from the root to a node.
  codesTo(node) {
    const codes = [];
    for (; node.parent; node = node.parent) codes.unshift(node.code);
    return codes;
  }

  // The words that fit these turns and are not in the list of answers, as far as the page knows them.
  others(turns) {
    return this.known.list.filter((word) => !this.isAnswer.has(word) && fits(this, turns, word));
  }

  // The replies that the guess of a node may bring, the win among them.
  replies(node) {
    const codes = [...node.children.keys()];
    return node.wins || !this.rule.score ? [...codes, this.rule.win] : codes;
  }

  small(text) {
    return small(text, this.known.isDotless);
  }

  written(text) {
    return this.words ? this.small(text.trim()) : text.trim();
  }
}

// The words that may be guessed, each with its place, and whether these are all of them.
function wordList(list, whole) {
  return { list, place: new Map(list.map((word, i) => [word, i])), whole, isDotless: writesDotless(list.join()) };
}
