// The engine, in a worker made of what the page carries: it loads nothing. Where it can't run, `lacks` says why.

const MOST_SEARCHED = 700;  // starts with more likely answers take minutes
const SILENCE = 60000;  // milliseconds: a worker that works is heard of much sooner

class Engine {
  constructor() {
    this.lacks = "";
    this.worker = null;
    this.words = null;
    this.asked = 0;
    this.hear = null;
    this.silence = null;
  }

  start() {
    const wasm = document.querySelector("script[type='text/wasm']");
    if (!wasm) return this.fail("the page has no engine");
    if (typeof WebAssembly === "undefined") return this.fail("this browser has no WebAssembly");
    try {
      const code = document.querySelector("script[type='text/worker']").textContent;
      const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
      this.worker = new Worker(url);
      this.worker.onmessage = ({ data }) => this.take(data);
      this.worker.onerror = (event) => {
        event.preventDefault();
        this.fail("its worker stopped");
      };
      this.worker.postMessage({ kind: "start", bytes: bytesOf(wasm.textContent) });
    } catch {
      this.fail("this browser starts no worker for it");
    }
  }

  // Hand the words of a game to the worker, before anything is asked.
  prepare(tree) {
    if (!this.worker && !this.lacks) this.start();
    if (this.lacks || this.words === tree) return;
    const { list } = tree.known;
    const tiers = Uint8Array.from(list, (word) => (tree.isAnswer.has(word) ? 2 : 1));
    const weights = tree.counts ? Int32Array.from(list, (word) => countOf(tree, word)) : null;
    this.worker.postMessage({ kind: "words", words: list, tiers, weights });
    this.words = tree;
    this.list = list;
  }

  // Ask about a position; `hear` gets each reply. A new question ends the one before.
  ask(question, hear, again = false) {
    const { tree, turns, rules, left, words, many, exact } = question;
    this.hear = hear;
    this.prepare(tree);
    if (this.lacks) {
      hear({ kind: "failed", reason: this.lacks });
      return;
    }
    const { place } = tree.known;
    this.worker.postMessage({
      kind: "ask", id: ++this.asked, rules: RULES.indexOf(rules), left, many, exact,
      steps: turns.map(([guess, code]) => [place.get(guess), code]), words: words.map((word) => place.get(word)),
    });
    this.lost = () => {
      this.stop();
      if (again) hear({ kind: "failed", reason: "its worker was ended" });
      else this.ask(question, hear, true);
    };
    this.listen();
  }

  // What ended a worker from outside tells nobody: after a long silence another one gets the question, once.
  listen() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lost(), SILENCE);
  }

  // What is known once all is exact: the best word, its [candidates missed, total over the others], by what they count,
  // and those of each of `words`; or `about` what it is, by greedy play. Never, where another question comes before that.
  exactly(question) {
    return new Promise((tell, fail) => {
      const known = { least: null, about: null, word: null, worth: new Map() };
      this.ask({ left: 0, words: [], many: 0, exact: true, ...question }, (found) => {
        if (found.kind === "estimates") known.about = found.estimates[0][1];
        if (found.kind === "best") Object.assign(known, { least: found.parts, word: found.word });
        if (found.kind === "worth") known.worth.set(found.word, found.parts);
        if (found.kind === "end") tell(known);
        if (found.kind === "failed") fail(new Error(found.reason));
      });
    });
  }

  // Nobody waits any more.
  quiet() {
    this.hear = null;
    clearTimeout(this.silence);
    this.worker?.postMessage({ kind: "stop", id: ++this.asked });
  }

  take(data) {
    const word = (number) => this.list[number];
    if (data.kind === "failed" && (data.id === undefined || data.id === this.asked)) {
      // What ran out of memory begins anew: other positions need less. What never started never will.
      if (data.id === undefined) this.failToStart(data.reason);
      else {
        this.stop();
        this.hear?.({ kind: "failed", reason: data.reason });
      }
      return;
    }
    if (data.id !== this.asked || !this.hear) return;
    this.listen();
    if (data.kind === "end") clearTimeout(this.silence);
    if (data.kind === "estimates") data.estimates = data.estimates.map(([number, parts]) => [word(number), parts]);
    if (data.word !== undefined) data.word = word(data.word);
    this.hear(data);
  }

  stop() {
    clearTimeout(this.silence);
    this.worker?.terminate();
    this.worker = this.words = null;
  }

  // A browser that can't run it, or a page that is damaged.
  async failToStart(reason) {
    const { textContent, dataset } = document.querySelector("script[type='text/wasm']");
    this.fail(await isWhole(bytesOf(textContent), dataset.sha256) ? reason : "the page is damaged");
  }

  fail(reason) {
    this.stop();
    this.lacks = reason;
    this.hear?.({ kind: "failed", reason });
  }
}

const engine = new Engine();
