// The third view: how many answers each number of guesses finds, and what the tree's file says of itself.

function showNumbers(panel, { tree }, trees) {
  const file = tree.file;
  const worst = file.get("worst");
  const rows = [
    ["Game", `${tree.game.get("name")}: ${counted(tree.game.get("guess_count"), "guess", "guesses")}, ${counted(tree.answers.length, "answer")}`],
    ["Rules", file.get("rules")],
    ["Limit", file.get("max_guesses") ? counted(file.get("max_guesses"), "guess", "guesses") : "none"],
    ["Made least", goal(tree)],
    ["Weights", tree.weights ? file.get("weights_name") : "each answer counts once"],
    ["Total", `${file.get("total")}${tree.weights ? "" : " guesses over all answers"}`],
    ["Status", status(tree)],
    ["Made by", file.get("program")],
    ["Answers, SHA-256", hex(tree.game.get("answers_sha256")).slice(0, 16)],
  ];
  fill(
    panel,
    h("h2", { class: "hidden" }, "Numbers"),
    figures([
      [decimals(tree.mean, 4), "guesses on average"],
      [String(worst), "at most"],
      [String(tree.answers.length), "answers"],
      [tree.root.guess, "first guess"],
    ]),
    h("h3", {}, "Answers by the guess that finds them"),
    bars(file.get("distribution")),
    trees.length > 1 ? h("h3", {}, "All strategies of this page") : null,
    trees.length > 1 ? overview(trees, tree) : null,
    h("h3", {}, "About this strategy"),
    h("dl", { class: "facts" }, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
    h("p", {}, h("a", { id: "save", class: "button", download: `${tree.name}.msgpack`, href: "#", click: (event) => save(event, tree) }, "Save the tree's file"),
      " ", h("span", { class: "hint" }, "`optimal verify` replays every answer of it.")));
}

function goal(tree) {
  if (tree.objective === "mean") return "the average number of guesses";
  if (tree.objective === "worst") return "the worst case, then the average";
  return `the answers missed after ${counted(Number(tree.objective.split(":")[1]), "guess", "guesses")}, then the average`;
}

function status(tree) {
  const openers = tree.file.get("openers");
  const over = openers ? `over ${counted(openers.length, "first guess", "first guesses")}` : "over every first guess";
  if (tree.file.get("status") === "OPTIMAL") return `OPTIMAL: said to be proven least ${over} by the program that made it`;
  return `${tree.file.get("status")}: not proven least; the proven bound is ${tree.file.get("bound").join(", ")}`;
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
