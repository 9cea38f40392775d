// The engine, in a worker made of what the page carries: it loads nothing. Where it can't run, `lacks` says why.

const MOST_SEARCHED = 700;  // positions of more likely answers take minutes

class Engine {
  constructor() {
    this.lacks = "";
    this.worker = null;
    this.words = null;
    this.asked = 0;
    this.hear = null;
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

  // Ask about a position; `hear` gets each reply. A new question ends the one before.
  ask(question, hear) {
    if (!this.worker && !this.lacks) this.start();
    this.hear = hear;
    if (this.lacks) {
      hear({ kind: "failed", reason: this.lacks });
      return;
    }
    const { tree, turns, rules, left, words, many } = question;
    const { list, place } = tree.known;
    if (this.words !== tree) {
      const tiers = Uint8Array.from(list, (word) => (tree.isAnswer.has(word) ? 2 : 1));
      this.worker.postMessage({ kind: "words", words: list, tiers });
      this.words = tree;
    }
    this.list = list;
    this.worker.postMessage({
      kind: "ask", id: ++this.asked, rules: RULES.indexOf(rules), left, many,
      steps: turns.map(([guess, code]) => [place.get(guess), code]), words: words.map((word) => place.get(word)),
    });
  }

  // What is known once all is exact: the least total, the best word, what each of `words` is worth. Never, where another
  // question comes before that.
  exactly(question) {
    return new Promise((tell, fail) => {
      const known = { total: null, word: null, worth: new Map() };
      this.ask({ left: 0, words: [], many: 0, ...question }, (found) => {
        if (found.kind === "best") Object.assign(known, { total: found.total, word: found.word });
        if (found.kind === "worth") known.worth.set(found.word, found.total);
        if (found.kind === "end") tell(known);
        if (found.kind === "failed") fail(new Error(found.reason));
      });
    });
  }

  // Nobody waits any more.
  quiet() {
    this.hear = null;
    this.worker?.postMessage({ kind: "stop", id: ++this.asked });
  }

  take(data) {
    const word = (number) => this.list[number];
    if (data.kind === "failed" && (data.id === undefined || data.id === this.asked)) {
      // What ran out of memory begins anew: other positions need less. What never started never will.
      if (data.id === undefined) this.fail(data.reason);
      else {
        this.stop();
        this.hear?.({ kind: "failed", reason: data.reason });
      }
      return;
    }
    if (data.id !== this.asked || !this.hear) return;
    if (data.kind === "estimates") data.estimates = data.estimates.map(([number, total]) => [word(number), total]);
    if (data.word !== undefined) data.word = word(data.word);
    this.hear(data);
  }

  stop() {
    this.worker?.terminate();
    this.worker = this.words = null;
  }

  fail(reason) {
    this.stop();
    this.lacks = reason;
    this.hear?.({ kind: "failed", reason });
  }
}

const engine = new Engine();
