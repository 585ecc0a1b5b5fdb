// Charts by keyboard: the arrow keys move from mark to mark, and the line below the chart reads the mark's values.
const KEYS_HINT = "Arrow keys read the values, mark by mark.";

function setUpKeys(place) {
  const reading = make("p", { class: "reading", role: "status" });
  place.after(reading);
  place.addEventListener("focus", () => { if (place.matches(":focus-visible")) reading.textContent = KEYS_HINT; });
  place.addEventListener("blur", () => { leaveMarks(place); reading.textContent = ""; });
  place.addEventListener("keydown", (event) => {
    const marks = listMarks(place);
    const next = stepTo(event.key, marks, marks.findIndex(({ element }) => element.matches(".current")));
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    leaveMarks(place);
    marks[next].element.classList.add("current");
    marks[next].element.scrollIntoView({ block: "nearest", inline: "nearest" });
    reading.textContent = `${marks[next].text} (${next + 1} of ${marks.length})`;
  });
}

function leaveMarks(place) {
  for (const element of place.querySelectorAll(".current")) element.classList.remove("current");
}

// The marks that have a tooltip, in the order in which they are drawn; of a line and its dot, which say the same, the dot.
function listMarks(place) {
  const found = new Map();
  for (const element of place.querySelectorAll("svg *")) {
    const told = element.__data__ && element.__data__.tooltip; // Vega's item
    if (told) found.set(describeMark(told), element);
  }
  return [...found].map(([text, element]) => ({ text, element }));
}

function describeMark(told) {
  return typeof told === "object" ? Object.entries(told).map(([name, value]) => `${name}: ${value}`).join(", ") : String(told);
}

// The number of the next mark; null for other keys. Left and right follow the order, up and down the picture.
function stepTo(key, marks, here) {
  if (!marks.length || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key)) return null;
  if (key === "Home" || here < 0) return 0;
  if (key === "End") return marks.length - 1;
  const direction = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  const inOrder = Math.min(Math.max(here + direction, 0), marks.length - 1);
  return key === "ArrowLeft" || key === "ArrowRight" ? inOrder : nearestAcross(marks, here, direction) ?? inOrder;
}

// The nearest mark below (1) or above (-1), if one lies in about the same column.
function nearestAcross(marks, here, direction) {
  const middles = marks.map(({ element }) => element.getBoundingClientRect()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
  const [x, y] = middles[here];
  let best = null, least = Infinity;
  middles.forEach(([otherX, otherY], i) => {
    const [aside, along] = [Math.abs(otherX - x), direction * (otherY - y)];
    if (along > 2 && aside <= 2 * along && along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
  });
  return best;
}
