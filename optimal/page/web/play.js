// The first view: the word to play, or one's own, the colours that the game gave, and what is known then.

let playKeys = null;

const HOW_WORDS = "Make this guess in the game, or type one of your own. Tap each tile until it has the colour that the game gave.";
const HOW_REPLIES = "Make this guess in the game, and choose the reply that it gave.";

function showPlay(panel, { tree, rules, steps }) {
  const played = playedGame(tree, rules, steps);
  const key = addressOf("play", tree, played.steps, rules);
  const made = played.steps.length;
  const actions = {
    goTo: (some) => go(addressOf("play", tree, some, rules)),
    send: (code) => sendReply(played, code),
    // The second tap of a double one, whose first has ended the game, was meant for the button that was there before.
    undo: (event) => {
      if (isWaiting()) goOn(played, played.steps, [current.again, ...current.later]);
      else if (!played.over || event.detail < 2) giveBack(played, played.turns.length - 1, { later: [] }, false);
    },
    restart: () => askFirst(byId("restart"), "Really restart?", () => { forgetGames(tree); clearRow(""); actions.goTo([]); }),
    submit: () => submitRow(played, actions),
    stop: () => stopSearch(played, actions),
    spell: (text, composing) => spell(key, played, actions, text, composing),
  };
  const row = !played.over && tree.words;
  if (played.over) clearRow(key);
  else beginRow(key, played);
  fill(
    panel,
    h("h2", { class: "hidden" }, "Play"),
    tree.words ? rulesSwitch(rules, (other) => underRules(played, steps.slice(made), other)) : null,
    h("div", { class: "sides" },
      h("div", {},
        made ? null : h("p", { class: "hint", id: "how" }, tree.words ? HOW_WORDS : [HOW_REPLIES, tree.rule.told].filter(Boolean).join(" ")),
        h("ol", { class: "board", style: `--n:${tree.words ? tree.rule.size : 4}` },
          played.turns.map(([guess, code], i) => h("li", {}, earlierRow(played, guess, code, i))),
          played.over ? null : h("li", { class: "now" }, row ? drawRow(played) : tiles(tree, played.node.guess)),
          row ? [...current.later, current.begun].filter(Boolean).map(([guess, code]) => h("li", { class: "later" }, tiles(tree, guess, code, "small"))) : null),
        h("p", { class: "problem", id: "problem" }, played.problem || (row && forbidden(played)) || unlikely(played)),
        row ? h("p", { class: "hint", id: "so-far" }) : null,
        row ? ownWord(played, actions) : null,
        h("div", { class: "buttons" },
          row ? h("button", { type: "button", id: "next", class: "main", click: actions.submit }, isWaiting() ? "Go on" : "Next guess") : null,
          row ? h("button", { type: "button", id: "right", click: () => { if (wordStands(played)) actions.send(tree.rule.win); } }, "It was right") : null,
          h("button", { type: "button", id: "undo", disabled: !made && !isWaiting(), click: actions.undo }, "Undo"),
          h("button", { type: "button", id: "restart", disabled: !made && !isWaiting(), click: actions.restart }, "Restart"))),
      h("div", {},
        h("div", { class: "outlook", id: "outlook" }),
        played.over ? null : h("div", { id: "advice" }),
        played.over ? null : whatFits(played),
        row ? howItSplits(played) : null,
        tree.words ? usedForm(tree) : null)),
    row ? keysHint() : null,
    tree.name === OWN ? h("details", { class: "candidates" }, h("summary", { id: "own-summary" }, "Another list"), ownForm(useWords)) : null);
  playKeys = row ? (event) => rowKeys(event, played, actions) : null;
  if (played.over) {
    hush();
    fill(byId("outlook"), ...finished(played));
  } else drawOutlook(played, actions);
  say(played.problem || announced(played));
  if (row) consult(key, played, actions);
}

// Ask the engine, unless look-up tells all and the position is too large.
function consult(key, played, actions) {
  const own = current.own && !whyNot(played.tree, played.rules, played.turns, current.own) ? current.own : "";
  if (own && isAlone(played)) {
    thinkOfFirst(played, own, () => drawOutlook(played, actions));
    return;
  }
  if (!consulted(played)) {
    hush();
    advice.own = "";
    return;
  }
  let risky = isRisky(played);
  think(played, own, () => {
    const { guess, since } = current, before = risky;
    risky = isRisky(played);
    // What was given back may be the page's own word.
    if (current.again && own && own === advice.best && own === current.own) current.own = advice.own = byId("own").value = "";
    if (!current.own && !current.touched) setGuess(played, suggested(played));
    if (current.guess !== guess) redrawRow(played);
    noLongerWaiting();
    if (current.guess !== guess && guess !== null && Date.now() - since > SEEN) current.instead = guess;
    if (current.guess !== guess || (risky && !before && !current.own)) say(announced(played));
    drawOutlook(played, actions);
  });
  drawSoFar(played);
}

