// What the next word is worth: at once by greedy play, then exactly, word by word, as the engine finds it; in the end
// no word is left out that is as good as those shown.
//
// A word is worth [candidates missed within the guesses left, total over the others]: the fewest missed come first.

const MANY = 6, MOST_EQUAL = 12;  // words that are looked for, and shown where they are equally good
const MOMENT = 100;  // milliseconds
// What is known at the position that is shown; `own` is the player's word, `typed` all of them, `part` how much of the
// list is looked at, `ranked` whether all is, and `quick` whether it was so soon.
let advice = newAdvice("");

function newAdvice(key) {
  return { key, busy: false, own: "", typed: new Set(), estimates: new Map(), exact: new Map(), heights: new Map(), first: null, best: null, part: 0, ranked: false, quick: false, done: false, failed: "" };
}

// Ask for the position that is shown, and call `changed` whenever more is known.
function think(played, own, changed) {
  const mine = advice;
  if (mine.own === own && (mine.done || mine.busy)) return;
  Object.assign(mine, { own, done: false, busy: true, part: 0 });
  let quiet = 0;
  if (own) mine.typed.add(own);
  const { tree, turns, rules, left } = played, exact = searchable(played), words = [own, opening(played)].filter(Boolean);
  engine.ask({ tree, turns, rules, left, words, many: mine.ranked ? 0 : MANY, exact }, (found) => {
    if (found.kind === "first") mine.first = found.word;
    if (found.kind === "estimates") found.estimates.forEach(([word, parts]) => mine.estimates.set(word, parts));
    if (found.kind === "best") {
      mine.best = found.word;
    }
    if (found.parts) {
      mine.exact.set(found.word, found.parts);
      mine.heights.set(found.word, found.height ?? mine.heights.get(found.word));
    }
    if (found.kind === "part") mine.part = found.part;
    // An equal word takes the place of a best one only before that may have been played.
    if (found.ranked) Object.assign(mine, { ranked: true, quick: current.guess !== mine.best || Date.now() - current.since < SEEN });
    if (found.kind === "failed") mine.failed = found.reason;
    if (found.kind === "end" || found.kind === "failed") Object.assign(mine, { done: true, busy: false });
    // Hundreds of equal words come at once: not each of them is drawn.
    if (mine !== advice || (["worth", "part"].includes(found.kind) && performance.now() < quiet)) return;
    changed();
    quiet = performance.now() + MOMENT;
  });
}

// Whether a word of the player's own is valued by itself.
function isAlone(played) {
  return !played.turns.length && !(consulted(played) && searchable(played));
}

// What a first guess of the player's own is worth where the start is too large to be searched: about, by greedy play,
// then exactly.
function thinkOfFirst({ tree, rules, left, weight, unit }, own, changed) {
  const mine = advice, turn = { played: own, weight, unit }, isKnown = mine.exact.has(own);
  if (mine.own === own && (mine.done || mine.busy)) return;
  Object.assign(mine, { own, done: isKnown, busy: !isKnown, part: 0, failed: "" });
  if (isKnown) {
    engine.quiet();  // about the word before
    return;
  }
  const tell = (found) => {
    if (mine !== advice || mine.own !== own || mine.done) return;
    Object.assign(mine, found);
    changed();
  };
  spread({ tree, rules, limit: left }, turn, (about) => {
    if (about) mine.estimates.set(own, about);
    tell({ part: turn.part ?? 0 });
  }, true).then((parts) => {
    mine.exact.set(own, parts);
    tell({ done: true, busy: false });
  }, (error) => tell({ failed: error.message, done: true, busy: false }));
}

// Whether the best word is looked for. At the start of a large game only greedy play is.
function searchable(played) {
  return played.turns.length > 0 || played.pool.length <= MOST_SEARCHED;
}

function hush(done = false) {
  if (advice.busy) Object.assign(advice, { busy: false, done });
  engine.quiet();
}

function compareWorth(one, other) {
  return one[0] - other[0] || one[1] - other[1];
}

// What the best word is worth, once it is proven; null before.
function bestWorth() {
  return advice.best === null ? null : advice.exact.get(advice.best);
}

// A first word that is good where answers used before count less; none later on.
function opening({ tree, rules, turns }) {
  return tree.isUsed && turns.length === tree.before.length ? tree.opener(rules) : undefined;
}

// The word to play: the tree's, else the best that is known; null as long as none is.
function suggested(played) {
  const known = played.node ?? played.start;
  if (known) return known.guess;
  if (played.pool.length <= 2 || played.left === 1) return played.pool[0];
  if (advice.best) return advice.quick ? ranked(played).rows[0][0] : advice.best;
  // Where the start isn't searched, what is known is of the player's own words.
  if (!played.turns.length && !consulted(played) && (opening(played) || played.tree.root)) return opening(played) ?? played.tree.root.guess;
  const [first] = [...advice.estimates].sort(([, one], [, other]) => compareWorth(one, other));
  const likely = first?.[0] ?? opening(played) ?? advice.first;
  if (likely) return likely;
  return advice.failed || advice.done ? played.pool[0] : null;
}

