// Pictures of explanations: links between words, heat maps and trees, drawn from the data in the page.
const SVG = "http://www.w3.org/2000/svg";
const LINE = 21; // pixels from word to word
const CELL = 18; // pixels of a heat map's cell
const LONGEST_WORD = 18; // characters; longer ones are cut, and whole in their tooltip
const NODE = /^(\s*)([+-]) (.+) \(([^()]*), (\d+)\)$/; // a word of a tree: "  + link (xcomp, 5)"

function draw(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function drawWord(text, x, y, properties = {}) {
  const letters = [...text];
  const shown = letters.length > LONGEST_WORD ? `${letters.slice(0, LONGEST_WORD - 1).join("")}…` : text;
  // Isolated, so that a word of a script from right to left keeps its punctuation on its own side.
  const word = draw("text", { x, y, "dominant-baseline": "central", ...properties }, `\u2068${shown}\u2069`);
  if (shown !== text) word.append(draw("title", {}, text));
  return word;
}

function makePicture(width, height, label, ...children) {
  const picture = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, class: "picture" });
  picture.append(...children);
  return picture;
}

// About how many pixels the longest of some words takes, and at least that of a heading.
function roomFor(words) {
  const width = (word) => [...word].slice(0, LONGEST_WORD).reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e80 ? 14 : 7.6), 0);
  return Math.ceil(Math.max(60, ...words.map(width))) + 8;
}

// Words of the output on the left and of the reference on the right, in their order; a line joins what belongs together.
function drawLinks({ rows, columns, links }) {
  const left = roomFor(rows), right = left + 110, width = right + roomFor(columns);
  const height = LINE * Math.max(rows.length, columns.length) + 26;
  const at = (i) => 36 + LINE * i;
  const linked = [new Set(links.map(([i]) => i)), new Set(links.map(([, j]) => j))];
  const largest = Math.max(...links.map(([, , kind]) => Number.parseFloat(kind) || 0));
  const lines = links.map(([i, j, kind]) => {
    const bend = (left + right) / 2;
    const line = draw("path", { d: `M${left + 6},${at(i)} C${bend},${at(i)} ${bend},${at(j)} ${right - 6},${at(j)}`, class: `join ${classOfLink(kind)}` });
    if (largest > 0) line.setAttribute("stroke-width", (0.8 + 2.4 * (Number.parseFloat(kind) || 0) / largest).toFixed(2));
    line.append(draw("title", {}, `${rows[i]} – ${columns[j]}: ${kind}`));
    return line;
  });
  const heads = [drawWord("output", left, 10, { "text-anchor": "end", class: "axis" }), drawWord("reference", right, 10, { class: "axis" })];
  return makePicture(width, height, `${links.length} links between ${rows.length} words of the output and ${columns.length} of the reference`, ...heads, ...lines,
    ...rows.map((word, i) => drawWord(word, left, at(i), { "text-anchor": "end", class: linked[0].has(i) ? "" : "lone-own" })),
    ...columns.map((word, j) => drawWord(word, right, at(j), { class: linked[1].has(j) ? "" : "lone-other" })));
}

function classOfLink(kind) {
  if (/^(match|exact)$|stays$|^1\.0+$/.test(kind)) return "same";
  return kind === "substitution" ? "unlike" : "near";
}

// A matrix over words of both texts, the stronger the more.
function drawMap({ rows, columns }, [name, low, high, packed]) {
  const values = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const left = roomFor(rows), top = Math.ceil(0.87 * roomFor(columns)) + 8;
  const cells = [];
  values.forEach((value, place) => {
    const [i, j] = [Math.floor(place / columns.length), place % columns.length];
    const cell = draw("rect", { x: left + CELL * j, y: top + CELL * i, width: CELL - 1, height: CELL - 1, class: "cell", "fill-opacity": (value / 255).toFixed(3) });
    cell.append(draw("title", {}, `${rows[i]} – ${columns[j]}: ${(low + (high - low) * value / 255).toFixed(3)}`));
    cells.push(cell);
  });
  const words = [
    ...rows.map((word, i) => drawWord(word, left - 5, top + CELL * (i + 0.5), { "text-anchor": "end" })),
    ...columns.map((word, j) => drawWord(word, 0, 0, { transform: `translate(${left + CELL * (j + 0.5)},${top - 5}) rotate(-60)` })),
  ];
  const width = left + CELL * columns.length + 60;
  const label = `${name} of ${rows.length} words of the output and ${columns.length} of the reference, from ${low.toFixed(2)} to ${high.toFixed(2)}`;
  return makePicture(width, top + CELL * rows.length + 4, label, ...cells, ...words);
}

// Trees stand in the account line by line, indented; each becomes a column of words with arcs from heads to dependants.
function findTrees(steps) {
  const trees = [];
  let title = "", nodes = null, path = [];
  for (const step of steps) {
    const match = NODE.exec(step);
    if (!match) { title = step; nodes = null; continue; }
    if (!nodes) { nodes = []; path = []; trees.push({ title, nodes }); }
    const depth = match[1].length;
    while (path.length && path[path.length - 1].depth >= depth) path.pop();
    const node = { depth, isMatched: match[2] === "+", word: match[3], relation: match[4], place: Number(match[5]) - 1, head: path.length ? path[path.length - 1].place : null };
    path.push(node);
    nodes.push(node);
  }
  return trees;
}

function drawTree({ title, nodes }) {
  const left = 24 + Math.ceil(9 * Math.sqrt(nodes.length)), at = (place) => 14 + LINE * place;
  const height = at(Math.max(...nodes.map((node) => node.place))) + 14;
  const arcs = nodes.filter((node) => node.head !== null).map((node) => {
    const reach = 14 + 12 * Math.sqrt(Math.abs(node.head - node.place));
    return draw("path", { d: `M${left - 6},${at(node.head)} C${left - reach},${at(node.head)} ${left - reach},${at(node.place)} ${left - 6},${at(node.place)}`, class: "join near" });
  });
  const ends = nodes.filter((node) => node.head !== null).map((node) => draw("circle", { cx: left - 6, cy: at(node.place), r: 2.5, class: "end" }));
  const words = nodes.map((node) => {
    const word = drawWord(node.word, left, at(node.place), { class: node.isMatched ? "shared" : "" });
    word.append(draw("tspan", { dx: 7, class: "axis" }, node.relation));
    return word;
  });
  return make("figure", {}, make("figcaption", {}, title.replace(/\s*\(\+ marks (.*)\):$/, " (green: $1; a dot ends each arc from a head)")),
    makePicture(left + roomFor(nodes.map((node) => `${node.word}${node.relation} `)) + 10, height, `${title} ${nodes.length} words`, ...arcs, ...ends, ...words));
}

// All pictures of one explanation; what has none gets its account alone.
function makePictures(shown) {
  const trees = findTrees(shown.steps || []).map(drawTree);
  const links = shown.links && shown.rows && shown.columns ? [drawLinks(shown)] : [];
  const maps = (shown.maps || []).filter(([, low, high]) => high > low).map((map) => make("figure", {}, make("figcaption", {}, `${map[0]}, ${map[1].toFixed(2)} (faint) to ${map[2].toFixed(2)} (strong)`), drawMap(shown, map)));
  return [...links, ...trees, ...maps].map((picture) => make("div", { class: "scroll" }, picture));
}
