// The score table: a click on a heading sorts by its column, the better scores first.
function setUpScoreTable() {
  const table = document.getElementById("score-table");
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => sortTable(table, headings, column));
  });
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
