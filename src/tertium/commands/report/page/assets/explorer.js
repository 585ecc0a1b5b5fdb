// The explorer: controls, the list and the segment follow the state.
const CONTROLS = ["order", "text", "kind", "shortest", "longest", "lowest", "highest"];
let waiting = 0;

function setUpExplorer() {
  fillControls();
  setUpList(chooseSegment);
  const form = document.getElementById("filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); resetState(); writeControls(); update(); });
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { readControls(); update(); }, 120); // while somebody types, wait for the next letter
  });
  addEventListener("hashchange", followFragment);
}

function fillControls() {
  document.getElementById("metric").append(...page.metrics.map((each, i) => make("option", { value: String(i) }, each.title)));
  document.getElementById("choose-systems").append(...page.systems.map((name, i) =>
    make("label", { class: "check", dir: "auto" }, make("input", { type: "checkbox", name: "system", value: String(i) }), ` ${name}`)));
  const kinds = page.columns.filter(({ values }) => values.length > 1 && values.length <= 200);
  const groups = kinds.map((column) => {
    const { name } = column;
    const values = column.values.map((value, i) => [value || "(unknown)", i]).sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    const group = make("optgroup", {}, ...values.map(([value, i]) => make("option", { value: `${name}=${i}` }, value)));
    group.label = name;
    return group;
  });
  const kind = document.getElementById("kind");
  kind.append(make("option", {}, "all"), ...groups);
  kind.options[0].value = "";
  kind.closest("label").hidden = !kinds.length;
  const impossible = [...(influences ? [] : ["influence"]), ...(humans ? [] : ["human", "dissent"])];
  for (const order of impossible) document.querySelector(`#order option[value="${order}"]`).remove();
}

// The order in which systems were ticked is the order in which they are compared.
function readControls() {
  const ticked = [...document.querySelectorAll('[name="system"]:checked')].map((box) => Number(box.value));
  const kept = state.systems.filter((system) => ticked.includes(system));
  const chosen = [...kept, ...ticked.filter((system) => !kept.includes(system))];
  if (chosen.length) state.systems = chosen;
  state.metric = Number(document.getElementById("metric").value);
  for (const name of CONTROLS) state[name] = document.getElementById(name).value;
  state.regex = document.getElementById("regex").checked;
  writeControls();
}

function writeControls() {
  for (const box of document.querySelectorAll('[name="system"]')) box.checked = state.systems.includes(Number(box.value));
  document.getElementById("metric").value = String(state.metric);
  for (const name of CONTROLS) {
    const control = document.getElementById(name);
    if (control.value !== state[name]) control.value = state[name];
  }
  document.getElementById("regex").checked = state.regex;
}

// Lists what fits; a fault in a regular expression is told, and the list stays.
function update({ keepsAddress = false } = {}) {
  const told = document.getElementById("found");
  let found;
  try {
    found = findSegments();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    document.getElementById("text").setAttribute("aria-invalid", "true");
    told.textContent = `This is not a regular expression: ${error.message}`;
    return;
  }
  document.getElementById("text").removeAttribute("aria-invalid");
  told.textContent = describeFound(found.length);
  document.getElementById("list-key").textContent = describeRows();
  if (state.segment === null && found.length) state.segment = found[0];
  list.box.scrollTop = 0;
  fillList(found);
  if (keepsAddress) showRow(state.segment);
  showSegment();
  updateDistribution();
  if (!keepsAddress) history.replaceState(null, "", writeFragment());
}

function describeFound(count) {
  const names = state.systems.map((system) => page.systems[system]);
  const compared = names.length === 2 ? `${names[1]} against ${names[0]}` : names.join(", ");
  return `${count.toLocaleString("en")} of ${nSegments.toLocaleString("en")} segments · ${compared} · ${page.metrics[state.metric].title}`;
}

// Explains the numbers of a row of the list.
function describeRows() {
  const names = state.systems.slice(0, 3).map((system) => page.systems[system]);
  const shown = `Each row: the segment, and ${page.metrics[state.metric].title} of ${names.join(" and ")}`;
  if (names.length !== 2 || state.systems.length !== 2) return `${shown}.`;
  return state.order === "influence"
    ? `${shown}; in colour what the segment adds to the lead of ${names[1]}.`
    : `${shown}; in colour by how much ${names[1]} is better.`;
}

function updateDistribution() {
  const place = document.getElementById("distribution");
  place.hidden = state.systems.length !== 2;
  const shown = `${state.systems}/${state.metric}`;
  if (place.hidden || place.dataset.shown === shown) return;
  place.dataset.shown = shown;
  drawDistribution(place, state.systems[0], state.systems[1], state.metric);
}

function chooseSegment(segment) {
  state.segment = segment;
  showRow(segment);
  showSegment();
  history.replaceState(null, "", writeFragment());
}

function followFragment() {
  const set = /(?:^#|&)set=([^&]*)/.exec(location.hash);
  if (page.set && (location.hash.length < 2 || (set && decode(set[1]) !== page.set))) location.reload(); // all test sets, or another one
  if (!readFragment(location.hash)) return;
  writeControls();
  update({ keepsAddress: true });
}
