// Which segments are listed, and in which order.

// Makes a test of texts; null if everything fits, and an error if a regular expression is wrong.
function makeTextTest() {
  if (!state.text) return null;
  if (state.regex) {
    const pattern = new RegExp(state.text, "iu");
    return (text) => pattern.test(text);
  }
  const wanted = state.text.toLocaleLowerCase();
  return (text) => text.toLocaleLowerCase().includes(wanted);
}

function textsOf(segment) {
  if (!texts) return [];
  const [source, references, outputs] = texts[segment];
  return [source, ...references, ...state.systems.map((system) => outputs[system])];
}

function isOfKind(segment) {
  if (!state.kind) return true;
  const split = state.kind.lastIndexOf("=");
  const column = page.columns.find(({ name }) => name === state.kind.slice(0, split));
  return !column || column.rows[segment] === Number(state.kind.slice(split + 1));
}

function isBetween(value, low, high) {
  return (low === "" || value >= Number(low)) && (high === "" || value <= Number(high));
}

// The mean over the chosen systems.
function meanScore(segment) {
  let sum = 0;
  for (const system of state.systems) sum += scoreOf(state.metric, system, segment);
  return sum / state.systems.length;
}

// The second system's score minus the first one's, positive where the second is better; of many systems, the range.
function gapOf(segment) {
  const sign = page.metrics[state.metric].higher ? 1 : -1;
  const [first, second] = state.systems;
  if (second === undefined) return 0;
  return sign * (scoreOf(state.metric, second, segment) - scoreOf(state.metric, first, segment));
}

function rangeOf(segment) {
  const values = state.systems.map((system) => scoreOf(state.metric, system, segment));
  return Math.max(...values) - Math.min(...values);
}

// What a segment adds to the second system's lead; of one system, what it adds to the score.
function influenceOnGap(segment) {
  const [first, second] = state.systems;
  const sign = page.metrics[state.metric].higher ? 1 : -1;
  if (second === undefined) return influenceOf(state.metric, first, segment) * sign;
  return sign * (influenceOf(state.metric, second, segment) - influenceOf(state.metric, first, segment));
}

function sizeOfInfluence(segment) {
  if (state.systems.length < 3) return Math.abs(influenceOnGap(segment));
  const values = state.systems.map((system) => influenceOf(state.metric, system, segment));
  return Math.max(...values) - Math.min(...values);
}

// The difference of human scores between the first two systems, or the human score of the only one.
function humanGapOf(segment) {
  const [first, second] = state.systems;
  return second === undefined ? humanOf(first, segment) : humanOf(second, segment) - humanOf(first, segment);
}

// The distance between human scores and the metric, each in standard deviations over all judged segments.
function makeDissent() {
  const sign = page.metrics[state.metric].higher ? 1 : -1;
  const metricGapOf = (segment) => (state.systems.length > 1 ? gapOf(segment) : sign * scoreOf(state.metric, state.systems[0], segment));
  const judged = [];
  for (let i = 0; i < nSegments; i++) if (Number.isFinite(humanGapOf(i)) && Number.isFinite(metricGapOf(i))) judged.push(i);
  const standardise = (value) => {
    const mean = judged.reduce((sum, i) => sum + value(i), 0) / judged.length;
    const spread = Math.sqrt(judged.reduce((sum, i) => sum + (value(i) - mean) ** 2, 0) / judged.length) || 1;
    return (segment) => (value(segment) - mean) / spread;
  };
  const [byHuman, byMetric] = [standardise(humanGapOf), standardise(metricGapOf)];
  return (segment) => Math.abs(byHuman(segment) - byMetric(segment));
}

// What to sort by, largest first.
function sortKey() {
  const sign = page.metrics[state.metric].higher ? 1 : -1;
  const keys = {
    gap: rangeOf,
    second: gapOf,
    first: (segment) => -gapOf(segment),
    influence: sizeOfInfluence,
    worst: (segment) => -sign * meanScore(segment),
    best: (segment) => sign * meanScore(segment),
    human: (segment) => Math.abs(humanGapOf(segment)),
    dissent: state.order === "dissent" ? makeDissent() : null,
    number: (segment) => -segment,
  };
  return (Object.hasOwn(keys, state.order) && keys[state.order]) || keys.gap;
}

// Finds the segments that fit all filters, in the chosen order.
function findSegments() {
  const test = makeTextTest();
  const found = [];
  for (let i = 0; i < nSegments; i++) {
    if (!isOfKind(i)) continue;
    if ((state.shortest || state.longest) && !isBetween(lengthOf(i), state.shortest, state.longest)) continue;
    if ((state.lowest !== "" || state.highest !== "") &&
        !state.systems.some((system) => isBetween(scoreOf(state.metric, system, i), state.lowest, state.highest))) continue;
    if (test && !textsOf(i).some(test)) continue;
    found.push(i);
  }
  const key = sortKey();
  const keys = new Float64Array(nSegments);
  for (const i of found) {
    const value = key(i);
    keys[i] = Number.isNaN(value) ? -Infinity : value;
  }
  return found.sort((a, b) => (keys[b] === keys[a] ? a - b : keys[b] > keys[a] ? 1 : -1));
}
