// A list that draws only the rows in sight, so that 50,000 segments scroll as easily as 50.
const ROW = 58; // pixels, as in the style sheet
const EXTRA = 6; // rows beyond the edges

const list = { found: [], box: null, tall: null, choose: null, rows: new Map() };

function setUpList(choose) {
  list.box = document.getElementById("list");
  list.tall = document.getElementById("tall");
  list.choose = choose;
  list.box.addEventListener("scroll", () => requestAnimationFrame(drawRows), { passive: true });
  list.box.addEventListener("keydown", moveByKey);
  list.box.addEventListener("click", (event) => {
    const row = event.target.closest("[data-segment]");
    if (row) choose(Number(row.dataset.segment));
  });
  new ResizeObserver(drawRows).observe(list.box);
}

function fillList(found) {
  list.found = found;
  list.tall.style.height = `${found.length * ROW}px`;
  list.tall.replaceChildren();
  list.rows.clear();
  drawRows();
}

function drawRows() {
  const first = Math.max(0, Math.floor(list.box.scrollTop / ROW) - EXTRA);
  const last = Math.min(list.found.length, Math.ceil((list.box.scrollTop + list.box.clientHeight) / ROW) + EXTRA);
  for (const [place, row] of list.rows) {
    if (place < first || place >= last) { row.remove(); list.rows.delete(place); }
  }
  for (let place = first; place < last; place++) {
    if (list.rows.has(place)) continue;
    const row = makeRow(place);
    list.rows.set(place, row);
    list.tall.append(row);
  }
  markChosen();
}

function makeRow(place) {
  const segment = list.found[place];
  const values = state.systems.slice(0, 3).map((system) => showNumber(scoreOf(state.metric, system, segment), 1));
  const text = texts ? texts[segment][1][0] : "";
  const numbers = make("span", { class: "row-numbers" }, make("b", {}, nameSegment(segment)), make("span", {}, values.join(" · ")));
  if (state.systems.length === 2) {
    const [gap, digits] = state.order === "influence" ? [influenceOnGap(segment), 3] : [gapOf(segment), 1];
    numbers.append(make("span", { class: gap > 0 ? "up" : gap < 0 ? "down" : "even" }, showSigned(gap, digits)));
  }
  const row = make("div", {
    role: "option", id: `row-${segment}`, class: "row", "data-segment": segment, "aria-selected": "false",
    "aria-setsize": list.found.length, "aria-posinset": place + 1,
  }, numbers, make("span", { class: "row-text", dir: "auto", lang: page.languages[1] }, text));
  row.style.transform = `translateY(${place * ROW}px)`;
  return row;
}

function markChosen() {
  let active = "";
  for (const row of list.rows.values()) {
    const isChosen = Number(row.dataset.segment) === state.segment;
    row.setAttribute("aria-selected", String(isChosen));
    if (isChosen) active = row.id;
  }
  if (active) list.box.setAttribute("aria-activedescendant", active);
  else list.box.removeAttribute("aria-activedescendant");
}

function showRow(segment) {
  const place = list.found.indexOf(segment);
  if (place < 0) return;
  const top = place * ROW;
  if (top < list.box.scrollTop) list.box.scrollTop = top;
  if (top + ROW > list.box.scrollTop + list.box.clientHeight) list.box.scrollTop = top + ROW - list.box.clientHeight;
  drawRows();
}

function moveByKey(event) {
  const page = Math.max(1, Math.floor(list.box.clientHeight / ROW) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  if (!(event.key in steps) || !list.found.length) return;
  event.preventDefault();
  const here = list.found.indexOf(state.segment);
  const wanted = here < 0 && steps[event.key] > 0 && Number.isFinite(steps[event.key]) ? 0 : here + steps[event.key];
  list.choose(list.found[Math.min(list.found.length - 1, Math.max(0, wanted))]);
}
