// A share grid, of which some words are known, or none: the words that fit it.

const MARKS = { "⬛": BLACK, "⬜": BLACK, "🟨": YELLOW, "🟦": YELLOW, "🟩": GREEN, "🟧": GREEN, B: BLACK, Y: YELLOW, G: GREEN };
const MOST_PICKED = 60, TURN = 40;  // words shown as buttons; milliseconds of work between two looks at the screen

// The rows of a pasted grid as marks, each with its place in the text and the word that stands beside it, if any; none
// where the text is no grid. A line of letters b, y and g is one, but for a word of the list among other words. One of
// other squares or circles is a row without marks.
function readGrid(tree, text) {
  const lines = text.split("\n").map((line) => line.trim().replace(/\uFE0F/g, ""));
  const isSpelled = (line) => /^([BYG]+|[BYG](\s[BYG])+)$/i.test(line), isWord = (line) => tree.known.place.has(tree.written(line));
  const among = lines.some((line) => isWord(line) && !isSpelled(line));
  const rows = lines.map((line, at) => {
    const letters = isSpelled(line) && !(among && isWord(line)), beside = letters ? "" : line.replace(/[⬛⬜🟨🟦🟩🟧|\s]/gu, "");
    const marks = Array.from(letters ? line.toUpperCase().replace(/\s/g, "") : line.replace(/[^⬛⬜🟨🟦🟩🟧]/gu, ""), (mark) => MARKS[mark]);
    return { at, marks, odd: !marks.length && /^[🟥🟪🟫⚫⚪🔴🟠🟡🟢🔵🟣🟤]+$/u.test(beside), word: /^[\p{L}\p{M}]+$/u.test(beside) && Array.from(beside).length === marks.length ? beside : "" };
  });
  return rows.filter(({ marks, odd }) => marks.length || odd);
}

// The words on lines of their own, one for each row, and the answer after them where none was right; none of other texts.
function wordsBeside(tree, text, rows) {
  const solved = tree.rule.codeOf(rows[rows.length - 1].marks) === tree.rule.win, taken = new Set(rows.map(({ at }) => at));
  const lines = text.split("\n").filter((line, i) => !taken.has(i) && !scoreOf(line)).map((line) => line.split(/[^\p{L}\p{M}]+/u).filter(Boolean).map((word) => tree.written(word)));
  const words = lines.filter((line) => line.every((word) => tree.known.place.has(word))).flat();
  return words.length === rows.length || (!solved && words.length === rows.length + 1) ? words : [];
}

// The score in the heading of a grid, such as 4/6*: guesses or X, the limit, and a star for hard rules; a date may stand
// before it. Null where there is none.
function scoreOf(text) {
  const [score] = [...text.matchAll(/\b([0-9X])\/([0-9]+) ?(\*(?!\*))?/gi)].slice(-1);
  return score ? { made: score[1].toUpperCase(), limit: Number(score[2]), rules: score[3] ? "hard" : "normal" } : null;
}

// Why a grid may not be whole: it hasn't the rows that its heading counts.
function partOf({ rule, file }, text, rows) {
  const score = scoreOf(text), limit = file.get("max_guesses"), solved = rule.codeOf(rows[rows.length - 1].marks) === rule.win;
  if (!score || score.limit !== limit || score.made === (solved ? String(rows.length) : "X") && (solved || rows.length === limit)) return "";
  return `The heading counts ${score.made} of ${limit}, but there ${rows.length === 1 ? "is 1 row" : `are ${rows.length} rows`}${solved ? "" : " and no solution"}: is the grid whole? Without its heading it is taken as it is.`;
}

// The steps of an address that is of a grid: "=BYBBB", "crane=BYBBB" where the word is known, and the answer of a game
// that was lost.
function isGrid(steps) {
  return steps.some((step) => step.includes("="));
}

