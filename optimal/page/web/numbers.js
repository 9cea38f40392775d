// The third view: how many answers each number of guesses finds, and what the tree's file says of itself.

function showNumbers(panel, { tree }, trees) {
  const file = tree.file;
  const worst = file.get("worst"), more = tree.before.length ? "more " : "";
  const rows = [
    ["Game", `${tree.called}: ${counted(tree.game.get("guess_count"), "word")} may be guessed, ${counted(tree.answers.length, "of them is", "of them are")} likely answers`],
    ["Rules", file.get("rules")],
    ["Guesses allowed", file.get("max_guesses") ? String(file.get("max_guesses")) : "as many as one likes"],
    ["Made as small as can be", goal(tree)],
    ["Answers count", tree.weights ? `by ${file.get("weights_name")}` : "once each"],
    ["All answers together", `${file.get("total")}${tree.weights ? "" : " guesses"}`],
    ["Proof", status(tree)],
    ["Made by", file.get("program")],
    ["Fingerprint of the answers", hex(tree.game.get("answers_sha256")).slice(0, 16)],
  ];
  const found = foundLast(tree);
  fill(
    panel,
    h("h2", { class: "hidden" }, "Numbers"),
    figures([
      [decimals(tree.mean, 4), `${more}guesses on average`],
      [String(worst), `${more}at most`],
      [String(tree.answers.length), "answers"],
      [tree.root.guess, more ? "next guess" : "first guess"],
    ]),
    h("h3", {}, "Answers by the guess that finds them"),
    bars(file.get("distribution"), tree.before.length, found?.depth),
    found ? h("p", { class: "hint" }, `${found.word}, last looked for in the tree, is found by guess ${found.depth}.`) : null,
    trees.length > 1 ? h("h3", {}, "All strategies of this page") : null,
    trees.length > 1 ? overview(trees, tree) : null,
    h("h3", {}, "About this strategy"),
    h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("p", {}, h("a", { id: "save", class: "button", download: `${tree.name}.msgpack`, href: "#", click: (event) => save(event, tree) }, "Save the tree's file"),
      " ", h("span", { class: "hint" }, ...coded("`optimal verify` replays every answer of it."))));
}

// The answer that the tree's view was left with, and the guess that finds it.
function foundLast(tree) {
  const { solved, codes } = tree.at(left.get(tree)?.tree?.steps ?? []);
  return solved ? { word: tree.turns(codes).at(-1)[0], depth: tree.before.length + codes.length } : null;
}

function goal(tree) {
  if (tree.objective === "mean") return "the average number of guesses";
  if (tree.objective === "worst") return "the worst case, then the average";
  return `the answers missed after ${counted(Number(tree.objective.split(":")[1]), "guess", "guesses")}, then the average`;
}

function status(tree) {
  const openers = tree.file.get("openers"), ledgers = tree.file.get("ledgers"), first = tree.before.length ? "next" : "first";
  const over = openers ? `with ${openers.length === 1 ? `this ${first} guess` : `one of ${openers.length} ${first} guesses`}` : `with any ${first} guess`;
  const given = ledgers ? `, given bounds from ${ledgers.join(", ")}` : "";
  if (tree.file.get("status") === "OPTIMAL") return `proven: no strategy ${over} is better${given}, says the program that made it (OPTIMAL)`;
  return `none that this is the best (${tree.file.get("status")}); it is proven that no strategy ${over} is below ${tree.file.get("bound").join(", ")}${given}`;
}

function overview(trees, shown) {
  const heads = ["strategy", "first", "average", "at most"].map((text) => h("th", { scope: "col" }, text));
  return h("div", { class: "wide" }, h("table", { class: "overview" },
    h("caption", { class: "hidden" }, "All strategies of this page"),
    h("thead", {}, h("tr", {}, heads)),
    h("tbody", {}, trees.map((tree) => h("tr", { class: tree === shown ? "marked" : null },
      h("th", { scope: "row" }, h("a", { href: addressOf("numbers", tree) }, tree.title)),
      h("td", {}, tree.root.guess), h("td", {}, decimals(tree.mean, 4)), h("td", {}, String(tree.file.get("worst"))))))));
}

// The file as it was, byte by byte, made when it is asked for.
function save(event, tree) {
  const url = URL.createObjectURL(new Blob([bytesOf(tree.base64)], { type: "application/octet-stream" }));
  event.currentTarget.href = url;
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}
