// The overview of many test sets: a heat map that follows the choices, and the page of a test set on request.
const chosen = { metric: 0, kind: "", sets: "", complete: false, column: "average", worstFirst: false };

// The scores of a test set by system: all segments, or those of one kind; null without any.
function scoresOf(set) {
  if (!chosen.kind) return set.scores[chosen.metric];
  const [column, value] = JSON.parse(chosen.kind);
  const found = set.kinds[column] && set.kinds[column][value];
  return found ? found.scores[chosen.metric] : null;
}

function listSets() {
  const wanted = chosen.sets.split(",").map((each) => each.trim().toLowerCase()).filter(Boolean);
  const isWanted = (name) => !wanted.length || wanted.some((each) => name.toLowerCase().includes(each));
  return page.sets.filter((set) => isWanted(set.name) && scoresOf(set));
}

// The rows of the table; averages are over the test sets that all of them have, or over all test sets if there are none.
// Without any average, rows are sorted by significant wins, which are known for all test sets, or by name.
function listRows(sets) {
  let rows = page.systems.map((name, system) => ({ name, system, scores: sets.map((set) => scoresOf(set)[system]) }))
    .filter((row) => row.scores.some((score) => score !== null));
  if (chosen.complete) rows = rows.filter((row) => !row.scores.includes(null));
  const common = sets.map((_, i) => i).filter((i) => rows.every((row) => row.scores[i] !== null));
  const averaged = common.length ? common : sets.map((_, i) => i);
  for (const row of rows) {
    const scores = averaged.map((i) => row.scores[i]);
    row.average = scores.length && !scores.includes(null) ? scores.reduce((a, b) => a + b, 0) / scores.length : null;
  }
  const hasAverages = rows.some((row) => row.average !== null);
  const column = chosen.column !== "average" || hasAverages ? chosen.column : isWhole(sets) ? "wins" : "system";
  return { rows: sortRows(rows, sets, column), nAveraged: hasAverages ? averaged.length : 0, column };
}

function sortRows(rows, sets, column) {
  if (column === "system") return rows.sort((a, b) => (chosen.worstFirst ? -1 : 1) * a.name.localeCompare(b.name));
  const wins = (row) => page.summaries[chosen.metric][row.system].wins;
  if (column === "wins") return rows.sort((a, b) => (chosen.worstFirst ? -1 : 1) * (wins(b) - wins(a)));
  const at = sets.findIndex((set) => set.name === column);
  const value = (row) => (at < 0 ? row.average : row.scores[at]);
  const sign = (page.metrics[chosen.metric].higher ? -1 : 1) * (chosen.worstFirst ? -1 : 1);
  return rows.sort((a, b) => (value(a) === null) - (value(b) === null) || sign * ((value(a) ?? 0) - (value(b) ?? 0)) || wins(b) - wins(a));
}