// [word, what it is worth, whether that is exact]: the best first, and those that the player typed. Once some word is
// known to find all, words not known to are no advice; nor are words that find nothing.
function ranked(played) {
  const { tree, pool, weight, turns } = played, possible = new Set(pool), made = new Set(turns.map(([guess]) => guess));
  // What was played tells nothing more.
  const words = [...new Set([...advice.exact.keys(), ...advice.estimates.keys()])].filter((word) => !made.has(word) || advice.typed.has(word));
  const rows = words.map((word) => [word, advice.exact.get(word) ?? advice.estimates.get(word), advice.exact.has(word)]);
  const certain = rows.some(([, [missed]]) => !missed);
  // By the rule of ties, but among words that are equal by it those first that are likely answers: they are well known.
  const height = (word) => advice.heights.get(word) ?? Infinity, isFirst = (word) => !turns.length && word === (played.node ?? played.start)?.guess;
  rows.sort(([one, worth], [other, than]) => compareWorth(worth, than) || isFirst(other) - isFirst(one) || (height(one) === height(other) ? 0 : height(one) - height(other))
    || possible.has(other) - possible.has(one) || tree.isAnswer.has(other) - tree.isAnswer.has(one) || (one < other ? -1 : 1));
  const good = rows.filter(([, [missed]]) => (certain ? !missed : missed < weight)), last = good[MANY - 1];
  const shown = new Set(good.filter(([, worth], place) => place < MANY || (place < MOST_EQUAL && !compareWorth(worth, last[1]))));
  const inTable = (row) => shown.has(row) || advice.typed.has(row[0]);
  const more = good.filter((row) => row[2] && !inTable(row) && !compareWorth(row[1], last[1])).length;
  return { rows: rows.filter(inTable), risky: rows.length > 0 && !certain, more, last: last?.[0] };
}

function adviceTable(played, pick) {
  const { rows, risky } = ranked(played), { weight, tree } = played, lost = risky && !tree.counts;  // how many, where they count alike
  if (!rows.length) return null;
  const possible = new Set(played.pool), least = bestWorth();
  const heads = risky ? ["word", "chance to win", ...(lost ? ["missed"] : []), "guesses if found", ""] : ["word", "guesses expected", "more than the best", ""];
  const cells = ([word, worth, exact]) => (risky ? chanceCells(worth, weight, exact, lost) : [worthText(worth, weight, exact), moreText(worth, least, weight, exact, word === rows[0][0])]);
  const abouts = (word) => [word === current.own ? "yours" : "", possible.has(word) ? "still possible" : "", tree.isUsed?.has(word) ? "used before" : "",
    word === played.node?.guess && word !== rows[0][0] ? "by the tree" : ""];
  return h("table", { class: "advice" },
    h("caption", {}, `${advice.ranked ? "Best" : "Good"} ${played.turns.length ? "next" : "first"} words`),
    h("thead", {}, h("tr", {}, heads.map((text) => text ? h("th", { scope: "col" }, text) : h("td", {})))),
    h("tbody", {}, rows.map((row) => h("tr", { class: row[0] === current.own ? "marked" : null, "data-word": row[0] },
      h("th", { scope: "row" }, h("button", { type: "button", class: "pick", id: `pick-${row[0]}`, click: () => pick(row[0]) }, capitals(row[0]))),
      cells(row).map((text, i) => h("td", { title: i || !row[2] ? null : fractionOf(row[1], weight) }, text)),
      h("td", { class: "about" }, abouts(row[0]).filter(Boolean).join(", "))))));
}

// As it is exactly: guesses over candidates, by what they count; where some are missed, candidates found of all, and the
// guesses for them.
function fractionOf([missed, total], weight) {
  const found = weight - missed;
  return missed ? `${found}/${weight}${found ? `, ${total}/${found}` : ""}` : `${total}/${weight}`;
}

// A greedy tree is no better than the best one: it may miss more.
function chanceCells([missed, total], weight, exact, lost) {
  const found = weight - missed, cells = [exact ? percent(found, weight) : `≥ ${percent(found, weight, Math.floor)}`];
  if (lost) cells.push(exact ? `${missed} of ${weight}` : "");
  return [...cells, exact && found ? (total / found).toFixed(3) : ""];
}

function worthText([missed, total], weight, exact) {
  if (missed) return `misses ${exact ? percent(missed, weight) : `≤ ${percent(missed, weight, Math.ceil)}`}`;
  return `${exact ? "" : "about "}${(total / weight).toFixed(3)}`;
}

function moreText([missed, total], least, weight, exact, first) {
  if (!exact || !least || missed) return "";
  if (total === least[1]) return first ? "–" : "equal";
  return `+${((total - least[1]) / weight).toFixed(3)}`;
}
