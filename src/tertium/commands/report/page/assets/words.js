// Which words of an output match the reference, which were added, are missing or stand elsewhere.

// Scripts without spaces between words: every character, with its marks, is a unit.
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々";
const UNITS = new RegExp(`[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+(?:['’\\-.,](?:(?![${UNSPACED}])[\\p{L}\\p{N}])+)*|[^\\s]`, "gu");
const IS_WORD = /[\p{L}\p{N}]/u;
const MOST_CELLS = 4_000_000; // of the table of distances; longer texts are shown without marks

function isUnspaced(text) {
  return new RegExp(`^[${UNSPACED}]`, "u").test(text);
}

// Words, cut at white space; of scripts without spaces, every character without its marks counts as one.
const UNSPACED_LETTERS = new RegExp(`[${UNSPACED}]`, "gu");
function countLength(text) {
  const letters = text.match(UNSPACED_LETTERS);
  const words = text.split(/\s+/u).filter(Boolean);
  if (!letters) return words.length;
  const others = text.replace(UNSPACED_LETTERS, " ").split(/\s+/u).filter((word) => IS_WORD.test(word));
  return letters.filter((letter) => !/\p{M}/u.test(letter)).length + others.length;
}

function splitUnits(text) {
  const units = [];
  let end = 0;
  for (const match of text.matchAll(UNITS)) {
    units.push({ text: match[0], before: text.slice(end, match.index), isWord: IS_WORD.test(match[0]) });
    end = match.index + match[0].length;
  }
  return units;
}

// Levenshtein's alignment: [kind, index in ours, index in theirs] from left to right; null if it is too much.
function alignUnits(ours, theirs) {
  const width = theirs.length + 1;
  if ((ours.length + 1) * width > MOST_CELLS) return null;
  const costs = new Uint32Array((ours.length + 1) * width);
  for (let j = 0; j < width; j++) costs[j] = j;
  for (let i = 1; i <= ours.length; i++) {
    costs[i * width] = i;
    for (let j = 1; j < width; j++) {
      const isSame = ours[i - 1].text === theirs[j - 1].text;
      // A substitution costs as much as leaving one word out and adding another, so that equal words win.
      const diagonal = costs[(i - 1) * width + j - 1] + (isSame ? 0 : 2);
      costs[i * width + j] = Math.min(diagonal, costs[(i - 1) * width + j] + 1, costs[i * width + j - 1] + 1);
    }
  }
  return traceBack(costs, ours, theirs, width);
}

function traceBack(costs, ours, theirs, width) {
  const steps = [];
  let i = ours.length, j = theirs.length;
  while (i > 0 || j > 0) {
    const cost = costs[i * width + j];
    if (i > 0 && j > 0 && ours[i - 1].text === theirs[j - 1].text && cost === costs[(i - 1) * width + j - 1]) {
      steps.push(["matched", --i, --j]);
    } else if (j > 0 && cost === costs[i * width + j - 1] + 1) {
      steps.push(["missing", -1, --j]);
    } else {
      steps.push(["added", --i, -1]);
    }
  }
  return steps.reverse();
}

// A word that is missing in one place and added in another was moved.
function findMoved(steps, ours, theirs) {
  const missing = new Map();
  for (const step of steps) {
    if (step[0] !== "missing" || !theirs[step[2]].isWord) continue;
    const word = theirs[step[2]].text;
    if (!missing.has(word)) missing.set(word, []);
    missing.get(word).push(step);
  }
  for (const step of steps) {
    if (step[0] !== "added") continue;
    const partners = missing.get(ours[step[1]].text);
    if (!partners || !partners.length) continue;
    step[0] = "moved";
    partners.shift()[0] = "moved away";
  }
  return steps;
}

// Finds the reference that is nearest to an output, and how they are aligned.
function alignToNearest(output, references) {
  const ours = splitUnits(output);
  let best = null;
  references.forEach((reference, number) => {
    const theirs = splitUnits(reference);
    const steps = alignUnits(ours, theirs);
    if (!steps) return;
    const cost = steps.filter((step) => step[0] !== "matched").length;
    if (!best || cost < best.cost) best = { ours, theirs, steps, cost, number };
  });
  if (best) findMoved(best.steps, best.ours, best.theirs);
  return best;
}

// Writes an output with its words marked; missing words stand where they would belong.
function markOutput(output, references) {
  const found = alignToNearest(output, references);
  if (!found) return [output];
  return found.steps.filter((step) => step[0] !== "moved away").flatMap((step) => {
    const [kind, i, j] = step;
    if (kind === "missing") return [isUnspaced(found.theirs[j].text) ? "" : " ", make("del", { title: "missing from the output" }, found.theirs[j].text)];
    const unit = found.ours[i];
    if (kind === "matched") return [unit.before, unit.text];
    if (kind === "moved") return [unit.before, make("span", { class: "moved", title: "stands elsewhere in the reference" }, unit.text)];
    return [unit.before, make("ins", { title: "not in the reference" }, unit.text)];
  });
}