function gridOf(tree, steps) {
  const grid = { tree, rows: [], lostTo: "", problem: "" };
  for (const step of steps) {
    const split = step.indexOf("="), code = tree.rule.parse(step.slice(split + 1));
    if (split < 0) grid.lostTo = tree.written(step);
    else if (code === null) return { ...grid, problem: "The link is of no share grid." };
    else grid.rows.push({ word: tree.written(step.slice(0, split)), code });
  }
  const last = grid.rows[grid.rows.length - 1], limit = tree.file.get("max_guesses");
  grid.solved = last.code === tree.rule.win;
  grid.answer = grid.solved ? last.word : grid.lostTo;
  const words = [...grid.rows.map(({ word }) => word), grid.lostTo].filter(Boolean);
  grid.problem = words.map((word) => whyNot(tree, "normal", [], word)).find(Boolean) ?? "";
  grid.guesses = grid.solved ? grid.rows.slice(0, -1) : grid.rows;
  if (!grid.problem && limit && grid.rows.length > limit) grid.problem = `${grid.rows.length} rows: this game ends after ${limit}.`;
  if (!grid.problem && grid.guesses.some(({ code }) => code === tree.rule.win)) grid.problem = `A row before the last one is all ${colourOf(GREEN)}.`;
  return grid;
}

function stepsOf(tree, rows, lostTo) {
  return [...rows.map(({ word, code }) => `${word}=${tree.rule.format(code)}`), ...(lostTo ? [lostTo] : [])];
}

// The likely answers that fit, else the other words that do: to each row there is a word that brings it. Last come the
// `repeats`, where one word must have been guessed twice. Where the screen shows something else by now, `wanted` says no
// and there is no reply.
async function answersOf({ tree, guesses }, wanted) {
  const others = tree.known.list.filter((word) => !tree.isAnswer.has(word));
  const said = guesses.filter(({ word }) => word).map(({ word, code }) => [word, code]);
  const unsaid = new Set(guesses.filter(({ word }) => !word).map(({ code }) => code));
  // A row is of some word that has the answer's letters at its green places.
  const rows = [...unsaid].map((code) => {
    const green = tree.rule.marks(code).flatMap((mark, i) => (mark === GREEN ? [i] : [])), at = (letters) => green.map((i) => letters[i]).join();
    const words = new Map();
    for (const letters of tree.known.list.map((word) => tree.rule.spelled(word))) {
      if (!words.has(at(letters))) words.set(at(letters), []);
      words.get(at(letters)).push(letters);
    }
    return { code, at, words, count: guesses.filter((row) => row.code === code).length };
  });
  // How many words bring a row, if they are fewer than the rows like it: 0 for none, 1 for enough.
  const share = (letters) => ({ code, at, words, count }) => {
    let left = count;
    (words.get(at(letters)) ?? []).some((guess) => tree.rule.compare(guess, letters) === code && --left === 0);
    return (count - left) / count;
  };
  let since = performance.now();
  for (const pool of [tree.answers, others]) {
    const found = [], repeats = [];
    for (const answer of pool) {
      if (performance.now() - since > TURN) {
        await new Promise((go) => setTimeout(go));
        if (!wanted()) return null;
        since = performance.now();
      }
      if (!fits(tree, said, answer)) continue;
      const of = share(tree.rule.spelled(answer)), least = rows.reduce((some, row) => some && Math.min(some, of(row)), 1);
      if (least) (least < 1 ? repeats : found).push(answer);
    }
    if (found.length || repeats.length) return { answers: [...found, ...repeats], repeats: repeats.length };
  }
  return { answers: [], repeats: 0 };
}

function showGrid(about, grid, rules) {
  const { tree, rows, lostTo } = grid;
  const send = (changed, lost) => go(addressOf("debrief", tree, stepsOf(tree, changed, lost), rules));
  const withWord = (i, word) => (i < rows.length ? send(rows.map((row, at) => (at === i ? { ...row, word } : row)), lostTo) : send(rows, word));
  const place = (i, word, what) => {
    const field = h("input", {
      id: `row-${i}`, "aria-label": what, placeholder: what, autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      change: () => { if (tree.written(field.value) !== word) withWord(i, tree.written(field.value)); },
    });
    field.value = word;
    return field;
  };
  const names = rows.map((_, i) => (grid.solved && i === rows.length - 1 ? "the answer" : `guess ${i + 1}`));
  const lines = rows.map(({ word, code }, i) => h("li", {}, blanks(tree, code), place(i, word, names[i]), h("span", { class: "about", id: `fit-${i}` })));
  if (!grid.solved) lines.push(h("li", {}, place(rows.length, lostTo, "the answer")));
  const found = h("div", { id: "grid-found" });
  fill(about,
    h("p", {}, "Type the words that you know: the answer, to see which guesses fit, or the guesses, to see which answers do."),
    h("ol", { class: "rows" }, lines), found);
  if (grid.problem) return;
  if (grid.answer) gridWithAnswer(grid, rules, found, withWord);
  else gridWithout(grid, rules, found, withWord);
}

