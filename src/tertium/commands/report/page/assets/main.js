// Start: the best two systems under the first metric, unless the address says otherwise.
function chooseBest() {
  const values = [...document.querySelectorAll("#score-table tbody tr")].map((row) => Number(row.cells[1].dataset.value));
  const sign = page.metrics[0].higher ? -1 : 1;
  const order = values.map((_, i) => i).sort((a, b) => sign * (values[a] - values[b]));
  state.systems = order.slice(0, 2).reverse().map((i) => page.rows[i]);
}

async function start() {
  setUpTheme();
  setUpScoreTable();
  setUpDownloads();
  followWidth();
  setUpOverflow();
  setUpKeys(document.getElementById("distribution"));
  await loadData();
  chooseBest();
  resetState();
  const isView = readFragment(location.hash);
  setUpExplorer();
  writeControls();
  update({ keepsAddress: true });
  document.documentElement.dataset.ready = "data";
  performance.mark("data");
  if (isView) document.getElementById("explorer").scrollIntoView();
  await setUpCharts();
  if (isView) document.getElementById("explorer").scrollIntoView();
  document.documentElement.dataset.ready = "all";
  performance.mark("all");
}

start().catch((error) => {
  document.getElementById("found").textContent =
    `The segments cannot be shown: ${error.message}. Browsers from 2023 on can open this page.`;
  throw error;
});
