// The first view: the guess as tiles, the colours that the game gave, the next guess; all by look-up.

// So many words stand in a message.
const MOST_SHOWN = 40;

// What is marked on the tiles of the current guess, until it is sent: the one state that no link holds.
const current = { node: null, marks: [], cursor: 0 };

function showPlay(panel, { tree, steps }) {
  const codes = steps.map((step) => tree.rule.parse(step));
  const { node, solved, taken } = tree.at(codes);
  const turns = tree.turns(codes.slice(0, taken));
  const all = [...tree.before, ...turns];
  const address = (some) => addressOf("play", tree, some.map((code) => tree.rule.format(code)));
  const followed = codes.slice(0, taken);
  const actions = {
    send: (code) => send(tree, node, followed, code),
    undo: () => { if (taken) go(address(followed.slice(0, -1))); },
    restart: () => { if (taken) go(address([])); },
  };
  if (solved) current.node = null;
  else if (current.node !== node) Object.assign(current, { node, marks: certain(tree, node), cursor: 0 });
  const board = h("ol", { class: "board", style: `--n:${tree.words ? tree.rule.size : 4}` },
    all.map(([guess, code]) => h("li", {}, tiles(tree, guess, code))),
    solved ? null : h("li", { class: "now" }, tree.words ? markRow(tree, node) : tiles(tree, node.guess)));
  const told = taken < steps.length ? "The link goes on with a reply that fits no answer of this tree; it is shown up to there." : "";
  const body = solved ? finished(tree, all, turns) : [
    figures(outlook(tree, node)),
    tree.words ? null : replies(tree, node, actions),
    h("p", { class: "hint" }, tree.words
      ? "Make this guess in the game. Tap each tile until it has the colour that the game gave."
      : "Make this guess in the game, and choose the reply that it gave."),
  ];
  fill(
    panel,
    h("h2", { class: "hidden" }, "Play"),
    board,
    h("p", { class: "problem", id: "problem" }, told),
    h("div", { class: "buttons" },
      solved || !tree.words ? null : h("button", { type: "button", id: "next", class: "main", click: () => submit(tree, actions) }, "Next guess"),
      solved || !tree.words ? null : h("button", { type: "button", id: "right", click: () => actions.send(tree.rule.win) }, "It was right"),
      h("button", { type: "button", id: "undo", disabled: !taken, click: actions.undo }, "Undo"),
      h("button", { type: "button", id: "restart", disabled: !taken, click: actions.restart }, "Restart")),
    h("div", { class: "outlook" }, body),
    solved ? null : candidates(tree, node),
    solved || !tree.words ? null : keys());
  playKeys = solved ? null : (event) => typed(event, tree, node, actions);
  if (told) say(told);
  else announce(tree, node, solved, all);
}

let playKeys = null;

function announce(tree, node, solved, turns) {
  if (solved) say(`Solved in ${counted(turns.length, "guess", "guesses")}: ${turns[turns.length - 1][0]}.`);
  else say(`Guess ${turns.length + 1}: ${node.guess}. ${outlook(tree, node).map((pair) => pair.join(" ")).join(", ")}.`);
}

// Marks that every reply to the guess has in common need no tap; the others begin grey.
function certain(tree, node) {
  if (!tree.words) return [];
  const replies = tree.replies(node).map((code) => tree.rule.marks(code));
  return replies[0].map((mark, i) => (replies.length && replies.every((marks) => marks[i] === mark) ? mark : BLACK));
}

function markRow(tree, node) {
  const letters = Array.from(node.guess);
  const row = letters.map((letter, i) =>
    h("button", {
      type: "button", id: `mark-${i}`, class: `tile ${COLOURS[current.marks[i]]}`,
      "aria-label": tileLabel(letter, i), click: () => { current.cursor = i; mark(node, i, (current.marks[i] + 1) % 3); },
    }, letter));
  return h("span", { class: "tiles", role: "group", "aria-label": `Colours of ${node.guess}`, style: `--n:${letters.length}` }, row);
}

function tileLabel(letter, i) {
  return `${letter}, letter ${i + 1}: ${COLOURS[current.marks[i]]}`;
}

function mark(node, i, colour) {
  current.marks[i] = colour;
  const tile = byId(`mark-${i}`);
  const letter = Array.from(node.guess)[i];
  tile.className = `tile ${COLOURS[colour]}`;
  tile.setAttribute("aria-label", tileLabel(letter, i));
  byId("problem").textContent = "";
  say(`${letter} ${COLOURS[colour]}`);
}