// A word in the row that may make room for a better one, or has, after the player may have played it.
const SEEN = 2000;  // milliseconds

function drawSoFar(played) {
  const { guess, own, instead } = current, open = advice.busy && !(played.node ?? played.start) && !prospects(played).proven;
  const word = guess === null ? "Looking for the best word…" : `${capitals(guess)} so far; still looking.`;
  byId("so-far").textContent = own ? "" : open ? word : instead && instead !== guess ? `${capitals(guess)} took the place of ${capitals(instead)}.` : "";
}

// A word that fits stands where none better was found.
function stopSearch(played, actions) {
  hush(true);
  if (!current.own && !current.touched) setGuess(played, suggested(played));
  redrawRow(played);
  noLongerWaiting();
  drawOutlook(played, actions);
  say(announced(played));
}

const WAIT = "The best word is still being looked for: wait, or type one.";

function noLongerWaiting() {
  if (current.guess !== null && byId("problem").textContent === WAIT) byId("problem").textContent = "";
}

function consulted(played) {
  // By strict rules greedy play of a whole large game misses a few: a good first word stands there alone.
  if (!played.node) return searchable(played) || (!played.tree.root && (played.rules === "normal" || !opening(played)));
  return played.pool.length <= (played.turns.length ? MOST_SEARCHED : 100);
}

function redrawRow(played) {
  const focused = document.activeElement?.id;
  byId("row").replaceWith(drawRow(played));
  byId("splits").replaceWith(howItSplits(played, byId("splits").open));
  if (focused?.startsWith("mark-")) byId(`mark-${current.cursor}`).focus();
}

// A word of one's own, letter by letter; none brings the suggested one back. A letter that is still being composed, from
// an accent say, stays in the field as it is.
function spell(key, played, actions, text, composing = false) {
  const field = byId("own"), letters = Array.from(played.tree.small(text)).filter((letter) => /^[\p{L}\p{M}]$/u.test(letter));
  current.own = letters.slice(0, played.tree.rule.size).join("");
  if (!composing && field.value !== current.own) {
    const caret = field.selectionStart;
    field.value = current.own;
    if (document.activeElement === field) field.setSelectionRange(caret, caret);
  }
  setGuess(played, current.own || suggested(played));
  redrawRow(played);
  byId("problem").textContent = "";
  if (letters.length < played.tree.rule.size) {
    if (!letters.length && isAlone(played)) consult(key, played, actions);
    if (advice.done && !consulted(played)) advice.own = "";  // what was stopped begins anew once it is typed again
    drawOutlook(played, actions);
    return;
  }
  const why = whyNot(played.tree, played.rules, played.turns, current.own);
  if (why) shake(why);
  else consult(key, played, actions);
  drawOutlook(played, actions);
}

function ownWord(played, actions) {
  const field = h("input", {
    id: "own", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: "another word",
    maxlength: 60, input: (event) => actions.spell(field.value, event.isComposing), compositionend: () => actions.spell(field.value),
  });
  field.value = current.own;
  return h("p", { class: "own" }, h("label", { for: "own" }, "Or your own word"), " ", field);
}

// A button that does what can't be undone at its second press.
function askFirst(button, question, act) {
  if (button.dataset.asked) act();
  else {
    const before = button.textContent;
    button.dataset.asked = "yes";
    button.textContent = question;
    button.addEventListener("blur", () => {
      delete button.dataset.asked;
      button.textContent = before;
    }, { once: true });
    say(`${question} Press again.`);
  }
}

function wordStands(played) {
  const why = current.guess === null ? WAIT : whyNot(played.tree, played.rules, played.turns, current.guess);
  if (why) shake(why);
  return !why;
}

function submitRow(played, actions) {
  if (!wordStands(played)) return;
  if (!current.touched && !current.sure) {
    current.touched = true;
    shake(current.marks.some(Boolean) ? "No tile is tapped yet. Are these the colours? Then press again." : "No letter is coloured yet. All of them grey? Then press again.");
    return;
  }
  actions.send(played.tree.rule.codeOf(current.marks));
}

