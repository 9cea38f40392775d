// Runs the page's worker without a browser: questions as JSON on standard input, replies on standard output.
//
// {"words": [..], "tiers": [..], "weights": [..] or null, "questions": [{"steps": [[place, code], ..], "rules": 0, "left": 5, "words": [..]}, ..]}
import { readFileSync } from "node:fs";

const web = process.argv[2];
const bytes = readFileSync(`${web}/advisor.wasm`);
const Advisor = new Function("postMessage", `let onmessage; ${readFileSync(`${web}/worker.js`, "utf8")}; return Advisor;`)();
const { words, tiers, weights, questions } = JSON.parse(readFileSync(0, "utf8"));
const advisor = new Advisor(bytes);

// In slices of a moment, as a page asks: whatever is found must not depend on them.
function whole(ask) {
  for (let slice = 1; ; slice *= 2) {
    const reply = ask(slice);
    if (reply !== undefined) return reply;
  }
}

advisor.take(words, Uint8Array.from(tiers), weights);
const replies = questions.map((question) => {
  const candidates = advisor.position(question.steps, question.rules, question.left);
  if (!candidates.length) return { candidates };
  const worth = () => question.words.map((word) => (advisor.legal(word) ? whole((slice) => advisor.worth(word, slice)) : null));
  const height = (word) => (advisor.legal(word) && candidates.length > 2 ? whole((slice) => advisor.height(word, slice)) : null);
  const estimates = () => question.words.map((word) => advisor.estimate(word));
  const found = { candidates, least: whole((slice) => advisor.least(slice)), worth: worth(), heights: question.words.map(height), estimates: estimates(), likeliest: advisor.likeliest(5) };
  if (!question.left) return found;
  advisor.count(true);
  const [cost, word] = whole((slice) => advisor.least(slice)), parts = (cost) => (cost === null ? null : advisor.parts(cost));
  return { ...found, misses: { least: [...parts(cost), word], worth: worth().map(parts), estimates: estimates().map((cost) => parts(cost === Infinity ? null : cost)) } };
});
console.log(JSON.stringify(replies));
