// What the next word is worth: at once by greedy play, then exactly, word by word, as the engine finds it; in the end
// no word is left out that is as good as those shown.

const MANY = 6;
// What is known at the position that is shown; `own` is the player's word, `typed` all of them, `part` how much of the
// list is looked at, `ranked` whether all is.
let advice = newAdvice("");

function newAdvice(key) {
  return { key, busy: false, own: "", typed: new Set(), estimates: new Map(), exact: new Map(), best: null, height: null, risky: false, part: 0, ranked: false, done: false, failed: "" };
}

// Ask for the position that is shown, and call `changed` whenever more is known.
function think(played, own, changed) {
  const mine = advice;
  if (mine.own === own && (mine.done || mine.busy)) return;
  Object.assign(mine, { own, done: false, busy: true, part: 0 });
  if (own) mine.typed.add(own);
  const { tree, turns, rules } = played, exact = searchable(played);
  const ask = (left) => engine.ask({ tree, turns, rules, left, words: own ? [own] : [], many: mine.ranked ? 0 : MANY, exact }, (found) => {
    if (found.kind === "estimates") found.estimates.forEach(([word, total]) => { if (Number.isFinite(total)) mine.estimates.set(word, total); });
    if (found.kind === "best" && found.total === Infinity && left) {
      // No way of playing finds all of them in time: so the least on average, whatever the limit.
      mine.risky = true;
      ask(0);
      return;
    }
    if (found.kind === "end" && left && !exact && !mine.estimates.size) {
      ask(0);  // greedy play finds too few in time
      return;
    }
    if (found.kind === "best") {
      Object.assign(mine, { best: found.word, height: found.height });
      mine.exact.set(found.word, found.total);
    }
    if (found.kind === "worth") mine.exact.set(found.word, found.total);
    if (found.kind === "part") mine.part = found.part;
    if (found.ranked) mine.ranked = true;
    if (found.kind === "failed") mine.failed = found.reason;
    if (found.kind === "end" || found.kind === "failed") Object.assign(mine, { done: true, busy: false });
    if (mine === advice) changed();
  });
  ask(mine.risky ? 0 : played.left);
}

// Whether the best word is looked for. At the start of a large game only greedy play is.
function searchable(played) {
  return played.turns.length > 0 || played.pool.length <= MOST_SEARCHED;
}

function hush(done = false) {
  if (advice.busy) Object.assign(advice, { busy: false, done });
  engine.quiet();
}

// The word to play: the tree's, else the best that is known; null as long as none is.
function suggested(played) {
  const known = played.node ?? played.start;
  if (known) return known.guess;
  if (played.pool.length <= 2 || played.left === 1) return played.pool[0];
  if (advice.best) return advice.best;
  const [first] = [...advice.estimates].sort((one, other) => one[1] - other[1]);
  if (first) return first[0];
  // Under other rules the start of a large game isn't searched.
  if (played.tree.root && !played.turns.length && !consulted(played)) return played.tree.root.guess;
  return advice.failed ? played.pool[0] : null;
}

// [word, guesses expected, whether that is exact], the best first, and those that the player typed.
function ranked() {
  const words = new Set([...advice.exact.keys(), ...advice.estimates.keys()]);
  const rows = [...words].map((word) => [word, advice.exact.get(word) ?? advice.estimates.get(word), advice.exact.has(word)]);
  rows.sort((one, other) => one[1] - other[1] || (other[0] === advice.best) - (one[0] === advice.best) || (one[0] < other[0] ? -1 : 1));
  return rows.filter(([word], place) => place < MANY || advice.typed.has(word));
}

function adviceTable(played, pick) {
  const count = played.pool.length, rows = ranked();
  if (!rows.length) return null;
  const possible = new Set(played.pool), least = rows[0][1], settled = advice.best !== null;
  const heads = ["word", "guesses expected", "more than the best", ""].map((text) => text ? h("th", { scope: "col" }, text) : h("td", {}));
  return h("table", { class: "advice" },
    h("caption", {}, advice.ranked ? "Best next words" : "Good next words"),
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, rows.map(([word, total, exact]) => h("tr", { class: word === advice.own ? "marked" : null, "data-word": word },
      h("th", { scope: "row" }, h("button", { type: "button", class: "pick", id: `pick-${word}`, click: () => pick(word) }, capitals(word))),
      h("td", { title: exact && Number.isFinite(total) ? `${total}/${count}` : null }, worthText(total, count, exact)),
      h("td", {}, exact && settled && Number.isFinite(total) ? (total === least ? "–" : `+${((total - least) / count).toFixed(3)}`) : ""),
      h("td", { class: "about" }, [word === advice.own ? "yours" : "", possible.has(word) ? "still\u00a0possible" : ""].filter(Boolean).join(", "))))));
}

function worthText(total, count, exact) {
  if (!Number.isFinite(total)) return "may miss the limit";
  return `${exact ? "" : "about "}${(total / count).toFixed(3)}`;
}