function submit(tree, actions) {
  actions.send(tree.rule.codeOf(current.marks));
}

function send(tree, node, followed, code) {
  if (tree.replies(node).includes(code)) {
    go(addressOf("play", tree, [...followed, code].map((one) => tree.rule.format(one))));
    return;
  }
  const undo = followed.length ? ", or take the last turn back" : "";
  const others = tree.others([...tree.before, ...tree.turns(followed), [node.guess, code]]);
  const fit = others.length === 1 ? "this other word fits" : `these ${others.length} other words fit`;
  const problem = others.length
    ? `Not in the list of answers; ${fit}: ${others.slice(0, MOST_SHOWN).join(", ")}${others.length > MOST_SHOWN ? " …" : ""}`
    : `No word fits these colours. Look again${undo}.`;
  byId("problem").textContent = problem;
  document.querySelector(".now").classList.add("wrong");
  setTimeout(() => document.querySelector(".now")?.classList.remove("wrong"), 400);
  say(problem);
}

// The letters b, y and g mark tiles from the first one on; they work wherever nothing else takes keys. Other buttons
// keep Enter for themselves.
function typed(event, tree, node, actions) {
  const tile = /^mark-(\d+)$/.exec(event.target.id);
  const button = event.target.closest("#play button");
  if (event.ctrlKey || event.metaKey || event.altKey || !(button || event.target === document.body)) return;
  const key = event.key.toLowerCase();
  if (key === "enter" && button && !tile) return;
  const size = tree.words ? tree.rule.size : 0;
  const focus = (i) => { current.cursor = Math.min(Math.max(i, 0), size - 1); byId(`mark-${current.cursor}`).focus(); };
  if (tile) current.cursor = Number(tile[1]);
  if (key === "u") actions.undo();
  else if (key === "r") actions.restart();
  else if (!tree.words) return;
  else if (key === "enter") submit(tree, actions);
  else if (key === "arrowleft") focus(current.cursor - 1);
  else if (key === "arrowright") focus(current.cursor + 1);
  else if (key === "backspace") focus(current.cursor - 1);
  else if (key in KEYS && key.length === 1) {
    mark(node, current.cursor, KEYS[key]);
    focus(current.cursor + 1);
  } else return;
  event.preventDefault();
}

function replies(tree, node, actions) {
  const codes = tree.replies(node).sort((a, b) => a - b);
  return h("div", { class: "replies", role: "group", "aria-label": `Reply to ${node.guess}` }, codes.map((code) =>
    h("button", { type: "button", id: `reply-${code}`, "aria-label": tree.rule.spoken(code), click: () => actions.send(code) }, reply(tree, code))));
}

function candidates(tree, node) {
  if (!tree.rule.score) return null;
  const words = h("p", { class: "words" });
  return h("details", { class: "candidates", id: "candidates", toggle: (event) => {
    if (event.target.open) words.textContent = node.answers.map((number) => tree.answers[number]).join(" ");
  } }, h("summary", { id: "candidates-summary" }, node.answers.length === 1 ? "Show the answer left" : `Show the ${node.answers.length} answers left`), words);
}

function keys() {
  const key = (text) => h("kbd", {}, text);
  return h("p", { class: "hint keys" }, "Keys: ", key("b"), " ", key("y"), " ", key("g"), " colour a tile, ", key("Enter"),
    " asks, ", key("u"), " takes back, ", key("r"), " restarts.");
}

function finished(tree, all, turns) {
  const text = shareText(tree, all);
  const answer = all[all.length - 1][0];
  const words = turns.map(([guess]) => guess);
  return [
    h("p", { class: "solved" }, `Solved in ${counted(all.length, "guess", "guesses")}.`),
    shareGrid(tree, all),
    h("div", { class: "buttons" },
      copyButton("Copy the grid", "copy-grid", () => text),
      copyButton("Copy a link", "copy-link", () => location.href),
      navigator.share ? h("button", { type: "button", id: "share-it", click: () => navigator.share({ text }).catch(() => {}) }, "Share") : null,
      tree.rule.score && !tree.before.length
        ? h("a", { class: "button", href: addressOf("debrief", tree, words.includes(answer) ? words : [...words, answer]) }, "Debrief")
        : null),
  ];
}