function sendReply(played, code) {
  const { tree, steps } = played, guess = tree.words ? current.guess : played.node.guess;
  if (code === tree.rule.win && current.later.length) {
    shake(`That would end the game, but ${capitals(current.later[0][0])} comes after it. Undo puts the row back as it was.`);
    return;
  }
  if (!leads(played, guess, code)) {
    current.tried = true;
    const why = code === tree.rule.win ? `${capitals(guess)} doesn't fit the colours above.` : "No word fits these colours.";
    shake(`${why} ${tree.words ? slipTold(played, [...played.turns, [guess, code]]) : ""}`.trim());
    return;
  }
  if (!current.own) offered.add(offer(played, guess));
  goOn(played, [...steps, ...stepsOfTurns(tree, [[guess, code]])], current.later);
}

// After an earlier turn was changed, those that came after it follow as far as they still can.
function goOn({ tree, rules }, next, later) {
  const again = playedGame(tree, rules, [...next, ...stepsOfTurns(tree, later)]), lost = later[again.steps.length - next.length];
  const key = addressOf("play", tree, again.steps, rules), [guess, code] = current.begun ?? [];
  if (guess && !again.over && !lost && !whyNot(tree, rules, again.turns, guess)) {
    clearRow(key);
    Object.assign(current, { own: guess, guess, marks: tree.rule.marks(code), cursor: 0, touched: true, sure: false });
  }
  go(key);
  if (lost && !again.solved) {
    const why = whyNot(tree, rules, again.turns, lost[0]);
    byId("problem").textContent = why || `${capitals(lost[0])} and what came after it don't fit any more.`;
    say(byId("problem").textContent);
  }
}

// Which colour is wrong, most likely.
function slipTold({ tree, rules }, turns) {
  const order = outOfOrder(tree, turns), slip = likelySlip(tree, rules, turns), tap = "Tap a row above to change it.";
  const told = order ? `Of equal letters the first is the ${colourOf(YELLOW)} one${order.fits ? `: letter ${order.first + 1}, not ${order.later + 1}` : ""}. ` : "";
  if (!slip) return told || `Look again. ${turns.length > 1 ? tap : ""}`;
  const above = slip.turn < turns.length - 1, may = slipInWords(slip, above ? turns : null);
  return `${told}${order?.fits ? `Or l${may.slice(1)}` : may} ${above ? tap : ""}`;
}

// With the guess named that it is of, where one of these turns is meant.
function slipInWords({ turn, place, colour, count }, turns) {
  const whose = turns ? ` of guess ${turn + 1}, ${capitals(turns[turn][0])},` : "";
  return `Letter ${place + 1}${whose} may be ${colour}: that would leave ${counted(count, "word")}.`;
}

// What to look at where no likely answer fits the turns made, though other words do.
function unlikely({ tree, rules, turns, likely, over }) {
  const slip = !over && tree.words && turns.length && !likely.length ? likelySlip(tree, rules, turns) : null;
  return slip ? `No likely answer fits any more. ${slipInWords(slip, turns)} Tap the row to change it.` : "";
}

// A turn that was made; it can be changed, where the row below takes words.
function earlierRow(played, guess, code, i) {
  const { tree } = played, row = tiles(tree, guess, code);
  if (!tree.words || i < tree.before.length) return row;
  const label = `Change guess ${i + 1}, ${row.getAttribute("aria-label")}`;
  return h("button", { type: "button", class: "again", id: `turn-${i}`, title: "Change it", "aria-label": label, click: () => giveBack(played, i, afterwards(played, i), true) }, row);
}

// What waits while an earlier turn is in the row: the turns after it, with the one in the row if that is waited for or was
// sent; and what was only begun, or taken back by Undo.
function afterwards({ tree, rules, turns }, i) {
  const { again, begun, guess, marks, later, touched, tried } = current, waits = again && isWaiting();
  const row = guess && touched && !whyNot(tree, rules, turns, guess) ? [guess, tree.rule.codeOf(marks)] : null;
  const made = waits || tried ? row ?? again : null;
  return { later: [...turns.slice(i + 1), ...(made ? [made, ...later] : [])], begun: waits ? begun : tried ? null : row };
}

// Whether a turn was tapped, or something comes after the one that Undo gave back: then Undo puts it back.
function isWaiting() {
  return current.tapped || current.later.length || current.begun;
}

// The steps of the row that was tapped and of those after it, where they are to be turns again.
function waitingSteps(tree) {
  return current.again && isWaiting() ? stepsOfTurns(tree, [current.again, ...current.later]) : [];
}