// The shade of a score, from 0 for the worst system of a test set to 9 for the best.
function shade(score, scores) {
  const known = scores.filter((each) => each !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  if (score === null || high === low) return "";
  const place = (score - low) / (high - low);
  return `heat-${Math.round(9 * (page.metrics[chosen.metric].higher ? place : 1 - place))}`;
}

function isWhole(sets) {
  return !chosen.kind && !chosen.complete && sets.length === page.sets.length;
}

function update() {
  const sets = listSets();
  const { rows, nAveraged, column } = listRows(sets);
  const columns = rows.length ? sets.map((_, i) => rows.map((row) => row.scores[i])) : [];
  const averages = rows.map((row) => row.average);
  const body = rows.map((row) => make("tr", {},
    make("th", { scope: "row", dir: "auto", "data-value": row.name }, row.name),
    ...makeSummary(row, averages, isWhole(sets), nAveraged > 0),
    ...row.scores.map((score, i) => makeCell(row, sets[i], score, columns[i]))));
  const table = document.getElementById("heat-table");
  table.replaceChildren(make("thead", {}, makeHead(sets, column, nAveraged > 0)), make("tbody", {}, ...body));
  document.getElementById("tested").hidden = !isWhole(sets);
  document.getElementById("found").textContent = describeFound(sets, rows, nAveraged);
}

function describeFound(sets, rows, nAveraged) {
  const metric = page.metrics[chosen.metric];
  const tested = isWhole(sets) ? "" : "; letters of the average are shown for all test sets and segments only";
  const average = nAveraged ? `average over ${nAveraged} test sets${tested}` : "no system has all of them, so there is no average";
  return `${sets.length} of ${page.sets.length} test sets · ${rows.length} systems · ${metric.title}, ${metric.higher ? "higher" : "lower"} is better`
    + ` · ${average}`;
}

function makeHead(sets, column, hasAverages) {
  const sortable = (name, label, ...more) => {
    const button = make("button", { type: "button", title: `Sort by ${label}` }, label);
    button.addEventListener("click", () => {
      chosen.worstFirst = column === name && !chosen.worstFirst;
      chosen.column = name;
      update();
      document.querySelector("#heat-table th[aria-sort] button").focus();
    });
    const heading = make("th", { scope: "col", class: name === "system" ? "" : "number" }, ...more, button);
    if (column === name) heading.setAttribute("aria-sort", directionOf(name));
    return heading;
  };
  const plain = (label) => make("th", { scope: "col", class: "number" }, label);
  const averages = hasAverages ? [sortable("average", "average"), plain("mean rank")] : [];
  return make("tr", {}, sortable("system", "system"), ...averages, isWhole(sets) ? sortable("wins", "wins") : plain("wins"),
    ...sets.map((set) => {
      const link = make("a", { href: addressOf(set), title: `${set.segments.toLocaleString("en")} segments` }, set.name);
      const heading = sortable(set.name, "", link, " ");
      const button = heading.querySelector("button");
      for (const name of ["aria-label", "title"]) button.setAttribute(name, `Sort by ${set.name}`);
      button.classList.add("sort");
      return heading;
    }));
}

function directionOf(name) {
  if (name === "wins") return chosen.worstFirst ? "ascending" : "descending";
  const isAscending = name === "system" ? !chosen.worstFirst : page.metrics[chosen.metric].higher === chosen.worstFirst;
  return isAscending ? "ascending" : "descending";
}

function makeSummary(row, averages, isTested, hasAverages) {
  const summary = page.summaries[chosen.metric][row.system];
  const average = make("td", { class: `number average ${shade(row.average, averages)}`, "data-value": row.average }, make("span", { class: "score" }, showNumber(row.average ?? NaN)));
  if (isTested && summary.interval) average.append(
    make("span", { class: "detail intervals" }, `±${showNumber((summary.interval[1] - summary.interval[0]) / 2)}`),
    make("span", { class: "detail letters" }, summary.letters));
  const rank = make("td", { class: "number", "data-value": isTested ? summary.rank : "" }, isTested ? showNumber(summary.rank ?? NaN, 1) : "–");
  return [...(hasAverages ? [average, rank] : []),
    make("td", { class: "number", "data-value": isTested ? summary.wins : "" }, isTested ? String(summary.wins) : "–")];
}

// A click on a score opens the page of its test set; the keyboard has the link in the heading.
function makeCell(row, set, score, scores) {
  const cell = make("td", { class: `number ${shade(score, scores)}`, "data-value": score }, make("span", { class: "score" }, showNumber(score ?? NaN)));
  if (score === null) return cell;
  if (!chosen.kind) cell.append(make("span", { class: "detail letters" }, set.letters[chosen.metric][row.system]));
  cell.addEventListener("click", () => { location.hash = addressOf(set); });
  return cell;
}

function addressOf(set) {
  return `#set=${encodeURIComponent(set.name)}`;
}

function fillChoices() {
  document.getElementById("metric").append(...page.metrics.map((each, i) => make("option", { value: String(i) }, each.title)));
  const kinds = new Map();
  for (const set of page.sets)
    for (const [column, values] of Object.entries(set.kinds))
      kinds.set(column, new Set([...(kinds.get(column) ?? []), ...Object.keys(values)]));
  const groups = [...kinds].map(([column, values]) => {
    const group = make("optgroup", {}, ...[...values].sort().map((value) => make("option", { value: JSON.stringify([column, value]) }, value || "(unknown)")));
    group.label = column;
    return group;
  });
  const kind = document.getElementById("kind");
  kind.append(make("option", {}, "all"), ...groups);
  kind.options[0].value = "";
  kind.closest("label").hidden = !kinds.size;
}

function setUpChoices() {
  fillChoices();
  const form = document.getElementById("choices");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    chosen.metric = Number(document.getElementById("metric").value);
    for (const name of ["kind", "sets"]) chosen[name] = document.getElementById(name).value;
    chosen.complete = document.getElementById("complete").checked;
    update();
  });
}

// The page of a test set: gzip in pairs of 91 letters with 13 bits each.
function unpackPage(number) {
  const element = document.getElementById(`set-${number}`);
  const packed = element.textContent;
  const letters = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((letter) => !"<>&".includes(letter));
  const values = new Uint8Array(128);
  letters.forEach((letter, value) => { values[letter.charCodeAt(0)] = value; });
  const bytes = new Uint8Array(Number(element.dataset.bytes));
  for (let i = 0, at = 0, rest = 0, n = 0; i < packed.length; i += 2) {
    rest = (rest << 13) | (91 * values[packed.charCodeAt(i)] + values[packed.charCodeAt(i + 1)]);
    for (n += 13; n >= 8; n -= 8) bytes[at++] = (rest >> (n - 8)) & 255;
    rest &= 255;
  }
  return decompress(bytes);
}

// Replaces this page by that of a test set, if the address names one; the way back loads this file again.
async function openSet() {
  const found = /(?:^#|&)set=([^&]*)/.exec(location.hash);
  const number = page.sets.findIndex((set) => found && encodeURIComponent(set.name) === found[1]);
  if (number < 0) return false;
  const name = page.sets[number].name;
  document.getElementById("found").textContent = `Opening ${name} …`;
  const text = new TextDecoder().decode(await unpackPage(number));
  const theme = document.documentElement.dataset.theme;
  document.open();
  document.write(text);
  document.close();
  if (theme) document.documentElement.dataset.theme = theme;
  scrollTo(0, 0);
  return true;
}

async function start() {
  if (await openSet()) return;
  addEventListener("hashchange", openSet);
  setUpTheme();
  setUpDownloads();
  followWidth();
  setUpOverflow();
  setUpChoices();
  update();
  document.documentElement.dataset.ready = "data";
  performance.mark("data");
  await setUpCharts();
  document.documentElement.dataset.ready = "all";
  performance.mark("all");
}

// The pages of the test sets stand behind this script.
addEventListener("DOMContentLoaded", () => start().catch((error) => {
  document.getElementById("found").textContent = `This page cannot be shown: ${error.message}. Browsers from 2023 on can open it.`;
  throw error;
}));
