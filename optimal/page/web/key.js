// A key that asks. It goes along its tree; where a reply isn't known, through all branches at once, and asks what most of
// the objects that still fit are asked there. Which objects fit is always read from the table.

const data = JSON.parse(byId("data").textContent);
const { questions, objects, replies } = data;
const bytes = Uint8Array.from(atob(data.codes), (character) => character.charCodeAt(0));
const variants = data.variants.flatMap((count, object) => Array(count).fill(object));
const codes = questions.map((_, question) => variants.map((_, variant) => {
  const at = 2 * (question * variants.length + variant);
  return bytes[at] + 256 * bytes[at + 1];
}));
const everyone = variants.map((_, variant) => variant);
const root = readSteps(data.tree);
// Questions and replies have numbers in the address, which mean nothing in another table.
const mark = sumOf(JSON.stringify([questions, replies]));
let turns = [], shown = "", astray = "";

// The tree of its numbers: see docs/reference/formats.md.
function readSteps(numbers) {
  let at = 0;
  const open = [];
  for (;;) {
    const question = numbers[at] - 1, count = numbers[at + 1];
    at += 2;
    let step = { question, children: new Map() };
    if (question >= 0) open.push({ step, left: count });
    else {
      step.objects = numbers.slice(at, at + count);
      at += count;
      for (;;) {
        const above = open[open.length - 1];
        if (!above) return step;
        above.step.children.set(above.code, step);
        if (above.left) break;
        step = open.pop().step;
      }
    }
    const above = open[open.length - 1];
    above.code = numbers[at++];
    above.left -= 1;
  }
}

// The outcome of each variant that fits: the groups that would be left if all was asked but what isn't known. As long as
// those that fit are of several outcomes, a question that is left can exclude a group.
function outcomesOf(members) {
  const unknown = new Set(turns.filter(({ code }) => code === null).map(({ question }) => question));
  const rows = codes.filter((_, question) => !unknown.has(question));
  const forms = new Map(members.map((one) => [one, rows.map((row) => row[one]).join()]));
  const groups = new Map([...forms.values()].map((form) => [form, new Set()]));
  for (const [one, form] of forms) groups.get(form).add(data.groups[variants[one]]);
  for (const [form, found] of groups) groups.set(form, [...found].sort((a, b) => a - b).join());
  return new Map([...forms].map(([one, form]) => [one, groups.get(form)]));
}

function objectsOf(members) {
  return [...new Set(members.map((one) => variants[one]))];
}

// Objects as people name them: several of one group by the name of the group, where it has one.
function namesOf(some) {
  const found = new Map();
  for (const object of some) {
    const group = data.groups[object], key = data.names[group] ? group : -1 - object;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(object);
  }
  return [...found].map(([group, alike]) => alike.length > 1 ? data.names[group] : objects[alike[0]]);
}

function fitting() {
  return everyone.filter((one) => turns.every(({ question, code }) => code === null || codes[question][one] === code));
}

function parts(question, members) {
  const found = new Map();
  for (const one of members) {
    const code = codes[question][one];
    if (!found.has(code)) found.set(code, []);
    found.get(code).push(one);
  }
  return inOrder(question, found);
}

// What is behind the replies to a question, in their natural order.
function inOrder(question, found) {
  const ranks = data.ranks[question], rank = (code) => ranks ? ranks[code] : code;
  return new Map([...found].sort(([a], [b]) => rank(a) - rank(b)));
}

// The question to ask of the objects that fit; null where none that is left can exclude a group. Off the key it is the
// one after which the fewest outcomes are left.
function nextQuestion(members) {
  const outcomes = outcomesOf(members);
  const many = (some) => new Set(some.map((one) => outcomes.get(one))).size;
  if (many(members) === 1) return null;
  const said = new Set(turns.map(({ question }) => question));
  const wanted = new Map();
  const stack = [[root, members]];
  while (stack.length) {
    const [step, here] = stack.pop();
    if (step.question < 0 || many(here) === 1) continue;
    const found = parts(step.question, here);
    if (said.has(step.question) || found.size === 1) {
      for (const [code, below] of found) if (step.children.has(code)) stack.push([step.children.get(code), below]);
    } else wanted.set(step.question, (wanted.get(step.question) || 0) + here.length);
  }
  const best = [...wanted].sort(([a, one], [b, other]) => other - one || a - b)[0];
  if (best) return best[0];
  const others = questions.map((_, question) => [question, [...parts(question, members).values()]])
    .filter(([question, found]) => !said.has(question) && found.length > 1)
    .map(([question, found]) => [question, found.reduce((sum, some) => sum + some.length * many(some), 0)]);
  return others.sort(([a, one], [b, other]) => one - other || a - b)[0][0];
}

