// The score table: a click on a heading sorts by its column, the better scores first.
function setUpScoreTable() {
  const table = document.getElementById("score-table");
  const headings = [...table.tHead.rows[0].cells];
  document.getElementById("save-csv").addEventListener("click", saveTable);
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => sortTable(table, headings, column));
  });
}

// The table as it is sorted now, with scores in full precision.
function saveTable() {
  const table = document.getElementById("score-table");
  const quote = (text) => `"${text.replaceAll('"', '""')}"`;
  const heads = [...table.tHead.rows[0].cells].map((cell) => quote(cell.textContent.replace(/[↑↓]/g, "").trim()));
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell, i) => (i ? cell.dataset.value : quote(cell.dataset.value))));
  const text = [heads, ...rows].map((row) => row.join(",")).join("\n") + "\n";
  saveAs("scores.csv", `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`);
}

function sortTable(table, headings, column) {
  const heading = headings[column];
  const first = heading.dataset.kind === "higher" ? "descending" : "ascending";
  const other = first === "descending" ? "ascending" : "descending";
  const direction = heading.getAttribute("aria-sort") === first ? other : first;
  for (const each of headings) each.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", direction);
  const sign = direction === "ascending" ? 1 : -1;
  const rows = [...table.tBodies[0].rows];
  const value = (row) => row.cells[column].dataset.value;
  const compare = heading.dataset.kind === "text"
    ? (a, b) => value(a).localeCompare(value(b))
    : (a, b) => Number(value(a)) - Number(value(b));
  rows.sort((a, b) => sign * compare(a, b));
  table.tBodies[0].append(...rows);
}
