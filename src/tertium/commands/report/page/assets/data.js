// The data of the page: a JSON document, and columns that are unpacked once.
const page = JSON.parse(document.getElementById("data").textContent);
const nSegments = page.segments;
let scores = null; // metrics, systems, segments
let influences = null; // in the same order; null if there are none
let humans = null; // systems, segments; null if no segments were judged
let texts = null; // per segment: source, references, outputs; null without texts
const explanations = new Map(); // by segment/system/metric
const annotations = new Map(); // by segment/system: the rater, and pieces of text with their severity
const lengths = [];

async function unpack(id) {
  const element = document.getElementById(id);
  const packed = element.textContent;
  element.remove();
  if (!packed) return null;
  return decompress(Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)));
}

function decompress(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function loadData() {
  const [packedScores, packedInfluences, packedHumans, packedAnnotations, packedExplained, packedTexts] = await Promise.all(
    ["packed-scores", "packed-influence", "packed-human", "packed-annotations", "packed-explained", "packed-texts"].map(unpack));
  scores = readNumbers(packedScores, page.steps.scores);
  influences = packedInfluences && readNumbers(packedInfluences, page.steps.influence);
  humans = packedHumans && new Float32Array(packedHumans);
  texts = packedTexts && readJson(packedTexts);
  for (const [segment, system, rater, pieces] of packedAnnotations ? readJson(packedAnnotations) : []) {
    const key = `${segment}/${system}`;
    annotations.set(key, [...(annotations.get(key) ?? []), { rater, pieces }]);
  }
  for (const [segment, system, metric, shown] of packedExplained ? readJson(packedExplained) : [])
    explanations.set(`${segment}/${system}/${metric}`, shown);
}

// Numbers of four bytes, or multiples of a metric's step in two bytes.
function readNumbers(bytes, steps) {
  if (!steps) return new Float32Array(bytes);
  const whole = new Int16Array(bytes);
  const size = whole.length / steps.length;
  return Float32Array.from(whole, (each, i) => (each === -32768 ? NaN : each * steps[Math.floor(i / size)]));
}

function readJson(bytes) {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function scoreOf(metric, system, segment) {
  return scores[(metric * page.systems.length + system) * nSegments + segment];
}

function influenceOf(metric, system, segment) {
  return influences ? influences[(metric * page.systems.length + system) * nSegments + segment] : NaN;
}

function humanOf(system, segment) {
  return humans ? humans[system * nSegments + segment] : NaN;
}

// The length of the references, on average, counted when it is first asked for.
function lengthOf(segment) {
  if (!texts) return 0;
  const references = texts[segment][1];
  lengths[segment] ??= references.reduce((sum, text) => sum + countLength(text), 0) / references.length;
  return lengths[segment];
}

function nameSegment(segment) {
  return page.ids && page.ids[segment] ? page.ids[segment] : `${(segment + 1).toLocaleString("en")}`;
}

function showNumber(value, digits = 2) {
  if (!Number.isFinite(value)) return "–";
  return value.toFixed(digits).replace("-", "−");
}

function showSigned(value, digits = 2) {
  return (value > 0 ? "+" : "") + showNumber(value, digits);
}

// Makes an element; texts are never read as HTML.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === "") continue;
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
