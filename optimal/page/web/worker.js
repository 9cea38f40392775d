// The engine in a worker of its own: what the next word is worth, exactly, at any position of a word game.
//
// The page hands in the engine's bytes and a list of words, then asks about positions. Replies come as they are found:
// what is left, a likely word, estimates, then exact totals, the best word first, then those of whatever is as good as the `many` best
// so far. A new question ends the one before.

// Looks of the engine's search, some 14 ms each, and milliseconds, between two looks for messages; milliseconds that a
// slice may have come to take.
const NO_TREE = 1e300, SLICE = 8, MOMENT = 25, PATIENCE = 2000;
// Looks that greedy play of one word may take, and words for which it may leave some candidates to be missed.
const GREEDY = 16, FIRST = 4;
const WRONG = ["", "out of memory", "what was asked can't be"];

class Advisor {
  constructor(bytes) {
    this.wasm = new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports;
  }

  // Room that both sides see, until the next call: what grows the memory makes earlier views void.
  bytes(count) {
    const at = this.wasm.room(count);
    if (!at) throw new Error(WRONG[1]);
    return new Uint8Array(this.wasm.memory.buffer, at, count);
  }

  numbers(count) {
    const { buffer, byteOffset } = this.bytes(4 * count + 8);
    return new Int32Array(buffer, byteOffset, count);
  }

  counted(reply) {
    if (reply < 0) throw new Error(WRONG[-reply]);
    return reply;
  }

  // Words of one length, and for each whether it is a likely answer (2), may be one (1) or may not (0), and what it weighs:
  // all the same where there are no weights.
  take(words, tiers, weights = null) {
    const letters = new Map(), length = Array.from(words[0]).length;
    const bytes = this.bytes(words.length * (length + 1));
    words.forEach((word, place) => {
      Array.from(word).forEach((letter, i) => {
        if (!letters.has(letter)) letters.set(letter, letters.size);
        bytes[place * length + i] = letters.get(letter);
      });
    });
    if (letters.size > 255) throw new Error("more than 255 different letters");
    bytes.set(tiers, words.length * length);
    this.counted(this.wasm.take_words(words.length, length));
    if (weights) {
      this.numbers(words.length).set(weights);
      this.counted(this.wasm.take_weights(words.length));
    }
    this.tiers = tiers;
    this.key = null;
  }

  // The candidates after these steps, pairs (place of a word, feedback code), with so many guesses left (0: no limit).
  // The same position again keeps what was found.
  position(steps, rules, left) {
    const key = JSON.stringify([steps, rules, left]);
    if (key === this.key) {
      if (this.candidates.length) this.count(false);
      return this.candidates;
    }
    this.key = null;
    this.miss = 0;
    this.numbers(2 * steps.length).set(steps.flat());
    this.counted(this.wasm.take_position(steps.length, rules, left));
    const count = this.counted(this.wasm.candidates());
    this.candidates = Array.from(this.numbers(count));
    this.key = key;
    return this.candidates;
  }

  // Ask by totals within the guesses left, or by the candidates that are missed within them, then the total over those
  // found. Then every word has a value, and one that misses none has the same as by totals.
  count(misses) {
    this.miss = this.counted(this.wasm.count_misses(misses ? 1 : 0));
  }

  // [candidates missed, total over the others] of a cost, by their weights without a common divisor.
  parts(cost) {
    return this.miss ? [Math.floor(cost / this.miss), cost % this.miss] : [0, cost];
  }

  // What a word costs that finds no candidate any more.
  get useless() {
    return this.miss ? this.miss * this.wasm.weight() : Infinity;
  }

  likeliest(many) {
    const count = this.counted(this.wasm.likeliest(many));
    return Array.from(this.numbers(count));
  }

  legal(word) {
    return this.wasm.is_legal_word(word) === 1;
  }

  // Infinity: no tree, or none found; undefined: not known yet.
  total(value) {
    if (this.wasm.ran_out()) throw new Error(WRONG[1]);
    if (!this.wasm.has_ended()) return undefined;
    return value === NO_TREE ? Infinity : value;
  }

  estimate(word) {
    const value = this.wasm.estimate(word, this.miss ? -1 : GREEDY);
    return this.total(value) ?? Infinity;
  }

  // Exact if it is below the budget, else no less than that.
  worth(word, slice = SLICE, budget = Infinity) {
    return this.total(this.wasm.worth(word, Math.min(budget, NO_TREE), slice));
  }

  // The most guesses needed from a word on.
  height(word, slice = SLICE) {
    return this.total(this.wasm.tallest(word, slice));
  }

  // [total, best word, most guesses needed]
  least(slice = SLICE) {
    const value = this.total(this.wasm.least(slice));
    return value === undefined ? undefined : [value, this.wasm.best(), this.wasm.height()];
  }
}

// What browsers say of it is for programmers: of vectors that they lack, for one.
function started(bytes) {
  try {
    return new Advisor(bytes);
  } catch (error) {
    throw new Error(error instanceof RangeError ? WRONG[1] : "this browser can't run it");
  }
}

let advisor = null, asked = 0;

const told = (kind, id, found) => postMessage({ kind, id, ...found });
const pause = () => new Promise((go) => setTimeout(go));

