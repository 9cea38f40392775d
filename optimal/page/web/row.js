// The row that is played next: its letters, the suggested word's or the player's own, and the colours on them.

// What no link holds, until the row is sent: the player's word, the colours, which tile is next, whether any was
// coloured by hand, and whether they were sent and no word fits; the turn that was given back, by a tap or Undo, those
// that came after it, and the row that was begun then. `offered` are the page's own words.
const current = { key: "", own: "", guess: null, marks: [], cursor: 0, touched: false, sure: false, tried: false, again: null, tapped: false, later: [], begun: null, since: 0, instead: "" };
const offered = new Set();

function clearRow(key) {
  Object.assign(current, { key, own: "", guess: null, tried: false, again: null, tapped: false, later: [], begun: null, instead: "" });
}

function beginRow(key, played) {
  if (current.key !== key) clearRow(key);
  if (advice.key !== key) advice = newAdvice(key);
  setGuess(played, current.own || (current.again && current.guess) || suggested(played));
}

// Another word in the row: its colours begin anew.
function setGuess(played, guess) {
  if (guess === current.guess && guess !== null) return;
  const { tree } = played;
  Object.assign(current, { guess, cursor: 0, touched: false, sure: false, tried: false, since: Date.now(), marks: Array(tree.words ? tree.rule.size : 0).fill(BLACK) });
  if (guess === null || !tree.words || Array.from(guess).length !== tree.rule.size) return;
  // Colours that every reply to it has in common need no tap; the others begin grey.
  const replies = played.pool.map((word) => tree.rule.marks(tree.rule.score(guess, word)));
  current.marks = current.marks.map((_, i) => (replies.every((marks) => marks[i] === replies[0][i]) ? replies[0][i] : BLACK));
  const codes = new Set(replies.map((marks) => tree.rule.codeOf(marks)));
  current.sure = codes.size === 1 && !(played.likely.length && played.others.length);
}

function drawRow(played) {
  const { tree } = played, letters = Array.from(current.guess ?? "");
  const row = Array.from({ length: tree.rule.size }, (_, i) =>
    h("button", {
      type: "button", id: `mark-${i}`, class: `tile ${COLOURS[current.marks[i]]}`, "aria-label": tileLabel(letters[i], i),
      click: () => { current.cursor = i; mark(i, (current.marks[i] + 1) % 3); },
    }, capitals(letters[i] ?? "")));
  return h("span", { class: "tiles", id: "row", role: "group", "aria-label": `Colours of ${current.guess ?? "the next word"}`, style: `--n:${row.length}` }, row);
}

function tileLabel(letter, i) {
  return `${letter ?? "no letter"}, letter ${i + 1}: ${colourOf(current.marks[i])}`;
}

function mark(i, colour) {
  const letter = Array.from(current.guess ?? "")[i];
  if (letter === undefined) return;
  current.marks[i] = colour;
  Object.assign(current, { touched: true, tried: false });
  const tile = byId(`mark-${i}`);
  tile.className = `tile ${COLOURS[colour]}`;
  tile.setAttribute("aria-label", tileLabel(letter, i));
  byId("problem").textContent = "";
  say(`${letter} ${colourOf(colour)}`);
}

function shake(problem) {
  byId("problem").textContent = problem;
  document.querySelector(".now").classList.add("wrong");
  setTimeout(() => document.querySelector(".now")?.classList.remove("wrong"), 400);
  say(problem);
}

// Letters spell a word of one's own, 1, 2 and 3 colour the tile that is next, from the first one on; they work wherever
// nothing else takes keys. Other buttons keep Enter and the space bar for themselves, and the field of one's own word
// edits as fields do; only a letter after a whole word begins another one.
const COLOUR_KEYS = { 1: BLACK, 2: YELLOW, 3: GREEN };

function rowKeys(event, played, actions) {
  const { target, key } = event, size = played.tree.rule.size;
  const tile = /^mark-(\d+)$/.exec(target.id), field = target.id === "own";
  const choice = target.type === "radio", button = target.closest("button, summary, a");
  const taken = target.closest("select, textarea, input") && !field && !choice;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented || taken) return;
  if (tile) current.cursor = Number(tile[1]);
  const complete = Array.from(current.guess ?? "").length === size;
  const focus = (i) => { current.cursor = Math.min(Math.max(i, 0), size - 1); byId(`mark-${current.cursor}`).focus(); };
  if (key === "Enter") {
    if (button && !tile) return;
    actions.submit();
  } else if (key in COLOUR_KEYS) {
    if (complete) {
      mark(current.cursor, COLOUR_KEYS[key]);
      focus(current.cursor + 1);
    }
  } else if (key === " ") {
    if (button || choice) return;
    if (complete && !field) {  // phones add one to a word that is chosen
      mark(current.cursor, (current.marks[current.cursor] + 1) % 3);
      focus(current.cursor);
    }
  } else if (key === "ArrowLeft" || key === "ArrowRight") {
    if (choice || field) return;
    focus(current.cursor + (key === "ArrowLeft" ? -1 : 1));
  } else if (key === "Escape") actions.spell("");
  else if (key === "Backspace") {
    if (field) return;
    if (current.own) actions.spell(Array.from(current.own).slice(0, -1).join(""));
    else focus(current.cursor - 1);
  } else if (/^\p{L}$/u.test(key)) {
    const before = Array.from(current.own);
    if (field && (before.length < size || target.selectionStart < target.value.length)) return;
    actions.spell([...(before.length < size ? before : []), key].join(""));
  } else return;
  event.preventDefault();
}