function verdict(members) {
  const some = objectsOf(members), names = namesOf(some);
  if (names.length === 1) return `It is ${names[0]}.`;
  const groups = new Set(some.map((object) => data.groups[object])).size;
  const told = names.join(" or ");
  if (groups === 1) return `It is ${told}, which needn't be told apart.`;
  return `It is ${told}: no question that is left tells ${names.length > groups ? "their groups" : "them"} apart.`;
}

// The replies are in the address, after the mark, as "question=reply", or "question=" where it isn't known: a page that
// is loaded anew, gone back to or sent on has them. They end where one fits no object.
function readAddress() {
  shown = location.hash;
  turns = [];
  const [first, ...pieces] = shown.slice(1).split("/");
  astray = first && first !== mark ? "The link is of another table. Start here." : "";
  for (const piece of astray ? [] : pieces) {
    const [, asked, reply] = piece.match(/^(\d+)=(\d*)$/) ?? [], question = asked - 1, code = reply ? Number(reply) : null;
    if (!questions[question] || turns.some((turn) => turn.question === question)) return;
    if (code !== null && !fitting().some((one) => codes[question][one] === code)) return;
    turns.push({ question, code });
  }
}

function go(some) {
  location.hash = some.length ? [mark, ...some.map(({ question, code }) => `${question + 1}=${code ?? ""}`)].join("/") : "";
  readAddress();
  show(true);
}

function show(moved = false) {
  const members = fitting(), question = nextQuestion(members), some = objectsOf(members);
  const done = question === null;
  const title = h("h2", { tabindex: "-1", id: "now" }, done ? verdict(members) : `${questions[question]}?`);
  const list = h("ol", { class: "turns", "aria-label": "Replies so far" }, turns.map((turn, number) => h("li", {},
    h("span", {}, `${questions[turn.question]}: `, h("b", {}, turn.code === null ? "not known" : replies[turn.question][turn.code])),
    h("button", { type: "button", "aria-label": `Change the reply to ${questions[turn.question]}`, click: () => go(turns.slice(0, number)) }, "Change"))));
  const buttons = done ? [] : [...parts(question, members).keys()].map((code) =>
    h("button", { type: "button", class: "main", click: () => go([...turns, { question, code }]) }, replies[question][code]));
  if (!done) buttons.push(h("button", { type: "button", click: () => go([...turns, { question, code: null }]) }, "I don't know"));
  const again = turns.length ? h("div", { class: "buttons" },
    h("button", { type: "button", click: () => go(turns.slice(0, -1)) }, "Undo"),
    h("button", { type: "button", click: () => go([]) }, "Start again")) : null;
  const left = done ? null : h("details", {}, h("summary", {}, `${counted(some.length, "object")} left`),
    h("ul", { class: "objects" }, namesOf(some).map((name) => h("li", {}, name))));
  fill(byId("ask"), astray ? h("p", { class: "problem" }, astray) : null, turns.length ? list : null, title, buttons.length ? h("div", { class: "buttons", role: "group", "aria-labelledby": "now" }, buttons) : null, left, again);
  if (moved) title.focus();
  if (moved || astray) say(`${astray} ${done ? verdict(members) : `${questions[question]}? ${counted(some.length, "object")} left`}`.trim());
}

function objectsBelow(step) {
  const found = new Set(), stack = [step];
  while (stack.length) {
    const one = stack.pop();
    if (one.question < 0) one.objects.forEach((object) => found.add(object));
    stack.push(...one.children.values());
  }
  return found.size;
}

// The replies to a question; what is below one is made when it is opened.
function branches(step) {
  return h("ul", { class: "below" }, [...inOrder(step.question, step.children)].map(([code, child]) => {
    const reply = replies[step.question][code];
    if (child.question < 0) return h("li", {}, `${reply} → `, h("b", {}, namesOf(child.objects).join(" / ")));
    const inside = h("div", {});
    const toggle = ({ target }) => { if (target.open && !inside.firstChild) inside.append(branches(child)); };
    return h("li", {}, h("details", { toggle },
      h("summary", {}, h("span", {}, `${reply} → ${questions[child.question]}?`), h("span", { class: "about" }, counted(objectsBelow(child), "object"))), inside));
  }));
}

function showKey() {
  const panel = byId("key");
  if (panel.firstChild) return;
  if (root.question < 0) panel.append(h("p", {}, namesOf(root.objects).join(" / ")));
  else panel.append(h("h2", {}, `${questions[root.question]}?`), h("div", { class: "branches" }, branches(root)));
}

function choose(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", chosen);
    tab.tabIndex = chosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !chosen;
    if (chosen) tab.focus();
  }
  if (name === "key") showKey();
}

for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.addEventListener("click", () => choose(tab.id.slice(4)));
  tab.addEventListener("keydown", ({ key }) => {
    if (key === "ArrowLeft" || key === "ArrowRight") choose(tab.id === "tab-ask" ? "key" : "ask");
  });
}
for (const event of ["popstate", "hashchange"]) window.addEventListener(event, () => {
  if (location.hash === shown) return;
  readAddress();
  show(true);
});
readAddress();
show();
