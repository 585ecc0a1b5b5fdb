// Charts: specifications in the data, drawn in the colours of the page.
const drawn = new Map(); // where a chart stands: its specification and view

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

const PAPER = 690; // pixels of A4 between its margins
const NARROW = 620; // pixels; below, legends stand under a chart

// Adapts a chart to the width of its place: several panels get as many columns as fit, a single one its width.
function fitWidth(original, room) {
  const chart = structuredClone(original);
  const clamp = (value, low, high) => Math.round(Math.min(Math.max(value, low), high));
  const longest = (values) => 7 * Math.max(4, ...(values || []).map((value) => String(value).length));
  const rows = (chart.params || []).find((each) => each.name === "rows"); // the names along the y axis
  if (chart.concat) {
    const names = longest(rows && rows.value) + 50;
    const columns = Math.max(1, Math.min(chart.concat.length, Math.floor((room - names) / 230)));
    const width = clamp((room - names) / columns - 24, 120, 480);
    chart.columns = columns;
    chart.concat.forEach((panel, i) => {
      if (typeof panel.width === "number") panel.width = width;
      const axis = panel.encoding && panel.encoding.y && panel.encoding.y.axis;
      if (axis) Object.assign(axis, { labels: i % columns === 0, title: i % columns === 0 ? "system" : null });
    });
  } else if (chart.vconcat) {
    for (const panel of chart.vconcat) if (typeof panel.width === "number") panel.width = clamp(room - 100, 140, panel.width);
  } else if (typeof chart.width === "number") {
    const { margin, least = 140 } = chart.usermeta || {};
    const taken = margin ?? (rows ? longest(rows.value) + 60 : 80);
    chart.width = clamp(room - taken - (room < NARROW ? 10 : 120), least, 760);
  }
  return wrapTitle(chart, room - 24);
}

// Breaks the lines of a title and its subtitle again: bold letters take about 8 pixels, small ones about 6. Lines end with a
// space, because Vega looks titles up in an object, which has keys such as "constructor".
function wrapTitle(chart, room) {
  if (!chart.title) return chart;
  for (const [part, size] of [["text", 8], ["subtitle", 6]]) {
    if (!chart.title[part]) continue;
    const lines = [""];
    for (const word of [chart.title[part]].flat().join(" ").trim().split(/ +/)) {
      if (lines.at(-1) && size * (lines.at(-1).length + 1 + word.length) > room) lines.push("");
      lines[lines.length - 1] += lines.at(-1) ? ` ${word}` : word;
    }
    chart.title[part] = lines.map((line) => `${line} `);
  }
  return chart;
}

async function drawChart(place, specification, theme = isDark() ? "dark" : "light", room = place.clientWidth) {
  const options = { ...page.embed, config: page.themes[theme], defaultStyle: false, tooltip: { disableDefaultStyle: true } };
  const before = drawn.get(place);
  drawn.set(place, { specification, view: null });
  if (room < NARROW) options.config = { ...options.config, legend: { ...options.config.legend, orient: "bottom", columns: 2 } };
  const result = await vegaEmbed(place, fitWidth(specification, room), options);
  if (before && before.view) before.view.finalize();
  drawn.get(place).view = result.view;
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", specification.description || "chart");
}

async function redrawCharts(theme, room) {
  for (const [place, { specification }] of drawn) await drawChart(place, specification, theme, room);
}

async function setUpCharts() {
  for (const place of document.querySelectorAll("[data-chart]")) {
    const charts = page.charts[place.dataset.chart];
    const choice = document.querySelector(`select[data-for="${place.dataset.chart}"]`);
    if (choice) choice.addEventListener("change", () => drawChart(place, charts[Number(choice.value)]));
    setUpKeys(place);
    await drawChart(place, charts[choice ? Number(choice.value) : 0]);
    await new Promise((resolve) => setTimeout(resolve, 30)); // readers may click between two charts
  }
}

function followWidth() {
  let waiting = 0;
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(() => redrawCharts(), 200);
  });
}

function setUpTheme() {
  const button = document.getElementById("theme");
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", String(isDark()));
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    show();
    redrawCharts();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { show(); redrawCharts(); });
  addEventListener("beforeprint", () => redrawCharts("light", PAPER));
  addEventListener("afterprint", () => redrawCharts());
  show();
}

// How often the second system's score minus the first one's has which size.
function drawDistribution(place, first, second, metric) {
  const differences = [];
  for (let i = 0; i < nSegments; i++) {
    const difference = scoreOf(metric, second, i) - scoreOf(metric, first, i);
    if (Number.isFinite(difference) && difference !== 0) differences.push(difference);
  }
  const label = page.metrics[metric].title;
  // Names are values of a parameter and of a field only: Vega evaluates titles and domains.
  const names = [page.systems[first], page.systems[second]];
  const isOwn = page.systems.length <= page.nColours; // every system has its colour, the same in all charts
  const coloured = isOwn ? page.systems : names;
  const colours = isOwn ? [first, second] : [0, 1];
  const sizes = differences.map(Math.abs).sort((a, b) => a - b);
  const edge = sizes.length ? sizes[Math.floor(0.99 * (sizes.length - 1))] || 1 : 1;
  return drawChart(place, {
    description: `Differences of ${label} between ${names[0]} and ${names[1]}`,
    title: { text: "Differences, segment by segment", subtitle: `${differences.length.toLocaleString("en")} segments differ; the rest is not drawn` },
    params: [{ name: "names", value: coloured }],
    width: 480, height: 180, data: { values: countBars(differences, edge, names, colours, page.metrics[metric].higher) },
    mark: { type: "bar", description: { expr: "format(datum.low, '.2f') + ' to ' + format(datum.high, '.2f') + ': ' + datum.n + ' segments'" } },
    encoding: {
      x: { field: "low", type: "quantitative", bin: { binned: true }, axis: { title: `${label} of ${names[1]} − ${label} of ${names[0]}` }, scale: { nice: false, domain: [-edge, edge] } },
      x2: { field: "high" }, y: { field: "n", type: "quantitative", title: "segments" },
      tooltip: [{ field: "better" }, { field: "low", title: "from", format: ".3~f" }, { field: "high", title: "to", format: ".3~f" }, { field: "n", title: "segments" }],
      color: { field: "colour", type: "nominal", scale: { domain: coloured.map((_, i) => i) }, legend: { title: "better", labelExpr: "names[datum.value]", values: colours } },
    },
  });
}

function countBars(differences, edge, names, colours, higherIsBetter) {
  const N_BARS = 20; // on each side of zero, which no bar crosses
  const bars = Array.from({ length: 2 * N_BARS }, (_, i) => {
    const winner = (i >= N_BARS) === higherIsBetter ? 1 : 0;
    return { low: (i - N_BARS) * edge / N_BARS, high: (i + 1 - N_BARS) * edge / N_BARS, n: 0, colour: colours[winner], better: names[winner] };
  });
  for (const difference of differences) {
    const place = Math.floor(Math.min(Math.abs(difference) / edge * N_BARS, N_BARS - 1e-9));
    bars[difference > 0 ? N_BARS + place : N_BARS - 1 - place].n += 1;
  }
  return bars;
}
