// The second view: find a word and see its path, or open the tree class by class.

function showTree(panel, { tree, steps }) {
  const { node, solved, codes } = tree.at(steps), taken = codes.length;
  const turns = tree.turns(codes);
  const input = h("input", { type: "search", id: "search", autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
  const problem = h("p", { class: "problem", id: "search-problem" },
    taken < steps.length ? "The rest of the link isn't of this tree, and is left out." : "");
  const search = h("form", { class: "search", submit: (event) => {
    event.preventDefault();
    const word = tree.written(input.value);
    const path = word ? tree.path(word) : null;
    problem.textContent = path || !word ? "" : `${word} is not one of the ${tree.answers.length} answers of this tree.`;
    say(problem.textContent);
    if (path) go(addressOf("tree", tree, stepsOfTurns(tree, tree.turns(path))));
  } }, h("label", { for: "search" }, "Find an answer"), input, h("button", { type: "submit" }, "Show its path"));
  const strip = h("ol", { class: "board path" },
    [...tree.before, ...turns].map(([guess, code]) => h("li", {}, tiles(tree, guess, code, "small"))),
    solved ? null : h("li", { class: "now" }, tiles(tree, node.guess, null, "small")));
  const level = tree.before.length + taken;
  const told = solved
    ? `${turns[turns.length - 1][0]} is found by guess ${level}.`
    : `Guess ${level + 1} is ${node.guess}.`;
  fill(
    panel,
    h("h2", { class: "hidden" }, "Tree"),
    h("p", { class: "hint" }, "The tree is the whole strategy: the guess that follows every reply, down to each answer."),
    tree.rule.score ? search : null,
    problem,
    strip,
    h("p", { id: "found" }, told, " ", solved ? null : h("a", { href: addressOf("play", tree, steps.slice(0, taken)) }, "Play from here"),
      taken ? h("a", { href: addressOf("tree", tree) }, "Back to the first guess") : null),
    solved ? null : figures(outlook(tree, node)),
    h("h3", {}, solved ? "Where it stands in the tree" : "What follows each reply"),
    branches(tree, solved ? tree.root : node, solved ? codes : []));
  if (taken) say(told);
  panel.querySelector(".hit")?.scrollIntoView({ block: "nearest" });
}

// The replies to a node's guess with what follows, the largest class first; before them those of `open`, unfolded, which
// lead to the hit.
function branches(tree, node, open = []) {
  const asked = ({ code }) => Number(code === open[0]);
  const children = [...node.children.values()].sort((a, b) => asked(b) - asked(a) || b.answers.length - a.answers.length || a.code - b.code);
  const inner = children.filter((child) => child.children.size);
  const leaves = children.filter((child) => !child.children.size);
  const wins = node.wins ? h("p", { class: `leaf ${open[0] === tree.rule.win ? "hit" : ""}` }, tiles(tree, node.guess, tree.rule.win, "mini"), " it was the answer") : null;
  const branched = inner.map((child) => branch(tree, child, open[0] === child.code ? open.slice(1) : null));
  const ends = leaves.length ? h("ul", { class: "leaves" }, leaves.map((child) =>
    h("li", { class: open[0] === child.code ? "hit" : null }, tiles(tree, node.guess, child.code, "mini"), arrow(), h("b", {}, child.guess)))) : null;
  return h("div", { class: "branches" }, wins, leaves.some(asked) ? [ends, ...branched] : [...branched, ends]);
}

// From a reply to the guess that follows it.
function arrow() {
  return h("span", { class: "arrow", "aria-hidden": "true" }, " → ");
}

function branch(tree, child, open) {
  const body = h("div", { class: "below" });
  const grow = (further) => { if (!body.firstChild) body.append(branches(tree, child, further)); };
  const about = outlook(tree, child).map((pair) => pair.join(" ")).join(", ");
  const details = h("details", { toggle: () => { if (details.open) grow([]); } },
    h("summary", {}, tiles(tree, child.parent.guess, child.code, "mini"), arrow(), h("b", {}, child.guess), " ", h("span", { class: "about" }, about)),
    body);
  if (open) {
    grow(open);
    details.open = true;
  }
  return details;
}
