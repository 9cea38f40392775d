// What the page shows stands in the fragment of its address alone, so that every position has a link, and Back takes
// a step back: #view/tree/step/step. Steps are replies as they are written, or words in a debrief.

const VIEWS = ["play", "tree", "numbers", "debrief"];

function readAddress(trees) {
  const [view, name, ...steps] = location.hash.slice(1).split("/").map(decoded);
  const tree = trees.find((one) => one.name === name) || trees[0];
  return { view: VIEWS.includes(view) ? view : VIEWS[0], tree, steps: tree.name === name ? steps.filter(Boolean) : [] };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";  // a link that was cut in the middle of a character
  }
}

function addressOf(view, tree, steps = []) {
  return `#${[view, tree.name, ...steps].map((step) => encodeURIComponent(step).replace(/%2C/g, ",")).join("/")}`;
}
