// The page as a whole: its trees, tabs and settings, and the view that the address asks for.

const trees = readTrees();
// The list of one's own comes last, where the page has the engine for it.
const lists = document.querySelector("script[type='text/wasm']") ? [...trees, new OwnList([], "")] : trees;
const SHOWN = { play: showPlay, tree: showTree, numbers: showNumbers, debrief: showDebrief };
const THEMES = ["auto", "light", "dark"];

function readTrees() {
  try {
    const found = Array.from(document.querySelectorAll("script[type='text/tree']"), (element) => new Tree(element.dataset.name, element.dataset.title, element.textContent, JSON.parse(atob(element.dataset.openers))));
    const engine = Array.from(document.querySelectorAll("script[type='text/wasm']"), ({ textContent, dataset }) => [bytesOf(textContent), dataset.sha256]);
    for (const [bytes, sha256] of [...found.map(({ bytes: [checksum, payload] }) => [payload, hex(checksum)]), ...engine]) {
      isWhole(bytes, sha256).then((whole) => { if (!whole) damaged(); });
    }
    return found;
  } catch (error) {
    damaged();
    throw error;
  }
}

function damaged() {
  byId("damaged").textContent = "This page is damaged, and what it says may be wrong. Make it again, or fetch it again.";
}

function render() {
  const asked = readAddress(lists), byWeight = ["play", "debrief"].includes(asked.view), state = { ...asked, tree: byWeight ? byUse(asked.tree) : asked.tree };
  const own = state.tree.name === OWN, empty = own && !state.tree.answers.length;
  const focused = document.activeElement?.id;
  hasDotless = state.tree.words && state.tree.known.isDotless;
  playKeys = null;
  if (state.view !== "play" || empty) hush();
  for (const view of VIEWS) {
    const tab = byId(`tab-${view}`), on = view === state.view;
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
    byId(view).hidden = !on;
    if (!on) byId(view).replaceChildren();
  }
  byId("trees").value = String(lists.indexOf(asked.tree));
  byId("intro").textContent = intro(state);
  byId("intro").hidden = state.view === "play" && state.steps.length > 0;  // on a phone the row would be below the screen
  byId("about").textContent = about(state);
  byId("astray").textContent = state.missing
    ? `${state.missing.startsWith(OWN) ? "The link is of other words than are kept here" : `This page has no list called ${state.missing}`}. It shows ${state.tree.name === OWN ? state.tree.called : state.tree.title} instead.` : "";
  const panel = byId(state.view);
  if (empty) showNoTree(panel, useWords);
  else if (own && ["tree", "numbers"].includes(state.view)) showNoTree(panel);
  else SHOWN[state.view](panel, state, trees);
  if (state.missing) say(byId("astray").textContent);
  // What had the focus is often made anew; a finished row of tiles hands it to the first tile of the next one.
  const again = /^(mark|turn)-/.test(focused) ? byId("mark-0") || byId("copy-grid") : focused && byId(focused);
  if (again) again.focus({ preventScroll: true });
}

// The fragment that is shown.
let shown = null;

function update() {
  shown = location.hash;
  remember();
  render();
}

function go(address) {
  shown = address;  // once is enough: the event comes at once
  location.hash = address;
  update();
}

function about({ tree, rules }) {
  if (tree.isUsed) return `${counted(tree.answers.length, "answer")}, ${tree.isUsed.size} of them used before`;
  if (tree.name === OWN) return [tree.answers.length ? `${counted(tree.answers.length, "word")} of ${tree.rule.size} letters` : "", tree.told].filter(Boolean).join("; ");
  const once = byUse(tree) === tree ? "" : `; here ${tree.weights ? "the weights of the tree count" : "every answer counts once"}`;
  return `${lists.length > 1 ? "" : `${tree.title}: `}${counted(tree.answers.length, "answer")}, ${decimals(tree.mean, 4)} on average, ${tree.file.get("worst")} at most${rules === tree.rules ? "" : ` by ${tree.rules} rules`}${once}`;
}

// What the page is, in a sentence, and whose list it has: no more than its tree has been proven to be.
function intro({ tree, rules }) {
  const nothing = "It sends nothing anywhere and needs no network.";
  if (tree.isUsed) return `This page plays Wordle with your list of answers used before, which count less, and tells what each guess is worth then. ${nothing}`;
  if (tree.name === OWN) return `This page plays Wordle with your own words, and tells what each guess is worth. ${nothing}`;
  if (rules !== tree.rules) return `By ${rules} rules this page has no tree: it looks for the best words from the second guess on. ${nothing}`;
  const least = { mean: `fewer guesses on average${tree.weights ? " by weight" : ""}`, worst: "fewer guesses at worst" }[tree.objective];
  const what = tree.words ? "Wordle" : tree.called;
  const start = tree.before.length ? ` after ${tree.before.map(([guess]) => guess).join(" ")}` : "";
  const answers = `the ${counted(tree.answers.length, "answer")} of ${tree.called}`;
  if (!tree.optimal || !least || (tree.weights && !tree.counts)) return `This page plays ${what} by a strategy for ${answers}; it is not said to be the best. ${nothing}`;
  const by = tree.rules !== "normal" ? ` by ${tree.rules} rules` : "";
  return `This page plays ${what} perfectly${by}:${start}${within(tree)} no other way finds ${answers} in ${least}. ${nothing}`;
}

function open(view) {
  const { tree } = readAddress(lists);
  go(whereLeft(view, tree));
}

