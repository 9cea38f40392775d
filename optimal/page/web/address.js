// What the page shows stands in the fragment of its address alone, so that every position has a link, and Back takes
// a step back: #view/tree/step/step. Steps are guesses with their replies, "crane=BYBYB", from the first guess of the game
// on; in a debrief they are words or the rows of a grid. Before them stands "rules=hard" where the rules are not the tree's.

// A page of a thousand turns would stand still.
const MOST_ADDRESS = 20000, MOST_STEPS = 1000;
const VIEWS = ["play", "tree", "numbers", "debrief"];

function readAddress(trees) {
  const [view, name, ...steps] = location.hash.slice(1, MOST_ADDRESS).split("/", 2 + MOST_STEPS).map(decoded);
  // Another page may call the same list by its game and rules.
  const like = trees.find((one) => one.words && !one.before.length && `${one.game.get("name")}-${one.rules}` === name);
  const found = trees.find((one) => one.name === name || nameOf(one) === name);
  const own = name?.startsWith(OWN) ? trees.find((one) => one.name === OWN) : undefined;  // once of other words
  const tree = found ?? like ?? own ?? trees[0], given = found || like ? steps.filter(Boolean) : [];
  const named = tree.words ? RULES.find((rules) => given[0] === `rules=${rules}`) : undefined;
  if (named) given.shift();
  const rules = named ?? tree.rules;
  return { view: VIEWS.includes(view) ? view : VIEWS[0], tree, rules, steps: view === "debrief" ? given : fromRoot(tree, given), missing: found ? "" : name };
}

// The steps from a tree's root on; one that is none where they didn't lead there.
function fromRoot(tree, steps) {
  const before = stepsOfTurns(tree, tree.before);
  return !steps.length || before.every((step, i) => step === steps[i]) ? steps.slice(before.length) : [""];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";  // a link that was cut in the middle of a character
  }
}

// The guess of a step and its reply, a node's own guess where no others can be made; null for what is no such step.
function turnOf(tree, step, node) {
  const split = tree.words ? step.lastIndexOf("=") : step.startsWith(`${node?.guess}=`) ? node.guess.length : -1;
  const code = split > 0 ? tree.rule.parse(step.slice(split + 1)) : null;
  if (code === null) return null;
  const guess = step.slice(0, split);
  return [tree.words && !tree.known.place.has(guess) ? tree.written(guess) : guess, code];
}

function stepsOfTurns(tree, turns) {
  return turns.map(([guess, code]) => `${guess}=${tree.rule.format(code)}`);
}

function nameOf(tree) {
  return `${tree.name}${tree.mark ?? ""}`;
}

function addressOf(view, tree, steps = [], rules = tree.rules) {
  const before = steps.length && view !== "debrief" ? stepsOfTurns(tree, tree.before) : [];
  return `#${[view, nameOf(tree), ...(rules === tree.rules ? [] : [`rules=${rules}`]), ...before, ...steps].map((step) => encodeURIComponent(step).replace(/%2C/g, ",").replace(/%3D/g, "=")).join("/")}`;
}
