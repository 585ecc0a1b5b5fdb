// Files to save: tables as they are sorted now, the listed segments, and charts.
const TYPES = {
  csv: "text/csv;charset=utf-8", tex: "application/x-tex;charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

function setUpDownloads() {
  for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => save(button.dataset));
}

async function save({ save: format, of: chart, table }) {
  if (chart) {
    const { view } = drawn.get(document.querySelector(`[data-chart="${chart}"]`)) || {};
    if (view) saveAs(`${chart}.${format}`, await view.toImageURL(format, 2));
  } else if (format === "tex") {
    saveFile(`${table}.tex`, [page.latex[table]]);
  } else {
    const rows = table === "segments" ? readSegments() : readTable(document.getElementById(`${table}-table`));
    saveFile(`${table}.${format}`, format === "csv" ? [writeCsv(rows)] : makeWorkbook(rows));
  }
}

function saveFile(name, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type: TYPES[name.split(".").pop()] }));
  saveAs(name, address);
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it later
}

function saveAs(name, address) {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

function writeCsv(rows) {
  const quote = (value) => (/[,"\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  return rows.map((row) => `${row.map((value) => quote(typeof value === "number" && !Number.isFinite(value) ? "" : String(value))).join(",")}\n`).join("");
}

// Reads a table with scores in full precision; what stands beside a number gets a column of its own.
function readTable(table) {
  const body = [...table.tBodies[0].rows].map((row) => [...row.cells]);
  const columns = [...table.tHead.rows[0].cells].flatMap((heading, i) => {
    const cells = body.map((row) => row[i]);
    const title = heading.textContent.replace(/[↑↓]/g, "").trim();
    const kinds = new Set(cells.flatMap((cell) => [...cell.querySelectorAll(".detail")].map((detail) => detail.classList[1])));
    return [[title, ...cells.map(readCell)], ...[...kinds].map((kind) => readDetails(title, kind, cells))];
  });
  return [columns.map((column) => column[0]), ...body.map((_, i) => columns.map((column) => column[i + 1]))];
}

function readCell(cell) {
  const value = cell.dataset.value;
  return cell.matches(".number") && value !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}

function readDetails(title, kind, cells) {
  const texts = cells.map((cell) => cell.querySelector(`.detail.${kind}`)?.textContent ?? "");
  if (!texts.every((text) => text.startsWith("±"))) return [`${title} ${kind}`, ...texts];
  return [`${title} ±`, ...texts.map((text) => Number(text.slice(1)))];
}

// The listed segments in their order: texts, and the scores of the chosen systems on all metrics.
function readSegments() {
  const names = state.systems.map((system) => page.systems[system]);
  const nReferences = texts ? Math.max(...list.found.map((segment) => texts[segment][1].length), 0) : 0;
  const references = Array.from({ length: nReferences }, (_, i) => (nReferences > 1 ? `reference ${i + 1}` : "reference"));
  const head = ["segment", ...page.columns.map(({ name }) => name), ...(texts ? ["source", ...references, ...names] : []),
    ...page.metrics.flatMap((metric) => names.map((name) => `${metric.title} ${name}`)), ...(humans ? names.map((name) => `human ${name}`) : [])];
  const rows = list.found.map((segment) => [
    nameSegment(segment),
    ...page.columns.map((column) => column.values[column.rows[segment]]),
    ...(texts ? [texts[segment][0], ...references.map((_, i) => texts[segment][1][i] ?? ""), ...state.systems.map((system) => texts[segment][2][system])] : []),
    ...page.metrics.flatMap((_, metric) => state.systems.map((system) => scoreOf(metric, system, segment))),
    ...(humans ? state.systems.map((system) => humanOf(system, segment)) : []),
  ]);
  return [head, ...rows];
}
