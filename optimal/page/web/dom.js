// Making elements, and what several views show: tiles, figures, bars. Texts go in as text, never as markup.

const SQUARES = { plain: "⬛🟨🟩", contrast: "⬛🟦🟧" };

function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// New children for an element; what is null is left out.
function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null));
}

function palette() {
  return document.documentElement.dataset.palette === "contrast" ? "contrast" : "plain";
}

// A number that tells texts apart.
function sumOf(text) {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (1000003 * sum + text.charCodeAt(i)) % 2 ** 32;
  return sum.toString(16);
}

function byId(id) {
  return document.getElementById(id);
}

// Whether the list that is shown is of a language that writes ı; capitals that are not what toUpperCase says.
let hasDotless = false;
const CAPITALS = { ß: "ẞ" }, DOTTED_CAPITALS = { ...CAPITALS, ı: "I", i: "İ" };

// In capitals, as a game shows words; a letter whose capital is that of another letter, or several, stays as it is.
function capitals(word) {
  return Array.from(word, (letter) => {
    const capital = (hasDotless ? DOTTED_CAPITALS : CAPITALS)[letter] ?? letter.toUpperCase();
    return small(capital, hasDotless) === letter ? capital : letter;
  }).join("");
}

// In small letters, by rules of the languages that write ı or not: there I is its capital. As optimal/games/spelling.py has it.
function small(text, isDotless) {
  const plain = text.normalize("NFC");
  return (isDotless ? plain.replaceAll("I", "ı") : plain).replaceAll("İ", "i").toLowerCase().replace(/ς(?=\p{L})/gu, "σ");  // of Σ as the last letter so far
}

// Whether a text is of a language that writes ı, Turkish say.
function writesDotless(text) {
  return /[ıİ]/.test(text.normalize("NFC"));
}

// A text with commands between backticks, for people to see.
function coded(text) {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));
}

function counted(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

// The limit of a tree's whole game in words, with a blank before them; nothing where there is none.
function within(tree) {
  const limit = tree.file.get("max_guesses");
  return limit ? ` within ${counted(limit, "guess", "guesses")}` : "";
}

function decimals(number, digits = 2) {
  return number === null || !Number.isFinite(number) ? "–" : number.toFixed(digits);
}

// A share as "57 %", a half rounded up, or as a bound down or up; with more digits, "99.95 %", where that would read as
// nothing or all.
function percent(part, of, round = Math.round) {
  const share = (digits) => round((100 * part * 10 ** digits) / of) / 10 ** digits;
  const digits = part > 0 && part < of ? [0, 2, 4].find((some) => ![0, 100].includes(share(some))) ?? 6 : 0;
  return `${share(digits).toFixed(digits)} %`;
}

// What is said aloud by a screen reader; the same text twice is said twice.
function say(text) {
  const said = byId("said");
  said.textContent = said.textContent === text ? `${text}\u00a0` : text;
}

// A guess with its reply as a row of tiles; without a code, its letters alone.
function tiles(tree, guess, code = null, kind = "") {
  const replied = code !== null;
  const label = replied ? `${guess}: ${tree.rule.spoken(code)}` : guess;
  const letters = tree.rule.score ? Array.from(guess) : [guess];
  const marks = replied && tree.words ? tree.rule.marks(code) : null;
  const pegs = ["mastermind", "black-pegs"].includes(tree.game.get("kind"));
  const row = letters.map((letter, i) =>
    h("span", { class: `tile ${marks ? COLOURS[marks[i]] : "bare"}`, "data-peg": pegs ? letter : null }, tree.rule.score ? capitals(letter) : letter));
  const more = replied && !tree.words ? [reply(tree, code)] : [];
  return h("span", { class: `tiles ${kind} ${tree.rule.score ? "" : "label"}`, role: "img", "aria-label": label, style: `--n:${letters.length}` }, row, more);
}

// The reply of a game without coloured letters: pips for blacks and whites, or the number of the code.
function reply(tree, code) {
  if (tree.rule instanceof CodeRule) return h("span", { class: "reply" }, !tree.rule.labels && code === tree.rule.win ? "✓" : tree.rule.format(code));
  const [blacks, whites] = tree.rule.pair(code);
  const pips = [...Array(blacks).fill("black"), ...Array(whites).fill("white")].map((kind) => h("i", { class: kind }));
  return h("span", { class: "reply" }, pips.length ? pips : "0");
}

// What is known at a node: [figure, what it counts] each.
function outlook(tree, node) {
  if (!tree.rule.score) return [[String(node.worst), node.worst === 1 ? "guess at most" : "guesses at most"]];
  return [
    [String(node.answers.length), node.answers.length === 1 ? "answer left" : "answers left"],
    [String(node.worst), node.worst === 1 ? "guess at most" : "guesses at most"],
    [decimals(node.mean), "on average"],
  ];
}

function figures(pairs) {
  return h("dl", { class: "figures" }, pairs.map(([figure, what]) => h("div", {}, h("dt", {}, what), h("dd", {}, figure))));
}

// Numbers of guesses with the answers that they find, as bars; `before` guesses were made already.
function bars(distribution, before, marked) {
  const most = Math.max(...distribution.values());
  const all = [...distribution.values()].reduce((sum, count) => sum + count, 0);
  const rows = [...distribution].map(([depth, count]) =>
    h("tr", { class: before + depth === marked ? "marked" : null },
      h("th", { scope: "row" }, String(before + depth)),
      h("td", { class: "bar" }, h("span", { style: `width:${Math.max(1, (100 * count) / most)}%`, "aria-hidden": "true" })),
      h("td", {}, String(count)),
      h("td", { class: "part" }, `${((100 * count) / all).toFixed(1)} %`)));
  return h("div", { class: "wide" }, h("table", { class: "bars" },
    h("caption", { class: "hidden" }, "Answers by the guess that finds them"),
    h("thead", {}, h("tr", {}, ["guess", "", "answers", "share"].map((text) => text ? h("th", { scope: "col" }, text) : h("td", {})))),
    h("tbody", {}, rows)));
}

// The finished game as people share it: without its words; a star stands for other than normal rules.
function shareTitle(tree, rules, turns) {
  const limit = tree.file.get("max_guesses"), title = tree.words ? `Wordle ${tree.game.get("name")}` : tree.game.get("name");
  return `${title} ${turns.length}${limit ? `/${limit}` : ""}${rules === "normal" ? "" : "*"}`;
}

function shareText(tree, rules, turns) {
  const squares = SQUARES[palette()];
  const lines = turns.map(([, code]) =>
    tree.words ? tree.rule.marks(code).map((mark) => Array.from(squares)[mark]).join("") : tree.rule.format(code));
  return `${shareTitle(tree, rules, turns)}\n\n${lines.join("\n")}`;
}

// The same as it looks, drawn here, for not every system has the squares as letters.
function shareGrid(tree, rules, turns) {
  const rows = turns.map(([, code]) => tree.words
    ? h("span", { class: "tiles mini" }, tree.rule.marks(code).map((mark) => h("span", { class: `tile ${COLOURS[mark]}` })))
    : reply(tree, code));
  const label = `The grid to share: ${turns.map(([, code]) => tree.rule.spoken(code)).join("; ")}`;
  return h("div", { class: "share", id: "share" }, h("b", {}, shareTitle(tree, rules, turns)),
    h("div", { class: "grid", role: "img", "aria-label": label }, rows));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {  // a page from disk may not be allowed to
    const area = h("textarea", { class: "hidden", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say("Copied.");
}

function copyButton(label, id, text) {
  const button = h("button", { type: "button", id, click: async () => {
    await copy(text());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}