// A row of a grid: colours without letters.
function blanks(tree, code) {
  return h("span", { class: "tiles small", role: "img", "aria-label": tree.rule.spoken(code), style: `--n:${tree.rule.size}` },
    tree.rule.marks(code).map((mark) => h("span", { class: `tile ${COLOURS[mark]}` })));
}

function gridWithAnswer(grid, rules, found, withWord) {
  const { tree, answer, guesses } = grid, parts = [];
  for (const [i, { word, code }] of guesses.entries()) {
    const all = tree.known.list.filter((guess) => tree.rule.score(guess, answer) === code);
    // A word may be guessed twice, but hardly is.
    const others = all.filter((guess) => guess === word || !guesses.some((row) => row.word === guess)), fit = others.length ? others : all;
    byId(`fit-${i}`).textContent = word ? "" : counted(fit.length, "word fits", "words fit");
    if (word && !fit.includes(word)) parts.push(h("p", { class: "problem" }, `${word} brings other colours where ${answer} is the answer.`));
    if (!word && fit.length) parts.push(picks(`Guess ${i + 1}${others.length ? "" : ", no other word brings it"}`, fit, (chosen) => withWord(i, chosen)));
    if (!fit.length) parts.push(h("p", { class: "problem" }, `No word brings row ${i + 1} where ${answer} is the answer.`));
  }
  const words = [...guesses.map(({ word }) => word), grid.solved ? answer : `(${answer})`];
  if (parts.length && rules !== "normal") parts.push(h("p", { class: "hint" }, `Whether they keep to ${rules} rules is not looked at here.`));
  if (!parts.length) parts.push(h("p", {}, h("a", { class: "button", id: "look", href: addressOf("debrief", tree, words, rules) }, "Look back on this game")));
  fill(found, ...parts);
  say(parts[0].textContent);
}

function gridWithout(grid, rules, found, withWord) {
  const last = grid.solved ? grid.rows.length - 1 : grid.rows.length;
  fill(found, h("progress", { id: "bar", "aria-label": "Looking for the answers that fit" }));
  answersOf(grid, () => found.isConnected).then((known) => {
    if (!known || !found.isConnected) return;
    const { answers, repeats } = known;
    const title = grid.tree.isAnswer.has(answers[0]) ? counted(answers.length, "answer fits", "answers fit") : `No likely answer fits; ${counted(answers.length, "other word does", "other words do")}`;
    const strict = rules === "normal" ? "" : ` Whether these keep to ${rules} rules together is not looked at.`;
    const twice = repeats ? ` ${repeats < answers.length ? `The last ${repeats} of these fit` : "These fit"} only where a word was guessed twice.` : "";
    fill(found, answers.length ? picks(title, answers, (word) => withWord(last, word)) : null,
      answers.length ? h("p", { class: "hint" }, `For each row there is some word that brings it.${twice}${strict}`)
      : h("p", { class: "problem" }, noneFits(grid)));
    say(found.firstChild.textContent);
  });
}

// Why no answer fits: a yellow letter has nowhere else to be where all others are green.
function noneFits({ tree, guesses }) {
  const row = guesses.findIndex(({ code }) => tree.rule.marks(code).filter((mark) => mark !== GREEN).join() === String(YELLOW));
  if (row >= 0) return `No word can bring row ${row + 1}: one ${colourOf(YELLOW)} letter beside ${colourOf(GREEN)} ones.`;
  return `No answer fits all rows.${guesses.some(({ word }) => word) ? " Is each word in its row?" : ""}`;
}

// Words to choose from: as buttons, or where they are many as a text that unfolds.
function picks(title, words, choose) {
  if (words.length > MOST_PICKED) return h("div", {}, h("b", {}, `${title}: `), folded(words, "word that fits", "words that fit", `many-${title.replace(/\W/g, "")}`));
  return h("div", { class: "picks" }, h("b", {}, `${title}: `), words.map((word) => h("button", { type: "button", class: "pick", click: () => choose(word) }, capitals(word))));
}