// Where each view of each tree was left, so that another tab or tree and back leads there again.
const left = new Map();

function remember() {
  const { view, tree, rules, steps } = readAddress(lists);
  left.set(tree, { ...left.get(tree), [view]: { rules, steps } });
}

function whereLeft(view, tree) {
  const { rules, steps } = left.get(tree)?.[view] ?? {};
  return addressOf(view, tree, steps, rules);
}

// After a restart no other list brings the game back that it was carried to.
function forgetGames(tree) {
  for (const [other, views] of left) if (other.rule.size === tree.rule.size) left.set(other, { ...views, play: undefined });
}

// The game that is shown, by another list for words of the same length: by its rules, or those chosen where its own are
// normal; null where there is none. Where nothing was played, rules alone are carried, and to no game that was left there.
function carried({ view, tree, rules, steps }, other) {
  const fit = [tree, other].every((one) => one.words && one.answers.length) && !other.before.length && tree.rule.size === other.rule.size;
  const played = view === "play" ? playedGame(tree, rules, steps) : null, waiting = played ? waitingSteps(tree) : [];
  const begun = [...steps, ...waiting].length, leftAt = (one) => left.get(one)?.[view]?.steps ?? [];
  if (!fit || !["play", "debrief"].includes(view) || (!begun && (rules === tree.rules || leftAt(other).length))) return null;
  const chosen = rules !== tree.rules || [tree, other].some((one) => one.name === OWN), by = chosen && other.rules === "normal" ? rules : other.rules;
  const to = treeFor(other, by), now = played ? [...stepsOfTurns(tree, played.turns), ...steps.slice(played.steps.length), ...waiting] : steps;
  return addressOf(view, to, begun ? now : leftAt(to), by);
}

function stored(name, value, place = "localStorage") {
  try {
    if (value === null) window[place].removeItem(`optimal-${name}`);
    else if (value !== undefined) window[place].setItem(`optimal-${name}`, value);
    return window[place].getItem(`optimal-${name}`);
  } catch {
    return null;  // a browser that keeps nothing for pages from disk
  }
}

// The player's own words, which the browser keeps for the next time, and for this tab whatever others have.
function useWords({ words, told }) {
  for (const place of ["localStorage", "sessionStorage"]) stored("words", words.join(" "), place);
  lists[lists.length - 1] = new OwnList(words, told);
  current.key = "";  // what is known of the list before
  advice = newAdvice("");
  go(addressOf("play", lists[lists.length - 1]));
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = { auto: "◐ Auto", light: "○ Light", dark: "● Dark" }[theme];
  byId("theme").setAttribute("aria-label", `Theme: ${theme}`);
}

function setPalette(palette) {
  document.documentElement.dataset.palette = palette;
  byId("palette").setAttribute("aria-pressed", String(palette === "contrast"));
}

byId("trees").append(...lists.map((tree, number) => h("option", { value: number }, tree.title)));
byId("trees").hidden = lists.length < 2;
byId("trees").addEventListener("change", (event) => {
  const chosen = lists[Number(event.target.value)];
  go(carried(readAddress(lists), chosen) ?? whereLeft(readAddress(lists).view, chosen));
});
for (const view of VIEWS) byId(`tab-${view}`).addEventListener("click", () => open(view));
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const from = VIEWS.indexOf(event.target.id.replace("tab-", ""));
  const to = event.key === "Home" ? 0 : event.key === "End" ? VIEWS.length - 1 : step ? (from + step + VIEWS.length) % VIEWS.length : null;
  if (to === null || from < 0) return;
  event.preventDefault();
  open(VIEWS[to]);
  byId(`tab-${VIEWS[to]}`).focus();
});
byId("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  setTheme(next);
  stored("theme", next);
});
byId("palette").addEventListener("click", () => {
  const next = palette() === "contrast" ? "plain" : "contrast";
  setPalette(next);
  stored("palette", next);
  const fields = () => [...document.querySelectorAll("textarea, input[type=search]")], typed = new Map(fields().map(({ id, value }) => [id, value]));
  render();
  for (const field of fields()) field.value = typed.get(field.id) ?? field.value;
});
// An address that was typed or gone back to. "popstate" comes with it, where a browser has it for that; "hashchange" may
// come after the next key or tap.
for (const event of ["popstate", "hashchange"]) window.addEventListener(event, () => { if (location.hash !== shown) update(); });
document.addEventListener("keydown", (event) => playKeys?.(event));

setTheme(THEMES.includes(stored("theme")) ? stored("theme") : "auto");
setPalette(stored("palette") === "contrast" ? "contrast" : "plain");
const kept = readWords(stored("words", undefined, "sessionStorage") ?? stored("words") ?? "");
if (lists !== trees && !kept.problem) lists[lists.length - 1] = new OwnList(kept.words, "");
update();
// The engine is ready before it is asked.
setTimeout(() => { const tree = byUse(readAddress(lists).tree); if (tree.words && tree.answers.length) engine.prepare(tree); });

// For other programs, and for those who like the console: the turns of an answer, by look-up.
window.optimal = {
  trees: trees.map((tree) => tree.name),
  answers: (name) => [...trees.find((tree) => tree.name === name).answers],
  play: (name, answer) => {
    const tree = trees.find((one) => one.name === name);
    const codes = tree.path(answer);
    return codes && tree.turns(codes).map(([guess, code]) => [guess, tree.rule.format(code)]);
  },
};
