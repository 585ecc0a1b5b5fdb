// One segment: its texts side by side with words marked, and every metric's scores.
function showSegment() {
  const place = document.getElementById("segment");
  if (state.segment === null) {
    place.replaceChildren(make("p", { class: "hint" }, "Choose a segment from the list."));
    return;
  }
  place.replaceChildren(
    makeSegmentHead(),
    ...(texts ? makeTexts() : [make("p", { class: "hint" }, "This report was made without texts.")]),
    makeSegmentScores(),
    ...makeExplanations(),
  );
}

function makeSegmentHead() {
  const facts = page.columns.map((column) => `${column.name}: ${column.values[column.rows[state.segment]]}`);
  const name = nameSegment(state.segment);
  const number = page.ids ? ` (${(state.segment + 1).toLocaleString("en")})` : "";
  return make("header", {},
    make("h3", {}, `Segment ${name}${number}`),
    make("p", { class: "note", dir: "auto" }, facts.join(" · ")),
    make("a", { href: writeFragment(), class: "link" }, "Link to this view"));
}

function makeTexts() {
  const [source, references, outputs] = texts[state.segment];
  const [from, to] = page.languages;
  const rows = [];
  if (source) rows.push(makeText("source", [source], from, "source"));
  references.forEach((reference, i) => {
    const label = references.length > 1 ? `reference ${i + 1}` : "reference";
    rows.push(makeText(label, [reference], to, "reference"));
  });
  for (const system of state.systems) {
    const label = `${page.systems[system]}`;
    const human = humanOf(system, state.segment);
    const score = `${page.metrics[state.metric].title} ${showNumber(scoreOf(state.metric, system, state.segment))}`
      + (Number.isFinite(human) ? ` · human ${showNumber(human)}` : "");
    rows.push(makeText(label, markOutput(outputs[system], references), to, "output", score));
    for (const { rater, pieces } of annotations.get(`${state.segment}/${system}`) ?? [])
      rows.push(makeText(rater, pieces.map(makePiece), to, "output annotation", `errors in ${label}`));
  }
  const key = make("p", { class: "note key" },
    make("ins", {}, "added"), " not in the reference, ", make("del", {}, "missing"), " from the output, ",
    make("span", { class: "moved" }, "moved"), " from elsewhere; each output is marked against its nearest reference",
    ...(annotations.size ? ["; raters: ", makePiece(["major", "major"]), " and ", makePiece(["minor", "minor"]), " errors"] : []));
  return [make("div", { class: "texts" }, ...rows), key];
}

// A piece of an output; errors are underlined, doubly if they are major.
function makePiece([text, severity]) {
  return severity ? make("span", { class: `error ${severity}`, title: `${severity} error` }, text) : text;
}

function makeText(label, content, language, kind, note = "") {
  const head = make("h4", { dir: "auto" }, label);
  if (note) head.append(make("small", {}, note));
  return make("div", { class: `text ${kind}` }, head, make("p", { dir: "auto", lang: language }, ...content));
}

function makeSegmentScores() {
  const withInfluence = influences !== null;
  const head = make("tr", {}, make("th", { scope: "col" }, "metric"),
    ...state.systems.map((system) => make("th", { scope: "col", class: "number", dir: "auto" }, page.systems[system])));
  const rows = page.metrics.map((metric, m) => make("tr", m === state.metric ? { class: "chosen" } : {},
    make("th", { scope: "row" }, `${metric.title} ${metric.higher ? "↑" : "↓"}`),
    ...state.systems.map((system) => {
      const cell = make("td", { class: "number" }, make("span", { class: "score" }, showNumber(scoreOf(m, system, state.segment))));
      if (withInfluence) cell.append(make("span", { class: "spread" }, showSigned(influenceOf(m, system, state.segment), 3)));
      return cell;
    })));
  if (humans) rows.unshift(make("tr", {}, make("th", { scope: "row" }, "human ↑"),
    ...state.systems.map((system) => make("td", { class: "number" }, make("span", { class: "score" }, showNumber(humanOf(system, state.segment))),
      ...(withInfluence ? [make("span", { class: "spread" })] : [])))));
  const caption = withInfluence ? "Scores of this segment; small: what it adds to the system’s score" : "Scores of this segment";
  const table = make("table", {}, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, ...rows));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Scores of this segment" }, table);
}

// Why the metric gives these scores, for the segments that were explained when the page was made.
function makeExplanations() {
  const label = page.metrics[state.metric].title;
  const found = state.systems.map((system) => [system, explanations.get(`${state.segment}/${system}/${state.metric}`)]).filter(([, shown]) => shown);
  if (!found.length) return texts && page.explained.segments[state.metric] ? [makeExplanationHint(label)] : [];
  return found.map(([system, shown]) => makeExplanation(`Why ${label} gives ${page.systems[system]} this score`, shown));
}

// Pictures are drawn when they are asked for.
function makeExplanation(title, shown) {
  const details = make("details", {}, make("summary", { dir: "auto" }, title));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    details.append(make("div", { class: "pictures" }, ...makePictures(shown)));
    if (shown.steps) details.append(make("pre", { dir: "auto" }, shown.steps.join("\n")));
  });
  return details;
}

function makeExplanationHint(label) {
  const { systems, segments } = page.explained;
  return make("p", { class: "note" }, `This page explains ${label} on the ${segments[state.metric].toLocaleString("en")} segments that tell ${systems.join(" and ")} apart most, `
    + `for want of room; tertium explain --line ${state.segment + 1} explains this one.`);
}