// Why a whole word of the player's own can't be played, where rules have changed since it was typed.
function forbidden({ tree, rules, turns }) {
  return Array.from(current.own).length === tree.rule.size ? whyNot(tree, rules, turns, current.own) : "";
}

// A word of the page, there by this list and these rules.
function offer({ tree, rules, turns }, guess) {
  return [tree.name, rules, ...stepsOfTurns(tree, turns), guess].join();
}

// An earlier turn in the row again, with its colours.
function giveBack(played, i, waiting, tapped) {
  const { tree, rules, turns, steps } = played, shorter = playedGame(tree, rules, steps.slice(0, i - tree.before.length));
  const key = addressOf("play", tree, shorter.steps, rules), [guess, code] = turns[i];
  if (tree.words) {
    const ours = offered.has(offer(shorter, guess)) || ((shorter.node ?? shorter.start)?.guess ?? opening(shorter)) === guess;
    Object.assign(current, { key, own: ours ? "" : guess, guess, marks: tree.rule.marks(code), cursor: 0, touched: true, sure: false, tried: false, again: turns[i], tapped, ...waiting, instead: "" });
  }
  go(key);
}

// Under other rules the game goes on where it is: along the tree for them where the page has it. The turns that these
// rules forbid, `rest`, wait in the address for rules that allow them.
function underRules({ tree, turns, over }, rest, other) {
  const better = byUse(treeFor(tree, other));
  const made = stepsOfTurns(tree, turns.slice(tree.before.length)), waiting = waitingSteps(tree);
  let words = [...made, ...rest], again = playedGame(better, other, words);
  // The row stays as it is, as far as the suggestion does, if the turns do, and no word of the page is forbidden now.
  const stays = !over && again.turns.length === turns.length, own = current.own || current.guess === null;
  if (stays && (own || !whyNot(better, other, again.turns, current.guess))) Object.assign(current, { key: addressOf("play", better, again.steps, other), instead: "" });
  else if (waiting.length) {
    words = [...made, ...waiting];
    again = playedGame(better, other, words);
  }
  go(addressOf("play", better, again.problem ? words : again.steps, other));
}

// The tree of the page for these lists, weights, guesses allowed and rules, from the same turns on; this one where there is none.
function treeFor(tree, rules) {
  if (tree.name === OWN) return tree;
  const same = (one, list) => hex(one.game.get(list)) === hex(tree.game.get(list));
  const terms = (one) => [one.file.get("max_guesses"), (one.plain ?? one).weights].join();
  const fitting = (one) => one.rules === rules && one.words && same(one, "guesses_sha256") && same(one, "answers_sha256") && String(one.before) === String(tree.before) && terms(one) === terms(tree);
  return tree.rules === rules ? tree : trees.find((one) => fitting(one) && one.objective === tree.objective) ?? trees.find(fitting) ?? tree;
}

function rulesInWords(rules) {
  return rules === "hard" ? `Hard: ${palette() === "contrast" ? "an orange" : "a green"} letter stays where it is, a ${colourOf(YELLOW)} one is used again.`
    : "Ultra-hard: every guess must be a word that may still be the answer.";
}

function rulesSwitch(chosen, choose) {
  return h("div", {},
    h("div", { class: "rules", role: "radiogroup", "aria-label": "Rules" }, RULES.map((one) =>
      h("label", {}, h("input", { type: "radio", name: "rules", id: `rules-${one}`, checked: one === chosen, change: () => choose(one) }), ` ${one}`))),
    chosen === "normal" ? null : h("p", { class: "hint rule" }, rulesInWords(chosen)));
}

function replies(tree, node, actions) {
  const codes = tree.replies(node).sort((a, b) => a - b);
  return h("div", { class: "replies", role: "group", "aria-label": `Reply to ${node.guess}` }, codes.map((code) =>
    h("button", { type: "button", id: `reply-${code}`, "aria-label": tree.rule.spoken(code), click: () => actions.send(code) }, reply(tree, code))));
}

function keysHint() {
  const key = (text) => h("kbd", {}, text);
  return h("p", { class: "hint keys" }, "Keys: letters spell a word of your own, ", key("Esc"), " drops it; ", key("1"), " ", key("2"), " ", key("3"),
    ` colour a tile ${[BLACK, YELLOW, GREEN].map(colourOf).join(", ")}; `, key("←"), " ", key("→"), " choose one, ", key("space"), " changes it; ", key("Enter"), " asks for the next guess.");
}