// Ask again and again, a slice at a time, until there is a reply or another question came.
async function slices(id, ask) {
  let slice = SLICE;
  const first = performance.now();
  for (;;) {
    const began = performance.now(), reply = ask(slice);
    if (reply !== undefined) return reply;
    // A slice goes on from what is in the tables, but some of the work is done again: so slices grow, until they take
    // a tenth of the time so far, or as long as a person waits for what is asked next.
    const now = performance.now(), took = now - began;
    if (took < 4 * MOMENT || took < Math.min(PATIENCE, (now - first) / 10)) slice = Math.ceil(slice * 1.5);
    told("busy", id);
    await pause();
    if (id !== asked) return undefined;
  }
}

async function answer({ id, steps, rules, left, words, many, exact }) {
  const candidates = advisor.position(steps, rules, left);
  const likely = candidates.length > 0 && advisor.tiers[candidates[0]] === 2;
  told("left", id, { candidates, likely, legal: words.map((word) => advisor.legal(word)) });
  if (!candidates.length) return told("end", id);
  const likeliest = advisor.likeliest(many), chosen = [...new Set([...words.filter((word) => advisor.legal(word)), ...likeliest])];
  if (likeliest.length) {
    told("first", id, { word: likeliest[0] });
    await pause();
    if (id !== asked) return;
  }
  const mine = new Set(words), greedy = new Map();
  for (const [i, word] of chosen.entries()) {
    const parts = estimate(word, left > 0 && (mine.has(word) || (i < FIRST && !found(greedy))));
    if (parts) {
      greedy.set(word, parts);
      told("estimates", id, { estimates: [[word, parts]] });
    }
    await pause();
    if (id !== asked) return;
  }
  if (!exact) return told("end", id);
  const best = await least(id, left);
  if (!best) return;
  const order = [...greedy].sort(([, one], [, other]) => one[0] - other[0] || one[1] - other[1]).map(([word]) => word);
  const known = new Map([best]);
  for (const word of new Set([...chosen.filter((word) => mine.has(word)), ...order])) {
    const cost = await slices(id, (slice) => advisor.worth(word, slice));
    if (cost === undefined) return;
    if (cost < advisor.useless) known.set(word, cost);
    if (cost < advisor.useless || (mine.has(word) && !left)) told("worth", id, { word, parts: advisor.parts(cost), height: await height(id, word, cost, best) });
    else if (mine.has(word) && !(await tellMissed(id, word))) return;
    await pause();
    if (id !== asked) return;
  }
  // Of one or two candidates each is a best word.
  if (!many || candidates.length <= 2 || await rank(id, known, many, best)) told("end", id, { ranked: many > 0 });
}

// Whether greedy play has found a tree for some word that misses nothing.
function found(greedy) {
  return [...greedy.values()].some(([missed]) => !missed);
}

// What greedy play makes of a word, [missed, total]; null where it finds nothing, unless it `may` miss candidates.
function estimate(word, may) {
  const total = advisor.estimate(word);
  if (total < Infinity || !may) return total < Infinity ? [0, total] : null;
  advisor.count(true);
  const parts = advisor.parts(advisor.estimate(word));
  advisor.count(false);
  return parts;
}

// A best word with its cost, which it tells; by misses from then on where no way of playing finds all within the guesses left.
async function least(id, left) {
  let best = await slices(id, (slice) => advisor.least(slice));
  if (best && best[0] === Infinity && left) {
    advisor.count(true);
    best = await slices(id, (slice) => advisor.least(slice));
  }
  if (!best) return null;
  const [cost, word, height] = best, parts = advisor.parts(cost);
  told("best", id, { word, parts, height: parts[0] ? null : height });
  return [word, cost];
}

// Of words that are as good as the best one: which is lower?
function height(id, word, cost, [other, least]) {
  return cost > least || word === other || advisor.miss ? undefined : slices(id, (slice) => advisor.height(word, slice));
}

// What a word misses that finds fewer within the guesses left than others. Whether it came to the end.
async function tellMissed(id, word) {
  const misses = advisor.miss > 0;
  advisor.count(true);
  const cost = await slices(id, (slice) => advisor.worth(word, slice));
  if (cost === undefined) return false;
  told("worth", id, { word, parts: advisor.parts(cost) });
  advisor.count(misses);
  return true;
}

// Look at every word that is left: most are ruled out at a glance. Whether it came to the end.
async function rank(id, known, many, best) {
  const last = () => Math.min([...known.values()].sort((one, other) => one - other)[many - 1] ?? Infinity, advisor.useless - 1);
  const count = advisor.tiers.length;
  let most = last(), since = performance.now();
  for (let word = 0; word < count; word++) {
    if (!known.has(word) && advisor.legal(word)) {
      const cost = await slices(id, (slice) => advisor.worth(word, slice, most + 1));
      if (cost === undefined) return false;
      if (cost <= most && cost < Infinity) {
        known.set(word, cost);
        told("worth", id, { word, parts: advisor.parts(cost), height: await height(id, word, cost, best) });
        most = last();
      }
    }
    if (performance.now() - since > MOMENT) {
      told("part", id, { part: word / count });
      await pause();
      if (id !== asked) return false;
      since = performance.now();
    }
  }
  return true;
}

onmessage = async ({ data }) => {
  try {
    if (data.kind === "start") advisor = started(data.bytes);
    if (data.kind === "words") advisor.take(data.words, data.tiers, data.weights);
    if (data.kind === "stop") asked = data.id;
    if (data.kind === "ask") {
      asked = data.id;
      await answer(data);
    }
  } catch (error) {
    told("failed", data.id, { reason: error.message });
  }
};
